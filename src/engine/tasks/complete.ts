import { fail, ok, type Result } from '../../base/result.ts';
import { runsUserCode } from '../../checks/run-check.ts';
import { copyTo } from '../../disk/copy-file.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { findStep, type Ledger, type Step, type StepResult } from '../../ledger/ledger.ts';
import type { AttemptSucceeded, Cost, FileRecord, OutputRecord } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { CompletionProblem } from '../../model/failure-details.ts';
import { asksOf, type Refusal } from '../../model/reason.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { standingResult } from '../../planner/plan.ts';
import type { Attempt } from '../../runner/attempts/attempt.ts';
import { AttemptContent } from '../../runner/attempts/local-host.ts';
import { type KeptOutputs, keepOutputs } from '../../runner/attempts/outputs.ts';
import { messageLengthMax } from '../../runner/attempts/run-attempt.ts';
import { folderOf, inWorkspace, type RunContext, record } from '../../runner/context.ts';
import { putFiles } from '../../runner/executors/collect.ts';
import { promoteOutputs } from '../../runner/promotion.ts';
import { missingConsent } from '../observe/consent.ts';
import type { RunPlan } from '../observe/plan-from-disk.ts';
import type { TaskAnswer } from '../observe/task-answers.ts';
import { taskFiles } from '../observe/task-files.ts';
import type { LockedClaims } from '../open/claim-lock.ts';
import type { Environment } from '../open/environment.ts';
import { keepAside } from './aside.ts';
import { type ClaimChange, openClaimSession, withClaimLock } from './claim-session.ts';
import { runContext } from './claim-task.ts';
import { answerAfter, seenAt, type TaskRequest } from './end.ts';
import { claimLost, findPiece, isMine, type Piece } from './mine.ts';

export interface CompleteRequest extends TaskRequest {
  /** Where outputs lie that are not at their declared path, by name; relative to the workspace. */
  readonly outputs?: Readonly<Record<string, string>> | undefined;
  /** Further files of the workspace that were made. */
  readonly files?: readonly string[] | undefined;
  readonly note?: string | undefined;
  /** What the work has cost, as the actor says. */
  readonly cost?: Cost | undefined;
  /** A coding agent asks, over MCP: its environment cannot consent to what checks an output. */
  readonly byAgent?: boolean | undefined;
}

/**
 * Work that was claimed is done: proven, not believed. Every declared output and file has to be there and pass its
 * check; only then, and only while the claim still is the actor's, it is recorded.
 */
export async function completeTask(
  env: Environment,
  request: CompleteRequest,
): Promise<Result<TaskAnswer, Failure>> {
  const visited = await openClaimSession(env, request);
  if (!visited.ok) return visited;
  return await withClaimLock(visited.value, async (desk) => {
    const { workspace, hold } = desk;
    const found = findPiece(workspace, hold.ledger, request.unit, request.actor);
    if (!found.ok) return found;
    const piece = found.value;
    const known = checkNames(piece, request);
    if (!known.ok) return known;
    const step = findStep(hold.ledger, piece.unit.id, piece.phase.name);
    const before = await seenAt(desk);
    const guarded = checkGuards(before, piece);
    if (!guarded.ok) return guarded;
    const recorded = recordedResult(desk, before, piece, step, request);
    if (recorded !== undefined) return ok(await recordedBefore(desk, before, piece, recorded, request));
    if (!isMine(step, request)) return await refuse(desk, before, piece, step, request);
    const agreed = checkConsent(before, piece, request);
    if (!agreed.ok) return agreed;
    return await accept(desk, before, piece, step as Step, request);
  });
}

function checkNames({ phase }: Piece, { outputs = {} }: CompleteRequest): Result<undefined, Failure> {
  const valid = phase.outputs.map(({ name }) => name);
  const unknown = Object.keys(outputs).find((name) => !valid.includes(name));
  if (unknown === undefined) return ok(undefined);
  return fail({ reason: 'usage', problem: { code: 'unknown-output', name: unknown, valid } });
}

