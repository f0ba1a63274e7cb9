import { unreachable } from '../base/result.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import { stepName } from '../model/names.ts';
import { allAsk, asksOf, type PartChange, type StopReason } from '../model/reason.ts';
import { changeName, type ValueChange } from '../model/refusal.ts';
import type { StepPlan } from '../planner/plan.ts';
import { findingLines } from './catalogue/findings.ts';
import { missingProvidersNext, missingProvidersTitle } from './catalogue/model-failures.ts';
import { noticeLines } from './catalogue/notices.ts';
import { optionLines } from './catalogue/refusal-options.ts';
import { refusalLines } from './catalogue/refusals.ts';
import { aboveWords, rerunAboveOptions } from './catalogue/rerun-above.ts';
import { isOfOwnFile, reasonWords } from './catalogue/run-reasons.ts';
import { stopWords } from './catalogue/stop-reasons.ts';
import { limitLines } from './catalogue/stops.ts';
import { changeLines } from './catalogue/value-words.ts';
import { headingLine, pathOf } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { pausedUntil, waitHint } from './phrases/model-calls.ts';
import { andOutdated, changedWords } from './phrases/outdated.ts';
import { plannedCallLines } from './phrases/planned-calls.ts';
import { blockedLines, isAllDone, leftWords, neededLines, selectedWords } from './phrases/selection.ts';
import { type StepRef, stepList } from './phrases/steps.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, idleWords, stepLabel, time } from './style/words.ts';

/** What `run` would do, cell by cell, with those that have the same reason told together. */
export function planText(answer: PlanAnswer, style: Style, options: readonly string[] = []): string {
  const { heading, plan, findings, selection } = answer;
  const path = pathOf(heading, style);
  return [
    heading === undefined ? 'a new run' : headingLine(heading, style),
    ...findingLines(findings, style),
    ...noticeLines(plan.notices, style),
    ...decisionLines(
      [...plan.units.values()].flatMap(({ cells: steps }) => steps),
      {
        claimable: new Set(answer.claimable),
        checkedFirst: new Set(answer.checkedFirst),
        reusable: reusableIn(answer),
      },
      style,
    ),
    ...(selection === undefined ? [] : [...neededLines(selection), ...blockedLines(selection, style)]),
    ...plannedCallLines(answer.calls),
    ...refusalLines(plan.refusals, { ...style, path }),
    ...staleLines(answer, style),
    ...aboveLines(answer, { ...style, path }),
    lastLine(answer, path, style, options),
  ].join('\n');
}

function decisionLines(
  steps: readonly StepPlan[],
  { claimable, checkedFirst, reusable }: StepSets,
  style: Style,
): string[] {
  const runs = new Map<string, StepRef[]>();
  const changed = new Map<string, ValueChange[]>();
  const checks: StepRef[] = [];
  const waits: StepRef[] = [];
  const claims: string[] = [];
  const restores: StepRef[] = [];
  const outdated = new Map<string, StepRef[]>();
  const stops: string[] = [];
  const edited = steps.filter(({ decision }) => decision.do === 'run' && isOfOwnFile(decision.why));
  const ofMany = edited.length > editedFilesMax;
  for (const { unit, phase, decision } of steps) {
    const parts = 'outdated' in decision ? decision.outdated : undefined;
    if (parts !== undefined) addTo(outdated, changedWords(parts.flatMap(changeName)), { unit, phase });
    switch (decision.do) {
      case 'run': {
        const from = reusable.get(stepName(unit, phase));
        const what = claimable.has(phase) ? 'claim' : 'run';
        const isGrouped = ofMany && isOfOwnFile(decision.why);
        const why = isGrouped ? 'the file of each unit changed' : reasonWords(decision.why, style);
        const { changes } = decision;
        if (checkedFirst.has(stepName(unit, phase))) checks.push({ unit, phase });
        else if (from !== undefined) addTo(runs, from, { unit, phase });
        else addRun(runs, changed, `${what} ${why}`, { unit, phase, changes });
        break;
      }
      case 'wait':
        waits.push({ unit, phase });
        break;
      case 'claimed':
        claims.push(`${stepLabel(unit, phase)}: ${plain(decision.running.claim.actor)} has it`);
        break;
      case 'restore':
        restores.push({ unit, phase });
        break;
      case 'stop':
        stops.push(`${stepLabel(unit, phase)}: ${stopWords(decision.why)}`);
        break;
      // Told with its guard, or not worth telling: nothing happens to it.
      case 'refuse':
      case 'reuse':
      case 'skip':
        break;
      default:
        unreachable(decision);
    }
  }
  return [
    ...limited(runLines(runs, changed, style), style),
    ...(checks.length === 0 ? [] : [`  check    ${stepList(checks)}: checked first, re-run if it fails`]),
    ...(restores.length === 0 ? [] : [`  restore  ${stepList(restores)}: from the content store`]),
    ...limited(
      [...outdated].map(([why, steps]) => `  outdated ${stepList(steps)}: ${why}; the result is kept`),
      style,
    ),
    ...(waits.length === 0 ? [] : [`  decide   ${stepList(waits)}: when what they need is there`]),
    ...limited(
      claims.map((claim) => `  claimed  ${claim}`),
      style,
    ),
    ...limited(
      stops.map((stop) => `  stop     ${stop}`),
      style,
    ),
  ];
}

