import type { RunAnswer } from '../../engine/run/run-request.ts';
import type { PlanAnswer } from '../../engine/show/plan.ts';
import { money } from '../style/figures.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';
import { andOutdated } from './outdated.ts';
import { stepList } from './steps.ts';

type Counts = NonNullable<PlanAnswer['selection']>;
type Blocked = Counts['blocked'][number];

/** Steps that are not selected, and that selected ones wait for. */
export function neededLines({ needed }: Counts): string[] {
  if (needed.length === 0) return [];
  const steps = needed.map((name) => {
    const at = name.indexOf('/');
    return { unit: name.slice(0, at), phase: name.slice(at + 1) };
  });
  return [
    `  needed   ${stepList(steps)}: the selected steps wait for ${needed.length === 1 ? 'it' : 'them'}`,
  ];
}

const becauseWords: Readonly<Record<Blocked['because'], string>> = {
  'no-deps': '--no-deps leaves it out',
  excluded: '--unit excludes it',
  until: 'it is listed after --until',
};

/** Selected steps that cannot run, with what each of them waits for. */
export function blockedLines({ blocked }: Counts, style: Style): string[] {
  const groups = new Map<string, Blocked[]>();
  for (const step of blocked) {
    const why = `${plain(step.by)} is not done, and ${becauseWords[step.because]}`;
    groups.set(why, [...(groups.get(why) ?? []), step]);
  }
  const shown = [...groups].slice(0, groupsMax);
  const rest = groups.size - shown.length;
  return [
    ...shown.map(([why, steps]) => `  blocked  ${stepList(steps)}: ${why}`),
    ...(rest > 0 ? [`  ${style.symbols.more} and ${count(rest, 'more reason')} (--json lists all)`] : []),
  ];
}

const groupsMax = 10;

/** There is nothing to do. Where nothing is selected yet, a step may be needed that lists the units that are. */
export function isAllDone({ selected, done, needed }: Counts): boolean {
  return selected === done && (selected > 0 || needed.length === 0);
}

/** `2 of 3 selected steps done`. */
export function selectedWords({ selected, done, outdated }: Counts): string {
  if (selected === 0) return 'no step is selected';
  return `${done} of ${count(selected, 'selected step')} done${andOutdated(outdated)}`;
}

/** Steps outside the selection. */
export function leftWords({ left }: Counts): string {
  return left === 0 ? '' : `, ${left} left outside the selection`;
}

/** What the invocation has spent of its limit. */
export function spendingOf({ maxUsd, usd }: NonNullable<RunAnswer['spending']>): string {
  return `this call of pawl run spent ${money(usd)} of --max-usd ${maxUsd}`;
}