/**
 * What the claim was given out for must still be so: another manifest may want something else done, and check it in
 * another way. What has changed elsewhere is no reason to lose work.
 */
function checkGuards({ plan }: RunPlan, { unit, phase }: Piece): Result<undefined, Failure> {
  const isOwn = (refusal: Refusal) =>
    refusal.guard === 'manifest-changed' ||
    ('phase' in refusal && refusal.unit === unit.id && refusal.phase === phase.name);
  const refusals = plan.refusals.filter(isOwn);
  return refusals.length > 0 ? fail({ reason: 'refused', refusals }) : ok(undefined);
}

/** A check that starts a command does so only in a workspace whose manifest this user has run. */
function checkConsent(
  { workspace }: RunPlan,
  { unit, phase }: Piece,
  { byAgent = false }: CompleteRequest,
): Result<undefined, Failure> {
  const starts = phase.outputs.some(({ check }) => check !== undefined && runsUserCode(check));
  const missing =
    starts &&
    missingConsent(workspace.env, workspace.loaded, byAgent ? undefined : workspace.env.process.variables);
  return missing
    ? fail({ reason: 'never-run', unit: unit.id, phase: phase.name, manifest: missing })
    : ok(undefined);
}

/**
 * The result that this very completion made before: an agent that says it twice, because the first answer was lost, gets
 * the same answer. A result that waits for an approval counts, because nothing but a person's answer is missing. One that
 * a gate or a person sent back does not: it has to be claimed again.
 */
function recordedResult(
  desk: LockedClaims,
  { plan }: RunPlan,
  { unit, phase }: Piece,
  step: Step | undefined,
  request: CompleteRequest,
): StepResult | undefined {
  if (step === undefined || step.running !== undefined) return undefined;
  const decision = plan.units.get(unit.id)?.cells.find((one) => one.phase === phase.name)?.decision;
  if (decision === undefined) return undefined;
  const isAsked = decision.do === 'stop' && asksOf(decision.why) !== undefined;
  const result = isAsked ? step.results.findLast((one) => one !== undefined) : standingResult(decision);
  const isSame =
    result?.actor === request.actor &&
    result.attempt === (request.attempt ?? step.attempts) &&
    isSameWork(desk, result, request);
  return isSame ? result : undefined;
}

/** What is named now has the bytes that were recorded then; what is not named says nothing else. */
function isSameWork(
  { workspace: { env, root } }: LockedClaims,
  { outputs, files = {} }: StepResult,
  request: CompleteRequest,
): boolean {
  const hasHash = (path: string, hash: string | undefined) =>
    env.disk.stat(`${root}/${path}`)?.kind === 'file' && hashFile(env.disk, `${root}/${path}`)?.hash === hash;
  return (
    Object.entries(request.outputs ?? {}).every(([name, path]) => hasHash(path, outputs[name]?.hash)) &&
    (request.files ?? []).every((path) => hasHash(path, files[path]?.hash))
  );
}

async function recordedBefore(
  desk: LockedClaims,
  before: RunPlan,
  { unit, phase }: Piece,
  { attempt, outputs, files = {} }: StepResult,
  { actor }: CompleteRequest,
): Promise<ClaimChange<TaskAnswer>> {
  const told = {
    act: 'completed' as const,
    actor,
    unit: unit.id,
    phase: phase.name,
    attempt,
    leaseUntil: undefined,
    reason: undefined,
    again: true,
    ...recorded(outputs, files),
  };
  const answer = await answerAfter(desk, before, told);
  return { answer, stands: () => true, lost: { reason: 'not-claimed', unit: unit.id, actor } };
}