/** More edited files are not named one by one: `pawl why` and `pawl diff` show each of them. */
const editedFilesMax = 5;

/** Steps of which a plan says more than its decision does. */
interface StepSets {
  readonly claimable: ReadonlySet<string>;
  readonly checkedFirst: ReadonlySet<string>;
  readonly reusable: Reusable;
}

/** By step: from which run its result is taken, as a line of the plan. */
type Reusable = ReadonlyMap<string, string>;

function reusableIn({ reusable = [] }: PlanAnswer): Reusable {
  return new Map(
    reusable.map(({ unit, phase, from }) => {
      const [run = ''] = from.split(' ');
      return [stepName(unit, phase), `reuse reused from run ${plain(run)}, nothing is run or paid`];
    }),
  );
}

function addRun(
  runs: Map<string, StepRef[]>,
  changed: Map<string, ValueChange[]>,
  why: string,
  { unit, phase, changes }: StepRef & { readonly changes?: readonly PartChange[] | undefined },
): void {
  const values = valuesBehind(changes);
  const key = values.length > 0 ? `${why}:` : why;
  addTo(runs, key, { unit, phase });
  if (values.length > 0) changed.set(key, [...(changed.get(key) ?? []), ...values]);
}

/** Steps with the same reason, below it the values that changed. */
function runLines(
  runs: ReadonlyMap<string, readonly StepRef[]>,
  changed: ReadonlyMap<string, readonly ValueChange[]>,
  style: Style,
): string[] {
  return [...runs].map(([key, same]) => {
    const [what = '', ...why] = key.split(' ');
    const values = changeLines(changed.get(key) ?? [], style);
    const head = `  ${what.padEnd(7)}  ${stepList(same)}: ${why.join(' ')}`;
    return [head, ...values.map((line) => `             ${line}`)].join('\n');
  });
}

/** Of changes that a policy re-runs a step for, with the unit that fields belong to. */
function valuesBehind(changes: readonly PartChange[] = []): ValueChange[] {
  return changes.flatMap((change) => {
    if (change.guard === 'definition-changed') return change.values ?? [];
    if (change.guard !== 'unit-changed') return [];
    const { unit: id, values = [] } = change;
    return values.map((one) => ({
      ...one,
      path: `units.${id}.${one.path}`,
      unit: { id, part: 'field' as const },
    }));
  });
}

function addTo(groups: Map<string, StepRef[]>, key: string, step: StepRef): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [step]);
  else group.push(step);
}

/** Cells that a plan does not let go on. */
function stopsOf({ units }: PlanAnswer['plan']): { readonly why: StopReason }[] {
  return [...units.values()].flatMap(({ cells: steps }) =>
    steps.flatMap(({ decision }) => (decision.do === 'stop' ? [decision] : [])),
  );
}

const linesMax = 40;

