import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import type { Failure, LockOwner } from '../../../model/failure.ts';
import { loadPipeline } from '../../../pipeline/load.ts';
import type { LoadedPipeline } from '../../../pipeline/loaded.ts';
import { peekJournal } from '../../../store/open-store.ts';
import { findHeadOwner } from '../../../store/owner.ts';
import { type Environment, shownFrom } from '../../open/environment.ts';
import { findClaimOwner, findRunCreator } from '../../open/gc-lock.ts';
import { type OpenedRun, openRun } from '../../open/open-run.ts';
import { workspaceReader } from '../../open/reader.ts';
import type { Target } from '../../open/requests.ts';
import { firstEvent, type RunPlace, runPlaces, runsFolder } from '../../open/run-places.ts';
import { openWorkspace } from '../../open/workspace.ts';

/** A workspace with every run in it, whichever manifest and identity it is of. Nothing was changed to see it. */
export interface GcScope {
  readonly env: Environment;
  readonly root: string;
  /** Where the root really is: no path that leads anywhere else is touched. */
  readonly realRoot: string;
  readonly shownRoot: string;
  /** What stands near the beginning of a page that `report` wrote. */
  readonly pageMark: string | undefined;
  /** By the name that runs call them by; one that cannot be loaded is not among them. */
  readonly pipelines: ReadonlyMap<string, LoadedPipeline>;
  readonly runs: readonly OpenedRun[];
  /** Folders with a journal that no manifest and no pointer leads to: copies, or runs that were lost sight of. */
  readonly strays: readonly OpenedRun[];
  /** Folders of journals that `reset` has put away. Absolute. */
  readonly archives: readonly string[];
  /** Folders that could not be looked into: there may be runs in them that nobody knows. */
  readonly unreadable: readonly string[];
}

/** Finds the workspace; its manifest may be missing or wrong, for nothing is run. */
export async function openGround(
  env: Environment,
  target: Pick<Target, 'path' | 'pipeline'> & { readonly pageMark?: string | undefined },
): Promise<Result<GcScope, Failure>> {
  const workspace = await openWorkspace(env, { path: target.path, pipeline: target.pipeline });
  const root = workspace.ok ? workspace.value.root : rootWithRuns(env, target.path);
  const realRoot = root && env.disk.realpath(root);
  if (root === undefined || realRoot === undefined)
    return workspace.ok
      ? fail({ reason: 'manifest-not-found', path: target.path ?? '.', near: [] })
      : workspace;
  const pipelines = new Map<string, LoadedPipeline>();
  if (workspace.ok) pipelines.set(workspace.value.manifest, workspace.value.loaded);
  const places = await findPlaces(env, root, pipelines);
  const folders = new Set(places.map(({ folder }) => folder));
  const beside = lookAround(env.disk, root, folders);
  const open = (place: RunPlace) => openRun(env, root, place, { whole: true });
  return ok({
    env,
    root,
    realRoot,
    shownRoot: shownFrom(env, root) || '.',
    pageMark: target.pageMark,
    pipelines,
    runs: places.map(open),
    strays: beside.runs.map((folder) => open({ id: folder, folder })),
    archives: beside.archives,
    unreadable: beside.unreadable,
  });
}

/** No link on the way there: what is removed lies in this workspace. Something that is not there is nowhere. */
export function isRunInPlace({ env, root, realRoot }: GcScope, folder: string): boolean {
  return env.disk.realpath(`${root}/${folder}`) === join(realRoot, folder);
}

/** Everybody who holds a run of the workspace, or is about to. */
export function holdersIn({
  env,
  root,
  runs,
  strays,
}: GcScope): { readonly run: string; readonly holder: LockOwner }[] {
  const maker = findRunCreator(env, root);
  const held = [...runs, ...strays].flatMap(({ id, folder, heads }) => {
    const visitor = findClaimOwner(env, root, folder);
    const writers = [...heads.values()].flatMap((head) => {
      const holder = findHeadOwner(env.host, head);
      return holder === undefined ? [] : [{ run: id, holder }];
    });
    return visitor === undefined ? writers : [{ run: id, holder: visitor }, ...writers];
  });
  return maker === undefined ? held : [maker, ...held];
}

