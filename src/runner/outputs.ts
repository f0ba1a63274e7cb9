import { basename } from 'node:path';
import { type CheckOutcome, runCheck } from '../artifacts/checks.ts';
import { collectOutputs } from '../artifacts/collect.ts';
import { hashFile } from '../artifacts/hash-file.ts';
import {
  promote,
  type Runnable,
  runnableOf,
  type Staged,
  setAside,
  stage,
  stageFile,
} from '../artifacts/promotion.ts';
import { readReport } from '../artifacts/verdict.ts';
import type { Hash } from '../base/hash.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { DiskError } from '../disk/disk.ts';
import { findCell } from '../ledger/ledger.ts';
import type { Check, OutputSpec, Unit } from '../model/definition.ts';
import type { Judgement, OutputRecord } from '../model/event.ts';
import type { AttemptFailure } from '../model/failure.ts';
import { runFile } from '../model/run-folder.ts';
import { compilePattern } from '../pipeline/pattern.ts';
import type { Attempt, Produced } from './attempt.ts';
import { folderOf, inWorkspace, type RunContext } from './context.ts';
import { commandEnvironment } from './executors/environment.ts';

/** Outputs that were checked and kept: staged for promotion, and in the content store as of the next commit. */
export interface KeptOutputs {
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  readonly verdict: string | undefined;
  readonly judged: Judgement | undefined;
  readonly response: Hash | undefined;
}

export async function keepOutputs(
  run: RunContext,
  attempt: Attempt,
  produced: Produced,
): Promise<Result<KeptOutputs, AttemptFailure>> {
  const made =
    produced.outputs.kind === 'values'
      ? returnedOutputs(attempt.phase.outputs, produced.outputs)
      : await writtenOutputs(run, attempt.phase.outputs, produced.outputs.folder);
  if (!made.ok) return made;
  const outputs: Record<string, OutputRecord> = {};
  let verdict: string | undefined;
  let judged: Judgement | undefined;
  for (const output of made.value) {
    const kept = await keep(run, attempt, output);
    if (!kept.ok) return kept;
    outputs[output.spec.name] = kept.value;
    const { gate } = attempt.phase;
    if (gate?.output !== output.spec.name) continue;
    const read = readReport(gate, output.bytes());
    if (!read.ok) {
      const { path, detail } = read.failure;
      return fail({ reason: 'verdict-unreadable', message: detail, facts: { output: gate.output, path } });
    }
    verdict = read.value.verdict;
    judged = read.value.judged;
  }
  const response =
    produced.response === undefined ? undefined : run.store.put(Buffer.from(produced.response));
  return ok({ outputs, verdict, judged, response });
}

