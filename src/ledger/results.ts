import type { Hash } from '../base/hash.ts';
import type {
  ArtifactAdopted,
  AttemptSucceeded,
  Judgement,
  OutputRecord,
  OutputsRestored,
  PageImported,
  PreState,
  RestoredParts,
  ResultsKept,
  ResultsRestored,
  ResultsSuperseded,
  ResultToRestore,
} from '../model/event.ts';
import { parseStepName } from '../model/names.ts';
import type { GuardName } from '../model/reason.ts';
import { attemptOf, forgetCuts, noteEnd, noteJudgement, takeStep } from './attempts.ts';
import { keepResult, type Ledger, type MadeOf, newestResult, type Step, type StepResult } from './ledger.ts';
import { feedbackHash, reopen } from './questions.ts';
import { addCost } from './spent.ts';

/** False: the attempt's start was lost, or another actor owns it, so the event proves nothing. */
export function recordSuccess(
  ledger: Ledger,
  step: Step,
  event: AttemptSucceeded & { at: string; seq: number; actor: string },
): boolean {
  const running = attemptOf(step, event);
  if (running === undefined) {
    step.attempts = Math.max(step.attempts, event.attempt);
    return false;
  }
  const result: StepResult = {
    attempt: event.attempt,
    round: running.round,
    revision: running.revision,
    unitData: running.unitData,
    inputs: running.inputs,
    preState: running.preState,
    prompt: running.prompt,
    outputs: event.outputs,
    verdict: event.verdict,
    response: event.response,
    ms: event.ms,
    at: event.at,
    seq: event.seq,
  };
  // Not spread into it: a large run has many results, and nearly none of them has any of these.
  if (event.judged !== undefined) judge(result, event.judged);
  if (running.unitFile !== undefined) result.unitFile = running.unitFile;
  if (running.feedback !== undefined) result.feedback = running.feedback;
  if (running.claim !== undefined) result.actor = running.claim.actor;
  if (event.files !== undefined) result.files = event.files;
  if (event.note !== undefined) result.note = event.note;
  const reused = event.reused ?? event.call?.reused;
  if (reused !== undefined) result.reused = reused;
  ledger.successes += 1;
  noteEnd(ledger, step, event);
  retire(step, newestResult(step));
  keepResult(step, result);
  step.promoted = result.attempt;
  step.placed = result.outputs;
  step.running = undefined;
  if (step.rivals !== undefined) delete step.rivals;
  step.failure = undefined;
  step.failures = 0;
  step.superseded = undefined;
  if (step.promptChange !== undefined && step.promptChange.after === undefined) {
    step.promptChange.after = result.prompt;
  }
  step.cost = addCost(step.cost, event.cost);
  forgetCuts(step);
  if (event.judged !== undefined) noteJudgement(step, event.attempt, event.judged);
  return true;
}

/** Takes a file that a person put there as an output of the step. */
export function foldAdoption(
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
    // A person who puts a file there has read the earlier feedback.
    const heard = feedbackHash(step);
    if (heard !== undefined) result.feedback = heard;
    if (!step.adopted.includes(event.after.hash)) step.adopted = [...step.adopted, event.after.hash];
    step.placed = result.outputs;
  }
}

