import { unreachable } from '../base/result.ts';
import type { TextDiff } from '../engine/observe/text-diff.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import { asksOf } from '../model/reason.ts';
import type { Stop } from '../runner/outcome.ts';
import { failureTitle } from './catalogue/attempt-failures.ts';
import { exitCodes } from './catalogue/exit-codes.ts';
import { findingLines } from './catalogue/findings.ts';
import { noticeLines } from './catalogue/notices.ts';
import { groupRefusals, refusalLines } from './catalogue/refusals.ts';
import { limitLines, stopLines } from './catalogue/stops.ts';
import { againHint, continued, hint, resumeHint } from './phrases/hints.ts';
import { pausedUntil, waitHint } from './phrases/model-calls.ts';
import { endOf, isFailure, type RunEnd } from './phrases/outcome.ts';
import { andOutdated } from './phrases/outdated.ts';
import { blockedLines, leftWords, selectedWords, spendingOf } from './phrases/selection.ts';
import { money } from './style/figures.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { oneDiff } from './style/text-diff.ts';
import { count, duration, list, time } from './style/words.ts';

/** What came of a run. The last line always says what happened and what to do next. */
export function runText(answer: RunAnswer, style: Style): string {
  const { findings, notices, refusals, diffs, stops, limits, heading } = answer;
  const at = { ...style, path: heading.workspace };
  return [
    ...findingLines(findings, style),
    ...noticeLines(notices, style),
    ...(diffs ?? []).flatMap((diff) => shortDiff(diff, style)),
    ...refusalLines(refusals, at),
    ...stopLines(stops, heading.workspace, style),
    ...limitLines(limits, at),
    ...haltLines(answer.halts ?? [], style),
    ...(answer.selection === undefined ? [] : blockedLines(answer.selection, style)),
    ...outputLines(answer, style),
    lastLine(answer, style),
  ].join('\n');
}

/** Where to look for what came of it. */
function outputLines(answer: RunAnswer, style: Style): string[] {
  const { heading, outputs = [] } = answer;
  if (endOf(answer) !== 'done' || outputs.length === 0) return [];
  const folders = list(outputs.map(plain), foldersMax);
  const look = hint('status', heading.workspace);
  return [style.paint.dim(`  outputs: ${folders}; to see where each unit stands: ${look}`)];
}

const foldersMax = 4;

/** Why so much was not even started. */
function haltLines(halts: NonNullable<RunAnswer['halts']>, { paint, symbols }: Style): string[] {
  return halts.map(
    ({ model, failure }) =>
      `${paint.red(symbols.bad)} ${plain(model)}: nothing more was asked of it (${failureTitle(failure)})`,
  );
}

function lastLine(answer: RunAnswer, style: Style): string {
  const { paint, symbols } = style;
  const end = endOf(answer);
  const text = `${plain(answer.heading.pipeline)}: ${endSentence(answer, end, style)}`;
  switch (end) {
    case 'done':
      return answer.stops.length > 0
        ? `${paint.yellow(symbols.warning)} ${text}`
        : `${paint.green(symbols.good)} ${text}`;
    case 'interrupted':
    case 'paused':
    case 'spending-limit':
      return `${paint.yellow(symbols.warning)} ${text}`;
    case 'waits-for-person':
      return `${paint.yellow(symbols.asks)} ${text}`;
    case 'refused':
    case 'phase-failed':
      return `${paint.red(symbols.bad)} ${text}`;
    default:
      return unreachable(end);
  }
}

/** The manifest lets a run complete without units that failed; that is never kept quiet. */
function sofarWithout({ units, unitsFinished }: RunAnswer['cells'], failed: number): string {
  return `completed with ${count(failed, 'failure')}: ${unitsFinished} of ${count(units, 'unit')}`;
}

