import { type Hash, hashBytes } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { hashFile } from '../../disk/hash-file.ts';
import type { OwnFile, Phase, Unit } from '../../model/definition.ts';
import type { OutputRecord } from '../../model/event.ts';
import { isCalledHere } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { ownFileTextBytesMax } from '../../model/names.ts';
import { textOrProblem } from '../../pipeline/context.ts';
import { NoPromptText } from '../../pipeline/units/fields.ts';
import type { ConsumedArtifact, MadeFrom } from '../../planner/plan.ts';
import { attemptFolder, inWorkspace, type RunContext, type RunView } from '../context.ts';
import { InputFile, type InputSource, TaskInputs, UnitInputFile } from '../executors/input-file.ts';
import { keepBelowScratch } from '../executors/scratch.ts';
import { proveOutput } from '../verify-output.ts';

/**
 * Hands over exactly the bytes that the plan decided on. A file that was touched since then is not believed: the
 * recorded bytes come from the content store, and the next plan will tell about the edit.
 */
export function takeInputs(
  run: RunContext,
  { unit, phase, made }: { readonly unit: Unit; readonly phase: Phase; readonly made: MadeFrom },
  attempt: number,
): Result<TaskInputs, AttemptFailure> {
  const taker: Taker = { run, unit, phase, attempt };
  const taken = new TaskInputs();
  const { inputs, every } = taken;
  for (const input of phase.inputs) {
    if (input.kind === 'file') {
      const file = takeDeclared(taker, input);
      if (!file.ok) return file;
      inputs[input.name] = file.value;
      continue;
    }
    if (input.kind === 'unit-file') {
      const file = takeOwnFile(taker, input.name);
      if (!file.ok) return file;
      inputs[input.name] = file.value;
      continue;
    }
    if (input.kind === 'elsewhere' && input.of === 'every') {
      const listed = takeEvery(taker, made, input.name);
      if (!listed.ok) return listed;
      every[input.name] = listed.value;
      continue;
    }
    const consumed = made.inputs.get(input.name);
    if (consumed === undefined) continue;
    const found = takeOne(taker, consumed, input.name);
    if (found === undefined) return fail(unavailable(input.name, consumed.output.path));
    inputs[input.name] = found;
  }
  if (phase.state === 'none') return ok(taken);
  if (made.preState === undefined)
    return fail(unavailable('state', run.loaded.pipeline.state?.initial ?? ''));
  taken.state = takeState(taker, made.preState.hash, made.preState.path);
  return taken.state === undefined ? fail(unavailable('state', made.preState.path)) : ok(taken);
}

/** The same to look at: nothing is written, and what only the content store has is given without a path of its own. */
export function seeInputs(
  run: RunView,
  { unit, phase, made }: { readonly unit: Unit; readonly phase: Phase; readonly made: MadeFrom },
): Result<TaskInputs, AttemptFailure> {
  const inputs: Record<string, InputFile | undefined> = {};
  const every: Record<string, UnitInputFile[]> = {};
  const stored = (hash: Hash, path: string) => {
    const bytes = run.store.get(hash);
    return bytes === undefined || bytes === 'damaged'
      ? undefined
      : new InputFile(run.disk, { path, hash }, inWorkspace(run, path), bytes);
  };
  for (const input of phase.inputs) {
    if (input.kind === 'file') {
      const file = takeFile(run, phase, input);
      if (!file.ok) return file;
      inputs[input.name] = file.value;
    } else if (input.kind === 'unit-file') {
      if (unit.file === undefined || unit.file.isMissing)
        return fail(unavailable(input.name, unit.file?.path ?? unit.id));
      inputs[input.name] = new InputFile(run.disk, unit.file, inWorkspace(run, unit.file.path));
    } else if (input.kind === 'elsewhere' && input.of === 'every') every[input.name] = [];
  }
  for (const [key, { output }] of made.inputs) {
    const file = stored(output.hash, output.path);
    if (file === undefined) return fail(unavailable(key, output.path));
    const slash = key.indexOf('/');
    const list = slash === -1 ? undefined : every[key.slice(0, slash)];
    if (list === undefined) inputs[key] = file;
    else list.push(new UnitInputFile(key.slice(slash + 1), file));
  }
  const { preState } = made;
  if (phase.state === 'none' || preState === undefined) return ok({ inputs, every, state: undefined });
  const bytes = run.disk.read(inWorkspace(run, preState.path));
  const isThere = bytes !== undefined && hashBytes(bytes) === preState.hash;
  const state = isThere
    ? new InputFile(run.disk, preState, inWorkspace(run, preState.path), bytes)
    : stored(preState.hash, preState.path);
  return state === undefined ? fail(unavailable('state', preState.path)) : ok({ inputs, every, state });
}

