import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { png } from './example.ts';

const pictures = fc
  .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
  .chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
      .map((pixels) => ({ width, height, pixels })),
  );

test('a picture comes back as it was written', () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const read = png.readPng(png.writePng(picture, { Title: 'a picture' }));
      expect([read.width, read.height]).toEqual([picture.width, picture.height]);
      expect(Buffer.compare(read.pixels, picture.pixels)).toBe(0);
    }),
  );
});

test('rows that another program has filtered come back too', () => {
  fc.assert(
    fc.property(pictures, fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12 }), (picture, filters) => {
      const read = png.readPng(writeFiltered(picture, filters));
      expect(Buffer.compare(read.pixels, picture.pixels)).toBe(0);
    }),
  );
});

test('a file that was cut off anywhere is refused', () => {
  const bytes = png.writePng({ width: 3, height: 2, pixels: new Uint8Array(24).fill(200) });
  for (let length = 0; length < bytes.length; length++) {
    expect(() => png.readPng(bytes.subarray(0, length)), `${length} bytes`).toThrow();
  }
});

test('a file with one wrong byte anywhere is refused', () => {
  const bytes = png.writePng({ width: 3, height: 2, pixels: new Uint8Array(24).fill(200) });
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    expect(() => png.readPng(damaged), `byte ${at}`).toThrow();
  }
});

test('what cannot be read here is said', () => {
  expect(() => png.readPng(Buffer.from('GIF89a'))).toThrow('not a PNG file');
  const grey = file(header(1, 1, [8, 0, 0, 0, 0]), deflateSync(Buffer.from([0, 9])));
  expect(() => png.readPng(grey)).toThrow('only PNG files with 8 bit RGBA');
  const short = file(header(2, 2, [8, 6, 0, 0, 0]), deflateSync(Buffer.alloc(9)));
  expect(() => png.readPng(short)).toThrow('9 of 18 bytes');
  const bomb = file(header(1, 1, [8, 6, 0, 0, 0]), deflateSync(Buffer.alloc(1_000_000)));
  expect(() => png.readPng(bomb)).toThrow();
});

test.each([
  [0, 4],
  [4, 0],
  [1.5, 4],
  [5000, 4],
])('there is no picture of %d x %d', (width, height) => {
  expect(() => png.blankPicture(width, height)).toThrow('cannot be');
});

interface Flat {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** An encoder of its own: what reads a row back must not be proven by what wrote it. */
function writeFiltered({ width, height, pixels }: Flat, filters: readonly number[]): Buffer {
  const stride = width * 4;
  const at = (row: number, x: number) => (row < 0 || x < 0 ? 0 : (pixels[row * stride + x] ?? 0));
  const rows = Array.from({ length: height }, (_, row) => {
    const filter = filters[row] ?? 0;
    const line = Buffer.alloc(stride + 1);
    line[0] = filter;
    for (let x = 0; x < stride; x++) {
      const [a, b, c] = [at(row, x - 4), at(row - 1, x), x < 4 ? 0 : at(row - 1, x - 4)];
      const guesses = [0, a, b, Math.floor((a + b) / 2), paeth(a, b, c)];
      line[x + 1] = (at(row, x) - (guesses[filter] ?? 0)) & 0xff;
    }
    return line;
  });
  return file(header(width, height, [8, 6, 0, 0, 0]), deflateSync(Buffer.concat(rows)));
}

function paeth(a: number, b: number, c: number): number {
  const guess = a + b - c;
  const order = [a, b, c].map((value, nth) => ({ value, nth, away: Math.abs(guess - value) }));
  order.sort((one, other) => one.away - other.away || one.nth - other.nth);
  return order[0]?.value ?? 0;
}

function header(width: number, height: number, rest: readonly number[]): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set(rest, 8);
  return bytes;
}

function file(head: Buffer, data: Buffer): Buffer {
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}