/** `26 made now in 33 attempts, 18 from before`: cells and attempts are not the same, over rounds and retries. */
function workWords({ cells: steps, ran }: RunAnswer): string {
  const { reused = 0 } = ran;
  const made = steps.done - steps.reused - reused;
  const attempts = ran.succeeded + ran.failed - reused;
  const tries = attempts === made ? '' : ` in ${count(attempts, 'attempt')}`;
  const words = [
    ...(made > 0 || reused === 0 ? [`${made} made now${tries}`] : []),
    ...(reused > 0 ? [`${reused} reused from other runs`] : []),
    ...(steps.reused > 0 ? [`${steps.reused} from before`] : []),
  ];
  return words.join(', ');
}

/** Enough to see what it is about; `show` has all of it. */
function shortDiff(diff: TextDiff, style: Style): string[] {
  const lines = oneDiff(diff, style);
  const rest = lines.length - diffLinesMax;
  return rest <= 0
    ? lines
    : [...lines.slice(0, diffLinesMax), `${style.symbols.more} and ${count(rest, 'more line')}`];
}

const diffLinesMax = 40;

/** What a person has to decide on: `2 cells and 1 budget`. */
function waitingWords({ stops, refusals, limits }: RunAnswer): string {
  const steps = stops.filter(({ why }) => asksOf(why) !== undefined).length;
  const changes = new Set(refusals.map((refusal) => asksOf(refusal)?.id)).size;
  const budgets = limits.filter((limit) => asksOf(limit) !== undefined).length;
  const parts = [
    ...(steps > 0 ? [count(steps, 'cell')] : []),
    ...(changes > 0 ? [count(changes, 'change')] : []),
    ...(budgets > 0 ? [count(budgets, 'budget')] : []),
  ];
  return list(parts) || 'what waits';
}

/** What a run waits for that needs nobody's word: a time, or the work of others. */
export function pausedWords({ stops, others }: RunAnswer): string {
  const until = pausedUntil(stops);
  if (until === undefined) return othersWords(others);
  const paused = `paused until ${time(until)}`;
  return others.ready + others.claimed === 0 ? paused : `${paused}, and ${othersWords(others)}`;
}

/** What others have to do before the run can go on. */
function othersWords({ ready, claimed }: RunAnswer['others']): string {
  if (ready + claimed === 0) return 'paused';
  if (ready === 0) return `${count(claimed, 'task is', 'tasks are')} being worked on`;
  const under = claimed === 0 ? '' : `, and ${claimed} under way`;
  return `${count(ready, 'task waits', 'tasks wait')} to be claimed with pawl next${under}`;
}

/** What an interruption may have cost. */
function cutWords({ inDoubt = [] }: RunAnswer): string {
  if (inDoubt.length === 0) return 'nothing is lost';
  const known = inDoubt.reduce((sum, { atStake = 0 }) => sum + atStake, 0);
  const paid = inDoubt.every(({ atStake }) => atStake !== undefined)
    ? `up to ${money(known)} may have been paid`
    : 'nobody knows what was paid';
  const calls = count(inDoubt.length, 'call was', 'calls were');
  return `${calls} cut off and ${paid}; finished steps are kept`;
}

/** How far a selection is, and what of it this call has done. */
function partWords(answer: RunAnswer, selection: NonNullable<RunAnswer['selection']>): string {
  const work = answer.ran.succeeded === 0 ? '; nothing to do' : `: ${workWords(answer)}`;
  return `${selectedWords(selection)}${work}`;
}

/** The same without what keeps back the steps that the selected ones wait for. */
function withNeeded({ heading, selection }: RunAnswer, { narrowing = [] }: Style): string {
  const isLeftOut = selection?.blocked.every(({ because }) => because === 'no-deps') ?? false;
  return resumeHint(heading, isLeftOut ? narrowing.filter((word) => word !== '--no-deps') : []);
}

/** How to do the steps outside the selection. */
function restWords(selection: NonNullable<RunAnswer['selection']>, goOn: string): string {
  return selection.left === 0 ? '' : `${leftWords(selection)}; to do the rest: ${goOn}`;
}

