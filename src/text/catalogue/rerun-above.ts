import type { RerunAbove } from '../../model/failure.ts';
import { hint } from '../phrases/hints.ts';
import { stepList } from '../phrases/steps.ts';
import { money } from '../style/figures.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';
import { changeReason, type RefusalOption } from './refusal-options.ts';
import { changedLines } from './refusals.ts';

/** What changed, and what would run again for it. */
export function rerunAboveLines({ changes, steps }: RerunAbove, style: Style): string[] {
  return [...changedLines(changes, style), `  runs again: ${stepList(steps)}`];
}

export function rerunAboveTitle(above: RerunAbove): string {
  return `${aboveWords(above)}; nothing was started`;
}

/** `42 steps would run again, more than confirm_above allows (20 steps, $1)` */
export function aboveWords({ steps, usd, limit }: RerunAbove): string {
  const cost = usd > 0 ? ` for about ${money(usd)}` : '';
  return `${count(steps.length, 'step')} would run again${cost}, more than confirm_above allows (${count(limit.steps, 'step')}, ${money(limit.usd)})`;
}

export function rerunAboveOptions(
  { changes }: RerunAbove,
  { path, narrowing = [] }: Pick<Style, 'path' | 'narrowing'>,
): RefusalOption[] {
  const run = (flag: string) =>
    hint('run', path, undefined, ...narrowing, flag, '--reason', changeReason(changes));
  return [
    { text: 're-run the affected steps and what depends on them', command: run('--rerun-changed') },
    { text: 'keep the results, marked as outdated', command: run('--keep-changed') },
    { text: 'show the differences', command: hint('diff', path) },
    { text: 'allow more without being asked: set confirm_above in the manifest' },
  ];
}
