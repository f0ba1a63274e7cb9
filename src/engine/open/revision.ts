import { hashJson } from '../../base/hash.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FileVersion, PhaseStatics, RevisionRecorded } from '../../model/event.ts';
import { type CurrentFile, isCurrentManifest, type LoadedPipeline } from '../../pipeline/loaded.ts';
import { isKnownCode, isRecordedCode, sameStatics } from '../../planner/compare.ts';
import type { Decision, UnitPlan } from '../../planner/plan.ts';
import { keepOwnFile } from '../../runner/attempts/inputs.ts';
import type { RunContext } from '../../runner/context.ts';
import type { ContentStore } from '../../store/content.ts';
import { keepUnitValues } from './unit-values.ts';
import type { Workspace } from './workspace.ts';

/** What is in force now, where it differs from what was recorded last; undefined: nothing has changed. */
export function newRevision({ loaded }: Workspace, ledger: Ledger): RevisionRecorded | undefined {
  if (isRecorded(loaded, ledger, isRecordedCode)) return undefined;
  const manifest = hashJson(loaded.pipeline.manifest);
  const phases: Record<string, PhaseStatics> = {};
  for (const [phase, { definition, rungs, templates, files, code }] of loaded.statics) {
    const fixed = { definition, ...(rungs.length > 0 && { rungs }) };
    const recorded = code && Object.fromEntries([...code].map(([path, hash]) => [path, hash ?? null]));
    phases[phase] = {
      ...fixed,
      templates: versions(templates),
      files: versions(files),
      ...(recorded && { code: recorded }),
    };
  }
  return { type: 'revision_recorded', revision: ledger.revision + 1, manifest, phases };
}

/**
 * Nothing differs from what was recorded last but that the code of phases is known now and was not then, or the other way
 * round. A run with nothing to do is not written to for that: it may have been made before code was tracked.
 */
export function isKnownRevision({ loaded }: Workspace, ledger: Ledger): boolean {
  return isRecorded(loaded, ledger, isKnownCode);
}

/** Nothing but the code of phases differs from what was recorded last. */
export function isSameButForCode({ loaded }: Workspace, ledger: Ledger): boolean {
  return isRecorded(loaded, ledger, () => true);
}

function isRecorded(loaded: LoadedPipeline, ledger: Ledger, isSameCode: typeof isRecordedCode): boolean {
  const newest = ledger.revisions.get(ledger.revision);
  if (newest === undefined || !isRecordedManifest(loaded, ledger)) return false;
  return [...loaded.statics].every(([phase, now]) => {
    const before = newest.phases[phase];
    return before !== undefined && sameStatics(before, now) && isSameCode(before.code, now.code);
  });
}

/** Whether the manifest is the one that was recorded last. */
export function isRecordedManifest(loaded: LoadedPipeline, { revisions, revision }: Ledger): boolean {
  const recorded = revisions.get(revision)?.manifest;
  return recorded !== undefined && isCurrentManifest(loaded, recorded);
}

/** Keeps the manifest, every template, declared file and file of code, so that a later change can be shown line by line. */
export async function keepSources({ env, root, loaded }: Workspace, store: ContentStore): Promise<void> {
  store.put(Buffer.from(canonicalJson(loaded.pipeline.manifest)));
  keepUnitValues(loaded, store);
  for (const text of loaded.templates.values()) store.put(Buffer.from(text));
  for (const file of loaded.pipeline.files) {
    if (env.disk.stat(`${root}/${file.path}`)?.kind === 'file') await store.putFile(`${root}/${file.path}`);
  }
  for (const { code } of loaded.statics.values())
    for (const [path, hash] of code ?? [])
      if (hash !== undefined && !store.has(hash)) await store.putFile(`${root}/${path}`);
  const { state } = loaded.pipeline;
  if (state !== undefined) await store.putFile(`${root}/${state.initial}`);
}

/** The same of the units' own files that a step takes which is not done: each may be edited while the run is under way. */
export async function keepOwnFiles(
  run: Pick<RunContext, 'disk' | 'root' | 'loaded' | 'store'>,
  plans: Iterable<UnitPlan>,
): Promise<void> {
  const { unitFiles, fileTakers } = run.loaded;
  for (const { unit, cells: steps } of plans) {
    const file = unitFiles.get(unit);
    if (file === undefined) continue;
    const isTaken = steps.some(({ phase, decision }) => fileTakers.has(phase) && !standing.has(decision.do));
    if (isTaken) await keepOwnFile(run, file);
  }
}

const standing: ReadonlySet<Decision['do']> = new Set(['reuse', 'restore', 'skip']);

function versions(files: ReadonlyMap<string, CurrentFile>): Record<string, FileVersion> {
  const known: Record<string, FileVersion> = {};
  for (const [name, { path, hash }] of files) if (hash !== undefined) known[name] = { path, hash };
  return known;
}
