import type { ResultsKept } from '../model/event.ts';
import type { MadeOf, Step, StepResult } from './ledger.ts';

/** From now on the results count as made from what is there; what they were made from is not forgotten. */
export function keepResults(steps: readonly Step[], event: ResultsKept): void {
  for (const { results } of steps)
    for (const result of results)
      if (result !== undefined && (event.onlyAttempt === undefined || event.onlyAttempt === result.attempt))
        keepResult(result, event);
}

function keepResult(result: StepResult, event: ResultsKept): void {
  const { guard, reason, revision } = event;
  if (event.rechecked) {
    // What else it is kept for is still different: only its definition counts as the new one.
    if (result.kept !== undefined) result.kept = { ...result.kept, made: { ...result.kept.made, revision } };
    result.revision = revision;
    return;
  }
  result.kept = { guard, reason, made: madeOf(result) };
  result.revision = revision;
  if (event.unitData !== undefined) result.unitData = event.unitData ?? undefined;
  if (event.unitFile !== undefined) result.unitFile = event.unitFile ?? undefined;
  if (event.inputs !== undefined) result.inputs = event.inputs;
  if (event.preState !== undefined) result.preState = event.preState;
}

/** What a result was made from, whatever it is kept for. */
export function madeOf(result: StepResult): MadeOf {
  const { revision, unitData, unitFile, inputs, preState } = result;
  return result.kept?.made ?? { revision, unitData, ...(unitFile && { unitFile }), inputs, preState };
}
