import type { JsonValue } from '../base/json.ts';
import type { Disk } from '../disk/disk.ts';
import type { TaskFile } from './task.ts';

const decoder = new TextDecoder();

/** A consumed file. Holds what was read of it, so that whoever asks twice gets the same bytes. */
export class InputFile implements TaskFile {
  readonly disk: Disk;
  #path: string | (() => string);
  #bytes: Uint8Array | undefined;

  /** A path that has yet to be found is looked for when somebody asks for it, and once. */
  constructor(disk: Disk, path: string | (() => string), bytes?: Uint8Array) {
    this.disk = disk;
    this.#path = path;
    this.#bytes = bytes;
  }

  get path(): string {
    if (typeof this.#path !== 'string') this.#path = this.#path();
    return this.#path;
  }

  bytes(): Uint8Array {
    this.#bytes ??= this.disk.read(this.path);
    if (this.#bytes === undefined) throw new Error(`the input ${this.path} has gone`);
    return this.#bytes;
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  json(): JsonValue {
    return JSON.parse(this.text()) as JsonValue;
  }

  /** What was read so far. */
  held(): Uint8Array | undefined {
    return this.#bytes;
  }

  /** Lets go of the bytes: an attempt that only waits for its record has no use for them. */
  release(): void {
    this.#bytes = undefined;
  }
}
