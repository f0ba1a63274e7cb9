import { fail, ok, type Result } from '../base/result.ts';

/** What the first chunk of a PNG says of all that follows. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
}

/** Rows of one length; each begins with the byte that names its filter. */
export interface PngPass {
  readonly rows: number;
  readonly rowBytes: number;
}

/** Reads the content of IHDR. A failure says what is wrong with it. */
export function readHeader(content: Uint8Array): Result<PngHeader, string> {
  if (content.length !== headerBytes) return fail(`is ${content.length} bytes long, expected ${headerBytes}`);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const bitDepth = view.getUint8(8);
  const colourType = view.getUint8(9);
  const interlace = view.getUint8(12);
  if (!isSide(width) || !isSide(height)) {
    return fail(`a size of ${width} x ${height}, expected 1 to ${sideMax} each`);
  }
  const colour = colourTypes.get(colourType);
  if (colour === undefined) return fail(`colour type ${colourType}, expected 0, 2, 3, 4 or 6`);
  if (!colour.bitDepths.includes(bitDepth)) {
    const expected = colour.bitDepths.join(', ');
    return fail(`bit depth ${bitDepth}, expected one of ${expected} for colour type ${colourType}`);
  }
  if (view.getUint8(10) !== 0) return fail(`compression method ${view.getUint8(10)}, expected 0`);
  if (view.getUint8(11) !== 0) return fail(`filter method ${view.getUint8(11)}, expected 0`);
  if (interlace > 1) return fail(`interlace method ${interlace}, expected 0 or 1`);
  return ok({ width, height, bitDepth, colourType, interlaced: interlace === 1 });
}

/** How the image data is laid out: one pass over the picture, or the seven of Adam7 as far as they hold pixels. */
export function passesOf(header: PngHeader): PngPass[] {
  const { width, height, bitDepth, colourType, interlaced } = header;
  const bitsPerPixel = bitDepth * (colourTypes.get(colourType)?.samples ?? 0);
  const pass = (columns: number, rows: number) => ({
    rows: columns === 0 ? 0 : rows,
    rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8),
  });
  if (!interlaced) return [pass(width, height)];
  return adam7
    .map(({ x, y, stepX, stepY }) => pass(steps(width, x, stepX), steps(height, y, stepY)))
    .filter(({ rows }) => rows > 0);
}

/** How many bytes the image data has when it is no longer compressed. */
export function imageDataBytes(passes: readonly PngPass[]): number {
  return passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
}

const headerBytes = 13;
const sideMax = 2 ** 31 - 1;

const colourTypes: ReadonlyMap<number, { samples: number; bitDepths: readonly number[] }> = new Map([
  [0, { samples: 1, bitDepths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, bitDepths: [8, 16] }],
  [3, { samples: 1, bitDepths: [1, 2, 4, 8] }],
  [4, { samples: 2, bitDepths: [8, 16] }],
  [6, { samples: 4, bitDepths: [8, 16] }],
]);

/** Which pixels each pass takes: the first column and row, and the way to the next ones. */
const adam7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

function steps(side: number, first: number, step: number): number {
  return Math.max(0, Math.ceil((side - first) / step));
}

function isSide(side: number): boolean {
  return side >= 1 && side <= sideMax;
}
