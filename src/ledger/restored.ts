import type { OutputRecord, RestoredParts, RestoredResult, ResultsRestored } from '../model/event.ts';
import type { GuardName } from '../model/reason.ts';
import { retire } from './adopt.ts';
import { forgetCuts } from './attempts.ts';
import type { Ledger, MadeOf, Step, StepResult } from './ledger.ts';
import { feedbackHash } from './questions.ts';
import { takeStep } from './take-cell.ts';

/** Earlier results count again. The later ones are history; their bytes stay in the content store. */
export function restoreResults(ledger: Ledger, event: ResultsRestored): void {
  for (const { unit, phase, results, promptChange } of event.steps) {
    const step = takeStep(ledger, unit, phase);
    for (const result of step.results) retire(step, result);
    step.results = results.map((result, at) =>
      result?.round === at + 1 ? resultOf(step, result) : undefined,
    );
    // A list that ends without a result is not what a snapshot gives back.
    while (step.results.length > 0 && step.results.at(-1) === undefined) step.results.pop();
    for (const result of step.results) step.attempts = Math.max(step.attempts, result?.attempt ?? 0);
    step.running = undefined;
    step.failure = undefined;
    step.failures = 0;
    step.superseded = undefined;
    step.promptChange = promptChange && {
      before: promptChange.before,
      after: promptChange.after,
      reason: promptChange.reason,
    };
    forgetCuts(step);
    settlePromotion(step);
  }
}

/** What was said meanwhile was said of later results: an earlier one that counts again has heard it. */
function resultOf(step: Step, restored: RestoredResult): StepResult {
  const { kept, boundTo, ...rest } = restored;
  const result: StepResult = {
    ...rest,
    ...partsOf(restored),
    prompt: restored.prompt,
    verdict: restored.verdict,
    response: restored.response,
    ...(boundTo !== undefined && { boundTo }),
  };
  if (kept !== undefined)
    result.kept = { guard: kept.guard as GuardName, reason: kept.reason, made: partsOf(kept.made) };
  const heard = feedbackHash(step);
  if (heard !== undefined) result.feedback = heard;
  return result;
}

function partsOf({ revision, unitData, unitFile, inputs, preState }: RestoredParts): MadeOf {
  return { revision, unitData, ...(unitFile && { unitFile }), inputs, preState };
}

/**
 * Where the bytes of the promoted attempt are still those at the declared paths, nothing has to be put back. Otherwise
 * no attempt counts as promoted, so that the plan restores the outputs; `placed` still says what lies there.
 */
function settlePromotion(step: Step): void {
  const promoted = step.results.find((result) => result?.attempt === step.promoted);
  if (promoted !== undefined && step.placed !== undefined && isSame(promoted.outputs, step.placed)) {
    promoted.outputs = step.placed;
    return;
  }
  step.promoted = 0;
  // It had no result before: what lies at its paths is a file of the user.
  if (step.results.every((result) => result === undefined)) step.placed = undefined;
}

type Outputs = Readonly<Record<string, OutputRecord>>;

function isSame(a: Outputs, b: Outputs): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name]?.hash === b[name]?.hash && a[name]?.path === b[name]?.path)
  );
}
