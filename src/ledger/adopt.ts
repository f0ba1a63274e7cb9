import type { ArtifactAdopted, Judgement, OutputsRestored } from '../model/event.ts';
import { type Cell, type CellResult, keepResult, newestResult } from './ledger.ts';
import { feedbackHash } from './questions.ts';

/** Takes a file that a person put there as what the cell has made. */
export function adopt(
  cell: Cell,
  revision: number,
  event: ArtifactAdopted & { at: string; seq: number },
): void {
  if (event.attempt !== undefined && event.attempt > cell.attempts)
    keepByHand(cell, revision, event.attempt, event);
  for (const result of cell.results) {
    if (result === undefined || result.attempt !== cell.promoted) continue;
    const isNew = event.attempt === result.attempt;
    if (result.outputs[event.output] === undefined && !isTakenIn(result) && !isNew) continue;
    retire(cell, result);
    result.outputs = { ...result.outputs, [event.output]: event.after };
    // What was made of the report before is not said of this one.
    if (event.verdict !== undefined) {
      result.verdict = event.verdict;
      judge(result, event.judged);
    }
    result.seq = event.seq;
    if (isTakenIn(result)) result.at = event.at;
    // Whoever puts a file there has heard what was said before.
    const heard = feedbackHash(cell);
    if (heard !== undefined) result.feedback = heard;
    if (!cell.adopted.includes(event.after.hash)) cell.adopted = [...cell.adopted, event.after.hash];
    cell.placed = result.outputs;
  }
}

/** What a gate made of a result. */
export function judge(result: CellResult, judged: Judgement | undefined): void {
  result.passed = judged?.passed;
  result.score = judged?.score;
  result.defects = judged?.passed === false ? judged.defects : undefined;
}

function keepByHand(
  cell: Cell,
  revision: number,
  attempt: number,
  { unitData, unitFile, inputs, madeWith, verdict, at, seq }: ArtifactAdopted & { at: string; seq: number },
): void {
  cell.attempts = attempt;
  cell.promoted = attempt;
  cell.running = undefined;
  cell.failure = undefined;
  cell.failures = 0;
  cell.superseded = undefined;
  keepResult(cell, {
    attempt,
    iteration: 1,
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
function isTakenIn({ byHand, imported }: CellResult): boolean {
  return byHand === true || imported === true;
}

/** Its bytes may still lie at the declared path after a crash: they must not be taken for somebody's edit. */
export function retire(cell: Cell, result: CellResult | undefined): void {
  if (result === undefined) return;
  for (const output of Object.values(result.outputs)) {
    if (cell.adopted.includes(output.hash) || cell.former.includes(output.hash)) continue;
    cell.former = [...cell.former, output.hash];
  }
}

/** Outputs were put back under new files: from now on these are what lies there. */
export function restoreResult(cell: Cell, event: OutputsRestored & { seq: number }): void {
  const result = cell.results.find((candidate) => candidate?.attempt === event.attempt);
  if (result === undefined) return;
  retire(cell, newestResult(cell));
  result.outputs = { ...result.outputs, ...event.outputs };
  result.seq = event.seq;
  cell.promoted = result.attempt;
  cell.placed = result.outputs;
}
