import { expect, it } from 'vitest';
import { makePng } from '../../../../test/fixtures/png.ts';
import { pictureKind } from './picture.ts';

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

const webp = (kind: string, ...rest: number[]) =>
  bytesOf('RIFF', [0, 0, 0, 0], 'WEBP', kind, [0, 0, 0, 0], rest, new Array(20).fill(0));

const pictures: readonly (readonly [string, Uint8Array, object])[] = [
  ['a PNG', makePng({ width: 7, height: 300 }), { type: 'image/png', width: 7, height: 300 }],
  ['a GIF', bytesOf('GIF89a', [5, 1, 2, 0]), { type: 'image/gif', width: 261, height: 2 }],
  ['an old GIF', bytesOf('GIF87a', [1, 0, 1, 0]), { type: 'image/gif', width: 1, height: 1 }],
  [
    'a lossy WebP',
    webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 0x10, 0, 0x20, 0),
    { type: 'image/webp', width: 16, height: 32 },
  ],
  ['a lossless WebP', webp('VP8L', 0x2f, 99, 0x40, 0, 0), { type: 'image/webp', width: 100, height: 2 }],
  [
    'an extended WebP',
    webp('VP8X', 0, 0, 0, 0, 0, 1, 0, 1, 0, 0),
    { type: 'image/webp', width: 257, height: 2 },
  ],
  [
    'a JPEG',
    bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 9, 8, 0, 3, 1, 0, 3, 0, 0]),
    { type: 'image/jpeg', width: 256, height: 3 },
  ],
];

it.each(pictures)('tells %s by its bytes, and its size', (_, bytes, kind) => {
  expect(pictureKind(bytes)).toEqual(kind);
});

it('knows neither a text nor what has only the name of a picture', () => {
  for (const text of [
    '',
    'P',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\x89PNG',
    'RIFFxxxxWAVE',
    'GIF88a',
  ])
    expect(pictureKind(bytesOf(text))).toBeUndefined();
});

it('takes a picture that was cut off anywhere for one without a size, or for none', () => {
  for (const [, bytes, kind] of pictures) {
    for (let length = 0; length < Math.min(bytes.length, 64); length++) {
      const found = pictureKind(bytes.subarray(0, length));
      const sizeless = { ...kind, width: undefined, height: undefined };
      expect([undefined, sizeless, kind]).toContainEqual(found);
    }
  }
});