/** What a gate made of a result. */
function judge(result: StepResult, judged: Judgement | undefined): void {
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

/** Its bytes may still lie at the declared path after a crash: they must not count as an edit. */
function retire(step: Step, result: StepResult | undefined): void {
  if (result === undefined) return;
  for (const output of Object.values(result.outputs)) {
    if (step.adopted.includes(output.hash) || step.former.includes(output.hash)) continue;
    step.former = [...step.former, output.hash];
  }
}

/** Outputs were put back under new files: from now on these are what lies there. */
export function restoreResult(step: Step, event: OutputsRestored & { seq: number; at: string }): void {
  const result = step.results.find((candidate) => candidate?.attempt === event.attempt);
  if (result === undefined) return;
  retire(step, newestResult(step));
  result.outputs = { ...result.outputs, ...event.outputs };
  result.seq = event.seq;
  result.placedAt = event.at;
  step.promoted = result.attempt;
  step.placed = result.outputs;
}

/** From now on the results count as made from what is there; what they were made from is not forgotten. */
export function keepResults(steps: readonly Step[], event: ResultsKept): void {
  for (const { results } of steps)
    for (const result of results)
      if (result !== undefined && (event.onlyAttempt === undefined || event.onlyAttempt === result.attempt))
        keepUnderGuard(result, event);
}

function keepUnderGuard(result: StepResult, event: ResultsKept): void {
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

/** These results are history from here on. The bytes stay in the content store. */
export function supersede(ledger: Ledger, event: ResultsSuperseded & { actor: string; seq: number }): void {
  const { because, reason, change } = event;
  const decision = `${event.actor}#${event.seq}`;
  const superseded = { because, reason, ...(change !== undefined && { change }), decision };
  for (const step of namedSteps(ledger, event.steps)) {
    if (because === 'prompt-changed')
      step.promptChange = { before: newestResult(step)?.prompt, after: undefined, reason };
    // While no owner has released the run, what its attempts started from is the only trace of what it shows.
    ledger.shownState ??= initialStateOf(step);
    const kept = (event.round ?? 1) - 1;
    for (const result of step.results.slice(kept)) retire(step, result);
    step.results = step.results.slice(0, kept);
    // A person who asks for a rerun has also answered for an attempt in doubt, and grants a new budget.
    step.running = undefined;
    step.failures = 0;
    step.failure = undefined;
    step.superseded = superseded;
    forgetCuts(step);
    reopen(step);
  }
}

function initialStateOf({ running, results }: Step): Hash | undefined {
  const states = [running?.preState, ...results.map((result) => result && madeOf(result).preState)];
  return states.find((state) => state !== undefined && state.from === undefined)?.hash;
}

export function namedSteps(ledger: Ledger, names: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (const name of names) {
    const parsed = parseStepName(name);
    if (parsed !== undefined) steps.push(takeStep(ledger, parsed.unit, parsed.phase));
  }
  return steps;
}

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
function resultOf(step: Step, restored: ResultToRestore): StepResult {
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

function isSame(a: OutputsByName, b: OutputsByName): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name]?.hash === b[name]?.hash && a[name]?.path === b[name]?.path)
  );
}

/** The part of a page that no result says. The newest page of a unit counts. */
export function foldImport(ledger: Ledger, { type: _, ...page }: PageImported): void {
  ledger.imported = [...ledger.imported.filter(({ unit }) => unit !== page.unit), page];
  const { unit, partial, handed = {}, failures = {} } = page;
  for (const [phase, count] of Object.entries(failures)) {
    const step = takeStep(ledger, unit, phase);
    step.failures = Math.max(step.failures, count);
  }
  // The run has made no attempt there, so the first one is handed them.
  for (const [phase, outputs] of Object.entries(handed)) takeStep(ledger, unit, phase).placed ??= outputs;
  if (partial === undefined) return;
  const step = takeStep(ledger, unit, partial.phase);
  // The attempt that left these files was another tool's: it counts as the first, and was cut off.
  step.attempts = Math.max(step.attempts, 1);
  if (step.placed !== undefined) return;
  step.placed = partial.outputs;
  step.promoted = 1;
}

/** What was imported of a unit; undefined: nothing was. */
export function importedPage({ imported }: Ledger, unit: string): Ledger['imported'][number] | undefined {
  return imported.length === 0 ? undefined : imported.find((page) => page.unit === unit);
}

/** A run whose folder was renamed: what lies in it is looked for where it lies now. */
export function followFolder(ledger: Ledger, folder: string): void {
  const from = ledger.run?.folder;
  if (from === undefined || from === folder) return;
  const move = (path: string) => (path.startsWith(`${from}/`) ? folder + path.slice(from.length) : path);
  for (const step of ledger.steps.values()) {
    for (const result of step.results) {
      if (result === undefined) continue;
      const isPlaced = step.placed === result.outputs;
      result.outputs = moveOutputs(result.outputs, move);
      result.preState = result.preState && moveState(result.preState, move);
      if (isPlaced) step.placed = result.outputs;
    }
    step.placed = step.placed && moveOutputs(step.placed, move);
  }
}

type OutputsByName = Readonly<Record<string, OutputRecord>>;

function moveOutputs(outputs: OutputsByName, move: (path: string) => string): OutputsByName {
  let isMoved = false;
  const moved = Object.entries(outputs).map(([name, record]) => {
    const path = move(record.path);
    isMoved ||= path !== record.path;
    return [name, { ...record, path }] as const;
  });
  // The same object where nothing has moved: what lies at the paths is known by it.
  return isMoved ? Object.fromEntries(moved) : outputs;
}

function moveState(state: PreState, move: (path: string) => string): PreState {
  return { ...state, path: move(state.path) };
}
