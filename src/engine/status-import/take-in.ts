import { ok, type Result } from '../../base/result.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { PageImported } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { runFile } from '../../model/run-folder.ts';
import { attemptFolder, record } from '../../runner/context.ts';
import { type Hold, lockRun, releaseAfter } from '../open/hold.ts';
import { lockNewRun } from '../open/new-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { keepSources } from '../open/revision.ts';
import type { Workspace } from '../open/workspace.ts';
import type { JudgedPages } from './judge.ts';
import type { FoundPage } from './pages.ts';

/** Makes the run that the pages were judged to be. It is then resumed like any other, and its guards look at everything. */
export async function importPages(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  { pages, events }: JudgedPages,
): Promise<Result<undefined, Failure>> {
  const options = { takeover: false };
  const taken =
    opened === undefined
      ? await lockNewRun(workspace, { ...options, fresh: false })
      : await lockRun(workspace, opened, options);
  if (!taken.ok) return taken;
  const hold = taken.value;
  // Another process has made the run in the meantime.
  if (hold === undefined) return ok(undefined);
  return await releaseAfter(workspace, hold, async () => {
    for (const found of pages) keepPage(hold, found);
    await keepSources(workspace, hold.store);
    for (const event of events) {
      if (event.type === 'artifact_adopted') await hold.store.putFile(`${hold.root}/${event.after.path}`);
      if (event.type === 'page_imported') keepUnfinished(hold, event);
    }
    await record(hold, ...events, { type: 'run_ended', status: 'stopped' });
    return ok(undefined);
  });
}

/** What was there is kept as it was: the unit's own page takes its place. */
function keepPage({ disk, root, folder }: Hold, { unit, bytes }: FoundPage): void {
  const target = `${root}/${runFile(folder, 'imported')}`;
  disk.makeFolder(target);
  replaceFileNow(disk, `${target}/${unit.id}.md`, bytes);
}

/**
 * Half-finished files become those of an attempt that was cut off: there the next one looks for them. Of the others that
 * a phase continues from, a copy stays beside the page, because the next result takes their place.
 */
function keepUnfinished(hold: Hold, { unit, partial, handed = {} }: PageImported): void {
  const { root, folder } = hold;
  if (partial !== undefined)
    keepFiles(hold, `${root}/${attemptFolder(hold, unit, partial.phase, 1)}/outputs`, partial.outputs);
  for (const [phase, outputs] of Object.entries(handed))
    keepFiles(hold, `${root}/${runFile(folder, 'imported')}/${unit}/${phase}`, outputs);
}

function keepFiles(
  { disk, root }: Hold,
  folder: string,
  outputs: Readonly<Record<string, { readonly path: string }>>,
): void {
  disk.makeFolder(folder);
  for (const [name, { path }] of Object.entries(outputs)) {
    const bytes = disk.read(`${root}/${path}`);
    if (bytes !== undefined) replaceFileNow(disk, `${folder}/${name}`, bytes);
  }
}
