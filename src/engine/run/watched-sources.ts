import { dirname, join, relative } from 'node:path';
import type { Disk, FileStat } from '../../disk/disk.ts';
import type { Pipeline } from '../../model/definition.ts';
import { outputFolders } from '../observe/board.ts';
import type { Environment } from '../open/environment.ts';
import { locateManifest } from '../open/locate.ts';
import type { Target } from '../open/requests.ts';
import { openWorkspace } from '../open/workspace.ts';

/** What a pipeline is made from, as it was found: the manifest, templates, declared files, code, and files of units. */
export interface Sources {
  /** By absolute path; null: there was none. */
  readonly files: readonly (readonly [path: string, stamp: string | null])[];
  /** Names in the folders that were searched. */
  readonly folders: readonly (readonly [path: string, names: readonly string[]])[];
  /** Folders that the run itself makes. */
  readonly made: readonly string[];
}

/** Undefined: it is not known which manifest is meant. A manifest that is not valid has sources, too. */
export async function findSources(env: Environment, target: Target): Promise<Sources | undefined> {
  const file = locateManifest(env, target.path, target.run);
  if (!file.ok) return undefined;
  const root = dirname(file.value);
  const noted = new NotedDisk(env.disk, root);
  noted.note(file.value);
  const opened = await openWorkspace({ ...env, disk: noted.disk }, { ...target, path: file.value });
  const made = opened.ok ? outputFolders({ loaded: opened.value.loaded, shownRoot: '' }) : [];
  if (opened.ok) for (const path of filesOfUnits(opened.value.loaded.pipeline)) noted.note(join(root, path));
  return { ...noted.sources(), made: made.flatMap((folder) => foldersTo(root, folder)) };
}

/** What differs now from what was found; empty: nothing. Paths are absolute. */
export function changedSources(disk: Disk, { files, folders, made }: Sources): string[] {
  const changed = files.flatMap(([path, before]) => (stampOf(disk, path) === before ? [] : [path]));
  const ignored = new Set(made);
  for (const [path, before] of folders) {
    const now = namesIn(disk, path);
    const differs = [
      ...now.filter((name) => !before.includes(name)),
      ...before.filter((name) => !now.includes(name)),
    ];
    changed.push(...differs.map((name) => join(path, name)).filter((name) => !ignored.has(name)));
  }
  return [...new Set(changed)];
}

/** A disk that notes what is read of the workspace, and what it found there. */
class NotedDisk {
  readonly disk: Disk;
  readonly #real: Disk;
  readonly #root: string;
  readonly #files = new Map<string, string | null>();
  readonly #folders = new Map<string, readonly string[]>();

  constructor(real: Disk, root: string) {
    this.#real = real;
    this.#root = root;
    this.disk = Object.assign(Object.create(real) as Disk, {
      read: (path: string, maxBytes?: number) => {
        this.note(path);
        return real.read(path, maxBytes);
      },
      readRange: (path: string, offset: number, length: number) => {
        this.note(path);
        return real.readRange(path, offset, length);
      },
      list: (path: string) => {
        if (this.#isSource(path)) this.#folders.set(path, namesIn(real, path));
        return real.list(path);
      },
    });
  }

  /** Before it is read, so that a change in between is seen. */
  note(path: string): void {
    if (this.#isSource(path) && !this.#files.has(path)) this.#files.set(path, stampOf(this.#real, path));
  }

  sources(): Pick<Sources, 'files' | 'folders'> {
    return { files: [...this.#files], folders: [...this.#folders] };
  }

  #isSource(path: string): boolean {
    const [first = ''] = relative(this.#root, path).split('/');
    return !path.startsWith(`${this.#root}/`) ? path === this.#root : !notSources.has(first);
  }
}

const notSources: ReadonlySet<string> = new Set(['.pawl', '.git', 'node_modules']);

function namesIn(disk: Disk, path: string): string[] {
  return (disk.list(path) ?? []).filter((name) => !notSources.has(name));
}

function stampOf(disk: Disk, path: string): string | null {
  const stat = statOf(disk, path);
  return stat?.kind === 'file' ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : null;
}

/** Through links, because a source may be one. */
function statOf(disk: Disk, path: string): FileStat | undefined {
  const real = disk.realpath(path);
  return real === undefined ? undefined : disk.stat(real);
}

/** The own files of units, which may be read only when a step needs them. */
function filesOfUnits({ stages }: Pipeline): string[] {
  return stages.flatMap(({ units }) => units.flatMap(({ file }) => file?.path ?? []));
}

/** The folder and those above it. */
function foldersTo(root: string, folder: string): string[] {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  return parts.map((_, at) => join(root, ...parts.slice(0, at + 1)));
}
