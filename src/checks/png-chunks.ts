import { fail, ok, type Result } from '../base/result.ts';
import { crc32 } from './crc32.ts';
import { type PngHeader, readHeader } from './png-header.ts';

/** What the chunks of a PNG come to. */
export interface PngParts {
  readonly header: PngHeader;
  /** The compressed image data, as the file cuts it up. */
  readonly data: readonly Uint8Array[];
}

/** What every PNG begins with: made to be spoilt by all that spoils files. */
export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Goes through every chunk of a file to its last byte: lengths, checksums, which chunks there are and in which order.
 * A failure says what is wrong, and where. The image data itself is not looked into.
 */
export function readChunks(bytes: Uint8Array): Result<PngParts, string> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: DraftParts = { header: undefined, hasPalette: false, data: [], isDataOver: false };
  let at = pngSignature.length;
  while (at < file.length) {
    const chunk = readChunk(file, at);
    if (!chunk.ok) return chunk;
    const wrong = take(parts, chunk.value);
    if (wrong !== undefined) return fail(`${nameOf(chunk.value)}: ${wrong}`);
    at = chunk.value.end;
    if (chunk.value.type !== 'IEND') continue;
    const behind = file.length - at;
    if (behind > 0) return fail(`byte ${at}: ${behind} bytes behind the end of the picture`);
    // Without a header IEND was refused.
    return ok({ header: parts.header as PngHeader, data: parts.data });
  }
  return fail(`byte ${at}: the file ends without IEND`);
}

interface Chunk {
  readonly at: number;
  readonly type: string;
  readonly content: Uint8Array;
  /** Where the next one begins. */
  readonly end: number;
}

/** Length, type, content, and a checksum of type and content. */
function readChunk(file: Buffer, at: number): Result<Chunk, string> {
  const contentAt = at + 8;
  if (contentAt > file.length) return fail(`byte ${at}: cut off in the head of a chunk`);
  const length = file.readUInt32BE(at);
  const type = file.toString('latin1', at + 4, contentAt);
  if (!/^[A-Za-z]{4}$/.test(type)) return fail(`byte ${at}: no chunk: its type is ${hex(file, at + 4, 4)}`);
  const there = file.length - contentAt - checksumBytes;
  if (length > there) {
    return fail(
      `${nameOf({ type, at })}: cut off: ${length} bytes are announced, ${Math.max(0, there)} there`,
    );
  }
  const contentEnd = contentAt + length;
  const recorded = file.readUInt32BE(contentEnd);
  const computed = crc32(file.subarray(at + 4, contentEnd));
  if (recorded !== computed) {
    const facts = `its checksum is ${hexOf(recorded)}, its bytes have ${hexOf(computed)}`;
    return fail(`${nameOf({ type, at })}: damaged: ${facts}`);
  }
  return ok({ at, type, content: file.subarray(contentAt, contentEnd), end: contentEnd + checksumBytes });
}

const checksumBytes = 4;

interface DraftParts {
  header: PngHeader | undefined;
  hasPalette: boolean;
  readonly data: Uint8Array[];
  /** Another chunk came after the image data. */
  isDataOver: boolean;
}

/** Takes the next chunk, or says why it cannot stand here. */
function take(parts: DraftParts, { type, content }: Chunk): string | undefined {
  const { header } = parts;
  if (header === undefined) {
    if (type !== 'IHDR') return 'the first chunk must be IHDR';
    const read = readHeader(content);
    if (!read.ok) return read.failure;
    parts.header = read.value;
    return undefined;
  }
  if (type !== 'IDAT' && parts.data.length > 0) parts.isDataOver = true;
  switch (type) {
    case 'IHDR':
      return 'a second IHDR';
    case 'PLTE':
      return takePalette(parts, header, content);
    case 'IDAT':
      if (parts.isDataOver) return 'the image data is not in one piece';
      if (needsPalette(header) && !parts.hasPalette) return 'no PLTE before it, which colour type 3 needs';
      parts.data.push(content);
      return undefined;
    case 'IEND':
      if (parts.data.length === 0) return 'no IDAT before it';
      return content.length > 0 ? `is ${content.length} bytes long, expected 0` : undefined;
    default:
      return isCritical(type) ? 'a chunk that nobody may skip, and of no known type' : undefined;
  }
}

function takePalette(parts: DraftParts, header: PngHeader, content: Uint8Array): string | undefined {
  if (parts.hasPalette) return 'a second PLTE';
  if (parts.data.length > 0) return 'behind the image data';
  if (isGrey(header)) return `not allowed for colour type ${header.colourType}`;
  const colours = content.length / 3;
  const coloursMax = needsPalette(header) ? 2 ** header.bitDepth : 256;
  if (!Number.isInteger(colours) || colours < 1 || colours > coloursMax) {
    return `is ${content.length} bytes long, expected 3 for each of 1 to ${coloursMax} colours`;
  }
  parts.hasPalette = true;
  return undefined;
}

function needsPalette({ colourType }: PngHeader): boolean {
  return colourType === 3;
}

function isGrey({ colourType }: PngHeader): boolean {
  return colourType === 0 || colourType === 4;
}

/** The case of the first letter says whether a picture can be shown without knowing the chunk. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

function nameOf({ type, at }: Pick<Chunk, 'type' | 'at'>): string {
  return `${type} at byte ${at}`;
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

/** Some bytes of a file, for people: `ff d8 ff e0`. */
export function hex(bytes: Uint8Array, at: number, length: number): string {
  return [...bytes.subarray(at, at + length)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
