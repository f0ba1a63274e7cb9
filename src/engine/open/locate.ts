import { basename, dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Failure } from '../../model/failure.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import { type Environment, shownFrom } from './environment.ts';
import { firstEvent, placesCalled, runPlaces, runsFolder } from './run-places.ts';

/*
 * Where the manifest is that a call is about. Nothing of a manifest is read here but its beginning: whoever only asks
 * whether there is one does not wait for what reads it.
 */

/** What a manifest is called unless somebody names it. */
export const manifestNames: readonly string[] = [
  'pawl.yaml',
  'pawl.yml',
  'pawl.config.js',
  'pawl.config.mjs',
  'pawl.config.ts',
];

/** A manifest that is a program: reading it means running it. */
export function isProgram(manifest: string): boolean {
  return /\.[cm]?[jt]s$/.test(manifest);
}

/**
 * The manifest that is named; or the one of the folder, or of the nearest one above it; of the run that is named; or of
 * the one folder below here that holds runs.
 */
export function locateManifest(
  env: Environment,
  path: string | undefined,
  run?: string | undefined,
): Result<string, Failure> {
  const { disk } = env;
  const start = path === undefined ? workspaceAround(disk, env.cwd) : resolve(env.cwd, path);
  if (disk.stat(start)?.kind === 'file') return ok(start);
  const ofRun = run === undefined ? undefined : manifestOfRun(env, start, run);
  if (ofRun !== undefined) return ok(ofRun);
  const here = manifestsIn(disk, start);
  // Of several, the only one that was ever run.
  const used = here.length > 1 ? manifestOfRun(env, start, '') : undefined;
  if (used !== undefined) return ok(used);
  if (here.length > 1)
    return fail({ reason: 'which-workspace', candidates: here.map((file) => shownFrom(env, file)) });
  const [only] = here;
  if (path !== undefined)
    return only === undefined
      ? fail({ reason: 'manifest-not-found', path, near: nearPath(env, start) })
      : ok(only);
  if (only === undefined) return manifestBelow(env, start);
  // Between one above and one below nobody but the user can choose: what is meant may be to be removed.
  const below = start === env.cwd ? [] : workspacesBelow(disk, env.cwd).used;
  if (below.length === 0) return ok(only);
  return fail({ reason: 'which-workspace', candidates: shownPaths(env, [only, ...below]) });
}

/**
 * The nearest folder from here upward that holds a manifest; where there is none, this one. What belongs to somebody
 * else is passed over: whoever may write to a folder above must not decide what is run here. Nor does the way lead out
 * of a folder with runs of its own.
 */
export function workspaceAround(disk: Disk, start: string): string {
  const isOurs = (path: string) => disk.isOurs?.(path) ?? true;
  for (let folder = start; ; folder = dirname(folder)) {
    const isHere = folder === start;
    const found = isHere || isOurs(folder) ? manifestsIn(disk, folder) : [];
    if (found.some((file) => isHere || isOurs(file))) return folder;
    if (dirname(folder) === folder || disk.stat(`${folder}/${runsFolder}`) !== undefined) return start;
  }
}

/** Only where something was run: what merely lies around is listed, and never chosen. */
function manifestBelow(env: Environment, start: string): Result<string, Failure> {
  const { used, unused } = workspacesBelow(env.disk, start);
  const [only] = used;
  if (only !== undefined && used.length === 1) return ok(only);
  const found = used.length > 0 ? used : unused;
  if (found.length === 0) {
    const path = shownFrom(env, `${start}/pawl.yaml`);
    return fail({ reason: 'manifest-not-found', path, near: [] });
  }
  return fail({ reason: 'which-workspace', candidates: shownPaths(env, found) });
}

/** As people would type them: by the folder, where that holds no other one. */
function shownPaths(env: Environment, files: readonly string[]): string[] {
  const isAlone = (file: string) =>
    files.every((other) => other === file || dirname(other) !== dirname(file));
  return files.map((file) => shownFrom(env, isAlone(file) ? dirname(file) : file));
}

/** What may have been meant by a path at which there is no manifest: one below it, or one with a name like it. */
function nearPath(env: Environment, path: string): string[] {
  const { disk } = env;
  const { used, unused } = workspacesBelow(disk, path);
  if (used.length + unused.length > 0) return shownPaths(env, [...used, ...unused].slice(0, nearMax));
  const folder = dirname(path);
  const names = (disk.list(folder) ?? []).filter((name) => usualManifest(disk, `${folder}/${name}`));
  const files = manifestsIn(disk, folder).map((file) => basename(file));
  return nearest(basename(path), [...files, ...names]).map((name) => shownFrom(env, `${folder}/${name}`));
}

const nearMax = 3;
const foldersMax = 2_000;
const depthMax = 3;

interface Below {
  /** Something was run in their folders. */
  readonly used: string[];
  /** With the usual name: nothing is read in order to find them. */
  readonly unused: string[];
}

function workspacesBelow(disk: Disk, start: string): Below {
  const found: Below = { used: [], unused: [] };
  const waiting = [{ folder: start, depth: 0 }];
  for (let seen = 0; seen < foldersMax; seen++) {
    const next = waiting.shift();
    if (next === undefined) break;
    for (const name of disk.list(next.folder) ?? []) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      const folder = `${next.folder}/${name}`;
      if (disk.stat(folder)?.kind !== 'folder') continue;
      const used = disk.stat(`${folder}/${runsFolder}`) === undefined ? [] : manifestsIn(disk, folder);
      const unused = used.length > 0 ? undefined : usualManifest(disk, folder);
      found.used.push(...used);
      if (unused !== undefined) found.unused.push(unused);
      if (used.length === 0 && next.depth + 1 < depthMax) waiting.push({ folder, depth: next.depth + 1 });
    }
  }
  return found;
}

/** The one with the usual name; else every YAML file that says it is one. */
function manifestsIn(disk: Disk, folder: string): string[] {
  const usual = usualManifest(disk, folder);
  if (usual !== undefined) return [usual];
  const files = (disk.list(folder) ?? [])
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);
  return files.slice(0, manifestsMax).filter((file) => saysManifest(disk, file));
}

function usualManifest(disk: Disk, folder: string): string | undefined {
  const name = manifestNames.find((candidate) => disk.stat(`${folder}/${candidate}`)?.kind === 'file');
  return name && `${folder}/${name}`;
}

const manifestsMax = 200;
const headBytesMax = 4096;

function saysManifest(disk: Disk, file: string): boolean {
  if (disk.stat(file)?.kind !== 'file') return false;
  const head = disk.readRange(file, 0, headBytesMax);
  return head !== undefined && /^\uFEFF?pawl:[ \t]*\d/m.test(new TextDecoder().decode(head));
}

/** A run says in its first event which manifest it is of. */
function manifestOfRun(env: Environment, root: string, run: string): string | undefined {
  const found = placesCalled(runPlaces(env, root, undefined), run);
  const manifests = new Set(found.map(({ folder }) => firstEvent(env, root, folder)?.manifest));
  const [manifest] = manifests;
  if (manifests.size !== 1 || manifest === undefined || manifest === '') return undefined;
  const file = resolve(root, manifest);
  return env.disk.stat(file)?.kind === 'file' ? file : undefined;
}
