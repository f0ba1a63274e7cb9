import { dirname, relative, resolve } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Failure } from '../../model/failure.ts';
import type { Environment } from '../environment.ts';
import { firstEvent, placesCalled, runPlaces, runsFolder } from './run-places.ts';

/*
 * Where the manifest is that a call is about. Nothing of a manifest is read here but its first line: whoever only asks
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
 * The manifest that is named; or the one of the folder, of the run that is named, or of the one folder below here that
 * holds runs.
 */
export function locateManifest(
  env: Environment,
  path: string | undefined,
  run?: string | undefined,
): Result<string, Failure> {
  const { disk } = env;
  const start = resolve(env.cwd, path ?? '.');
  if (disk.stat(start)?.kind === 'file') return ok(start);
  const ofRun = run === undefined ? undefined : manifestOfRun(env, start, run);
  if (ofRun !== undefined) return ok(ofRun);
  const here = manifestsIn(disk, start);
  // Of several, the only one that was ever run.
  const used = here.length > 1 ? manifestOfRun(env, start, '') : undefined;
  if (used !== undefined) return ok(used);
  if (here.length > 1)
    return fail({ reason: 'which-workspace', candidates: here.map((file) => relative(env.cwd, file)) });
  if (here[0] !== undefined) return ok(here[0]);
  if (path !== undefined) return fail({ reason: 'manifest-not-found', path });
  const below = workspacesBelow(disk, start);
  const [only] = below;
  if (only === undefined)
    return fail({ reason: 'manifest-not-found', path: relative(env.cwd, `${start}/pawl.yaml`) });
  if (below.length > 1) {
    const isAlone = (file: string) =>
      below.every((other) => other === file || dirname(other) !== dirname(file));
    const candidates = below.map((file) => relative(env.cwd, isAlone(file) ? dirname(file) : file));
    return fail({ reason: 'which-workspace', candidates });
  }
  return ok(only);
}

const foldersMax = 2_000;
const depthMax = 3;

/** Only folders in which something was run, so that the answer does not change with what lies around. */
function workspacesBelow(disk: Disk, start: string): string[] {
  const found: string[] = [];
  const waiting = [{ folder: start, depth: 0 }];
  for (let seen = 0; seen < foldersMax; seen++) {
    const next = waiting.shift();
    if (next === undefined) break;
    for (const name of disk.list(next.folder) ?? []) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      const folder = `${next.folder}/${name}`;
      if (disk.stat(folder)?.kind !== 'folder') continue;
      const manifests = disk.stat(`${folder}/${runsFolder}`) === undefined ? [] : manifestsIn(disk, folder);
      found.push(...manifests);
      if (manifests.length === 0 && next.depth + 1 < depthMax)
        waiting.push({ folder, depth: next.depth + 1 });
    }
  }
  return found;
}

/** The one with the usual name; else every YAML file that says it is one. */
function manifestsIn(disk: Disk, folder: string): string[] {
  const usual = manifestNames.find((candidate) => disk.stat(`${folder}/${candidate}`)?.kind === 'file');
  if (usual !== undefined) return [`${folder}/${usual}`];
  const files = (disk.list(folder) ?? [])
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);
  return files.slice(0, manifestsMax).filter((file) => saysManifest(disk, file));
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
