import { crc32, deflateSync } from 'node:zlib';

/** A picture to be made. What is left out is a plain RGBA picture of 8 bits, filled with a pattern. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly colourType?: number;
  readonly bitDepth?: number;
  readonly interlaced?: boolean;
  /** Gives the bytes of the picture, filters left out. */
  readonly next?: () => number;
  /** Gives each row's filter. */
  readonly filter?: () => number;
  /** How many bytes of compressed data go into one IDAT. */
  readonly pieceBytes?: number;
  /** Chunks before the image data. */
  readonly before?: readonly Uint8Array[];
}

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG as an encoder would write it. */
export function makePng(picture: Picture): Buffer {
  const { colourType = 6, pieceBytes = Number.POSITIVE_INFINITY, before = [] } = picture;
  const data = deflateSync(imageData(picture));
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; at += pieceBytes) {
    pieces.push(chunk('IDAT', data.subarray(at, Math.min(data.length, at + pieceBytes))));
  }
  const palette = colourType === 3 ? [chunk('PLTE', Buffer.alloc(3 * 2 ** (picture.bitDepth ?? 8), 7))] : [];
  return assemble([header(picture), ...palette, ...before, ...pieces, chunk('IEND')]);
}

export function assemble(chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([signature, ...chunks]);
}

export function chunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const made = Buffer.alloc(12 + content.length);
  made.writeUInt32BE(content.length, 0);
  made.write(type, 4, 'latin1');
  made.set(content, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + content.length)), 8 + content.length);
  return made;
}

export function header({ width, height, colourType = 6, bitDepth = 8, interlaced }: Picture): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content.set([bitDepth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', content);
}

/** The rows of a picture before they are compressed, each with its filter in front. */
export function imageData(picture: Picture): Buffer {
  const { colourType = 6, bitDepth = 8, next = pattern(), filter = () => 0 } = picture;
  const bits = bitDepth * (samples[colourType] ?? 0);
  const rows = rowLengths(picture).map((pixels) => {
    const row = Buffer.alloc(1 + Math.ceil((pixels * bits) / 8));
    for (let at = 1; at < row.length; at++) row[at] = next();
    row[0] = filter();
    return row;
  });
  return Buffer.concat(rows);
}

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Which pass of Adam7 takes each pixel of a square of eight by eight; counted, where the check computes. */
const passes = [
  '16462646',
  '77777777',
  '56565656',
  '77777777',
  '36463646',
  '77777777',
  '56565656',
  '77777777',
];

/** How many pixels each row of the image data has, in the order of the rows. */
function rowLengths({ width, height, interlaced }: Picture): number[] {
  if (!interlaced) return Array.from({ length: height }, () => width);
  return ['1', '2', '3', '4', '5', '6', '7'].flatMap((pass) =>
    Array.from({ length: height }, (_, y) => {
      const row = passes[y % 8] ?? '';
      return Array.from({ length: width }, (_, x) => row[x % 8]).filter((taken) => taken === pass).length;
    }).filter((pixels) => pixels > 0),
  );
}

function pattern(): () => number {
  let count = 0;
  return () => (count++ * 7) % 251;
}