/** The attempt that takes inputs. */
interface Taker {
  readonly run: RunContext;
  readonly unit: Unit;
  readonly phase: Phase;
  readonly attempt: number;
}

/** One file of each unit that has one: they are recorded as `NAME/UNIT`. */
function takeEvery(taker: Taker, made: MadeFrom, name: string): Result<UnitInputFile[], AttemptFailure> {
  const files: UnitInputFile[] = [];
  for (const [key, consumed] of made.inputs) {
    if (!key.startsWith(`${name}/`)) continue;
    const found = takeOne(taker, consumed, key);
    if (found === undefined) return fail(unavailable(key, consumed.output.path));
    files.push(new UnitInputFile(key.slice(name.length + 1), found));
  }
  return ok(files);
}

/**
 * What was made a moment ago is still in memory, and a function that only wants the bytes needs no file: its path is
 * proven when it is asked for. Whatever is not called in this process gets nothing but paths.
 */
function takeOne(taker: Taker, consumed: ConsumedArtifact, name: string): InputFile | undefined {
  const { run, phase } = taker;
  const bytes = isCalledHere(phase) ? run.store.recall(consumed.output.hash) : undefined;
  if (bytes === undefined) return findFile(taker, consumed, name);
  return new InputFile(run.disk, consumed.output, () => demandPath(taker, consumed, name), bytes);
}

function demandPath(taker: Taker, consumed: ConsumedArtifact, name: string): string {
  const file = findFile(taker, consumed, name);
  if (file === undefined) throw new Error(`the input ${consumed.output.path} has gone`);
  return file.path;
}

function findFile(taker: Taker, consumed: ConsumedArtifact, name: string): InputFile | undefined {
  const { run } = taker;
  const file = isInPlace(run, consumed) ? provenFile(run, consumed.output) : undefined;
  return file ?? storedFile(taker, consumed.output, name);
}

/** A round that the gate sent back is never restored: what a power cut left of it looks untouched by its stat. */
function isInPlace(run: RunContext, { superseded, output }: ConsumedArtifact): boolean {
  return !superseded && !run.facts.outputs.has(output.path);
}

function takeState(taker: Taker, hash: Hash, path: string): InputFile | undefined {
  const { run } = taker;
  const absolute = inWorkspace(run, path);
  const bytes = run.disk.read(absolute);
  if (bytes !== undefined && hashBytes(bytes) === hash)
    return new InputFile(run.disk, { path, hash }, absolute, bytes);
  return storedFile(taker, { path, hash }, 'state');
}

function provenFile(run: RunContext, output: OutputRecord): InputFile | undefined {
  const path = inWorkspace(run, output.path);
  const fact = proveOutput(run.disk, path, output, { deep: false, files: run.files });
  return fact.kind === 'intact' ? new InputFile(run.disk, output, path) : undefined;
}

/** The recorded bytes, as a file of the attempt's own. */
function storedFile(
  { run, unit, phase, attempt }: Taker,
  source: InputSource & { readonly hash: Hash },
  name: string,
): InputFile | undefined {
  const bytes = run.store.get(source.hash);
  if (bytes === undefined || bytes === 'damaged') return undefined;
  const { disk } = run;
  const scratch = inWorkspace(run, attemptFolder(run, unit.id, phase.name, attempt));
  return new InputFile(disk, source, keepBelowScratch({ disk, scratch }, `inputs/${name}`, bytes), bytes);
}

