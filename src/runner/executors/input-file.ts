import type { Hash } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import type { TaskFile } from './task.ts';

const decoder = new TextDecoder();

/** All files that an attempt consumes. */
export class TaskInputs {
  readonly inputs: Record<string, InputFile | undefined> = {};
  /** Inputs that every unit of an earlier stage has made, in the order of the units. */
  readonly every: Record<string, readonly UnitInputFile[]> = {};
  state: InputFile | undefined;
}

/** What was consumed, wherever its bytes are read: its declared path, and its hash where that is known. */
export interface InputSource {
  readonly path: string;
  readonly hash?: Hash | undefined;
  readonly size?: number | undefined;
}

/** A consumed file. Holds what was read of it, so that a second read gets the same bytes. */
export class InputFile implements TaskFile {
  readonly disk: Disk;
  readonly source: InputSource;
  #path: string | (() => string);
  #bytes: Uint8Array | undefined;

  /** A path given as a function is computed once, when it is first read. */
  constructor(disk: Disk, source: InputSource, path: string | (() => string), bytes?: Uint8Array) {
    this.disk = disk;
    this.source = source;
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

/** A file that another unit has made. */
export class UnitInputFile extends InputFile {
  readonly unit: string;

  constructor(unit: string, file: InputFile) {
    super(file.disk, file.source, () => file.path, file.held());
    this.unit = unit;
  }
}

/** Lets go of all bytes that were read. */
export function releaseInputs({ inputs, every, state }: TaskInputs): void {
  for (const name in inputs) inputs[name]?.release();
  for (const name in every) for (const file of every[name] ?? []) file.release();
  state?.release();
}
