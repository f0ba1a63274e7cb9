import { constants as bufferConstants } from 'node:buffer';
import * as fs from 'node:fs';
import { constants as systemConstants } from 'node:os';
import { dirname } from 'node:path';
import { byCodeUnit } from '../base/json.ts';
import { type Disk, DiskError, type FileAccess, type FileStat, type OpenFile } from './disk.ts';

/** All but what has to do with syncs. */
const shared: Omit<Disk, 'create' | 'append' | 'syncFolder'> = {
  stat(path) {
    try {
      const stats = fs.lstatSync(path, absentIsUndefined);
      return stats === undefined ? undefined : toFileStat(stats);
    } catch (error) {
      return undefinedWhenAbsent(error, 'stat', path);
    }
  },

  read(path, maxBytes = arrayBytesMax) {
    return withRegularFile(path, 'read', (fd, size) => {
      if (size > maxBytes) throw new DiskError('EFBIG', 'read', path);
      return readUpTo(fd, size, 0);
    });
  },

  readRange(path, offset, length) {
    return withRegularFile(path, 'read', (fd, size) =>
      readUpTo(fd, Math.max(0, Math.min(length, size - offset)), offset),
    );
  },

  list(path) {
    try {
      return fs.readdirSync(path).sort(byCodeUnit);
    } catch (error) {
      return undefinedWhenAbsent(error, 'list', path);
    }
  },

  realpath(path) {
    try {
      return fs.realpathSync.native(path);
    } catch (error) {
      return undefinedWhenAbsent(error, 'realpath', path);
    }
  },

  makeFolder(path, access) {
    const mode = folderMode(access);
    try {
      fs.mkdirSync(path, { recursive: true, mode });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw diskError(error, 'makeFolder', path);
      // After most errors Node looks for the folder and reports that instead: a read-only disk or a used-up quota become
      // ENOENT. One folder at a time tells the truth.
      attempt('makeFolder', path, () => makeOneByOne(path, mode));
    }
  },

  rename(from, to) {
    attempt('rename', to, () => fs.renameSync(from, to));
  },

  link(existing, name) {
    attempt('link', name, () => fs.linkSync(existing, name));
  },

  remove(path) {
    try {
      fs.unlinkSync(path);
    } catch (error) {
      if (isAbsent(codeOf(error))) return;
      // Linux answers EISDIR for a folder; POSIX and macOS answer EPERM.
      if (codeOf(error) !== 'EISDIR' && codeOf(error) !== 'EPERM') throw diskError(error, 'remove', path);
      removeFolder(path, error);
    }
  },

  copyRights(like, path) {
    attempt('copyRights', path, () => fs.chmodSync(path, fs.statSync(like).mode & 0o777));
  },

  isOurs(path) {
    try {
      return process.getuid === undefined || fs.lstatSync(path).uid === process.getuid();
    } catch {
      return false;
    }
  },
};

const absentIsUndefined = { throwIfNoEntry: false } as const;
const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK, S_IXUSR } = fs.constants;
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
// Without O_NONBLOCK opening a FIFO waits for its other end.
const readFlags = O_RDONLY | O_NONBLOCK;
const createFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const appendFlags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
const folderFlags = O_RDONLY | O_DIRECTORY;
// Node refuses a single call of 2 GiB or more.
const callBytesMax = 1 << 30;
const arrayBytesMax = bufferConstants.MAX_LENGTH;
const errorNumbers = systemConstants.errno;
const folderSyncUnsupported = new Set(['EINVAL', 'EPERM', 'EISDIR']);

type SyncCall = (fd: number, done: (error: Error | null) => void) => void;

/** The system takes the umask away from these. */
const fileModes = {
  private: 0o600,
  'private-executable': 0o700,
  shared: 0o666,
  'shared-executable': 0o777,
} as const;

function folderMode(access: FileAccess = 'private'): number {
  return access === 'private' ? 0o700 : 0o777;
}

/** The disk of this machine. No link is followed where a file is opened. */
export const nodeDisk: Disk = withSyncs(fs.fsync, fs.fdatasync);

/**
 * The same for who has nothing else to do during a sync: to start the threads that would wait for it takes longer than
 * most syncs.
 */
export const visitorDisk: Disk = withSyncs(waiting(fs.fsyncSync), waiting(fs.fdatasyncSync));

function withSyncs(syncAll: SyncCall, syncData: SyncCall): Disk {
  return {
    ...shared,
    create: (path, access) => openForWriting(path, 'create', createFlags, access, syncAll),
    append: (path, access) => openForWriting(path, 'append', appendFlags, access, syncData),
    async syncFolder(path) {
      const fd = attempt('syncFolder', path, () => fs.openSync(path, folderFlags));
      try {
        await synced(syncAll, fd);
      } catch (error) {
        // Some file systems (network and overlay ones) have no sync for folders; there is nothing more to be done.
        if (!folderSyncUnsupported.has(codeOf(error))) throw diskError(error, 'syncFolder', path);
      } finally {
        fs.closeSync(fd);
      }
    },
  };
}

function waiting(sync: (fd: number) => void): SyncCall {
  return (fd, done) => {
    sync(fd);
    done(null);
  };
}

