import type { ContentStore } from '../../artifacts/store.ts';
import { hashJson } from '../../base/hash.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FileVersion, PhaseStatics, RevisionRecorded } from '../../model/event.ts';
import type { CurrentFile } from '../../pipeline/loaded.ts';
import { sameStatics } from '../../planner/compare.ts';
import type { Workspace } from '../open/workspace.ts';

/** What is in force now, where it differs from what was recorded last; undefined: nothing has changed. */
export function newRevision({ loaded }: Workspace, ledger: Ledger): RevisionRecorded | undefined {
  const newest = ledger.revisions.get(ledger.revision);
  const manifest = hashJson(loaded.pipeline.manifest);
  const same =
    newest?.manifest === manifest &&
    [...loaded.statics].every(([phase, now]) => sameStatics(newest.phases[phase], now));
  if (same) return undefined;
  const phases: Record<string, PhaseStatics> = {};
  for (const [phase, { definition, rungs, templates, files }] of loaded.statics) {
    const fixed = { definition, ...(rungs.length > 0 && { rungs }) };
    phases[phase] = { ...fixed, templates: versions(templates), files: versions(files) };
  }
  return { type: 'revision_recorded', revision: ledger.revision + 1, manifest, phases };
}

/** Keeps the manifest and every template and declared file, so that a later change can be shown line by line. */
export async function keepSources({ env, root, loaded }: Workspace, store: ContentStore): Promise<void> {
  store.put(Buffer.from(canonicalJson(loaded.pipeline.manifest)));
  for (const text of loaded.templates.values()) store.put(Buffer.from(text));
  for (const file of loaded.pipeline.files) {
    if (env.disk.stat(`${root}/${file.path}`)?.kind === 'file') await store.putFile(`${root}/${file.path}`);
  }
  const { state } = loaded.pipeline;
  if (state !== undefined) await store.putFile(`${root}/${state.initial}`);
}

function versions(files: ReadonlyMap<string, CurrentFile>): Record<string, FileVersion> {
  const known: Record<string, FileVersion> = {};
  for (const [name, { path, hash }] of files) if (hash !== undefined) known[name] = { path, hash };
  return known;
}
