// Pictures as PNG files: 8 bits of red, green, blue and alpha for every pixel, no interlacing. Nothing but node:zlib.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * `pixels` holds four bytes a pixel, row by row from the top left.
 * @typedef {{ width: number, height: number, pixels: Uint8Array }} Picture
 */

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bytesPerPixel = 4;
const sideMax = 4096;

/** A picture of this size with nothing on it. @param {number} width @param {number} height @returns {Picture} */
export function blankPicture(width, height) {
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1 || side > sideMax)
      throw new Error(`a picture cannot be ${width} x ${height} pixels`);
  }
  return { width, height, pixels: new Uint8Array(width * height * bytesPerPixel) };
}

/**
 * The bytes of a PNG file. The texts say what the picture shows, for whoever finds the file later.
 * @param {Picture} picture @param {Record<string, string>} [texts] ASCII, by keyword: `Title`, `Software`
 */
export function writePng({ width, height, pixels }, texts = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const stride = width * bytesPerPixel;
  const rows = Buffer.alloc((stride + 1) * height);
  // The byte before each row is its filter. Pixel art has flat areas: it packs well without one.
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...Object.entries(texts).map(([keyword, text]) =>
      chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1')),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Reads a PNG file back, and throws at the first thing that is not as it should be. @param {Uint8Array} bytes */
export function readPng(bytes) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, signature.length).equals(signature)) throw new Error('not a PNG file');
  const chunks = chunksOf(file);
  const header = chunks[0]?.data;
  if (header === undefined || chunks[0]?.type !== 'IHDR' || header.length !== 13)
    throw new Error('a PNG file without a header');
  const [depth, colour, compression, filtering, interlace] = header.subarray(8);
  if (depth !== 8 || colour !== 6 || compression !== 0 || filtering !== 0 || interlace !== 0)
    throw new Error('only PNG files with 8 bit RGBA and no interlacing can be read here');
  const picture = blankPicture(header.readUInt32BE(0), header.readUInt32BE(4));
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const size = (picture.width * bytesPerPixel + 1) * picture.height;
  const rows = inflateSync(Buffer.concat(packed), { maxOutputLength: size });
  if (rows.length !== size) throw new Error(`a PNG file with ${rows.length} of ${size} bytes of pixels`);
  unfilter(picture, rows);
  return picture;
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** @param {Buffer} file @returns {{ type: string, data: Buffer }[]} */
function chunksOf(file) {
  const chunks = [];
  for (let at = signature.length; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) break;
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
      throw new Error(`a PNG file with a damaged ${type} chunk`);
    chunks.push({ type, data: file.subarray(at + 8, end) });
    if (type === 'IEND') return chunks;
    at = end + 4;
  }
  throw new Error('a PNG file that was cut off');
}

/**
 * Undoes what each row's filter did. We write none, but whoever edits a frame in a paint program saves it with all.
 * @param {Picture} picture @param {Buffer} rows
 */
function unfilter({ width, height, pixels }, rows) {
  const stride = width * bytesPerPixel;
  for (let y = 0; y < height; y++) {
    const source = y * (stride + 1) + 1;
    const filter = rows[source - 1] ?? 0;
    if (filter > 4) throw new Error(`a PNG file with the unknown filter ${filter}`);
    const start = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x < bytesPerPixel ? 0 : (pixels[start + x - bytesPerPixel] ?? 0);
      const up = y === 0 ? 0 : (pixels[start + x - stride] ?? 0);
      const corner = x < bytesPerPixel || y === 0 ? 0 : (pixels[start + x - stride - bytesPerPixel] ?? 0);
      // Bytes overflow on purpose: a typed array keeps the low eight bits.
      pixels[start + x] = (rows[source + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
}

/** @param {number} filter @param {number} left @param {number} up @param {number} corner */
function predict(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