function openForWriting(
  path: string,
  operation: string,
  flags: number,
  access: FileAccess = 'private',
  sync: SyncCall,
): OpenFile {
  const fd = attempt(operation, path, () => fs.openSync(path, flags, fileModes[access]));
  if (operation === 'append') requireRegular(fd, operation, path);
  return new NodeFile(fd, path, sync);
}

class NodeFile implements OpenFile {
  readonly #path: string;
  readonly #sync: SyncCall;
  #fd: number;

  constructor(fd: number, path: string, sync: SyncCall) {
    this.#fd = fd;
    this.#path = path;
    this.#sync = sync;
  }

  write(bytes: Uint8Array): number {
    const length = Math.min(bytes.length, callBytesMax);
    return attempt('write', this.#path, () => fs.writeSync(this.#fd, bytes, 0, length));
  }

  sync(): Promise<void> {
    return synced(this.#sync, this.#fd).catch((error: unknown) => {
      throw diskError(error, 'sync', this.#path);
    });
  }

  stat(): FileStat {
    return attempt('stat', this.#path, () => toFileStat(fs.fstatSync(this.#fd)));
  }

  close(): void {
    if (this.#fd === closed) return;
    const open = this.#fd;
    // The system gives the number to the next file that is opened: it must never be used again, not even after a
    // close that failed.
    this.#fd = closed;
    attempt('close', this.#path, () => fs.closeSync(open));
  }
}

const closed = -1;

function requireRegular(fd: number, operation: string, path: string): void {
  const stats = attempt(operation, path, () => fs.fstatSync(fd));
  if (stats.isFile()) return;
  fs.closeSync(fd);
  throw notRegular(stats, operation, path);
}

function synced(sync: SyncCall, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    sync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

function withRegularFile<T>(
  path: string,
  operation: string,
  use: (fd: number, size: number) => T,
): T | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, readFlags);
  } catch (error) {
    return undefinedWhenAbsent(error, operation, path);
  }
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) throw notRegular(stats, operation, path);
    return use(fd, stats.size);
  } catch (error) {
    throw error instanceof DiskError ? error : diskError(error, operation, path);
  } finally {
    fs.closeSync(fd);
  }
}

function readUpTo(fd: number, length: number, offset: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = fs.readSync(fd, bytes, filled, Math.min(length - filled, callBytesMax), offset + filled);
    // The file became shorter after its size was read.
    if (count === 0) return bytes.subarray(0, filled);
    filled += count;
  }
  return bytes;
}

function makeOneByOne(path: string, mode: number): void {
  if (fs.existsSync(path)) return;
  if (dirname(path) !== path) makeOneByOne(dirname(path), mode);
  fs.mkdirSync(path, mode);
}

function removeFolder(path: string, cause: unknown): void {
  try {
    fs.rmdirSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (isAbsent(code)) {
      // ENOTDIR here means a file that may not be removed: its own trouble is the one to tell.
      if (code === 'ENOTDIR') throw diskError(cause, 'remove', path);
      return;
    }
    throw diskError(error, 'remove', path);
  }
}

function toFileStat(stats: fs.Stats): FileStat {
  const kind = kindOf(stats);
  const { mtimeMs, ctimeMs } = stats;
  const stat = { kind, size: compact(stats.size), mtimeMs, ctimeMs, ino: compact(stats.ino) };
  return kind === 'file' && (stats.mode & S_IXUSR) !== 0 ? { ...stat, executable: true } : stat;
}

/** Node hands out every figure as a double, which is an object of its own wherever it is kept; a small integer is not. */
function compact(figure: number): number {
  const integer = figure | 0;
  return integer === figure ? integer : figure;
}

function kindOf(stats: fs.Stats): FileStat['kind'] {
  switch (stats.mode & S_IFMT) {
    case S_IFREG:
      return 'file';
    case S_IFDIR:
      return 'folder';
    case S_IFLNK:
      return 'link';
    default:
      return 'other';
  }
}

function notRegular(stats: fs.Stats, operation: string, path: string): DiskError {
  return new DiskError(stats.isDirectory() ? 'EISDIR' : 'EINVAL', operation, path);
}

function attempt<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw diskError(error, operation, path);
  }
}

function undefinedWhenAbsent(error: unknown, operation: string, path: string): undefined {
  if (isAbsent(codeOf(error))) return undefined;
  throw diskError(error, operation, path);
}

function isAbsent(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  if (error.code.startsWith('E')) return error.code;
  return ('errno' in error ? unnamedCode(error.errno) : undefined) ?? error.code;
}

/**
 * libuv has no name for some errors of the system, among them a used-up quota (EDQUOT) and a stale network file
 * (ESTALE). Node's codes for those differ from call to call ("Unknown system error -122", "UNKNOWN"): only the number
 * is always there.
 */
function unnamedCode(errno: unknown): string | undefined {
  if (typeof errno !== 'number' || errno >= 0) return undefined;
  const named = Object.entries(errorNumbers).find(([, value]) => value === -errno);
  return named?.[0] ?? `E${-errno}`;
}

/** The failure of the disk that an error of the system is; what has no code of the system is a bug and stays as it is. */
export function diskError(error: unknown, operation: string, path: string): unknown {
  const code = codeOf(error);
  return /^E[A-Z0-9]+$/.test(code) ? new DiskError(code, operation, path) : error;
}