function limited(lines: readonly string[], { symbols }: Style): string[] {
  if (lines.length <= linesMax) return [...lines];
  return [
    ...lines.slice(0, linesMax),
    `  ${symbols.more} and ${lines.length - linesMax} more (--json lists all)`,
  ];
}

function staleLines({ stale }: PlanAnswer, { paint }: Style): string[] {
  if (stale === undefined) return [];
  return [
    `${paint.yellow('STALE')}: ${idleWords(stale)}; run would ask first, and without a terminal it would start nothing unless you add --yes`,
  ];
}

/** A re-run that only a policy asks for, and that is too large to start without a person's word. */
function aboveLines({ above }: PlanAnswer, style: Style): string[] {
  if (above === undefined) return [];
  const { paint, symbols, path } = style;
  return [
    `${paint.red(symbols.bad)} ${aboveWords(above)}; run would ask in a terminal, and start nothing elsewhere`,
    ...optionLines(rerunAboveOptions(above, { ...style, path }), style),
  ];
}

function lastLine(
  { plan, counts, missing, stale, selection, reusable, above }: PlanAnswer,
  path: string | undefined,
  style: Style,
  options: readonly string[],
): string {
  const { paint, symbols } = style;
  if (allAsk(plan.refusals)) return `${paint.yellow(symbols.asks)} run would ask a person and start nothing`;
  if (plan.refusals.length > 0) return `${paint.red(symbols.bad)} run would refuse and start nothing`;
  if (selection !== undefined && isAllDone(selection))
    return `${paint.green(symbols.good)} ${selectedWords(selection)}; run has nothing to do${leftWords(selection)}`;
  if (plan.limits.length > 0 && !plan.finished) {
    const isAsked = plan.limits.every((limit) => asksOf(limit) !== undefined);
    const end = isAsked
      ? `${paint.yellow(symbols.asks)} run would ask a person and start nothing`
      : `${paint.red(symbols.bad)} run would start nothing`;
    return [...limitLines(plan.limits, { ...style, path }), end].join('\n');
  }
  if (missing !== undefined) {
    const failure = { reason: 'provider-missing' as const, missing };
    return [
      `${paint.red(symbols.bad)} ${missingProvidersTitle(failure)}`,
      ...missingProvidersNext(failure).map((step) => `  ${symbols.becomes} ${step}`),
      `${paint.red(symbols.bad)} run would start nothing`,
    ].join('\n');
  }
  if (above !== undefined)
    return `${counts.run} to run, ${counts.wait} to decide after that; run would start nothing before that is answered`;
  if (plan.finished) {
    // Only the call that adopts the files makes this true.
    const adopts = plan.notices.some(({ code }) => code === 'outputs-adopted');
    const end = adopts ? `to do it: ${hint('run', path, undefined, ...options)}` : 'run has nothing to do';
    return `${paint.green(symbols.good)} ${count(counts.reuse, 'cell')} proven, ${counts.skip} skipped${andOutdated(counts.outdated)}; ${end}`;
  }
  const parts = [
    [counts.run - (reusable?.length ?? 0), 'to run'],
    [reusable?.length ?? 0, 'to reuse from other runs'],
    [counts.wait, 'to decide after that'],
    [counts.claimed, 'claimed'],
    [counts.restore, 'to restore'],
    [counts.reuse, 'kept'],
    [counts.outdated ?? 0, 'outdated (kept)'],
    [counts.skip, 'skipped'],
    [counts.stop, 'stopped'],
  ] as const;
  const words = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const until = pausedUntil(stopsOf(plan));
  if (counts.run + counts.restore === 0 && until !== undefined)
    return `${words.join(', ')}; it can go on from ${time(until)}; to wait for that: ${waitHint(path, style.narrowing)}`;
  if (counts.run + counts.restore + counts.claimed === 0 && counts.stop > 0)
    return `${words.join(', ')}; run would start nothing before what has stopped is settled, see above`;
  const yes = stale === undefined ? [] : ['--yes'];
  return `${words.join(', ')}; to do it: ${hint('run', path, undefined, ...options, ...yes)}`;
}
