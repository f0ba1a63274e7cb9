import type { FolderInode, Inode } from './inodes.ts';
import { folderOf, rootIno, type Tree } from './tree.ts';

/** Where a path leads. */
export interface Place {
  /** The folders from the root to the one that holds the name. */
  readonly folders: readonly number[];
  /** The names of those folders but the root: the path without links. */
  readonly above: readonly string[];
  /** Empty for the root. */
  readonly name: string;
  readonly inode: Inode | undefined;
}

export type PathTrouble = 'ENOENT' | 'ENOTDIR' | 'ELOOP' | 'ENAMETOOLONG';

/** Follows links above the last name, and the last one if asked to. Says where a missing name would go. */
export function locate(tree: Tree, path: string, followLast: boolean): Place | PathTrouble {
  let parts = partsOf(path);
  let linksFollowed = 0;
  const folders = [rootIno];
  const above: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const name = parts[index] ?? '';
    if (name === '..') {
      if (above.pop() !== undefined) folders.pop();
      continue;
    }
    if (isTooLong(name)) return 'ENAMETOOLONG';
    const isLast = index === parts.length - 1;
    const inode = entryOf(tree, folders, name);
    if (inode?.kind === 'link' && (!isLast || followLast)) {
      if (++linksFollowed > linksFollowedMax) return 'ELOOP';
      if (inode.target.startsWith('/')) {
        above.length = 0;
        folders.length = 1;
      }
      parts = [...partsOf(inode.target), ...parts.slice(index + 1)];
      index = -1;
      continue;
    }
    if (isLast) return { folders, above, name, inode };
    if (inode === undefined) return 'ENOENT';
    if (inode.kind !== 'folder') return 'ENOTDIR';
    folders.push(inode.ino);
    above.push(name);
  }
  const name = above.pop() ?? '';
  const inode = tree.inodes.get(folders.at(-1) ?? rootIno);
  if (name !== '') folders.pop();
  return { folders, above, name, inode };
}

/** The folder that holds the name, or would. */
export function parentOf(tree: Tree, place: Place): FolderInode {
  return folderOf(tree, place.folders.at(-1) ?? rootIno);
}

function entryOf(tree: Tree, folders: readonly number[], name: string): Inode | undefined {
  const ino = folderOf(tree, folders.at(-1) ?? rootIno).names.get(name);
  return ino === undefined ? undefined : tree.inodes.get(ino);
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

const linksFollowedMax = 40;
const nameBytesMax = 255;

function isTooLong(name: string): boolean {
  // A UTF-16 unit takes three bytes at most, so short names need no counting.
  return name.length * 3 > nameBytesMax && Buffer.byteLength(name) > nameBytesMax;
}
