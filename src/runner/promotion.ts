import type { Hash } from '../base/hash.ts';
import { DiskError } from '../disk/disk.ts';
import { hashFile } from '../disk/hash-file.ts';
import { findStep } from '../ledger/ledger.ts';
import type { OutputRecord } from '../model/event.ts';
import { runFile } from '../model/run-folder.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import type { Decision, UnitPlan } from '../planner/plan.ts';
import { inWorkspace, type RunContext, record } from './context.ts';
import { recordedProgress } from './recorded-progress.ts';
import { promote, runnableOf, setAside, stage } from './staging.ts';

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
 * True: the staged file was moved there before, and a crash kept that from being noted. Where nothing is staged, nothing may
 * be moved out of the way either, because another process has the run by now and the file is its.
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

/** Moves a file at a declared path aside unless it is ours. */
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
 * anything that this step ever made (a copied workspace has other stats).
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

/** `~` cannot stand in a name, so no two steps share a staged file. */
export function stagedName(at: { unit: string; phase: string; attempt: number }, output: string): string {
  return `${at.unit}~${at.phase}~${at.attempt}~${output}`;
}

/** Puts outputs from the content store back at their declared paths. True: the unit must be planned again. */
export async function restoreOutputs(run: RunContext, plans: Iterable<UnitPlan>): Promise<boolean> {
  let changed = false;
  for (const { cells: steps } of plans) {
    for (const { unit, phase, decision } of steps) {
      if (decision.do !== 'restore') continue;
      const at = { unit, phase, attempt: decision.result.attempt };
      if (await restoreStep(run, at, decision)) changed = true;
    }
  }
  return changed;
}

async function restoreStep(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  { result, outputs }: Decision & { do: 'restore' },
): Promise<boolean> {
  const restored: Record<string, OutputRecord> = {};
  for (const output of outputs) {
    const record = result.outputs[output];
    if (record === undefined) continue;
    const bytes = run.store.get(record.hash);
    if (bytes === undefined || bytes === 'damaged') {
      // Without a good copy the output counts as missing, so that the next plan runs the phase again.
      run.facts.lost.add(record.hash);
      if (findStep(run.ledger, at.unit, at.phase)?.promoted === at.attempt)
        run.facts.outputs.set(record.path, { kind: 'missing' });
      continue;
    }
    const runnable = runnableOf(record);
    const staged = stage(run.disk, stagingFolder(run), stagedName(at, output), bytes, runnable);
    const path = declaredPath(run, at, output) ?? record.path;
    run.files.stage(path, staged, record.hash);
    restored[output] = { path, hash: record.hash, size: staged.size, ...runnable };
  }
  if (Object.keys(restored).length === 0) return outputs.length > 0;
  const { round } = result;
  const recorded = await record(run, {
    type: 'outputs_restored',
    ...at,
    ...(round > 1 && { round }),
    outputs: restored,
  });
  const shown = recorded.flatMap(recordedProgress);
  for (const output in restored) {
    const { path } = restored[output] as OutputRecord;
    makeRoom(run, path, restored[output], findStep(run.ledger, at.unit, at.phase)?.former ?? []);
    place(run, stagedName(at, output), path);
    run.files.place(path);
    run.facts.outputs.delete(path);
    for (const one of shown) if (one.type === 'output-restored' && one.path === path) run.observe(one);
  }
  return true;
}

/** Where the output belongs now; the manifest may have changed since it was made. */
function declaredPath(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  output: string,
): string | undefined {
  for (const { units, phases } of run.loaded.pipeline.stages) {
    const spec = phases.find(({ name }) => name === at.phase)?.outputs.find(({ name }) => name === output);
    const unit = spec && units.find(({ id }) => id === at.unit);
    if (spec !== undefined && unit !== undefined) return expandPattern(spec.path, unit, at.attempt);
  }
  return undefined;
}
