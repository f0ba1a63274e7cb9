import type { Disk } from '../../disk/disk.ts';

/**
 * The lines of a file that grows, each given once. The file may be replaced by one with the same lines, because secrets are
 * taken out of a log when its attempt has ended: then reading continues at the same line.
 */
export class LineFollower {
  readonly #disk: Disk;
  readonly #path: string;
  #ino: number | undefined;
  #offset = 0;
  #lines = 0;
  #rest: Uint8Array = new Uint8Array();

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** The lines that were completed since the last call; with `isLast` also what stands behind the last line end. */
  read(isLast: boolean): string[] {
    const stat = this.#disk.stat(this.#path);
    if (stat?.kind !== 'file') return [];
    const known = this.#ino === undefined || this.#ino === stat.ino ? 0 : this.#lines;
    if (known > 0) this.#restart();
    this.#ino = stat.ino;
    const lines: string[] = [];
    while (this.#offset < stat.size) {
      const bytes = this.#disk.readRange(this.#path, this.#offset, pieceBytes);
      if (bytes === undefined || bytes.length === 0) break;
      this.#offset += bytes.length;
      lines.push(...this.#split(bytes));
    }
    if (isLast && this.#rest.length > 0) {
      lines.push(decode(this.#rest));
      this.#rest = new Uint8Array();
    }
    const fresh = lines.slice(known);
    this.#lines = known + fresh.length;
    return fresh;
  }

  #split(bytes: Uint8Array): string[] {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(lineFeed) + 1;
    this.#rest = all.subarray(end);
    return end === 0 ? [] : decode(all.subarray(0, end - 1)).split('\n');
  }

  #restart(): void {
    this.#offset = 0;
    this.#rest = new Uint8Array();
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const lineFeed = 0x0a;
const pieceBytes = 256 * 1024;
