import { formatTime } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Phase } from '../../model/definition.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { inRound } from '../../pipeline/phases/gates.ts';
import type { Offer } from '../../planner/hand-out.ts';
import { type Attempt, handover } from '../../runner/attempts/attempt.ts';
import { nextNumber, prepareAttempt, startedEvent } from '../../runner/attempts/prepare.ts';
import { attemptFolder, folderOf, type RunContext, record } from '../../runner/context.ts';
import { releaseInputs } from '../../runner/executors/input-file.ts';
import { keepInScratch, promptFile } from '../../runner/executors/scratch.ts';
import { redactorOf } from '../../runner/redaction.ts';
import type { RunPlan } from '../observe/plan-from-disk.ts';
import type { HandedTask } from '../observe/task-answers.ts';
import { taskFiles } from '../observe/task-files.ts';
import type { LockedClaims } from '../open/claim-lock.ts';

/** Records the claim, and gives everything that the work needs. A claim of one's own is renewed and given again. */
export async function claimTask(
  desk: LockedClaims,
  seen: RunPlan,
  { stage, unit, phase: asListed, step, decision }: Offer,
  actor: string,
): Promise<Result<HandedTask, Failure>> {
  const run = runContext(desk, seen);
  const phase = inRound(asListed, step.iteration);
  const { why, made } = decision;
  const isAgain = decision.do === 'claimed';
  const number = isAgain ? decision.running.attempt : nextNumber(run, unit.id, phase.name);
  const prepared = await prepareAttempt(run, { unit, phase, round: step.iteration, why, made }, number);
  if (!prepared.ok) {
    const { reason, message } = prepared.failure;
    return fail({
      reason: 'cannot-prepare',
      unit: unit.id,
      phase: phase.name,
      failure: reason,
      detail: message,
    });
  }
  const attempt = prepared.value;
  const leaseUntil = formatTime(run.clock.now() + leaseMsOf(phase));
  const at = { unit: unit.id, phase: phase.name, attempt: number };
  // On record before anybody is told: from here on somebody may be paid for it.
  if (isAgain) await record(run, { type: 'lease_renewed', ...at, until: leaseUntil });
  else await record(run, { ...startedEvent(run, attempt, number, attempt), lease: leaseUntil });
  const task = describe(run, attempt, { actor, leaseUntil, stage: stage.name });
  keepTask(run, attempt, task);
  releaseInputs(attempt.taken);
  return ok(task);
}

/** What runs an attempt from inside is asked for less here: nothing is started that could be stopped. */
export function runContext({ hold }: Pick<LockedClaims, 'hold'>, { facts }: RunPlan): RunContext {
  return { ...hold, facts, observe: () => undefined, stop: never, interrupt: never };
}

const never = new AbortController().signal;

function leaseMsOf(phase: Phase): number {
  if (!isForOthers(phase)) throw new Error(`${phase.name} is not claimed from outside`);
  return phase.executor.leaseMs;
}

/** A task as it is handed out. */
function describe(
  run: RunContext,
  attempt: Attempt,
  { actor, leaseUntil, stage }: Pick<HandedTask, 'actor' | 'leaseUntil' | 'stage'>,
): HandedTask {
  const { unit, phase, number, round, why, prompt } = attempt;
  if (!isForOthers(phase)) throw new Error(`${phase.name} is not claimed from outside`);
  const { executor } = phase;
  const { mode, previous, existing, feedback } = handover(run, attempt);
  return {
    unit: unit.id,
    title: unit.title,
    stage,
    phase: phase.name,
    role: executor.role,
    attempt: number,
    iteration: round,
    actor,
    why,
    leaseUntil,
    leaseMs: executor.leaseMs,
    mode,
    previous,
    ...(Object.keys(existing).length > 0 && { existing }),
    ...(feedback.length > 0 && { feedback }),
    data: unit.data,
    params: phase.params,
    prompt: prompt && { system: prompt.system, text: prompt.text },
    inputs: inputPaths(run, attempt),
    outputs: phase.outputs.map(({ name, path, check, optional }) => ({
      name,
      path: expandPattern(path, unit, number),
      check: check?.kind,
      optional,
    })),
    files: taskFiles(executor, unit),
    folder: attemptFolder(run, unit.id, phase.name, number),
  };
}

function inputPaths({ root }: RunContext, { taken }: Attempt): HandedTask['inputs'] {
  const inside = (path: string) => path.slice(root.length + 1);
  const single = Object.entries(taken.inputs).flatMap(([name, file]) =>
    file === undefined ? [] : [{ name, path: inside(file.path) }],
  );
  const every = Object.entries(taken.every).flatMap(([name, files]) =>
    files.map(({ unit, path }) => ({ name: `${name}/${unit}`, path: inside(path) })),
  );
  const state = taken.state === undefined ? [] : [{ name: 'state', path: inside(taken.state.path) }];
  return [...single, ...every, ...state];
}

/** For whoever has only the folder to look at. */
function keepTask(run: RunContext, attempt: Attempt, task: HandedTask): void {
  const folder = { disk: run.disk, scratch: folderOf(run, attempt) };
  if (attempt.prompt !== undefined)
    keepInScratch(folder, 'prompt.md', redactorOf(run).redactValues(promptFile(attempt.prompt)));
  keepInScratch(folder, 'task.json', `${JSON.stringify(task as unknown as JsonObject, null, 2)}\n`);
}
