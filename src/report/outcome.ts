import type { RunAnswer } from '../engine/answers.ts';
import type { Finding } from '../model/failure.ts';
import { asksOf } from '../model/reason.ts';

/** How a sitting ended: decides the last line and the exit code, and is the `reason` of `--json`. */
export type RunEnd = 'done' | 'interrupted' | 'refused' | 'phase-failed' | 'waits-for-person' | 'paused';

export function endOf({ heading, interrupted, refusals, stops }: RunAnswer): RunEnd {
  if (heading.status === 'completed') return 'done';
  if (interrupted) return 'interrupted';
  if (refusals.some((refusal) => asksOf(refusal) === undefined)) return 'refused';
  if (heading.status === 'paused') return 'paused';
  if (stops.some(({ why }) => asksOf(why) === undefined)) return 'phase-failed';
  if (heading.status === 'waiting_human' || stops.length + refusals.length > 0) return 'waits-for-person';
  return 'phase-failed';
}

/** Findings after which acknowledged data may be lost. */
export function loud(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ weight }) => weight === 'loud');
}
