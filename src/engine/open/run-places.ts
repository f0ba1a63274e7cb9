import { globMatcher } from '../../base/glob.ts';
import { canonicalJson } from '../../base/json.ts';
import { DiskError } from '../../disk/disk.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import { isTempName, replaceFileNow } from '../../disk/write.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { RunCreated, StoredEvent } from '../../model/event.ts';
import { isFolderNamedById, runFolderName, runFoldersParent } from '../../pipeline/layout.ts';
import type { Environment } from './environment.ts';
import { deskName, openRunJournal, runnerActor } from './run-files.ts';

export const runsFolder = '.pawl/runs';

/** Where a run lies. */
export interface RunPlace {
  /** What its journal says that it is called; else the name of its folder. */
  readonly id: string;
  /** Relative to the workspace. */
  readonly folder: string;
}

/**
 * Every folder that holds a run, wherever a layout has put it, oldest first as far as names tell. The journal says
 * whose run it is, never the name of the folder.
 */
export function runPlaces(env: Environment, root: string, pipeline: Pipeline | undefined): RunPlace[] {
  const places = new Map<string, RunPlace>();
  const add = (folder: string, id: string) => {
    if (!places.has(folder)) places.set(folder, { id, folder });
  };
  for (const name of env.disk.list(`${root}/${runsFolder}`) ?? []) {
    const path = `${runsFolder}/${name}`;
    if (env.disk.stat(`${root}/${path}`)?.kind === 'folder') add(path, name);
    else if (name.endsWith(ending)) {
      const folder = readRunPlace(env, root, path);
      // A folder that was renamed may have left its name to another run.
      if (folder !== undefined)
        add(folder, firstEvent(env, root, folder)?.run ?? name.slice(0, -ending.length));
    }
  }
  const parent = pipeline && runFoldersParent(pipeline);
  for (const name of parent === undefined ? [] : (env.disk.list(`${root}/${parent}`) ?? [])) {
    const folder = parent === '' ? name : `${parent}/${name}`;
    if (places.has(folder)) continue;
    const isLost = pipeline !== undefined && isNamedAsRun(env, root, folder, pipeline);
    if (!isLost && !mayHoldRun(env, root, folder)) continue;
    add(folder, firstEvent(env, root, folder)?.run ?? name);
  }
  return [...places.values()];
}

/** The places that a name means: an id or the name of a folder; if there is none, those that begin so. */
export function placesCalled(places: readonly RunPlace[], name: string): RunPlace[] {
  const nameOf = ({ folder }: RunPlace) => folder.slice(folder.lastIndexOf('/') + 1);
  const exact = places.filter((place) => place.id === name || nameOf(place) === name);
  if (exact.length > 0) return exact;
  return places.filter((place) => place.id.startsWith(name) || nameOf(place).startsWith(name));
}

/** What lies in a folder that may not be looked into nobody can tell: it is not taken for nothing. */
function mayHoldRun(env: Environment, root: string, folder: string): boolean {
  try {
    return openRunJournal(env, root, folder).exists();
  } catch (error) {
    if (isUnreadable(error)) return true;
    throw error;
  }
}

/**
 * A folder that is called by the id of a run, and holds more than a journal, is one, also when its journal is gone. Not
 * so where folders are called otherwise: there anybody may have made it.
 */
export function isNamedAsRun(env: Environment, root: string, folder: string, pipeline: Pipeline): boolean {
  if (!isFolderNamedById(pipeline)) return false;
  const name = runFolderName(pipeline, { day: '????????', id: '????????-????-*' });
  return name !== undefined && globMatcher(name)(folder) && holdsSomething(env, root, folder);
}

/** Whoever died before its first event leaves nothing but a journal. */
function holdsSomething(env: Environment, root: string, folder: string): boolean {
  const path = `${root}/${folder}`;
  try {
    if (env.disk.stat(path)?.kind !== 'folder') return false;
    return (env.disk.list(path) ?? []).some(
      (name) => name !== 'events' && name !== deskName && !isTempName(name),
    );
  } catch (error) {
    if (isUnreadable(error)) return true;
    throw error;
  }
}

const ending = '.json';
const pointerBytesMax = 4096;

/** Remembers a run that lies elsewhere, so that it is found without its manifest. Found by its layout all the same. */
export function keepRunPlace(env: Environment, root: string, { id, folder }: RunPlace): void {
  if (folder.startsWith(`${runsFolder}/`)) return;
  env.disk.makeFolder(`${root}/${runsFolder}`);
  const bytes = new TextEncoder().encode(`${JSON.stringify({ folder })}\n`);
  replaceFileNow(env.disk, `${root}/${runsFolder}/${id}${ending}`, bytes);
}

/** What remembers runs that lie elsewhere: also where nothing lies any more. Paths relative to the workspace. */
export function runPointers(
  env: Environment,
  root: string,
): { readonly path: string; readonly folder: string }[] {
  return (env.disk.list(`${root}/${runsFolder}`) ?? []).flatMap((name) => {
    const path = `${runsFolder}/${name}`;
    const folder = name.endsWith(ending) ? readPointer(env, root, path) : undefined;
    return folder === undefined ? [] : [{ path, folder }];
  });
}

function readRunPlace(env: Environment, root: string, path: string): string | undefined {
  const folder = readPointer(env, root, path);
  try {
    return folder !== undefined && env.disk.stat(`${root}/${folder}`)?.kind === 'folder' ? folder : undefined;
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function readPointer(env: Environment, root: string, path: string): string | undefined {
  try {
    const bytes = env.disk.read(`${root}/${path}`, pointerBytesMax);
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    const folder = (value as { folder?: unknown } | null | undefined)?.folder;
    if (typeof folder !== 'string' || folder.startsWith('/') || folder.split('/').includes('..'))
      return undefined;
    return folder;
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a run is of the pipeline and its identity. */
export function isRunOf(
  created: RunCreated,
  { name, identity }: Pick<Pipeline, 'name' | 'identity'>,
): boolean {
  return created.pipeline === name && canonicalJson(created.identity) === canonicalJson(identity);
}

/** The first event of a run, with its time. */
export type FirstEvent = RunCreated & Pick<StoredEvent, 'at'>;

/**
 * The event that says what a run is for. It is the first of its journal, and nothing further is read, unless its line was
 * lost and recorded again.
 */
export function firstEvent(env: Environment, root: string, folder: string): FirstEvent | undefined {
  try {
    return openRunJournal(env, root, folder).first(runnerActor, 'run_created');
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}
