import { dirname, resolve } from 'node:path';
import { type Disk, DiskError } from '../../disk/disk.ts';

/**
 * The commit that a folder's repository is at, read from git's own files: no program is started, so that looking at a
 * workspace never runs what its repository configures. Undefined: not under git, no commit yet, or anything odd.
 */
export function gitHead(disk: Disk, root: string): string | undefined {
  try {
    const repository = findRepository(disk, root);
    return repository && resolveRef(disk, repository, 'HEAD');
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

interface Repository {
  /** Holds HEAD; of a worktree of its own. */
  readonly folder: string;
  /** Holds the branches; all worktrees share it. */
  readonly common: string;
}

/** As git looks for it: in the folder, and then in those above. */
function findRepository(disk: Disk, root: string): Repository | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = disk.realpath(`${folder}/.git`);
    if (entry !== undefined) return openRepository(disk, folder, entry);
    if (folder === dirname(folder)) return undefined;
  }
}

function openRepository(disk: Disk, parent: string, entry: string): Repository | undefined {
  const folder = disk.stat(entry)?.kind === 'file' ? linkedFolder(disk, parent, entry) : entry;
  if (folder === undefined) return undefined;
  const common = readLine(disk, `${folder}/commondir`);
  return { folder, common: common === undefined ? folder : resolve(folder, common) };
}

/** Worktrees and submodules have a file in the place of the folder. */
function linkedFolder(disk: Disk, parent: string, file: string): string | undefined {
  const target = /^gitdir: *(.+)$/.exec(readLine(disk, file) ?? '')?.[1];
  return target === undefined ? undefined : resolve(parent, target);
}

/** A ref that leads to another one leads there in a few steps, or nowhere. */
const stepsMax = 5;

function resolveRef(disk: Disk, repository: Repository, first: string): string | undefined {
  let name = first;
  for (let step = 0; step < stepsMax; step++) {
    const value = readRef(disk, repository, name) ?? '';
    if (isCommit(value)) return value;
    const next = /^ref: *(.+)$/.exec(value)?.[1];
    if (next === undefined || !isRefName(next)) return undefined;
    name = next;
  }
  return undefined;
}

function readRef(disk: Disk, { folder, common }: Repository, name: string): string | undefined {
  // A few refs belong to one worktree, and lie in its own folder; all others are shared.
  return (
    readLine(disk, `${folder}/${name}`) ??
    readLine(disk, `${common}/${name}`) ??
    findPacked(disk, common, name)
  );
}

/** Refs that have not changed for long stand together in one file, a line each: `COMMIT NAME`. */
function findPacked(disk: Disk, common: string, name: string): string | undefined {
  const bytes = disk.read(`${common}/packed-refs`, packedBytesMax);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const at = text.indexOf(` ${name}\n`);
  return at === -1 ? undefined : text.slice(text.lastIndexOf('\n', at) + 1, at);
}

/** Half a million refs; a file of git's other kinds is one line. */
const packedBytesMax = 32 * 1024 * 1024;
const lineBytesMax = 4096;

function readLine(disk: Disk, path: string): string | undefined {
  const bytes = disk.read(path, lineBytesMax);
  const text = bytes && new TextDecoder().decode(bytes).trimEnd();
  // What is read here becomes a path, and no path holds a NUL: to ask the disk for one is a bug, not a missing file.
  return text?.includes('\0') ? undefined : text;
}

/** SHA-1, or SHA-256 in repositories that were made so. */
function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** A name that leads out of the refs is none: it comes from a file that anybody may have written. */
function isRefName(name: string): boolean {
  return name.startsWith('refs/') && !name.split('/').some((part) => part === '' || part.startsWith('.'));
}
