import type { ArtifactAdopted, Judgement, OutputsRestored } from '../model/event.ts';
import { keepResult, newestResult, type Step, type StepResult } from './ledger.ts';
import { feedbackHash } from './questions.ts';

/** Takes a file that a person put there as what the cell has made. */
export function adopt(
  step: Step,
  revision: number,
  event: ArtifactAdopted & { at: string; seq: number },
): void {
  if (event.attempt !== undefined && event.attempt > step.attempts)
    keepByHand(step, revision, event.attempt, event);
  for (const result of step.results) {
    if (result === undefined || result.attempt !== step.promoted) continue;
    const isNew = event.attempt === result.attempt;
    if (result.outputs[event.output] === undefined && !isTakenIn(result) && !isNew) continue;
    retire(step, result);
    result.outputs = { ...result.outputs, [event.output]: event.after };
    // What was made of the report before is not said of this one.
    if (event.verdict !== undefined) {
      result.verdict = event.verdict;
      judge(result, event.judged);
    }
    result.seq = event.seq;
    if (isTakenIn(result)) result.at = event.at;
    // Whoever puts a file there has heard what was said before.
    const heard = feedbackHash(step);
    if (heard !== undefined) result.feedback = heard;
    if (!step.adopted.includes(event.after.hash)) step.adopted = [...step.adopted, event.after.hash];
    step.placed = result.outputs;
  }
}

/** What a gate made of a result. */
export function judge(result: StepResult, judged: Judgement | undefined): void {
  result.passed = judged?.passed;
  result.score = judged?.score;
  result.defects = judged?.passed === false ? judged.defects : undefined;
}

function keepByHand(
  step: Step,
  revision: number,
  attempt: number,
  { unitData, unitFile, inputs, madeWith, verdict, at, seq }: ArtifactAdopted & { at: string; seq: number },
): void {
  step.attempts = attempt;
  step.promoted = attempt;
  step.running = undefined;
  step.failure = undefined;
  step.failures = 0;
  step.superseded = undefined;
  keepResult(step, {
    attempt,
    round: 1,
    revision,
    unitData,
    ...(unitFile && { unitFile }),
    inputs: inputs ?? madeWith?.inputs,
    preState: madeWith?.preState,
    prompt: undefined,
    outputs: {},
    verdict,
    response: undefined,
    ms: 0,
    at,
    ...(madeWith !== undefined
      ? { isFound: true }
      : inputs === undefined
        ? { byHand: true }
        : { imported: true }),
    seq,
  });
}

/** No attempt has made it: a person put it there, or a page says that it was made. */
function isTakenIn({ byHand, imported }: StepResult): boolean {
  return byHand === true || imported === true;
}

/** Its bytes may still lie at the declared path after a crash: they must not be taken for somebody's edit. */
export function retire(step: Step, result: StepResult | undefined): void {
  if (result === undefined) return;
  for (const output of Object.values(result.outputs)) {
    if (step.adopted.includes(output.hash) || step.former.includes(output.hash)) continue;
    step.former = [...step.former, output.hash];
  }
}

/** Outputs were put back under new files: from now on these are what lies there. */
export function restoreResult(step: Step, event: OutputsRestored & { seq: number }): void {
  const result = step.results.find((candidate) => candidate?.attempt === event.attempt);
  if (result === undefined) return;
  retire(step, newestResult(step));
  result.outputs = { ...result.outputs, ...event.outputs };
  result.seq = event.seq;
  step.promoted = result.attempt;
  step.placed = result.outputs;
}