/** The claim is somebody else's now, or nobody's: what was left is kept aside, and that it was is on record. */
async function refuse(
  desk: LockedClaims,
  before: RunPlan,
  piece: Piece,
  step: Step | undefined,
  request: CompleteRequest,
): Promise<Result<never, Failure>> {
  const { unit, phase } = piece;
  const attempt = request.attempt ?? step?.attempts ?? 0;
  // A number that was never handed out is a slip of the actor that has the claim: its work goes on, and stays in place.
  if (step?.running?.claim?.actor === request.actor && attempt > step.attempts)
    return fail(claimLost(piece, step, request, undefined));
  const run = runContext(desk, before);
  const paths = [...sources(run, piece, attempt, request).values(), ...filesToProve(piece, request)];
  const aside = await keepAside(run, { unit: unit.id, phase: phase.name, actor: request.actor }, paths);
  const reason = step?.running === undefined ? ('not-claimed' as const) : ('claimed-by-another' as const);
  await record(desk.hold, {
    type: 'completion_refused',
    unit: unit.id,
    phase: phase.name,
    attempt,
    reason,
    ...(aside !== undefined && { aside }),
  });
  return fail(claimLost(piece, step, request, aside));
}

async function accept(
  desk: LockedClaims,
  before: RunPlan,
  piece: Piece,
  step: Step,
  request: CompleteRequest,
): Promise<Result<ClaimChange<TaskAnswer>, Failure>> {
  const { running } = step;
  if (running === undefined) throw new Error('accepted without a claim');
  const run = runContext(desk, before);
  const number = running.attempt;
  const proven = await prove(run, piece, number, running.round, request);
  if (!proven.ok) return proven;
  const { kept, files } = proven.value;
  const at = { unit: piece.unit.id, phase: piece.phase.name, attempt: number };
  const event = succeededEvent(run, at, running.round, Date.parse(running.at), kept, files, request);
  const placed = step.placed;
  await record(run, event);
  promoteOutputs(run, at, kept.outputs, placed);
  const told = {
    act: 'completed' as const,
    actor: request.actor,
    ...at,
    leaseUntil: undefined,
    reason: undefined,
    ...recorded(kept.outputs, files),
  };
  const answer = await answerAfter(desk, before, told);
  const stands = (ledger: Ledger) =>
    findStep(ledger, at.unit, at.phase)?.results.some((result) => result?.attempt === number) ?? false;
  return ok({ answer, stands, lost: claimLost(piece, step, request, undefined) });
}

function succeededEvent(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  round: number,
  startedMs: number,
  { outputs, verdict, judged }: KeptOutputs,
  files: Readonly<Record<string, FileRecord>>,
  { note, cost }: CompleteRequest,
): AttemptSucceeded {
  return {
    type: 'attempt_succeeded',
    ...at,
    ...(round > 1 && { round: round }),
    outputs,
    ...(Object.keys(files).length > 0 && { files }),
    ...(note !== undefined && { note: note.slice(0, messageLengthMax) }),
    ms: Math.max(0, run.clock.now() - startedMs),
    ...(verdict !== undefined && { verdict }),
    ...(judged !== undefined && { judged }),
    ...(cost !== undefined && { cost }),
  };
}

interface Proven {
  readonly kept: KeptOutputs;
  readonly files: Readonly<Record<string, FileRecord>>;
}

/** All that is missing is told at once; only what is there is checked. */
async function prove(
  run: RunContext,
  piece: Piece,
  number: number,
  round: number,
  request: CompleteRequest,
): Promise<Result<Proven, Failure>> {
  const { unit, phase } = piece;
  const files: Record<string, FileRecord> = {};
  const problems: CompletionProblem[] = [];
  for (const path of filesToProve(piece, request)) {
    const found = proveFile(run, path);
    if (found.ok) files[path] = found.value;
    else problems.push(found.failure);
  }
  const from = sources(run, piece, number, request);
  for (const spec of phase.outputs) {
    const path = from.get(spec.name);
    const declared = expandPattern(spec.path, unit, number);
    if (path === undefined && !spec.optional)
      problems.push({ output: spec.name, path: declared, problem: 'output-missing', detail: '' });
    if (path !== undefined && path === request.outputs?.[spec.name]) {
      const found = proveFile(run, path);
      if (!found.ok) problems.push({ ...found.failure, output: spec.name });
    }
  }
  const incomplete = { reason: 'completion-incomplete' as const, unit: unit.id, phase: phase.name };
  if (problems.length > 0) return fail({ ...incomplete, problems });
  await collect(run, piece, number, from);
  const attempt: Attempt = {
    unit,
    phase,
    round: round,
    number,
    why: { code: 'never-ran' },
    made: { inputs: new Map(), preState: undefined },
    taken: { inputs: {}, every: {}, state: undefined },
    prompt: undefined,
  };
  const content = new AttemptContent(run.store);
  const made = await putFiles(
    { disk: run.disk, content, scratch: folderOf(run, attempt) },
    completion,
    phase.outputs,
  );
  const kept = made.ok ? await keepOutputs(run, attempt, made.value, content) : made;
  if (kept.ok) return ok({ kept: kept.value, files });
  const { reason, message, facts } = kept.failure;
  const output = String(facts?.output ?? '');
  const problem = { output, path: from.get(output) ?? '', problem: reason, detail: message };
  return fail({ ...incomplete, problems: [problem] });
}