/** Puts the recorded outputs at their declared paths. A file there that is not ours is moved aside, never lost. */
export function promoteOutputs(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  outputs: Readonly<Record<string, OutputRecord>>,
  before: Readonly<Record<string, OutputRecord>> | undefined,
): void {
  const cell = findCell(run.ledger, at.unit, at.phase);
  for (const name in outputs) {
    const output = outputs[name] as OutputRecord;
    const { path } = output;
    const last = before?.[name];
    const staged = stagedName(at, name);
    // An adopted edit is a person's work: it is moved aside like any other file that we did not make.
    const ours = last && cell?.adopted.includes(last.hash) ? undefined : last;
    // The same bytes lose nothing: the owner of a claim wrote them there before completing it.
    if (!isForeign(run, path, ours, [output.hash, ...(cell?.former ?? [])])) placeOnce(run, staged, output);
    else if (!isMoved(run, staged, output)) {
      moveAside(run, path);
      place(run, staged, path);
    }
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
  const there = run.disk.stat(inWorkspace(run, output.path));
  if (there?.ino === output.ino && there.mtimeMs === output.mtime && there.size === output.size) return true;
  throw new DiskError('ENOENT', 'promote', from);
}

/** Gives a staged file its name. A file that stands where one of its folders belongs is moved aside as well. */
export function place(
  run: Pick<RunContext, 'disk' | 'root' | 'folder' | 'observe'>,
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
  run: Pick<RunContext, 'disk' | 'root' | 'folder' | 'observe'>,
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
  run: Pick<RunContext, 'disk' | 'root'>,
  path: string,
  last: OutputRecord | undefined,
  ours: readonly Hash[],
): boolean {
  const absolute = inWorkspace(run, path);
  const stat = run.disk.stat(absolute);
  if (stat === undefined) return false;
  if (last !== undefined && stat.ino === last.ino && stat.mtimeMs === last.mtime && stat.size === last.size)
    return false;
  const hash = stat.kind === 'file' ? hashFile(run.disk, absolute)?.hash : undefined;
  return hash === undefined || (hash !== last?.hash && !ours.includes(hash));
}

export function stagingFolder(run: Pick<RunContext, 'root' | 'folder'>): string {
  return inWorkspace(run, runFile(run.folder, 'staging'));
}

/** `~` cannot stand in a name, so no two cells share a staged file. */
export function stagedName(at: { unit: string; phase: string; attempt: number }, output: string): string {
  return `${at.unit}~${at.phase}~${at.attempt}~${output}`;
}

interface MadeOutput {
  readonly spec: OutputSpec;
  readonly runnable: Runnable;
  readonly bytes: () => Uint8Array;
  /** Set when the bytes are too many to hold. */
  readonly stored: { readonly path: string; readonly hash: Hash } | undefined;
}

function returnedOutputs(
  specs: readonly OutputSpec[],
  { values, runnables }: Produced['outputs'] & { kind: 'values' },
): Result<MadeOutput[], AttemptFailure> {
  const made: MadeOutput[] = [];
  for (const spec of specs) {
    const bytes = values[spec.name];
    if (bytes === undefined) {
      if (spec.optional) continue;
      const returned = Object.keys(values).join(', ');
      return fail({ reason: 'output-missing', message: '', facts: { output: spec.name, returned } });
    }
    made.push({ spec, runnable: runnables?.[spec.name] ?? {}, bytes: () => bytes, stored: undefined });
  }
  return ok(made);
}

async function writtenOutputs(
  run: RunContext,
  specs: readonly OutputSpec[],
  folder: string,
): Promise<Result<MadeOutput[], AttemptFailure>> {
  const collected = await collectOutputs(
    run.disk,
    run.store,
    folder,
    specs.map(({ name, optional }) => ({ name, file: name, optional })),
  );
  if (!collected.ok) return collected;
  return ok(
    specs.flatMap((spec, at): MadeOutput[] | MadeOutput => {
      const found = collected.value[at];
      if (found === undefined) return [];
      const runnable = runnableOf(found);
      if (found.kind === 'held') return { spec, runnable, bytes: () => found.bytes, stored: undefined };
      const read = () => run.disk.read(found.path) ?? new Uint8Array();
      return { spec, runnable, bytes: read, stored: { path: found.path, hash: found.hash } };
    }),
  );
}

/** Stages an output, proves it there, and puts its bytes into the content store. */
async function keep(
  run: RunContext,
  attempt: Attempt,
  output: MadeOutput,
): Promise<Result<OutputRecord, AttemptFailure>> {
  const { spec, stored, runnable } = output;
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
    stored === undefined
      ? stage(run.disk, stagingFolder(run), name, output.bytes(), runnable)
      : await stageFile(run.disk, stagingFolder(run), name, stored.path, stored.hash, runnable);
  if (staged === undefined)
    return fail({ reason: 'output-missing', message: '', facts: { output: spec.name, path } });
  const checked =
    spec.check === undefined
      ? passed
      : await checkStaged(run, attempt, spec.check, path, staged, stored ? undefined : output.bytes());
  if (!checked.passed) {
    keepRejected(run, attempt, spec.name, staged);
    return fail({
      reason: 'check-failed',
      message: checked.detail,
      facts: { output: spec.name, check: spec.check?.kind ?? '', path },
    });
  }
  const hash = stored?.hash ?? run.store.put(output.bytes());
  const { size, ino, mtime } = staged;
  return ok({ path, hash, size, ino, mtime, ...runnable });
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
  check: Check,
  path: string,
  staged: Staged,
  bytes: Uint8Array | undefined,
): Promise<CheckOutcome> {
  return runCheck(check, bytes, {
    disk: run.disk,
    file: staged.path,
    scratch: { below: stagingFolder(run), name: basename(path) },
    cwd: run.root,
    env: commandEnvironment({}, {}, process.env),
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
