import { byCodeUnit } from '../../src/base/json.ts';
import { type Disk, DiskError, type FileAccess, type FileStat, type OpenFile } from '../../src/disk/disk.ts';
import { type Fate, treeAfterPowerLoss, type UnsyncedEffect, unsyncedEffects } from './crash.ts';
import { crashPlans, describePlan } from './crash-plans.ts';
import { type DiskCall, type Fault, Faults, type StartedCall, type Watcher } from './faults.ts';
import { fingerprintOf } from './fingerprint.ts';
import { contentOf } from './inodes.ts';
import * as operations from './operations.ts';
import {
  addChunk,
  addFile,
  addLink,
  addOther,
  fileOf,
  forkTree,
  markSynced,
  newTree,
  setContent,
  type Tree,
} from './tree.ts';

export type { Fate, UnsyncedEffect } from './crash.ts';
export { CrashSignal, type DiskCall, type Fault, type Operation, type Watcher } from './faults.ts';

export interface MemoryDiskOptions {
  /** Decides the noise and the random mixtures of `crashStates`. */
  readonly seed?: number;
  /** Where modification times come from; by default they grow by one millisecond with every change. */
  readonly now?: () => number;
}

/** A disk as it may be found after a power loss. */
export interface CrashState {
  readonly disk: MemoryDisk;
  /** What became of each unsynced effect that was not kept. */
  describe(): string;
}

/**
 * A file system in memory that knows what a power loss would leave of it, and fails where it is told to. Bytes are
 * durable after `sync`, names after `syncFolder`, nothing else ever. The same seed and the same calls give the same
 * disk. Copies share all bytes, so thousands of crash states cost little.
 */
export class MemoryDisk implements Disk {
  /** Room for so many bytes: a write takes what fits, and then the disk is full. Removing frees nothing. */
  freeBytes = Number.POSITIVE_INFINITY;
  readonly #tree: Tree;
  readonly #seed: number;
  readonly #faults = new Faults();
  #openFiles = 0;

  /** The second argument is for the copies that a disk makes of itself. */
  constructor(options: MemoryDiskOptions = {}, tree: Tree = newTree(options.now)) {
    this.#seed = options.seed ?? 1;
    this.#tree = tree;
  }

  /** How many calls there were that can change something. */
  get calls(): number {
    return this.#faults.calls;
  }

  /** Whether a fault killed the process that used this disk. */
  get crashed(): boolean {
    return this.#faults.crashed;
  }

  /** Files that were opened and not closed. */
  get openFiles(): number {
    return this.#openFiles;
  }

  /** The n-th call that can change something, counted from 1 since the disk was made, goes wrong. */
  failAt(number: number, fault: Fault): void {
    this.failWhen((call) => (call.number === number ? fault : undefined));
  }

  /** Asked before every call, reading ones too; the first answer counts. */
  failWhen(decide: (call: DiskCall) => Fault | undefined): void {
    this.#faults.when(decide);
  }

  /**
   * Looks on at every call that can change something. Between two looks this disk stays as it is, so whoever takes
   * `crashStates` at each has seen every power loss. Must not change the disk.
   */
  watch(watcher: Watcher): void {
    this.#faults.watch(watcher);
  }