/** Where each output lies: where it was said to, or at its declared path. */
function sources(
  run: RunContext,
  { unit, phase }: Piece,
  number: number,
  { outputs = {} }: CompleteRequest,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const spec of phase.outputs) {
    const declared = expandPattern(spec.path, unit, number);
    const last = findStep(run.ledger, unit.id, phase.name)?.placed?.[spec.name];
    const isThere = run.disk.stat(inWorkspace(run, declared)) !== undefined;
    const path = outputs[spec.name];
    if (path !== undefined) found.set(spec.name, path);
    else if (isThere && !isUntouched(run, declared, last)) found.set(spec.name, declared);
  }
  return found;
}

/** What an earlier attempt left there was not made by this one. Whoever means it says so by its path. */
function isUntouched(run: RunContext, path: string, last: OutputRecord | undefined): boolean {
  const stat = run.disk.stat(inWorkspace(run, path));
  return stat !== undefined && last !== undefined && run.files.hashOf(path, stat) === last.hash;
}

/** In the attempt's folder: the outputs that are completed. */
const completion = 'completion';

/** Copies of all outputs in a folder where nobody else writes: what is checked is what is kept. */
async function collect(
  run: RunContext,
  { unit, phase }: Piece,
  number: number,
  from: ReadonlyMap<string, string>,
): Promise<void> {
  const folder = `${folderOf(run, { unit, phase, number })}/${completion}`;
  run.disk.makeFolder(folder);
  for (const { name } of phase.outputs) {
    const path = from.get(name);
    if (path === undefined) run.disk.remove(`${folder}/${name}`);
    else await copyTo(run.disk, inWorkspace(run, path), `${folder}/${name}`);
  }
}

function filesToProve({ unit, phase }: Piece, { files = [] }: CompleteRequest): string[] {
  const declared = isForOthers(phase) ? taskFiles(phase.executor, unit) : [];
  const outputs = new Set(phase.outputs.map((spec) => expandPattern(spec.path, unit)));
  return [...new Set([...declared, ...files])].filter((path) => !outputs.has(path));
}

function proveFile(run: RunContext, path: string): Result<FileRecord, CompletionProblem> {
  const wrong = (problem: CompletionProblem['problem'], detail = '') =>
    fail({ output: undefined, path, problem, detail });
  const inside = run.checkInside(path);
  if (!inside.ok) return wrong('output-outside', inside.failure.reason);
  const stat = run.disk.stat(inWorkspace(run, path));
  if (stat === undefined) return wrong('output-missing');
  const hashed = stat.kind === 'file' ? hashFile(run.disk, inWorkspace(run, path)) : undefined;
  return hashed === undefined ? wrong('output-not-a-file') : ok({ hash: hashed.hash, size: hashed.size });
}

function recorded(
  outputs: KeptOutputs['outputs'],
  files: Readonly<Record<string, FileRecord>>,
): Pick<TaskAnswer, 'outputs' | 'files'> {
  return {
    outputs: Object.entries(outputs).map(([name, { path, hash }]) => ({ name, path, hash })),
    files: Object.entries(files).map(([path, { hash }]) => ({ path, hash })),
  };
}
