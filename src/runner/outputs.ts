import { basename } from 'node:path';
import type { Hash } from '../base/hash.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type CheckOutcome, runCheck } from '../checks/run-check.ts';
import { readReport } from '../checks/verdict.ts';
import { DiskError } from '../disk/disk.ts';
import { hashFile } from '../disk/hash-file.ts';
import { findStep } from '../ledger/ledger.ts';
import type { OutputCheck, OutputSpec, Unit } from '../model/definition.ts';
import type { Judgement, OutputRecord } from '../model/event.ts';
import type { AttemptFailure } from '../model/failure.ts';
import { runFile } from '../model/run-folder.ts';
import { compilePattern } from '../pipeline/pattern.ts';
import type { Made, MadeOutput } from './assignment.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptContent } from './attempt-content.ts';
import { folderOf, inWorkspace, type RunContext } from './context.ts';
import { commandEnvironment } from './executors/environment.ts';
import { promote, runnableOf, type Staged, setAside, stage, stageFile } from './promotion.ts';

/** Outputs that were checked and kept: staged for promotion, and in the content store as of the next commit. */
export interface KeptOutputs {
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  readonly verdict: string | undefined;
  readonly judged: Judgement | undefined;
  readonly response: Hash | undefined;
}

/** Checks what an attempt has made, stages it for promotion, and puts it into the content store. */
export async function keepOutputs(
  run: RunContext,
  attempt: Attempt,
  made: Made,
  content: AttemptContent,
): Promise<Result<KeptOutputs, AttemptFailure>> {
  const outputs: Record<string, OutputRecord> = {};
  let verdict: string | undefined;
  let judged: Judgement | undefined;
  for (const spec of attempt.phase.outputs) {
    const output = made.outputs[spec.name];
    if (output === undefined) {
      if (spec.optional) continue;
      return fail({ reason: 'output-missing', message: '', facts: { output: spec.name } });
    }
    const readable = readableOutput(run, attempt, spec, output, content);
    const kept = await keep(run, attempt, readable, content);
    if (!kept.ok) return kept;
    outputs[spec.name] = kept.value;
    const { gate } = attempt.phase;
    if (gate?.output !== spec.name) continue;
    const read = readReport(gate, readable.bytes());
    if (!read.ok) {
      const { path, detail } = read.failure;
      return fail({ reason: 'verdict-unreadable', message: detail, facts: { output: gate.output, path } });
    }
    verdict = read.value.verdict;
    judged = read.value.judged;
  }
  if (made.response !== undefined) content.keep(made.response);
  content.release();
  return ok({ outputs, verdict, judged, response: made.response });
}

/** Puts the recorded outputs at their declared paths. A file there that is not ours is moved aside, never lost. */
export function promoteOutputs(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  outputs: Readonly<Record<string, OutputRecord>>,
  before: Readonly<Record<string, OutputRecord>> | undefined,
): void {
  const step = findStep(run.ledger, at.unit, at.phase);
  for (const name in outputs) {
    const output = outputs[name] as OutputRecord;
    const { path } = output;
    const last = before?.[name];
    const staged = stagedName(at, name);
    // An adopted edit is a person's work: it is moved aside like any other file that we did not make.
    const ours = last && step?.adopted.includes(last.hash) ? undefined : last;
    // The same bytes lose nothing: the owner of a claim wrote them there before completing it.
    if (!isForeign(run, path, ours, [output.hash, ...(step?.former ?? [])])) placeOnce(run, staged, output);
    else if (!isMoved(run, staged, output)) {
      moveAside(run, path);
      place(run, staged, path);
    }
    run.files.place(path);
    run.facts.outputs.delete(path);
  }
}

/** What stands there may be the staged file itself: then there is nothing left to place. */
function placeOnce(run: RunContext, staged: string, output: OutputRecord): void {
  try {
    place(run, staged, output.path);
  } catch (error) {
    if (!(error instanceof DiskError && error.code === 'ENOENT' && isMoved(run, staged, output))) throw error;
  }
}

/**
 * Whoever was to move it has done so, and did not come to say it. Where nothing is staged nothing may be moved out of the
 * way for it either: somebody else has the run by now, and what stands there is theirs.
 */
function isMoved(run: RunContext, staged: string, output: OutputRecord): boolean {
  const from = `${stagingFolder(run)}/${staged}`;
  if (run.disk.stat(from) !== undefined) return false;
  const path = inWorkspace(run, output.path);
  const stat = run.disk.stat(path);
  if (stat?.kind === 'file' && hashFile(run.disk, path)?.hash === output.hash) return true;
  throw new DiskError('ENOENT', 'promote', from);
}

/** Gives a staged file its name. A file that stands where one of its folders belongs is moved aside as well. */
export function place(
  run: Pick<RunContext, 'disk' | 'files' | 'root' | 'folder' | 'observe'>,
  staged: string,
  path: string,
): void {
  const from = `${stagingFolder(run)}/${staged}`;
  let promoted = promote(run.disk, from, inWorkspace(run, path));
  if (!promoted.ok && promoted.failure.reason === 'parent-not-a-folder') {
    makeRoom(run, promoted.failure.path.slice(run.root.length + 1), undefined, []);
    promoted = promote(run.disk, from, inWorkspace(run, path));
  }
  if (promoted.ok) return;
  const { reason, path: culprit } = promoted.failure;
  throw new DiskError(reason === 'staged-missing' ? 'ENOENT' : 'ENOTDIR', 'promote', culprit);
}

