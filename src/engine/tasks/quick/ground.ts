import { currentResult, findCell, type Ledger, promotedResult } from '../../../ledger/ledger.ts';
import { runFoldersParent } from '../../../pipeline/layout.ts';
import type { Look } from '../../look/look.ts';
import { unknownFiles } from '../../look/unknown-files.ts';
import { worksOn } from '../../open/find-run.ts';
import { runPlaces, runPointers, runsFolder } from '../../open/run-places.ts';
import type { Workspace } from '../../open/workspace.ts';
import type { Desk } from '../desk-turn.ts';
import type { FileRow, FolderRow, Premises } from './file.ts';
import { inRoot, namesHash } from './still.ts';

/**
 * All that a look asks of the disk besides the journal: the files that the manifest is made of, the outputs that are
 * proven by their stat, the folders where unknown files would lie, and those where runs are found. Undefined where
 * they are too many to be asked about in no time, or where another look might not come to the same run.
 */
export function groundOf(desk: Desk, seen: Look): Pick<Premises, 'files' | 'folders' | 'inside'> | undefined {
  const { workspace, hold } = desk;
  const ground: Ground = { files: new Map(), folders: new Map() };
  addManifest(ground, workspace);
  if (!addOutputs(ground, workspace, hold.ledger)) return undefined;
  if (!addRuns(ground, workspace, hold.folder) || !addUnknown(ground, desk, seen)) return undefined;
  if (ground.files.size + ground.folders.size > looksMax || isFresh(workspace)) return undefined;
  const inside = [...(workspace.sightings?.inside ?? [])];
  return { files: [...ground.files.values()], folders: [...ground.folders.values()], inside };
}

const looksMax = 2_000;

/** By path. */
interface Ground {
  readonly files: Map<string, FileRow>;
  readonly folders: Map<string, FolderRow>;
}

function addManifest({ files }: Ground, { manifest, sightings }: Workspace): void {
  for (const [path, stamp] of sightings?.files ?? [])
    files.set(path, stamp === undefined ? [path] : [path, stamp.size, stamp.mtime, stamp.ino]);
  // It would be taken instead.
  if (manifest !== 'pawl.yaml') files.set('pawl.yaml', ['pawl.yaml']);
}

/** What was written a moment ago may be written again in the same tick of the file system's clock. */
function isFresh({ env, sightings }: Workspace): boolean {
  const sinceMs = env.clock.now() - tickMsMax;
  return [...(sightings?.files.values() ?? [])].some((stamp) => (stamp?.mtime ?? 0) > sinceMs);
}

const tickMsMax = 20;

/** False: units were listed by other bytes than those that are recorded now. */
function addOutputs({ files }: Ground, { env, root, loaded, sightings }: Workspace, ledger: Ledger): boolean {
  const { stages } = loaded.pipeline;
  for (const { units, phases } of stages) {
    for (const unit of units) {
      for (const { name } of phases) {
        const cell = findCell(ledger, unit.id, name);
        const result = cell && promotedResult(cell);
        for (const { path, size, mtime, ino } of Object.values(result?.outputs ?? {}))
          files.set(path, [path, size, mtime, ino, env.disk.stat(`${root}/${path}`)?.ctimeMs ?? 0]);
        if (files.size > looksMax) return false;
      }
    }
  }
  return stages.every(({ source, isOpen = false }) => {
    if (source === undefined) return true;
    const maker = stages.find(({ phases }) => phases.some(({ name }) => name === source.phase));
    const cell = maker?.units[0] && findCell(ledger, maker.units[0].id, source.phase);
    const record = cell && currentResult(cell)?.outputs[source.output];
    if (record === undefined) return isOpen;
    const { size, mtime, ino } = sightings?.files.get(record.path) ?? noFile;
    return size === record.size && mtime === record.mtime && ino === record.ino;
  });
}

const noFile = { size: -1, mtime: -1, ino: -1 };

/** False: another run may be meant. */
function addRuns({ files, folders }: Ground, { env, root, loaded }: Workspace, folder: string): boolean {
  const places = runPlaces(env, root, loaded.pipeline);
  const isOnly = places.every(
    (place) => place.folder === folder || worksOn({ env, root, loaded }, place.folder) === 'no',
  );
  if (!isOnly || !places.some((place) => place.folder === folder)) return false;
  for (const { path } of runPointers(env, root)) {
    const stat = env.disk.stat(`${root}/${path}`);
    if (stat?.kind === 'file') files.set(path, [path, stat.size, stat.mtimeMs, stat.ino]);
  }
  const known = new Set(places.map((place) => place.folder));
  for (const parent of [runsFolder, runFoldersParent(loaded.pipeline)]) {
    if (parent === undefined) continue;
    const names = env.disk.list(inRoot(root, parent));
    folders.set(parent, [parent, namesHash(names)]);
    for (const name of parent === runsFolder ? [] : (names ?? [])) {
      const other = parent === '' ? name : `${parent}/${name}`;
      // With a journal in it, it would be a run.
      if (!known.has(other)) files.set(`${other}/events`, [`${other}/events`]);
    }
    if (files.size > looksMax) return false;
  }
  return true;
}

/** False: other files lie at output paths by now than when the plan was made. */
function addUnknown({ folders }: Ground, { workspace, hold }: Desk, { facts }: Look): boolean {
  const { env, root } = workspace;
  const unknown = unknownFiles(workspace, hold.ledger, (folder) => {
    const names = env.disk.list(inRoot(root, folder));
    if (folders.size <= looksMax) folders.set(folder, [folder, namesHash(names)]);
    return names;
  });
  const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path).join('\n');
  return pathsOf(facts.unknown) === pathsOf(unknown);
}