function rootWithRuns({ disk, cwd }: Environment, path: string | undefined): string | undefined {
  const start = resolve(cwd, path ?? '.');
  const root = disk.stat(start)?.kind === 'file' ? dirname(start) : start;
  return disk.stat(`${root}/${runsFolder}`)?.kind === 'folder' ? root : undefined;
}

/** Runs say which manifest they are of, and its layout where more of them lie. */
async function findPlaces(
  env: Environment,
  root: string,
  pipelines: Map<string, LoadedPipeline>,
): Promise<RunPlace[]> {
  const known = [undefined, ...pipelines.values()].flatMap((loaded) =>
    runPlaces(env, root, loaded?.pipeline),
  );
  for (const { folder } of known) {
    const name = firstEvent(env, root, folder)?.manifest ?? '';
    // A manifest in code is not run only to remove something.
    if (pipelines.has(name) || !/^[^/\\]+\.ya?ml$/.test(name)) continue;
    const loaded = await loadPipeline(workspaceReader(env.disk, root), name);
    if (loaded.ok) pipelines.set(name, loaded.value);
  }
  const places = new Map<string, RunPlace>();
  for (const loaded of [undefined, ...pipelines.values()]) {
    for (const place of runPlaces(env, root, loaded?.pipeline))
      if (isPlainFolder(place.folder) && !places.has(place.folder)) places.set(place.folder, place);
  }
  return [...places.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** As Pawl writes it: one spelling, below the workspace, and in nobody else's folder. */
function isPlainFolder(folder: string): boolean {
  const parts = folder.split('/');
  if (folder.startsWith(`${runsFolder}/`)) parts.splice(0, 2);
  return parts.every((part) => part !== '' && part !== '.' && part !== '.git' && part !== '.pawl');
}

interface Surroundings {
  readonly runs: readonly string[];
  readonly archives: readonly string[];
  readonly unreadable: readonly string[];
}

/**
 * Looks for journals in every folder of the workspace: what they name must stay, even where a pointer was lost. A
 * workspace within this one is for itself.
 */
function lookAround(disk: Disk, root: string, known: ReadonlySet<string>): Surroundings {
  const unreadable: string[] = [];
  const mayHoldRuns = (path: string, name: string) =>
    !skipped.has(name) && !known.has(path) && disk.stat(`${root}/${path}/.pawl`) === undefined;
  return {
    runs: journalsBelow(disk, root, '', mayHoldRuns, unreadable),
    archives: journalsBelow(disk, root, '.pawl/archive', () => true, unreadable),
    unreadable,
  };
}

const skipped = new Set(['.git', '.pawl', 'node_modules']);
const foldersMax = 1_000_000;

/** Folders that hold a journal, relative to the root. Links are not followed. */
function journalsBelow(
  disk: Disk,
  root: string,
  start: string,
  mayEnter: (path: string, name: string) => boolean,
  unreadable: string[],
): string[] {
  const found: string[] = [];
  const waiting = [start];
  for (let looked = 0; looked < foldersMax; looked++) {
    const folder = waiting.pop();
    if (folder === undefined) return found;
    try {
      if (peekJournal(disk, `${root}/${folder}`).hasEvents()) found.push(folder);
      else waiting.push(...foldersIn(disk, root, folder, mayEnter));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unreadable.push(folder);
    }
  }
  unreadable.push(start);
  return found;
}

function foldersIn(
  disk: Disk,
  root: string,
  folder: string,
  mayEnter: (path: string, name: string) => boolean,
): string[] {
  const found: string[] = [];
  for (const name of disk.list(`${root}/${folder}`) ?? []) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (disk.stat(`${root}/${path}`)?.kind === 'folder' && mayEnter(path, name)) found.push(path);
  }
  return found;
}
