import { unreachable } from '../../base/result.ts';
import type { InspectedAttempt } from '../../engine/observe/inspected.ts';
import type { RunAnswer } from '../../engine/run/run-request.ts';
import type { Finding } from '../../model/failure.ts';
import { asksOf } from '../../model/reason.ts';
import type { Stop } from '../../runner/outcome.ts';

/** How an invocation ended: decides the last line and the exit code, and is the `reason` of `--json`. */
export type RunEnd =
  | 'done'
  | 'interrupted'
  | 'refused'
  | 'phase-failed'
  | 'waits-for-person'
  | 'spending-limit'
  | 'paused';

export function endOf(answer: RunAnswer): RunEnd {
  const { heading, interrupted, refusals, stops, limits, selection, spending } = answer;
  if (heading.status === 'completed') return 'done';
  if (interrupted) return 'interrupted';
  if (refusals.some((refusal) => asksOf(refusal) === undefined)) return 'refused';
  if (selection !== undefined && selection.done === selection.selected) return 'done';
  if (spending?.isReached) return 'spending-limit';
  if (selection !== undefined && selection.blocked.length > 0) return 'phase-failed';
  if (heading.status === 'paused') return 'paused';
  if (stops.some(isFailure)) return 'phase-failed';
  const asked = [...stops.map(({ why }) => why), ...refusals, ...limits].filter((one) => asksOf(one));
  if (heading.status === 'waiting_human' || asked.length > 0) return 'waits-for-person';
  // The remaining steps wait for a time.
  return stops.length > 0 && limits.length === 0 ? 'paused' : 'phase-failed';
}

/** It needs neither a person's word nor only time. */
export function isFailure({ why }: Stop): boolean {
  return asksOf(why) === undefined && why.code !== 'paused';
}

/** Findings after which acknowledged data may be lost. */
export function loud(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ weight }) => weight === 'loud');
}
/** What came of an attempt; a result that is not used any more, or that a person has edited, is called so. */
export function outcomeWords(attempt: Pick<InspectedAttempt, 'outcome' | 'superseded' | 'outputs'>): string {
  const { outcome } = attempt;
  switch (outcome) {
    case 'succeeded':
      if (attempt.superseded !== undefined) return 'superseded';
      return attempt.outputs.some(({ isAdopted }) => isAdopted) ? 'adopted' : 'succeeded';
    case 'in-doubt':
      return 'in doubt';
    case 'failed':
    case 'interrupted':
    case 'released':
    case 'paused':
    case 'running':
      return outcome;
    default:
      return unreachable(outcome);
  }
}
