import { basename, dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newRunId } from '../base/ids.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Disk } from '../disk/disk.ts';
import type { Failure } from '../model/failure.ts';
import type { DefinedPipeline } from '../pipeline/define.ts';
import { isFolderNamedById, placePipeline, runFolderName } from '../pipeline/layout.ts';
import { type Artifacts, buildPipeline, loadPipeline } from '../pipeline/load.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import type { PhaseFunction } from '../runner/task.ts';
import type { Environment } from './environment.ts';
import { workspaceReader } from './reader.ts';
import type { Target } from './requests.ts';
import { firstEvent, placesCalled, runPlaces, runsFolder } from './run-places.ts';
import { notedReader, Sightings } from './sightings.ts';

/** A folder with a pipeline in it, and what that pipeline says now. */
export interface Workspace {
  readonly env: Environment;
  /** Absolute. */
  readonly root: string;
  /** As people would type it from where they are. */
  readonly shownRoot: string;
  /** What to type in order to mean this manifest: its folder, or the file where it has another name than usual. */
  readonly shownPath: string;
  /** The manifest's name in the root; empty for a pipeline given in code. */
  readonly manifest: string;
  readonly loaded: LoadedPipeline;
  /** The folder of the run that is looked at, or of the next one; undefined: where all runs lie, by its id. */
  readonly runFolder: string | undefined;
  /** The id that the next run will have, where its folder is named after it. */
  readonly nextRunId: string | undefined;
  readonly functions: ReadonlyMap<string, PhaseFunction>;
  /** What is wrong with a list of units that somebody has edited; the one that was recorded before is in force. */
  readonly listTrouble?: Failure;
  /** What was read to make it; undefined for a pipeline given in code. */
  readonly sightings?: Sightings | undefined;
  /** Reads the manifest again, with what a run has listed units in. */
  reload(artifacts: Artifacts): Promise<Result<LoadedPipeline, Failure>>;
}

export const objectsFolder = '.pawl/objects';

const manifestNames = ['pawl.yaml', 'pawl.yml', 'pawl.config.js', 'pawl.config.mjs', 'pawl.config.ts'];

/** The workspace as one run sees it: files that lie in the run's folder have their place. */
export function placeAt(workspace: Workspace, folder: string | undefined): Workspace {
  const { env, loaded } = workspace;
  const isNamed = folder === undefined && isFolderNamedById(loaded.pipeline);
  const nextRunId = isNamed ? newRunId(env.clock.now(), loaded.pipeline.name, env.ids) : undefined;
  const runFolder = folder ?? nextRunFolder(workspace, nextRunId ?? '');
  return {
    ...workspace,
    runFolder,
    nextRunId,
    loaded: runFolder === undefined ? loaded : placePipeline(loaded, runFolder),
  };
}

/** What the next run's folder is called today. A second run of a day has a number. */
function nextRunFolder({ env, root, loaded }: Workspace, id: string): string | undefined {
  const day = new Date(env.clock.now()).toISOString().slice(0, 10).replaceAll('-', '');
  const name = runFolderName(loaded.pipeline, { day, id });
  if (name === undefined) return undefined;
  let folder = name;
  for (let nth = 2; env.disk.stat(`${root}/${folder}`) !== undefined; nth++) folder = `${name}.${nth}`;
  return folder;
}

export async function openWorkspace(env: Environment, target: Target): Promise<Result<Workspace, Failure>> {
  if (target.pipeline !== undefined) {
    const root = resolve(env.cwd, target.path ?? '.');
    return await loadCode(env, root, '', target.pipeline);
  }
  const file = locateManifest(env, target.path, target.run);
  if (!file.ok) return file;
  const root = dirname(file.value);
  const manifest = basename(file.value);
  if (!/\.[cm]?[jt]s$/.test(manifest)) {
    const sightings = new Sightings();
    const reader = notedReader(env.disk, root, workspaceReader(env.disk, root), sightings);
    const load = (artifacts?: Artifacts) => loadPipeline(reader, manifest, artifacts);
    const loaded = await load();
    if (!loaded.ok) return loaded;
    return ok({ ...workspace(env, root, manifest, loaded.value, new Map(), load), sightings });
  }
  const defined = await importPipeline(file.value);
  return defined.ok ? await loadCode(env, root, manifest, defined.value) : defined;
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

async function loadCode(
  env: Environment,
  root: string,
  manifest: string,
  defined: DefinedPipeline<PhaseFunction>,
): Promise<Result<Workspace, Failure>> {
  const source = { file: manifest, locate: () => undefined, functions: defined.functions };
  const load = (artifacts?: Artifacts) =>
    buildPipeline(workspaceReader(env.disk, root), defined.manifest, source, artifacts);
  const loaded = await load();
  return loaded.ok ? ok(workspace(env, root, manifest, loaded.value, defined.functions, load)) : loaded;
}

async function importPipeline(file: string): Promise<Result<DefinedPipeline<PhaseFunction>, Failure>> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { pipeline?: DefinedPipeline<PhaseFunction> };
    if (module.pipeline !== undefined) return ok(module.pipeline);
    return fail({ reason: 'module-failed', path: file, detail: 'no export named pipeline' });
  } catch (error) {
    return fail({
      reason: 'module-failed',
      path: file,
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

function workspace(
  env: Environment,
  root: string,
  manifest: string,
  loaded: LoadedPipeline,
  functions: ReadonlyMap<string, PhaseFunction>,
  reload: Workspace['reload'],
): Workspace {
  const shownRoot = relative(env.cwd, root) || '.';
  const isUsual = manifest === '' || manifestNames.includes(manifest);
  const shownPath = isUsual ? shownRoot : relative(env.cwd, `${root}/${manifest}`);
  const next = { runFolder: undefined, nextRunId: undefined };
  return { env, root, shownRoot, shownPath, manifest, loaded, ...next, functions, reload };
}