  /** Puts a file there durably, as another program would, with the folders above it. A file that is there is changed. */
  putFile(path: string, content: string | Uint8Array, mtimeMs?: number): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const ino = operations.fileToRead(this.#tree, path)?.ino ?? operations.put(this.#tree, path, addFile);
    setContent(this.#tree, ino, Uint8Array.from(bytes), mtimeMs);
  }

  /** Puts a symbolic link there durably. */
  putLink(path: string, target: string): void {
    operations.put(this.#tree, path, (tree) => addLink(tree, target));
  }

  /** Puts something there durably that is neither file nor folder nor link. */
  putOther(path: string): void {
    operations.put(this.#tree, path, addOther);
  }

  /** The disk as the next process finds it when this one is killed: nothing is lost, nothing more is durable. */
  kill(): MemoryDisk {
    return this.#copy(forkTree(this.#tree));
  }

  /** What a power loss would put at risk, in the order in which it was done. */
  unsynced(): UnsyncedEffect[] {
    return unsyncedEffects(this.#tree);
  }

  /** The disk after a power loss. What is not chosen for is dropped. */
  crash(choose: (effect: UnsyncedEffect) => Fate = () => 'drop'): MemoryDisk {
    const fates = new Map(this.unsynced().map((effect) => [effect.sequence, choose(effect)]));
    return this.#copy(treeAfterPowerLoss(this.#tree, fates, this.#seed));
  }

  /** Different disks that a power loss now can leave: all of them where `limit` allows, else a fair choice. */
  *crashStates(limit: number): Generator<CrashState> {
    const tree = forkTree(this.#tree);
    const effects = unsyncedEffects(tree);
    const seen = new Set<string>();
    for (const plan of crashPlans(effects, limit, this.#seed)) {
      const fates = new Map(effects.map((effect, index) => [effect.sequence, plan[index] ?? 'drop']));
      const disk = this.#copy(treeAfterPowerLoss(tree, fates, this.#seed));
      const fingerprint = disk.fingerprint();
      if (seen.has(fingerprint)) continue;
      seen.add(fingerprint);
      yield { disk, describe: () => describePlan(effects, plan) };
    }
  }

  /** Equal for disks with equal names and bytes, whatever their inode numbers, times and temporary names. */
  fingerprint(): string {
    return fingerprintOf(this.#tree);
  }

  stat(path: string): FileStat | undefined {
    this.#faults.reading('stat', path);
    const inode = operations.find(this.#tree, 'stat', path, false)?.inode;
    return inode === undefined ? undefined : operations.fileStat(inode);
  }

  read(path: string, maxBytes: number = Number.POSITIVE_INFINITY): Uint8Array | undefined {
    this.#faults.reading('read', path);
    const file = operations.fileToRead(this.#tree, path);
    if (file !== undefined && file.size > maxBytes) throw new DiskError('EFBIG', 'read', path);
    return file === undefined ? undefined : contentOf(file).slice();
  }

  readRange(path: string, offset: number, length: number): Uint8Array | undefined {
    this.#faults.reading('read', path);
    const file = operations.fileToRead(this.#tree, path);
    return file === undefined ? undefined : contentOf(file).slice(offset, offset + length);
  }

  list(path: string): string[] | undefined {
    this.#faults.reading('list', path);
    const inode = operations.find(this.#tree, 'list', path, true)?.inode;
    return inode?.kind === 'folder' ? [...inode.names.keys()].sort(byCodeUnit) : undefined;
  }

  realpath(path: string): string | undefined {
    this.#faults.reading('realpath', path);
    const place = operations.find(this.#tree, 'realpath', path, true);
    return place?.inode === undefined ? undefined : `/${[...place.above, place.name].join('/')}`;
  }

  create(path: string, access?: FileAccess): OpenFile {
    return this.#faults.changing('create', path, () =>
      this.#open(operations.createFile(this.#tree, path, access), path, 0),
    );
  }

  append(path: string): OpenFile {
    return this.#faults.changing('append', path, () =>
      this.#open(operations.openToAppend(this.#tree, path), path),
    );
  }

  makeFolder(path: string): void {
    this.#faults.changing('makeFolder', path, () => operations.makeFolder(this.#tree, path));
  }

  rename(from: string, to: string): void {
    this.#faults.changing('rename', to, () => operations.rename(this.#tree, from, to));
  }

  link(existing: string, name: string): void {
    this.#faults.changing('link', name, () => operations.link(this.#tree, existing, name));
  }

  remove(path: string): void {
    this.#faults.changing('remove', path, () => operations.remove(this.#tree, path));
  }

  syncFolder(path: string): Promise<void> {
    return this.#sync('syncFolder', path, () => operations.folderToSync(this.#tree, path).ino);
  }

  /** `position`: where the next write of a created file goes; an appended one has none. */
  #open(ino: number, path: string, position?: number): OpenFile {
    let open = true;
    let writtenTo = position;
    const demandOpen = (operation: string) => {
      if (!open) throw new DiskError('EBADF', operation, path);
    };
    this.#openFiles += 1;
    return {
      write: (bytes) => {
        demandOpen('write');
        const count = this.#write(ino, path, bytes, writtenTo);
        if (writtenTo !== undefined) writtenTo += count;
        return count;
      },
      sync: async () => {
        demandOpen('sync');
        await this.#sync('sync', path, () => ino);
      },
      stat: () => {
        demandOpen('stat');
        this.#faults.reading('stat', path);
        return operations.fileStat(fileOf(this.#tree, ino));
      },
      close: () => {
        this.#faults.demandAlive();
        if (open) this.#openFiles -= 1;
        open = false;
      },
    };
  }

  #write(ino: number, path: string, bytes: Uint8Array, position: number | undefined): number {
    return this.#faults.changing('write', path, (fault) => {
      const { size } = fileOf(this.#tree, ino);
      // Files here only grow; nobody writes into a file that another process appends to.
      if (position !== undefined && position !== size)
        throw new Error(`write at ${position} of ${size}: ${path}`);
      if (this.freeBytes === 0 && bytes.length > 0) throw new DiskError('ENOSPC', 'write', path);
      let count = Math.min(bytes.length, this.freeBytes);
      if (fault?.kind === 'short-write') count = Math.min(count, fault.bytes);
      if (fault?.kind === 'crash' && fault.when === 'during') count = Math.floor(count / 2);
      if (count > 0) addChunk(this.#tree, ino, Uint8Array.from(bytes.subarray(0, count)));
      this.freeBytes -= count;
      return count;
    });
  }

  /** Covers what was done before the call. What comes while it is under way may not count on it. */
  async #sync(operation: 'sync' | 'syncFolder', path: string, inoOf: () => number): Promise<void> {
    const { sequence } = this.#tree;
    let started: StartedCall;
    try {
      started = this.#faults.start(operation, path);
    } catch (error) {
      if (error instanceof DiskError) markSynced(this.#tree, inoOf(), sequence, 'abandoned');
      throw error;
    }
    const ino = inoOf();
    for (let turn = 0; turn < syncTurns; turn++) await undefined;
    this.#faults.demandAlive();
    markSynced(this.#tree, ino, sequence, 'durable');
    this.#faults.finish(started);
  }

  #copy(tree: Tree): MemoryDisk {
    const copy = new MemoryDisk({ seed: this.#seed }, tree);
    copy.freeBytes = this.freeBytes;
    return copy;
  }
}

/** A sync takes a while: a program that goes on without waiting for it must be found out. */
const syncTurns = 3;
