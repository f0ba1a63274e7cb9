import { constants, deflateRawSync, deflateSync, crc32 as nodeCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assemble,
  chunk,
  header,
  imageData,
  makePng,
  type Picture,
  signature,
} from '../../test/fixtures/png.ts';
import { crc32, crc32ByTable } from './crc32.ts';
import { checkPng } from './png.ts';
import { checkImageData } from './png-data.ts';

async function outcome(bytes: Uint8Array, size = {}): Promise<string> {
  const result = await checkPng(bytes, size);
  return result.passed ? 'passed' : result.detail;
}

/** Every combination that the format allows. */
const kinds = [
  ...[1, 2, 4, 8, 16].map((bitDepth) => ({ colourType: 0, bitDepth })),
  ...[8, 16].map((bitDepth) => ({ colourType: 2, bitDepth })),
  ...[1, 2, 4, 8].map((bitDepth) => ({ colourType: 3, bitDepth })),
  ...[8, 16].map((bitDepth) => ({ colourType: 4, bitDepth })),
  ...[8, 16].map((bitDepth) => ({ colourType: 6, bitDepth })),
].flatMap((kind) => [false, true].map((interlaced) => ({ ...kind, interlaced })));

const small = { width: 5, height: 4 };
const end = chunk('IEND');
const data = (picture: Picture = small) => chunk('IDAT', deflateSync(imageData(picture)));

describe('a whole PNG passes', () => {
  test.each(kinds)('colour type $colourType, bit depth $bitDepth, interlaced $interlaced', async (kind) => {
    for (const [width, height] of [
      [1, 1],
      [2, 3],
      [5, 1],
      [1, 9],
      [17, 13],
      [64, 64],
    ] as const) {
      expect(await outcome(makePng({ width, height, ...kind }))).toBe('passed');
    }
  });

  test('of any kind, size, content, filter and way to cut up the data', async () => {
    const pictures = fc.record({
      kind: fc.constantFrom(...kinds),
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 1, max: 70 }),
      seed: fc.integer({ min: 1, max: 2 ** 30 }),
      pieceBytes: fc.integer({ min: 1, max: 5000 }),
      text: fc.uint8Array({ maxLength: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(pictures, async ({ kind, width, height, seed, pieceBytes, text }) => {
        const next = randomBytes(seed);
        const filter = () => next() % 5;
        const before = [chunk('tEXt', text), chunk('prVt')];
        const picture = { ...kind, width, height, next, filter, pieceBytes, before };
        expect(await outcome(makePng(picture))).toBe('passed');
      }),
      { numRuns: 300 },
    );
  });

  test('with a palette that it need not have', async () => {
    const palette = chunk('PLTE', Buffer.alloc(3 * 256));
    for (const colourType of [2, 6]) {
      expect(await outcome(makePng({ ...small, colourType, before: [palette] }))).toBe('passed');
    }
  });

  test('of the size that was asked for', async () => {
    const png = makePng(small);
    expect(await outcome(png, { width: 5, height: 4 })).toBe('passed');
    expect(await outcome(png, { height: 4 })).toBe('passed');
    expect(await outcome(png, { width: 6 })).toBe('its width is 5, expected 6');
    expect(await outcome(png, { width: 5, height: 5 })).toBe('its height is 4, expected 5');
  });
});

describe('damage is found wherever it is', () => {
  const pictures = [
    makePng({
      width: 16,
      height: 16,
      next: randomBytes(1),
      pieceBytes: 300,
      before: [chunk('tEXt', signature)],
    }),
    makePng({ width: 9, height: 9, colourType: 3, bitDepth: 2, interlaced: true }),
  ];
  const large = makePng({ width: 1200, height: 800, next: randomBytes(2), pieceBytes: 65_536 });

  test('a file that was cut at any byte', async () => {
    for (const png of pictures) {
      for (let length = 0; length < png.length; length++) {
        expect(await outcome(png.subarray(0, length)), `cut at ${length}`).not.toBe('passed');
      }
    }
  });

  test('a file of its full length that is NUL from any byte on', async () => {
    for (const png of pictures) {
      for (let from = 0; from < png.length; from++) {
        const zeroed = Buffer.from(png).fill(0, from);
        // A picture may end in NULs of its own.
        if (!zeroed.equals(png)) expect(await outcome(zeroed), `NUL from ${from}`).not.toBe('passed');
      }
    }
  });

  test('any bit that flipped', async () => {
    for (const png of pictures) {
      for (let at = 0; at < png.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const flipped = Buffer.from(png);
          flipped.writeUInt8(png.readUInt8(at) ^ (1 << bit), at);
          expect(await outcome(flipped), `bit ${bit} of byte ${at}`).not.toBe('passed');
        }
      }
    }
  });

  test('any bytes that were changed, lost, added or moved', async () => {
    const places = fc.record({
      png: fc.constantFrom(...pictures, large),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      lost: fc.integer({ min: 0, max: 40 }),
      put: fc.uint8Array({ maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(places, async ({ png, at, lost, put }) => {
        const from = Math.floor(at * (png.length + 1));
        const damaged = Buffer.concat([png.subarray(0, from), put, png.subarray(from + lost)]);
        fc.pre(!damaged.equals(png));
        expect(await outcome(damaged)).not.toBe('passed');
      }),
      { numRuns: 500 },
    );
  });

  test('any bytes at all are judged and never throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, signed) => {
        expect(await outcome(signed ? Buffer.concat([signature, bytes]) : bytes)).not.toBe('passed');
      }),
    );
  });
});

