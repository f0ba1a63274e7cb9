import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { candidateOf, fileOf, type Picture, phases, png, readMove, taskOf } from './example.ts';

beforeAll(() => {
  vi.stubEnv('SPRITES_PAUSE_MS', '0');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const blaze = readMove('blaze-idle.yaml');

async function pack(pictures: readonly Uint8Array[], params: object = blaze.params.pack) {
  const frames = pictures.map((bytes, index) => ({ ...fileOf(bytes), unit: `frame_000${index}` }));
  return phases.pack(taskOf(0, { unit: { id: 'sheet' }, params, every: { frames } }));
}

test('the sheet holds exactly the pixels of the frames, where the atlas says', async () => {
  const frames = await Promise.all(Array.from({ length: 8 }, (_, index) => candidateOf(blaze, index, 4)));
  const { sheet, atlas } = await pack(frames);
  const picture = png.readPng(sheet);
  expect([picture.width, picture.height]).toEqual([256, 128]);
  expect(Object.keys(atlas.frames)).toEqual(frames.map((_, index) => `frame_000${index}.png`));
  Object.values(atlas.frames).forEach(({ frame: { x, y, w, h } }, index) => {
    const wanted = png.readPng(frames[index] ?? new Uint8Array());
    expect(Buffer.compare(cut(picture, x, y, w, h), wanted.pixels), `frame ${index}`).toBe(0);
  });
});

test('the atlas is what game engines read', async () => {
  const one = png.writePng({ width: 2, height: 2, pixels: new Uint8Array(16).fill(255) });
  const { atlas } = await pack([one, one, one, one, one], { columns: 4, frame_ms: 90 });
  expect(atlas.frames['frame_0004.png']).toEqual({
    frame: { x: 0, y: 2, w: 2, h: 2 },
    rotated: false,
    trimmed: false,
    spriteSourceSize: { x: 0, y: 0, w: 2, h: 2 },
    sourceSize: { w: 2, h: 2 },
    duration: 90,
  });
  expect(atlas.meta).toEqual({
    image: 'sheet.png',
    format: 'RGBA8888',
    size: { w: 8, h: 4 },
    scale: '1',
  });
});

test('what no frame covers is clear', async () => {
  const full = png.writePng({ width: 2, height: 2, pixels: new Uint8Array(16).fill(255) });
  const { sheet } = await pack([full, full, full], { columns: 2, frame_ms: 90 });
  const picture = png.readPng(sheet);
  expect(cut(picture, 2, 2, 2, 2).every((value) => value === 0)).toBe(true);
  expect(cut(picture, 0, 0, 4, 2).every((value) => value === 255)).toBe(true);
});

test('the same frames give the same bytes', async () => {
  const frames = await Promise.all([0, 1].map((index) => candidateOf(blaze, index, 4)));
  expect(await pack(frames)).toEqual(await pack(frames));
});

test('without frames there is no sheet', async () => {
  await expect(pack([])).rejects.toThrow('needs frames');
});

function cut({ width, pixels }: Picture, x: number, y: number, w: number, h: number): Uint8Array {
  const rows = Array.from({ length: h }, (_, row) => {
    const start = ((y + row) * width + x) * 4;
    return pixels.subarray(start, start + w * 4);
  });
  return Buffer.concat(rows);
}
