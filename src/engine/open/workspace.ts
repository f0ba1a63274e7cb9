import { basename, dirname, resolve } from 'node:path';
import { newRunId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { FileIndex } from '../../disk/file-index.ts';
import type { Failure, MadeList } from '../../model/failure.ts';
import type { RejectedImport } from '../../model/failure-details.ts';
import { keptFolder } from '../../model/run-folder.ts';
import type { DefinedPipeline } from '../../pipeline/define.ts';
import { isFolderNamedById, placePipeline, runFolderName } from '../../pipeline/layout.ts';
import { type Artifacts, buildPipeline, loadPipeline } from '../../pipeline/load.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { PhaseFunction } from '../../runner/executors/task.ts';
import type { ContentStore } from '../../store/content.ts';
import { openContent } from '../../store/open-store.ts';
import { type Environment, shownFrom } from './environment.ts';
import { isProgram, locateManifest, manifestNames } from './locate.ts';
import { workspaceReader } from './reader.ts';
import type { Target } from './requests.ts';

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
  /** What is known of files of the workspace without reading them. */
  readonly files: FileIndex;
  readonly loaded: LoadedPipeline;
  /** The folder of the run that is looked at, or of the next one; undefined: where all runs lie, by its id. */
  readonly runFolder: string | undefined;
  /** The id that the next run will have, where its folder is named after it. */
  readonly nextRunId: string | undefined;
  readonly functions: ReadonlyMap<string, PhaseFunction>;
  /** What is wrong with a list of units that the run has made, or that somebody has edited. */
  readonly listTrouble?: ListTrouble;
  /** Files of another tool that fail their checks, and that a person accepts as they are. */
  readonly acceptedImports?: { readonly artifacts: readonly RejectedImport[]; readonly reason: string };
  /** Reads the manifest again, with what a run has listed units in. */
  reload(artifacts: Artifacts): Promise<Result<LoadedPipeline, Failure>>;
}

/** Units that somebody has listed in a way that cannot be used. */
interface ListTrouble {
  readonly failure: Failure;
  /** Empty where the manifest itself went wrong meanwhile. */
  readonly lists: readonly MadeList[];
  /** Nothing stands in for it; otherwise the list that was recorded before is in force. */
  readonly hides: boolean;
}

export const objectsFolder = `${keptFolder}/objects`;

/** The index of known files. */
const filesPath = `${keptFolder}/files`;

/** The workspace as one run sees it: files that lie in the run's folder have their place. */
export function placeWorkspace(workspace: Workspace, folder: string | undefined): Workspace {
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
  if (!isProgram(manifest)) {
    const reader = workspaceReader(env.disk, root);
    const load = (artifacts?: Artifacts) => loadPipeline(reader, manifest, artifacts);
    const loaded = await load();
    if (!loaded.ok) return loaded;
    return ok(workspace(env, root, manifest, loaded.value, new Map(), load));
  }
  const defined = await importPipeline(env, file.value);
  return defined.ok ? await loadCode(env, root, manifest, defined.value) : defined;
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

async function importPipeline(
  { process: { importModule } }: Environment,
  file: string,
): Promise<Result<DefinedPipeline<PhaseFunction>, Failure>> {
  try {
    const module = (await importModule(file)) as { pipeline?: DefinedPipeline<PhaseFunction> };
    if (module.pipeline !== undefined) return ok(module.pipeline);
    return fail({ reason: 'module-failed', path: file, detail: 'no export named pipeline' });
  } catch (error) {
    const { brokenPlace } = await import('../../checks/broken-module.ts');
    const place = await brokenPlace(error, dirname(file), basename(file));
    const at = place === undefined ? '' : `${place.path}:${place.line}:${place.column}: `;
    const detail = `${at}${error instanceof Error ? error.message : String(error)}`;
    return fail({ reason: 'module-failed', path: file, detail });
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
  const shownRoot = shownFrom(env, root) || '.';
  const files = new FileIndex(env.disk, env.clock, `${root}/${filesPath}`);
  const isUsual = manifest === '' || manifestNames.includes(manifest);
  const shownPath = isUsual ? shownRoot : shownFrom(env, `${root}/${manifest}`);
  const next = { runFolder: undefined, nextRunId: undefined };
  return { env, root, shownRoot, shownPath, files, manifest, loaded, ...next, functions, reload };
}

/** The content store of a workspace. */
export function openStore({ env, root, loaded }: Workspace): ContentStore {
  return openContent(env.disk, `${root}/${objectsFolder}`, {
    durable: loaded.pipeline.durability === 'power',
    ids: env.ids,
  });
}
