import {
  applyNames,
  type Chunk,
  type FileInode,
  type FolderInode,
  hasUnsynced,
  type Inode,
  type NameChange,
  newFile,
  newFolder,
} from './inodes.ts';
import { seededRandom } from './random.ts';
import { rootIno, type Tree } from './tree.ts';

/** Something that was done and is not durable. */
export type UnsyncedEffect =
  | { readonly kind: 'write'; readonly sequence: number; readonly ino: number; readonly size: number }
  | {
      readonly kind: 'names';
      readonly sequence: number;
      readonly ino: number;
      readonly names: readonly string[];
    };

/**
 * What a power loss makes of an effect. `drop`: it never happened; of a write that others follow, zeros remain.
 * For writes only: `zeros` and `noise`: the file has its new size and other bytes; `torn`: only the first `keptBytes`
 * were written. A change of names is kept or dropped; whatever else is said of it means dropped.
 */
export type Fate = 'keep' | 'drop' | 'zeros' | 'noise' | { readonly keptBytes: number };

/** All effects that are not durable, in the order in which they were made. */
export function unsyncedEffects(tree: Tree): UnsyncedEffect[] {
  const effects: UnsyncedEffect[] = [];
  for (const ino of tree.unsynced) {
    const inode = tree.inodes.get(ino);
    if (inode?.kind === 'file') {
      for (const { sequence, standing, bytes } of inode.chunks) {
        if (standing !== 'durable') effects.push({ kind: 'write', sequence, ino, size: bytes.length });
      }
    }
    if (inode?.kind === 'folder') {
      for (const { sequence, standing, names } of inode.changes) {
        if (standing === 'durable') continue;
        effects.push({ kind: 'names', sequence, ino, names: names.map(([name]) => name) });
      }
    }
  }
  return effects.sort((a, b) => a.sequence - b.sequence);
}

/**
 * The tree as it is found after a power loss; what has no fate is dropped. Any set of unsynced effects may survive, in
 * any mixture, since nothing but a sync orders them; real file systems are kinder. Metadata survives: an inode that
 * still has a name keeps its number and time, which fools whoever takes equal size and time for equal bytes.
 */
export function treeAfterPowerLoss(tree: Tree, fates: ReadonlyMap<number, Fate>, seed: number): Tree {
  // The survivor shares inodes with the tree, so from now on both copy before they write.
  tree.owner = {};
  const survivor: Tree = { ...tree, owner: {}, inodes: new Map(), unsynced: new Set(), inoNext: rootIno + 1 };
  const named = new Set([rootIno]);
  // A set gives out what is added while it is walked through: folders first, then all that they name.
  for (const ino of named) {
    const inode = tree.inodes.get(ino);
    if (inode === undefined) throw new Error(`no inode ${ino}`);
    const settled = settle({ tree, survivor, fates, seed }, inode);
    survivor.inodes.set(ino, settled.kind === 'folder' ? nameChildren(tree, settled, named) : settled);
    // Numbers of lost inodes are given out again, as real file systems do.
    survivor.inoNext = Math.max(survivor.inoNext, ino + 1);
  }
  return survivor;
}

interface Loss {
  readonly tree: Tree;
  readonly survivor: Tree;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly seed: number;
}

function settle(loss: Loss, inode: Inode): Inode {
  if (inode.kind === 'folder' && inode.changes.length > 0) {
    return newFolder(loss.survivor.owner, inode.ino, inode.mtimeMs, settleNames(loss, inode));
  }
  if (inode.kind === 'file' && hasUnsynced(inode)) {
    const chunk: Chunk = { sequence: 0, bytes: settleBytes(loss, inode), standing: 'durable' };
    return newFile(loss.survivor.owner, inode.ino, inode.mtimeMs, [chunk]);
  }
  return inode;
}

function settleNames(loss: Loss, folder: FolderInode): Map<string, number> {
  const names = new Map(folder.base);
  for (const change of folder.changes) {
    if (survives(loss, change)) applyNames(names, change.names);
  }
  return names;
}

function survives({ tree, fates }: Loss, change: NameChange): boolean {
  if (change.standing === 'durable') return true;
  if (fates.get(change.sequence) !== 'keep') return false;
  const { requires } = change;
  if (requires === undefined) return true;
  const other = tree.inodes.get(requires.folder);
  const half =
    other?.kind === 'folder' && other.changes.find(({ sequence }) => sequence === requires.sequence);
  // Not in the list any more: durable.
  return !half || half.standing === 'durable' || fates.get(half.sequence) === 'keep';
}

function settleBytes({ fates, seed }: Loss, file: FileInode): Uint8Array {
  const whole = new Uint8Array(file.size);
  let offset = 0;
  // What is dropped at the end is not there at all; dropped before something kept it is a hole, which reads as zeros.
  let size = 0;
  for (const { bytes, standing, sequence } of file.chunks) {
    const fate = standing === 'durable' ? 'keep' : (fates.get(sequence) ?? 'drop');
    const kept = survivingBytes(bytes, fate, seed ^ sequence);
    whole.set(kept, offset);
    if (kept.length > 0) size = offset + kept.length;
    offset += bytes.length;
  }
  return whole.subarray(0, size);
}

function survivingBytes(bytes: Uint8Array, fate: Fate, seed: number): Uint8Array {
  switch (fate) {
    case 'keep':
      return bytes;
    case 'drop':
      return bytes.subarray(0, 0);
    case 'zeros':
      return new Uint8Array(bytes.length);
    case 'noise':
      return seededRandom(seed).bytes(bytes.length);
    default:
      return bytes.subarray(0, fate.keptBytes);
  }
}

/** Adds what the folder names. A folder has one name: of two that survived, the second is cut off. */
function nameChildren(tree: Tree, folder: FolderInode, named: Set<number>): FolderInode {
  let second: string[] | undefined;
  for (const [name, ino] of folder.names) {
    if (named.has(ino) && tree.inodes.get(ino)?.kind === 'folder') {
      second ??= [];
      second.push(name);
    } else {
      named.add(ino);
    }
  }
  if (second === undefined) return folder;
  const names = new Map(folder.names);
  for (const name of second) names.delete(name);
  return newFolder(folder.owner, folder.ino, folder.mtimeMs, names);
}
