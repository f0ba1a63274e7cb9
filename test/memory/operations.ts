import { dirname } from 'node:path';
import { DiskError, type FileAccess, type FileStat } from '../../src/disk/disk.ts';
import type { Operation } from './faults.ts';
import { type FileInode, type FolderInode, type Inode, sizeOf } from './inodes.ts';
import { locate, type Place, parentOf } from './path.ts';
import { addFile, addFolder, addNameChange, type Tree } from './tree.ts';

/** The place that a path leads to; undefined when there is not even a folder that could hold it. */
export function find(tree: Tree, operation: Operation, path: string, followLast: boolean): Place | undefined {
  const place = locate(tree, path, followLast);
  if (typeof place !== 'string') return place;
  if (place === 'ENOENT' || place === 'ENOTDIR') return undefined;
  throw new DiskError(place, operation, path);
}

export function fileStat(inode: Inode): FileStat {
  const { kind, mtimeMs, ino } = inode;
  const stat = { kind, size: sizeOf(inode), mtimeMs, ctimeMs: mtimeMs, ino };
  return inode.kind === 'file' && inode.executable ? { ...stat, executable: true } : stat;
}

export function fileToRead(tree: Tree, path: string): FileInode | undefined {
  const inode = find(tree, 'read', path, true)?.inode;
  if (inode === undefined || inode.kind === 'file') return inode;
  throw new DiskError(inode.kind === 'folder' ? 'EISDIR' : 'EINVAL', 'read', path);
}

/** The inode of the new file. */
export function createFile(tree: Tree, path: string, access?: FileAccess): number {
  const place = placeOf(tree, 'create', path);
  if (place.inode !== undefined) throw new DiskError('EEXIST', 'create', path);
  return addFileAt(tree, place, access?.endsWith('-executable'));
}

/** The inode of the file to append to, which is made when it is not there. */
export function openToAppend(tree: Tree, path: string): number {
  const place = placeOf(tree, 'append', path);
  switch (place.inode?.kind) {
    case undefined:
      return addFileAt(tree, place);
    case 'file':
      return place.inode.ino;
    case 'folder':
      throw new DiskError('EISDIR', 'append', path);
    case 'link':
      throw new DiskError('ELOOP', 'append', path);
    case 'other':
      throw new DiskError('EINVAL', 'append', path);
  }
}

export function makeFolder(tree: Tree, path: string, standing: 'durable' | 'pending' = 'pending'): void {
  const missing: string[] = [];
  let above = path;
  let inode = find(tree, 'makeFolder', above, true)?.inode;
  while (inode === undefined) {
    missing.push(above);
    above = dirname(above);
    inode = find(tree, 'makeFolder', above, true)?.inode;
  }
  if (inode.kind !== 'folder') {
    throw new DiskError(missing.length === 0 ? 'EEXIST' : 'ENOTDIR', 'makeFolder', path);
  }
  for (const folder of missing.reverse()) {
    const place = placeOf(tree, 'makeFolder', folder);
    // A link that leads nowhere has the name.
    if (place.inode !== undefined) throw new DiskError('EEXIST', 'makeFolder', path);
    addNameChange(tree, parentOf(tree, place).ino, [[place.name, addFolder(tree).ino]], { standing });
  }
}

export function rename(tree: Tree, from: string, to: string): void {
  const refuse = (code: string) => new DiskError(code, 'rename', to);
  const source = placeOf(tree, 'rename', from, to);
  const target = placeOf(tree, 'rename', to);
  const moved = source.inode;
  if (moved === undefined) throw refuse('ENOENT');
  if (source.name === '' || target.name === '') throw refuse('EBUSY');
  if (target.inode !== undefined && source.folders.includes(target.inode.ino)) throw refuse('ENOTEMPTY');
  // Two names of one file: POSIX leaves both.
  if (moved === target.inode) return;
  if (moved.kind === 'folder') {
    if (target.folders.includes(moved.ino)) throw refuse('EINVAL');
    if (target.inode !== undefined && target.inode.kind !== 'folder') throw refuse('ENOTDIR');
    if (target.inode !== undefined && target.inode.names.size > 0) throw refuse('ENOTEMPTY');
  } else if (target.inode?.kind === 'folder') {
    throw refuse('EISDIR');
  }
  moveName(tree, { folder: parentOf(tree, source).ino, name: source.name }, target, moved.ino);
}

export function link(tree: Tree, existing: string, name: string): void {
  const source = placeOf(tree, 'link', existing, name);
  if (source.inode === undefined) throw new DiskError('ENOENT', 'link', name);
  const target = placeOf(tree, 'link', name);
  if (target.inode !== undefined) throw new DiskError('EEXIST', 'link', name);
  if (source.inode.kind === 'folder') throw new DiskError('EPERM', 'link', name);
  addNameChange(tree, parentOf(tree, target).ino, [[target.name, source.inode.ino]]);
}

export function remove(tree: Tree, path: string): void {
  const place = find(tree, 'remove', path, false);
  if (place?.inode === undefined) return;
  if (place.name === '') throw new DiskError('EBUSY', 'remove', path);
  if (place.inode.kind === 'folder' && place.inode.names.size > 0) {
    throw new DiskError('ENOTEMPTY', 'remove', path);
  }
  addNameChange(tree, parentOf(tree, place).ino, [[place.name, undefined]]);
}

export function folderToSync(tree: Tree, path: string): FolderInode {
  const place = locate(tree, path, true);
  if (typeof place === 'string') throw new DiskError(place, 'syncFolder', path);
  if (place.inode?.kind === 'folder') return place.inode;
  throw new DiskError(place.inode === undefined ? 'ENOENT' : 'ENOTDIR', 'syncFolder', path);
}

/** Gives a new inode a name, durably and with durable folders above it: for what others than the program put there. */
export function put(tree: Tree, path: string, add: (tree: Tree) => Inode): number {
  makeFolder(tree, dirname(path), 'durable');
  const place = placeOf(tree, 'create', path);
  const { ino } = add(tree);
  addNameChange(tree, parentOf(tree, place).ino, [[place.name, ino]], { standing: 'durable' });
  return ino;
}

/** Where a name is or would go; the folder for it must be there. Trouble is told of the path that the call is about. */
function placeOf(tree: Tree, operation: Operation, path: string, toldOf: string = path): Place {
  const place = locate(tree, path, false);
  if (typeof place === 'string') throw new DiskError(place, operation, toldOf);
  return place;
}

function addFileAt(tree: Tree, place: Place, executable = false): number {
  const { ino } = addFile(tree, executable);
  addNameChange(tree, parentOf(tree, place).ino, [[place.name, ino]]);
  return ino;
}

function moveName(tree: Tree, from: { folder: number; name: string }, target: Place, ino: number): void {
  const folder = parentOf(tree, target).ino;
  if (folder === from.folder) {
    addNameChange(tree, folder, [
      [from.name, undefined],
      [target.name, ino],
    ]);
    return;
  }
  // Each folder is synced for itself, so for a while both names may survive; but never neither.
  const sequence = addNameChange(tree, folder, [[target.name, ino]]);
  addNameChange(tree, from.folder, [[from.name, undefined]], { requires: { folder, sequence } });
}
