import type { Clock } from '../base/clock.ts';
import type { Hash } from '../base/hash.ts';
import { type Disk, DiskError, type FileStat } from './disk.ts';
import { replaceFileInPieces, writeAll } from './write.ts';

/** What tells a file from another one at the same path without reading it. */
export type FileStamp = Pick<FileStat, 'ino' | 'mtimeMs' | 'size'>;

/**
 * The bytes that files of the workspace had when they were last read or written, by path and stamp, so that a large output
 * is not hashed again on every look (`docs/formats/files.md`). It is a cache of this machine: everything works without it,
 * a copy of the workspace has other stamps, and an entry whose file was touched since answers nothing.
 */
export class FileIndex {
  readonly #disk: Disk;
  readonly #clock: Clock;
  readonly #path: string;
  readonly #staged = new Map<string, Entry>();
  #entries: Map<string, Entry> | undefined;
  #unwritten: string[] = [];
  #unwrittenChars = 0;
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #isWasteful = false;

  /** `path` is the file of the index, absolute. It is read when the first question is asked. */
  constructor(disk: Disk, clock: Clock, path: string) {
    this.#disk = disk;
    this.#clock = clock;
    this.#path = path;
  }

  /** The hash of the file's bytes, if it is the file that was seen. `path` is relative to the workspace. */
  hashOf(path: string, stat: FileStamp): Hash | undefined {
    const entry = this.#load().get(path);
    return entry?.size === stat.size && isSameFile(entry, stat) ? entry.hash : undefined;
  }

  /** True if the file was seen with these bytes and has not been written to since, though a power cut may have torn it. */
  isUntouched(path: string, stat: FileStamp, hash: Hash): boolean {
    const entry = this.#load().get(path);
    return entry?.hash === hash && isSameFile(entry, stat);
  }

  /** When the file that was seen last at this path had been changed; undefined: none was seen. */
  changedAtMs(path: string): number | undefined {
    return this.#load().get(path)?.mtimeMs;
  }

  /** The file that was just hashed or written. Nothing is written to the index before `save`, so a look changes nothing. */
  note(path: string, { ino, mtimeMs, size }: FileStamp, hash: Hash): void {
    const entry = { ino, mtimeMs, size, hash };
    this.#load().set(path, entry);
    const line = formatEntry(path, entry);
    this.#unwritten.push(line);
    this.#unwrittenChars += line.length;
  }

  /** A file that will get this path. Until then the one that lies there is still known by its own stamp. */
  stage(path: string, { ino, mtimeMs, size }: FileStamp, hash: Hash): void {
    this.#staged.set(path, { ino, mtimeMs, size, hash });
  }

  /** The staged file has its path now. */
  place(path: string): void {
    const entry = this.#staged.get(path);
    this.#staged.delete(path);
    if (entry === undefined) return;
    this.note(path, entry, entry.hash);
    // A kill loses what is not written yet. One second of outputs is hashed again quickly, however large the run is.
    const isDue = this.#clock.monotonicMs() - this.#writtenAtMs > writeEveryMs;
    if (isDue || this.#unwrittenChars > writeCharsMax) this.save();
  }

  /** Writes what is new. Nothing depends on it, so an index that cannot be written is left out. */
  save(): void {
    const lines = this.#unwritten.splice(0);
    this.#unwrittenChars = 0;
    this.#writtenAtMs = this.#clock.monotonicMs();
    if (lines.length === 0) return;
    try {
      if (this.#isWasteful) this.#rewrite();
      else this.#append(Buffer.from(lines.join('')));
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }

  #append(bytes: Uint8Array): void {
    const file = this.#disk.append(this.#path);
    try {
      writeAll(file, bytes, this.#path);
    } finally {
      file.close();
    }
  }

  /** Without the entries that later ones replaced. Not synced, because a lost index costs time and nothing else. */
  #rewrite(): void {
    const lines = [...this.#load()].map(([path, entry]) => Buffer.from(formatEntry(path, entry)));
    replaceFileInPieces(this.#disk, this.#path, lines);
    this.#isWasteful = false;
  }

  #load(): Map<string, Entry> {
    if (this.#entries !== undefined) return this.#entries;
    const entries = new Map<string, Entry>();
    this.#entries = entries;
    const text = readText(this.#disk, this.#path);
    let lines = 0;
    for (let start = 0; start < text.length; lines++) {
      const end = text.indexOf('\n', start);
      // The end of a line that was being written when its process was killed.
      if (end < 0) break;
      const parsed = parseEntry(text.slice(start, end));
      // A later entry wins. Were it another process's older one, its stamp would fit no file.
      if (parsed !== undefined) entries.set(parsed.path, parsed.entry);
      start = end + 1;
    }
    this.#isWasteful = lines > entries.size * 3 + linesFree;
    return entries;
  }
}

interface Entry extends FileStamp {
  readonly hash: Hash;
}

function isSameFile(a: FileStamp, b: FileStamp): boolean {
  return a.ino === b.ino && a.mtimeMs === b.mtimeMs;
}

const writeEveryMs = 1000;
const writeCharsMax = 64 * 1024;
const indexBytesMax = 128 * 1024 * 1024;
/** A small index is not worth a rewrite. */
const linesFree = 1000;

function formatEntry(path: string, { ino, mtimeMs, size, hash }: Entry): string {
  return `${ino} ${mtimeMs} ${size} ${hash} ${path}\n`;
}

const entryPattern = /^(\d+) (\d+(?:\.\d+)?) (\d+) (sha256:[0-9a-f]{64}) (.+)$/;

/** Undefined for anything else: two processes may have written at once, and a power cut leaves other bytes. */
function parseEntry(line: string): { readonly path: string; readonly entry: Entry } | undefined {
  const [, ino, mtimeMs, size, hash, path] = entryPattern.exec(line) ?? [];
  if (path === undefined) return undefined;
  return {
    path,
    entry: { ino: Number(ino), mtimeMs: Number(mtimeMs), size: Number(size), hash: hash as Hash },
  };
}

function readText(disk: Disk, path: string): string {
  try {
    const bytes = disk.read(path, indexBytesMax);
    return bytes === undefined
      ? ''
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  } catch (error) {
    if (error instanceof DiskError) return '';
    throw error;
  }
}
