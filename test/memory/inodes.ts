/**
 * What the simulated disk is made of. An inode holds what the program sees, and of each effect on it whether it would
 * outlive a power loss. Inodes are shared between a disk and its copies: only the tree that `owner` names may change
 * one, every other makes itself a copy first.
 */
export type Inode = FileInode | FolderInode | LinkInode | OtherInode;

/**
 * `pending`: a sync would make it durable. `abandoned`: a sync failed on it; the kernel may call its page clean now,
 * so no later sync makes it durable either.
 */
export type Standing = 'durable' | 'pending' | 'abandoned';

/** One write. Files only ever grow, so a file is the list of its writes. */
export interface Chunk {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  readonly standing: Standing;
}

/** One change of the names in a folder; a rename within the folder is one change of two names, so it is atomic. */
export interface NameChange {
  readonly sequence: number;
  /** The inode that each name leads to from now on; undefined: the name is gone. */
  readonly names: readonly NameTarget[];
  readonly standing: Standing;
  /** The other half of a rename between folders: without it this change would lose the file. */
  readonly requires?: { readonly folder: number; readonly sequence: number };
}

export type NameTarget = readonly [name: string, ino: number | undefined];

interface Common {
  readonly owner: object;
  readonly ino: number;
  mtimeMs: number;
}

export interface FileInode extends Common {
  readonly kind: 'file';
  chunks: Chunk[];
  size: number;
  readonly executable: boolean;
  /** All chunks as one array, once somebody asked for it. */
  whole: Uint8Array | undefined;
  /** The checksum of `whole`, likewise. */
  checksum: string | undefined;
}

export interface FolderInode extends Common {
  readonly kind: 'folder';
  /** The names as the program sees them. */
  names: Map<string, number>;
  /** The names before the first of `changes`. The same map as `names` while there is none. */
  base: Map<string, number>;
  changes: NameChange[];
}

export interface LinkInode extends Common {
  readonly kind: 'link';
  readonly target: string;
}

/** A FIFO, a socket, a device: what no file operation may touch. */
export interface OtherInode extends Common {
  readonly kind: 'other';
}

export function newFile(
  owner: object,
  ino: number,
  mtimeMs: number,
  chunks: Chunk[] = [],
  executable = false,
): FileInode {
  const size = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  return {
    kind: 'file',
    owner,
    ino,
    mtimeMs,
    chunks,
    size,
    executable,
    whole: undefined,
    checksum: undefined,
  };
}

export function newFolder(
  owner: object,
  ino: number,
  mtimeMs: number,
  names = new Map<string, number>(),
): FolderInode {
  return { kind: 'folder', owner, ino, mtimeMs, names, base: names, changes: [] };
}

/** The inode for a tree that does not own it. */
export function copyInode<T extends Inode>(inode: T, owner: object): T {
  const copy: Inode = { ...inode, owner };
  if (copy.kind === 'file') copy.chunks = copy.chunks.slice();
  // While there are no changes both names are one map, which is copied with the first change.
  if (copy.kind === 'folder' && copy.changes.length > 0) {
    copy.names = new Map(copy.names);
    copy.changes = copy.changes.slice();
  }
  return copy as T;
}

export function sizeOf(inode: Inode): number {
  if (inode.kind === 'file') return inode.size;
  return inode.kind === 'link' ? inode.target.length : 0;
}

/** The whole content; not to be changed by who gets it. */
export function contentOf(file: FileInode): Uint8Array {
  if (file.whole !== undefined) return file.whole;
  const first = file.chunks[0];
  const whole = file.chunks.length === 1 && first !== undefined ? first.bytes : joinChunks(file);
  file.whole = whole;
  // Long lists of small writes would make every copy of the inode dear.
  if (file.chunks.length > 1 && file.chunks.every((chunk) => chunk.standing === 'durable')) {
    file.chunks = [{ sequence: 0, bytes: whole, standing: 'durable' }];
  }
  return whole;
}

function joinChunks(file: FileInode): Uint8Array {
  const whole = new Uint8Array(file.size);
  let offset = 0;
  for (const chunk of file.chunks) {
    whole.set(chunk.bytes, offset);
    offset += chunk.bytes.length;
  }
  return whole;
}

/** Changes the names as the program sees them and remembers the change until it is durable. */
export function changeNames(folder: FolderInode, change: NameChange): void {
  if (folder.changes.length === 0) {
    folder.base = folder.names;
    folder.names = new Map(folder.names);
    folder.changes = [];
  }
  applyNames(folder.names, change.names);
  folder.changes.push(change);
  foldDurable(folder);
}

/** Makes all pending effects on the inode up to and with `sequence` durable, or abandons them. */
export function advance(
  inode: FileInode | FolderInode,
  sequence: number,
  standing: 'durable' | 'abandoned',
): void {
  const moved = <T extends Chunk | NameChange>(effect: T): T =>
    effect.standing === 'pending' && effect.sequence <= sequence ? { ...effect, standing } : effect;
  if (inode.kind === 'file') {
    inode.chunks = inode.chunks.map(moved);
    return;
  }
  inode.changes = inode.changes.map(moved);
  foldDurable(inode);
}

/** Makes one change durable whatever it stands at: the half that another, durable one cannot be without. */
export function forceDurable(folder: FolderInode, sequence: number): void {
  folder.changes = folder.changes.map((change) =>
    change.sequence === sequence ? { ...change, standing: 'durable' } : change,
  );
  foldDurable(folder);
}

export function hasUnsynced(inode: Inode): boolean {
  if (inode.kind === 'folder') return inode.changes.length > 0;
  return inode.kind === 'file' && inode.chunks.some((chunk) => chunk.standing !== 'durable');
}

export function applyNames(names: Map<string, number>, targets: readonly NameTarget[]): void {
  for (const [name, ino] of targets) {
    if (ino === undefined) names.delete(name);
    else names.set(name, ino);
  }
}

/** Durable changes behind one that is not stay in the list: the order decides what a name leads to in the end. */
function foldDurable(folder: FolderInode): void {
  const count = folder.changes.findIndex((change) => change.standing !== 'durable');
  if (count === 0) return;
  if (count === -1) {
    folder.changes = [];
    folder.base = folder.names;
    return;
  }
  folder.base = new Map(folder.base);
  for (const change of folder.changes.slice(0, count)) applyNames(folder.base, change.names);
  folder.changes = folder.changes.slice(count);
}