/** A file that was edited since the manifest was read is taken as this invocation has recorded it. */
function takeDeclared(
  taker: Taker,
  input: { readonly name: string; readonly file: string },
): Result<InputFile, AttemptFailure> {
  const { run, phase } = taker;
  const declared = run.loaded.statics.get(phase.name)?.files.get(input.file);
  if (declared?.hash === undefined || isAsRead(run, declared.path, declared.hash))
    return takeFile(run, phase, input);
  const { path, hash } = declared;
  const kept = storedFile(taker, { path, hash }, input.name);
  return kept === undefined ? fail(unavailable(input.name, declared.path)) : ok(kept);
}

/** The same for the file that the unit is about. */
function takeOwnFile(taker: Taker, name: string): Result<InputFile, AttemptFailure> {
  const { run, phase } = taker;
  const { file } = taker.unit;
  if (file === undefined) return fail(unavailable(name, taker.unit.id));
  const isHeld = phase.prompt !== undefined || isCalledHere(phase);
  const found =
    ownFileAsRead(run, file, isHeld) ??
    (file.hash === undefined ? undefined : storedFile(taker, { path: file.path, hash: file.hash }, name));
  return found === undefined ? fail(unavailable(name, file.path)) : ok(found);
}

function takeFile(
  run: RunView,
  phase: Phase,
  { name, file }: { readonly name: string; readonly file: string },
): Result<InputFile, AttemptFailure> {
  const declared = run.loaded.statics.get(phase.name)?.files.get(file);
  if (declared?.hash === undefined) return fail(unavailable(name, declared?.path ?? file));
  return ok(new InputFile(run.disk, declared, inWorkspace(run, declared.path)));
}

function unavailable(input: string, path: string): AttemptFailure {
  return { reason: 'input-unavailable', message: '', facts: { input, path } };
}

type Ground = Pick<RunContext, 'disk' | 'root' | 'loaded' | 'store'>;

/**
 * Keeps the bytes of a unit's own file as this invocation has read it: for attempts, which get these also when the file
 * is edited meanwhile, and so that a later change can be shown line by line.
 */
export async function keepOwnFile(run: Ground, { path, hash }: OwnFile): Promise<void> {
  if (hash === undefined || run.store.has(hash) || !isAsRead(run, path, hash)) return;
  await run.store.putFile(inWorkspace(run, path));
}

/** The file at its path, if it is as this invocation has read it. Of a very large file only the path counts. */
function ownFileAsRead(run: Ground, file: OwnFile, isHeld: boolean): InputFile | undefined {
  const { path, hash } = file;
  const absolute = inWorkspace(run, path);
  const stat = run.disk.stat(absolute);
  if (stat?.kind !== 'file') return undefined;
  if (hash === undefined) return new InputFile(run.disk, file, absolute);
  if (!isHeld || stat.size > ownFileTextBytesMax)
    return isAsRead(run, path, hash) ? new InputFile(run.disk, file, absolute) : undefined;
  const bytes = run.disk.read(absolute);
  if (bytes === undefined || hashBytes(bytes) !== hash) return undefined;
  return new InputFile(run.disk, file, absolute, bytes);
}

/** The file as text for a prompt, or why a prompt cannot have it. */
export function ownFileText(file: InputFile, { path }: OwnFile): string | NoPromptText {
  const size = file.disk.stat(file.path)?.size ?? 0;
  if (size > ownFileTextBytesMax) return new NoPromptText('unit-file-too-large', path, size);
  return textOrProblem(file.bytes()) ?? new NoPromptText('unit-file-not-text', path, size);
}

/** By manifest and path: what stood for a file when its bytes were last looked at, and found to be the same. */
const lastSeen = new WeakMap<object, Map<string, string>>();

/** Looks into the file only when it may have changed: several steps may take the same one, and it may be large. */
function isAsRead(
  { disk, root, loaded }: Pick<Ground, 'disk' | 'root' | 'loaded'>,
  path: string,
  hash: Hash,
): boolean {
  const seen = lastSeen.get(loaded.statics) ?? new Map<string, string>();
  lastSeen.set(loaded.statics, seen);
  const absolute = inWorkspace({ root }, path);
  const stat = disk.stat(absolute);
  const stamp = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  if (seen.get(path) === stamp) return true;
  if (hashFile(disk, absolute)?.hash !== hash) return false;
  seen.set(path, stamp);
  return true;
}