describe('what is wrong is said, and where', () => {
  const ihdr = header(small);
  const changed = (picture: object, at: number, ...values: number[]) => {
    const content = Buffer.from(header({ ...small, ...picture }).subarray(8, 21));
    content.set(values, at);
    return assemble([chunk('IHDR', content), data(), end]);
  };
  const png = makePng(small);
  const flip = (at: number) => {
    const flipped = Buffer.from(png);
    flipped.writeUInt8(png.readUInt8(at) ^ 1, at);
    return flipped;
  };

  test.each<[string, Uint8Array]>([
    ['empty', Buffer.alloc(0)],
    ['byte 3: cut off in the signature of a PNG', signature.subarray(0, 3)],
    ['byte 8: the file ends without IEND', signature],
    [
      'not a PNG: it begins with ff d8 ff e0 00 10 4a 46, as a JPEG does',
      Buffer.from('ffd8ffe000104a464946', 'hex'),
    ],
    ['not a PNG: it begins with 47 49 46 38 39 61, as a GIF does', Buffer.from('GIF89a')],
    [
      'not a PNG: it begins with 52 49 46 46 00 00 00 00, as a WebP does',
      Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
    ],
    ['not a PNG: it begins with 68 69', Buffer.from('hi')],
    ['not a PNG: it begins with 88 50 4e 47 0d 0a 1a 0a', flip(0)],
    ['byte 8: cut off in the head of a chunk', png.subarray(0, 15)],
    ['IHDR at byte 8: cut off: 13 bytes are announced, 0 there', png.subarray(0, 18)],
    ['IHDR at byte 8: damaged: its checksum is 4632f540, its bytes have 4633f540', flip(30)],
    ['byte 33: no chunk: its type is 00 00 00 00', Buffer.from(png).fill(0, 33)],
    ['byte 33: no chunk: its type is 49 44 41 0a', assemble([ihdr, chunk('IDA\n'), end])],
    [`byte ${png.length - 12}: the file ends without IEND`, png.subarray(0, -12)],
    [`byte ${png.length}: 3 bytes behind the end of the picture`, Buffer.concat([png, Buffer.alloc(3)])],
    ['IDAT at byte 8: the first chunk must be IHDR', assemble([data(), end])],
    ['IHDR at byte 33: a second IHDR', assemble([ihdr, ihdr, data(), end])],
    [
      'IHDR at byte 8: is 12 bytes long, expected 13',
      assemble([chunk('IHDR', Buffer.alloc(12)), data(), end]),
    ],
    ['IHDR at byte 8: a size of 0 x 4, expected 1 to 2147483647 each', changed({}, 0, 0, 0, 0, 0)],
    ['IHDR at byte 8: a size of 5 x 2147483652, expected 1 to 2147483647 each', changed({}, 4, 0x80)],
    ['IHDR at byte 8: colour type 5, expected 0, 2, 3, 4 or 6', changed({}, 9, 5)],
    ['IHDR at byte 8: bit depth 4, expected one of 8, 16 for colour type 2', changed({}, 8, 4, 2)],
    ['IHDR at byte 8: bit depth 16, expected one of 1, 2, 4, 8 for colour type 3', changed({}, 8, 16, 3)],
    ['IHDR at byte 8: compression method 1, expected 0', changed({}, 10, 1)],
    ['IHDR at byte 8: filter method 64, expected 0', changed({}, 11, 64)],
    ['IHDR at byte 8: interlace method 2, expected 0 or 1', changed({}, 12, 2)],
    ['IEND at byte 33: no IDAT before it', assemble([ihdr, end])],
    [
      'IDAT at byte 77: the image data is not in one piece',
      assemble([ihdr, chunk('IDAT'), chunk('tEXt', Buffer.alloc(20)), chunk('IDAT'), end]),
    ],
    [
      'XYZZ at byte 33: a chunk that nobody may skip, and of no known type',
      assemble([ihdr, chunk('XYZZ'), data(), end]),
    ],
  ])('%s', async (expected, bytes) => {
    expect(await outcome(bytes)).toBe(expected);
  });

  test('of IEND with a content', async () => {
    const bytes = assemble([ihdr, data(), chunk('IEND', signature)]);
    expect(await outcome(bytes)).toBe(`IEND at byte ${33 + data().length}: is 8 bytes long, expected 0`);
  });

  describe('of a palette', () => {
    const palette = (colours: number) => chunk('PLTE', Buffer.alloc(colours * 3));
    const indexed = { ...small, colourType: 3, bitDepth: 2 };
    test.each<[string, Partial<Picture>, Uint8Array[]]>([
      ['IDAT at byte 33: no PLTE before it, which colour type 3 needs', indexed, [data(indexed)]],
      ['PLTE at byte 33: is 15 bytes long, expected 3 for each of 1 to 4 colours', indexed, [palette(5)]],
      ['PLTE at byte 33: is 0 bytes long, expected 3 for each of 1 to 4 colours', indexed, [palette(0)]],
      [
        'PLTE at byte 33: is 4 bytes long, expected 3 for each of 1 to 4 colours',
        indexed,
        [chunk('PLTE', Buffer.alloc(4))],
      ],
      ['PLTE at byte 33: is 771 bytes long, expected 3 for each of 1 to 256 colours', small, [palette(257)]],
      ['PLTE at byte 57: a second PLTE', indexed, [palette(4), palette(4)]],
      ['PLTE at byte 33: not allowed for colour type 0', { colourType: 0 }, [palette(4)]],
      ['PLTE at byte 33: not allowed for colour type 4', { colourType: 4 }, [palette(4)]],
      ['PLTE at byte 45: behind the image data', small, [chunk('IDAT'), palette(4)]],
    ])('%s', async (expected, kind, chunks) => {
      expect(await outcome(assemble([header({ ...small, ...kind }), ...chunks, end]))).toBe(expected);
    });
  });

  describe('of the image data', () => {
    const rows = imageData(small);
    const of = (compressed: Uint8Array, picture = small) =>
      outcome(assemble([header(picture), chunk('IDAT', compressed), end]));

    test('too few rows, too many, or another filter', async () => {
      expect(await of(deflateSync(rows.subarray(0, -1)))).toBe(
        'the image data is 83 bytes long, expected 84',
      );
      expect(await of(deflateSync(Buffer.concat([rows, rows])))).toBe(
        'the image data is longer than 84 bytes',
      );
      const filtered = Buffer.from(rows);
      filtered[21 * 2] = 5;
      expect(await of(deflateSync(filtered))).toBe('row 2 of the image data has filter 5, expected 0 to 4');
      const interlaced = { ...small, interlaced: true };
      const passes = imageData(interlaced);
      // One pixel, one pixel, then two rows of the third pass would follow: the picture has only one.
      passes[10] = 9;
      expect(await of(deflateSync(passes), interlaced)).toBe(
        'pass 3, row 0 of the image data has filter 9, expected 0 to 4',
      );
    });

    test('what is no compressed data, or not all of it', async () => {
      const compressed = deflateSync(rows);
      expect(await of(Buffer.alloc(0))).toBe('the image data cannot be decompressed: unexpected end of file');
      expect(await of(rows)).toBe('the image data cannot be decompressed: unknown compression method');
      expect(await of(compressed.subarray(0, -1))).toBe(
        'the image data cannot be decompressed: unexpected end of file',
      );
      const flipped = Buffer.from(compressed);
      flipped.writeUInt8((compressed.at(-1) ?? 0) ^ 1, compressed.length - 1);
      expect(await of(flipped)).toBe('the image data cannot be decompressed: incorrect data check');
      expect(await of(Buffer.concat([compressed, Buffer.alloc(2)]))).toBe(
        '2 bytes of IDAT behind the end of the image data',
      );
    });
  });

  test('a bomb: a small file that would fill the memory', async () => {
    const block = deflateRawSync(Buffer.alloc(64 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
    // Half a gigabyte in half a megabyte: such blocks may follow one another.
    const bomb = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 8 }, () => block)]);
    const wrapped = (picture: Picture) => outcome(assemble([header(picture), chunk('IDAT', bomb), end]));
    const peakBefore = process.resourceUsage().maxRSS;
    expect(await wrapped({ width: 100, height: 100 })).toBe('the image data is longer than 40100 bytes');
    expect(await wrapped({ width: 1000, height: 1000 })).toBe('the image data is longer than 4001000 bytes');
    // A picture of this size goes through, however much it comes to.
    const large = { width: 2 ** 17 - 1, height: 1023 };
    expect(await wrapped(large)).toBe('the image data is longer than 536343555 bytes');
    const grownKilobytes = process.resourceUsage().maxRSS - peakBefore;
    expect(grownKilobytes).toBeLessThan(256 * 1024);
    expect(await wrapped({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 })).toMatch(
      /^a picture of 2147483647 x 2147483647 has \d+ bytes of image data: more than 1073758208 are not checked$/,
    );
  });
});