/** Moves whatever stands at a declared path aside unless it is ours. */
export function makeRoom(
  run: Pick<RunContext, 'disk' | 'files' | 'root' | 'folder' | 'observe'>,
  path: string,
  last: OutputRecord | undefined,
  ours: readonly Hash[],
): void {
  if (isForeign(run, path, last, ours)) moveAside(run, path);
}

function moveAside(run: Pick<RunContext, 'disk' | 'root' | 'folder' | 'observe'>, path: string): void {
  const to = setAside(run.disk, run.root, path, inWorkspace(run, runFile(run.folder, 'aside')));
  if (to !== undefined) run.observe({ type: 'file-set-aside', path, to });
}

/**
 * Something stands at the path that is not ours: neither by its stat what was put there last, nor by its bytes
 * anything that this cell ever made (a copied workspace has other stats).
 */
export function isForeign(
  run: Pick<RunContext, 'disk' | 'root'> & Partial<Pick<RunContext, 'files'>>,
  path: string,
  last: OutputRecord | undefined,
  ours: readonly Hash[],
): boolean {
  const absolute = inWorkspace(run, path);
  const stat = run.disk.stat(absolute);
  if (stat === undefined) return false;
  const isFile = stat.kind === 'file';
  const hash = isFile ? (run.files?.hashOf(path, stat) ?? hashFile(run.disk, absolute)?.hash) : undefined;
  return hash === undefined || (hash !== last?.hash && !ours.includes(hash));
}

export function stagingFolder(run: Pick<RunContext, 'root' | 'folder'>): string {
  return inWorkspace(run, runFile(run.folder, 'staging'));
}

/** `~` cannot stand in a name, so no two cells share a staged file. */
export function stagedName(at: { unit: string; phase: string; attempt: number }, output: string): string {
  return `${at.unit}~${at.phase}~${at.attempt}~${output}`;
}

interface ReadableOutput {
  readonly spec: OutputSpec;
  readonly made: MadeOutput;
  readonly bytes: () => Uint8Array;
  /** Where the bytes lie that are too many to hold; absolute. */
  readonly file: string | undefined;
}

function readableOutput(
  run: RunContext,
  attempt: Attempt,
  spec: OutputSpec,
  made: MadeOutput,
  content: AttemptContent,
): ReadableOutput {
  const { hash } = made;
  if (made.file !== undefined) {
    const file = `${folderOf(run, attempt)}/${made.file}`;
    return { spec, made, file, bytes: () => run.disk.read(file) ?? new Uint8Array() };
  }
  const bytes = content.get(hash);
  if (bytes === undefined) throw new Error(`the content store has no ${hash}`);
  return { spec, made, file: undefined, bytes: () => bytes };
}

/** Stages an output, proves it there, and puts its bytes into the content store. */
async function keep(
  run: RunContext,
  attempt: Attempt,
  { spec, made, bytes, file }: ReadableOutput,
  content: AttemptContent,
): Promise<Result<OutputRecord, AttemptFailure>> {
  const { hash } = made;
  const runnable = runnableOf(made);
  const path = outputPath(spec, attempt.unit, attempt.number);
  const inside = run.checkInside(path);
  if (!inside.ok)
    return fail({
      reason: 'output-outside',
      message: inside.failure.reason,
      facts: { output: spec.name, path },
    });
  const name = stagedName(
    { unit: attempt.unit.id, phase: attempt.phase.name, attempt: attempt.number },
    spec.name,
  );
  const staged =
    file === undefined
      ? stage(run.disk, stagingFolder(run), name, bytes(), runnable)
      : await stageFile(run.disk, stagingFolder(run), name, file, hash, runnable);
  if (staged === undefined)
    return fail({ reason: 'output-missing', message: '', facts: { output: spec.name, path } });
  const checked =
    spec.check === undefined
      ? passed
      : await checkStaged(run, attempt, spec.check, path, staged, file ? undefined : bytes());
  if (!checked.passed) {
    keepRejected(run, attempt, spec.name, staged);
    return fail({
      reason: 'check-failed',
      message: checked.detail,
      facts: { output: spec.name, check: spec.check?.kind ?? '', path },
    });
  }
  content.keep(hash);
  run.files.stage(path, staged, hash);
  return ok({ path, hash, size: staged.size, ...runnable });
}

const patterns = new WeakMap<OutputSpec, (unit: Unit, attempt: number) => string>();

/** Where an output of an attempt belongs. The pattern is parsed once for all units. */
function outputPath(spec: OutputSpec, unit: Unit, attempt: number): string {
  let pattern = patterns.get(spec);
  if (pattern === undefined) {
    pattern = compilePattern(spec.path);
    patterns.set(spec, pattern);
  }
  return pattern(unit, attempt);
}

const passed: CheckOutcome = { passed: true };

function checkStaged(
  run: RunContext,
  { unit }: Attempt,
  check: OutputCheck,
  path: string,
  staged: Staged,
  bytes: Uint8Array | undefined,
): Promise<CheckOutcome> {
  return runCheck(check, bytes, {
    disk: run.disk,
    file: staged.path,
    scratch: { below: stagingFolder(run), name: basename(path) },
    cwd: run.root,
    env: commandEnvironment({}, {}, run.process.variables),
    importModule: run.process.importModule,
    unit,
    signal: run.interrupt,
  });
}

/** What did not pass stays with its attempt, for whoever has to find out why. */
function keepRejected(run: RunContext, attempt: Attempt, output: string, staged: Staged): void {
  const folder = `${folderOf(run, attempt)}/outputs`;
  run.disk.makeFolder(folder);
  run.disk.rename(staged.path, `${folder}/${output}`);
}
