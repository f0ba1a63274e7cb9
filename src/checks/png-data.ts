import { Readable } from 'node:stream';
import { createInflate, inflateSync } from 'node:zlib';
import { imageDataBytes, type PngHeader, type PngPass, passesOf } from './png-header.ts';
import { shorten } from './text.ts';

/**
 * Decompresses the image data to its last byte and looks at every row's filter. Says what is wrong. However much
 * the data comes to, no more of it than `wholeBytesMax` is held at a time; what is larger goes through in blocks.
 */
export async function checkImageData(
  header: PngHeader,
  pieces: readonly Uint8Array[],
  wholeBytesMax = wholeBytesMaxUsual,
): Promise<string | undefined> {
  const passes = passesOf(header);
  const expected = imageDataBytes(passes);
  if (expected > imageDataBytesMax) {
    const size = `${header.width} x ${header.height}`;
    return `a picture of ${size} has ${expected} bytes of image data: more than ${imageDataBytesMax} are not checked`;
  }
  const rows = new RowScan(passes);
  const takes = (output: Uint8Array) => rows.take(output);
  try {
    const consumed =
      expected <= wholeBytesMax
        ? inflateWhole(pieces, expected, takes)
        : await inflateInBlocks(pieces, expected, takes);
    if (rows.wrong !== undefined) return rows.wrong;
    if (rows.seen !== expected) return `the image data is ${rows.seen} bytes long, expected ${expected}`;
    const unused = lengthOf(pieces) - consumed;
    return unused > 0 ? `${unused} bytes of IDAT behind the end of the image data` : undefined;
  } catch (error) {
    return dataTrouble(error, expected);
  }
}

/** 16,384 rows of as many pixels, four bytes each. Decompressing them takes a second or so. */
const imageDataBytesMax = 16_384 * (1 + 16_384 * 4);
/**
 * Up to here all is decompressed in one go, here and now: a stream takes ten times as long for what is small, and is
 * kept waiting at each block on a busy machine.
 */
const wholeBytesMaxUsual = 32 * 1024 * 1024;
const blockBytes = 1024 * 1024;

/** Node makes none with less. */
function chunkBytes(wanted: number): number {
  return Math.max(64, wanted);
}

/** Gives the number of compressed bytes that were used. */
function inflateWhole(
  pieces: readonly Uint8Array[],
  expected: number,
  take: (output: Uint8Array) => boolean,
): number {
  // With room for one byte more, so that what is too long shows before there is a second buffer.
  const options = { maxOutputLength: expected, chunkSize: chunkBytes(expected + 1), info: true };
  // With `info` there is more to the answer than its type says.
  const { buffer, engine } = inflateSync(join(pieces), options) as unknown as {
    readonly buffer: Uint8Array;
    readonly engine: { readonly bytesWritten: number };
  };
  take(buffer);
  return engine.bytesWritten;
}

async function inflateInBlocks(
  pieces: readonly Uint8Array[],
  expected: number,
  take: (output: Uint8Array) => boolean,
): Promise<number> {
  const inflate = createInflate({ chunkSize: chunkBytes(Math.min(blockBytes, expected)) });
  Readable.from(blocksOf(pieces)).pipe(inflate);
  // Leaving the loop ends the stream: what would come after the last row is never decompressed.
  for await (const output of inflate) if (!take(output as Uint8Array)) break;
  return inflate.bytesWritten;
}

/** Many encoders cut the data into pieces of 8 KB: each of them alone would cost more than its bytes. */
function* blocksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    gathered.push(piece);
    bytes += piece.length;
    if (bytes < blockBytes) continue;
    yield join(gathered);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield join(gathered);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Goes along the rows while their bytes come in, in pieces of any size. */
class RowScan {
  /** Bytes so far. */
  seen = 0;
  wrong: string | undefined;
  readonly #passes: readonly PngPass[];
  #pass = 0;
  #row = 0;
  /** Where the next row begins. */
  #rowAt = 0;

  constructor(passes: readonly PngPass[]) {
    this.#passes = passes;
  }

  /** False when nothing that follows can make it right. */
  take(output: Uint8Array): boolean {
    const end = this.seen + output.length;
    while (this.#rowAt < end) {
      const pass = this.#passes[this.#pass];
      if (pass === undefined) {
        this.wrong = `the image data is longer than ${this.#rowAt} bytes`;
        return false;
      }
      const filter = output[this.#rowAt - this.seen] as number;
      if (filter > filterMax) {
        const place =
          this.#passes.length > 1 ? `pass ${this.#pass + 1}, row ${this.#row}` : `row ${this.#row}`;
        this.wrong = `${place} of the image data has filter ${filter}, expected 0 to ${filterMax}`;
        return false;
      }
      this.#rowAt += pass.rowBytes;
      this.#row += 1;
      if (this.#row === pass.rows) {
        this.#pass += 1;
        this.#row = 0;
      }
    }
    this.seen = end;
    return true;
  }
}

const filterMax = 4;

function dataTrouble(error: unknown, expected: number): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (code === 'ERR_BUFFER_TOO_LARGE') return `the image data is longer than ${expected} bytes`;
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return `the image data cannot be decompressed: ${shorten(message)}`;
  }
  throw error;
}
