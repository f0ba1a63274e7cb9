import {
  advance,
  type Chunk,
  changeNames,
  copyInode,
  type FileInode,
  type FolderInode,
  forceDurable,
  hasUnsynced,
  type Inode,
  type NameChange,
  type NameTarget,
  newFile,
  newFolder,
  type Standing,
} from './inodes.ts';

/** A file system as a value: knows names, bytes and what is durable; knows nothing of faults and open files. */
export interface Tree {
  /** Changed whenever inodes get shared with a copy, so that both sides copy before they write. */
  owner: object;
  readonly inodes: Map<number, Inode>;
  /** The inodes with effects that are not durable. */
  readonly unsynced: Set<number>;
  inoNext: number;
  /** Numbers the effects in the order in which they were made. */
  sequence: number;
  /** The time of the last change; grows by one with each, so that it is the same again in every replay. */
  timeMs: number;
  /** Gives the time instead, when a test wants its own. */
  readonly now: (() => number) | undefined;
}

export const rootIno = 1;

export function newTree(now: (() => number) | undefined): Tree {
  const owner = {};
  const timeMs = Date.UTC(2026, 0, 1);
  return {
    owner,
    inodes: new Map([[rootIno, newFolder(owner, rootIno, timeMs)]]),
    unsynced: new Set(),
    inoNext: rootIno + 1,
    sequence: 0,
    timeMs,
    now,
  };
}

/** A second tree with the same content, durable and not; each goes its own way from here. */
export function forkTree(tree: Tree): Tree {
  tree.owner = {};
  return { ...tree, owner: {}, inodes: new Map(tree.inodes), unsynced: new Set(tree.unsynced) };
}

export function fileOf(tree: Tree, ino: number): FileInode {
  const inode = tree.inodes.get(ino);
  if (inode?.kind !== 'file') throw new Error(`inode ${ino} is no file`);
  return inode;
}

export function folderOf(tree: Tree, ino: number): FolderInode {
  const inode = tree.inodes.get(ino);
  if (inode?.kind !== 'folder') throw new Error(`inode ${ino} is no folder`);
  return inode;
}

export function addFile(tree: Tree, executable = false): FileInode {
  return addInode(tree, newFile(tree.owner, tree.inoNext, tick(tree), [], executable));
}

export function addFolder(tree: Tree): FolderInode {
  return addInode(tree, newFolder(tree.owner, tree.inoNext, tick(tree)));
}

export function addLink(tree: Tree, target: string): Inode {
  return addInode(tree, { kind: 'link', owner: tree.owner, ino: tree.inoNext, mtimeMs: tick(tree), target });
}

export function addOther(tree: Tree): Inode {
  return addInode(tree, { kind: 'other', owner: tree.owner, ino: tree.inoNext, mtimeMs: tick(tree) });
}

/** Appends to a file. The bytes must be the tree's own. */
export function addChunk(tree: Tree, ino: number, bytes: Uint8Array): void {
  const file = own(tree, fileOf(tree, ino));
  const chunk: Chunk = { sequence: ++tree.sequence, bytes, standing: 'pending' };
  file.chunks.push(chunk);
  file.size += bytes.length;
  file.whole = undefined;
  file.checksum = undefined;
  file.mtimeMs = tick(tree);
  tree.unsynced.add(ino);
}

/** Puts other content in the place of all there was, durable at once. */
export function setContent(tree: Tree, ino: number, bytes: Uint8Array, mtimeMs = tick(tree)): void {
  const chunk: Chunk = { sequence: ++tree.sequence, bytes, standing: 'durable' };
  const { executable } = fileOf(tree, ino);
  tree.inodes.set(ino, newFile(tree.owner, ino, mtimeMs, [chunk], executable));
  tree.unsynced.delete(ino);
}

/** Changes names in one folder as one effect; returns its number. */
export function addNameChange(
  tree: Tree,
  ino: number,
  names: readonly NameTarget[],
  options: { readonly standing?: Standing; readonly requires?: NameChange['requires'] } = {},
): number {
  const folder = own(tree, folderOf(tree, ino));
  const { standing = 'pending', requires } = options;
  const sequence = ++tree.sequence;
  changeNames(folder, { sequence, names, standing, ...(requires === undefined ? {} : { requires }) });
  folder.mtimeMs = tick(tree);
  noteUnsynced(tree, folder);
  return sequence;
}

/** What was done to the inode up to `sequence` is durable from now on, or will never be by a sync. */
export function markSynced(
  tree: Tree,
  ino: number,
  sequence: number,
  standing: 'durable' | 'abandoned',
): void {
  const found = tree.inodes.get(ino);
  const inode = own(tree, found?.kind === 'file' ? found : folderOf(tree, ino));
  if (inode.kind === 'folder' && standing === 'durable') forceRequired(tree, inode, sequence);
  advance(inode, sequence, standing);
  noteUnsynced(tree, inode);
}

/** A name that left this folder for good must be durable where it went: a rename never loses the file. */
function forceRequired(tree: Tree, folder: FolderInode, sequence: number): void {
  for (const { standing, requires, sequence: made } of folder.changes) {
    if (standing !== 'pending' || made > sequence || requires === undefined) continue;
    const other = own(tree, folderOf(tree, requires.folder));
    forceDurable(other, requires.sequence);
    noteUnsynced(tree, other);
  }
}

function tick(tree: Tree): number {
  tree.timeMs = tree.now === undefined ? tree.timeMs + 1 : tree.now();
  return tree.timeMs;
}

function noteUnsynced(tree: Tree, inode: Inode): void {
  if (hasUnsynced(inode)) tree.unsynced.add(inode.ino);
  else tree.unsynced.delete(inode.ino);
}

/** The inode, safe to change. */
function own<T extends Inode>(tree: Tree, inode: T): T {
  if (inode.owner === tree.owner) return inode;
  const copy = copyInode(inode, tree.owner);
  tree.inodes.set(inode.ino, copy);
  return copy;
}

function addInode<T extends Inode>(tree: Tree, inode: T): T {
  tree.inodes.set(inode.ino, inode);
  tree.inoNext += 1;
  return inode;
}