describe('image data that goes through in blocks', () => {
  const inBlocks = async (picture: Picture, compressed: Uint8Array, pieceBytes = 8192) => {
    const { colourType = 6, bitDepth = 8, interlaced = false, ...size } = picture;
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < compressed.length; at += pieceBytes) {
      pieces.push(compressed.subarray(at, at + pieceBytes));
    }
    return (await checkImageData({ colourType, bitDepth, interlaced, ...size }, pieces, 0)) ?? 'passed';
  };

  test('is judged as if it were held as a whole', async () => {
    const large = { width: 1000, height: 800, next: randomBytes(5) };
    const all = imageData(large);
    const compressed = deflateSync(all);
    expect(await inBlocks(large, compressed)).toBe('passed');
    expect(await inBlocks(large, compressed, 3_000_000)).toBe('passed');
    expect(await inBlocks(large, deflateSync(all.subarray(0, -1)))).toBe(
      'the image data is 3200799 bytes long, expected 3200800',
    );
    expect(await inBlocks(large, deflateSync(Buffer.concat([all, all])))).toBe(
      'the image data is longer than 3200800 bytes',
    );
    expect(await inBlocks(large, compressed.subarray(0, -1))).toBe(
      'the image data cannot be decompressed: unexpected end of file',
    );
    expect(await inBlocks(large, Buffer.concat([compressed, Buffer.alloc(20_000)]))).toBe(
      '20000 bytes of IDAT behind the end of the image data',
    );
    all[4001 * 799] = 7;
    expect(await inBlocks(large, deflateSync(all))).toBe(
      'row 799 of the image data has filter 7, expected 0 to 4',
    );
  });

  test('of any picture, whole or damaged', async () => {
    const cases = fc.record({
      kind: fc.constantFrom(...kinds),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      put: fc.uint8Array({ maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ at, put, kind, width, height }) => {
        const picture = { ...kind, width, height };
        const compressed = deflateSync(imageData(picture));
        const damaged = Buffer.from(compressed);
        damaged.set(put, Math.floor(at * (compressed.length - put.length + 1)));
        const whole = (await checkImageData(picture, [damaged])) ?? 'passed';
        const blocks = await inBlocks(picture, damaged, 7);
        expect(blocks === 'passed').toBe(whole === 'passed');
        // The other way round it does not hold: a few bits of compressed data mean nothing.
        if (damaged.equals(compressed)) expect(whole).toBe('passed');
      }),
      { numRuns: 200 },
    );
  });
});

describe('the checksum', () => {
  test('is that of Node, with its own and with our table', () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(bytes, fc.nat({ max: 9 }), (all, from) => {
        const some = all.subarray(from);
        expect(crc32ByTable(some)).toBe(nodeCrc32(some));
        expect(crc32(some)).toBe(nodeCrc32(some));
      }),
    );
    expect(crc32ByTable(Buffer.from('123456789'))).toBe(0xcbf43926);
  });
});

/** The same bytes for the same seed. */
function randomBytes(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
}
