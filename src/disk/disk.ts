/**
 * The seam under everything that is kept. The primitives are the ones whose order and failure matter: what is
 * built of them (atomic replacement, the journal, the content store) is product code on either disk, so the
 * simulator in `memory-disk.ts` runs the product and not a model of it.
 *
 * A path that is not there is a value (`undefined`); every other trouble throws a `DiskError`.
 * All calls but `sync` are synchronous: they cost microseconds, and a promise would cost more than they do.
 */
export interface Disk {
  /** Does not follow symbolic links. */
  stat(path: string): FileStat | undefined;
  /** The whole file, through links; throws `EFBIG` before reading when it is larger than `maxBytes`. */
  read(path: string, maxBytes?: number): Uint8Array | undefined;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  readRange(path: string, offset: number, length: number): Uint8Array | undefined;
  /** Names in a folder, sorted by code unit; undefined when there is no such folder. */
  list(path: string): string[] | undefined;
  /** The path with every symbolic link resolved. */
  realpath(path: string): string | undefined;

  /** Makes a new file, private unless said otherwise; throws `EEXIST` when the name is taken. */
  create(path: string, access?: FileAccess): OpenFile;
  /** Opens a file for appending, and makes it when it is not there. */
  append(path: string, access?: FileAccess): OpenFile;
  /** Makes the folder and those above it, private unless said otherwise. */
  makeFolder(path: string, access?: FileAccess): void;
  /** Replaces `to` when it is there. */
  rename(from: string, to: string): void;
  /** Gives an existing file a second name; throws `EEXIST` when the name is taken. */
  link(existing: string, name: string): void;
  /** Removes a file, or an empty folder; no complaint when it is not there. */
  remove(path: string): void;
  /** Lets those read and write `path` who may do so with `like`. Left out where there are no such rights. */
  copyRights?(like: string, path: string): void;
  /**
   * Whether this process's user owns it; undefined where the system does not say. Left out where files have
   * no owner.
   */
  isOurs?(path: string): boolean;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

/**
 * Who may use what is made. `private`: its owner alone (0600, folders 0700), as everything that Pawl keeps for itself.
 * `shared`: as the umask says (0666 less the umask, folders 0777), as everything at a path that the user has named. An
 * executable file may be run by those who may read it.
 */
export type FileAccess = 'private' | 'private-executable' | 'shared' | 'shared-executable';

export interface OpenFile {
  /** Writes at the end (append) or where the last write stopped (create). May write less than given. */
  write(bytes: Uint8Array): number;
  /** Makes the bytes durable. After a failed sync the file must not be trusted or synced again. */
  sync(): Promise<void>;
  stat(): FileStat;
  /** Again without complaint; nothing else may follow. */
  close(): void;
}

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** With the fraction that the file system gives. */
  readonly mtimeMs: number;
  /** When the file, its name or its rights were changed last. No program can set it back. */
  readonly ctimeMs: number;
  readonly ino: number;
  /** Its owner may run it; said of files only, and left out where not. */
  readonly executable?: true;
}

/** A failed operation of the disk, with the system's own code (`ENOSPC`, `EIO`, `EACCES`, …). */
export class DiskError extends Error {
  readonly code: string;
  readonly operation: string;
  readonly path: string;

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} ${path}`);
    this.name = 'DiskError';
    this.code = code;
    this.operation = operation;
    this.path = path;
  }
}