/** Steps that were given up do not run again by themselves. Undefined: all of these do. */
function retryHint(
  failed: readonly Stop[],
  { workspace }: RunAnswer['heading'],
  { narrowing = [] }: Style,
): string | undefined {
  const [first] = failed;
  if (first === undefined || failed.every(({ why }) => why.code === 'failed')) return undefined;
  // What a person turned down is never among the failed steps that --failed runs again.
  if (failed.length === 1 || failed.every(({ why }) => why.code === 'checkpoint-rejected'))
    return againHint(first, workspace);
  return hint('run', workspace, undefined, ...continued(narrowing), '--failed');
}

function endSentence(answer: RunAnswer, end: RunEnd, style: Style): string {
  const { cells: steps, heading, ran, refusals, stops, limits, selection, elapsedMs } = answer;
  const took = `(${duration(elapsedMs)})`;
  const outdated = andOutdated(steps.outdated);
  const proven = `${steps.done} of ${count(steps.cells - steps.skipped, 'cell')}`;
  const sofar = `${steps.unitsFinished} of ${count(steps.units, 'unit')} and ${proven} done${outdated} ${took}`;
  const goOn = resumeHint(heading, style.narrowing);
  switch (end) {
    case 'done': {
      // A run that was completed may have steps again that are not done, outside of what was selected.
      if (selection !== undefined && (heading.status !== 'completed' || selection.left > 0))
        return `${partWords(answer, selection)} ${took}${restWords(selection, resumeHint(heading))}`;
      const failed = steps.units - steps.unitsFinished;
      const all =
        failed > 0 ? sofarWithout(steps, failed) : steps.units === 1 ? '1 unit' : `all ${steps.units} units`;
      const work = ran.succeeded === 0 ? '; nothing to do' : `: ${workWords(answer)}`;
      return `${all} done, ${proven} proven${outdated}${work} ${took}`;
    }
    case 'interrupted':
      return `interrupted with ${sofar}; ${cutWords(answer)}; to go on: ${goOn}`;
    case 'paused':
      return pausedUntil(stops) === undefined
        ? `${pausedWords(answer)}, with ${sofar}; after that: ${goOn}`
        : `${pausedWords(answer)}, with ${sofar}; nothing is lost; to wait and go on by itself: ${waitHint(heading.workspace, style.narrowing)}`;
    case 'refused': {
      const causes = groupRefusals(refusals, style).length;
      return `refused on the way for ${count(causes, 'reason')}, with ${sofar}; choose an option above, then: ${goOn}`;
    }
    case 'waits-for-person':
      return `a person has to decide on ${waitingWords(answer)}, with ${sofar}; after that: ${goOn}`;
    case 'spending-limit':
      return `${answer.spending === undefined ? '' : spendingOf(answer.spending)}, with ${sofar}; to go on: ${goOn}`;
    case 'phase-failed': {
      if (selection !== undefined && stops.length === 0 && limits.length === 0)
        return `${partWords(answer, selection)}, ${selection.blocked.length} blocked ${took}; to run what they wait for too: ${withNeeded(answer, style)}`;
      if (limits.length > 0)
        return `stopped at a limit, with ${sofar}; look at the cause, then raise it or go past it`;
      const failed = stops.filter(isFailure);
      const then = retryHint(failed, heading, style) ?? goOn;
      return `stopped at ${count(failed.length, 'cell')}, with ${sofar}; fix the cause, then: ${then}`;
    }
    default:
      return unreachable(end);
  }
}

export function exitCodeOfRun(answer: RunAnswer): number {
  return codesOfEnds[endOf(answer)];
}

const codesOfEnds: Readonly<Record<RunEnd, number>> = {
  done: exitCodes.done,
  interrupted: exitCodes.interrupted,
  refused: exitCodes.refused,
  'phase-failed': exitCodes.phaseFailed,
  'waits-for-person': exitCodes.waitsForPerson,
  'spending-limit': exitCodes.waitsForPerson,
  paused: exitCodes.paused,
};
