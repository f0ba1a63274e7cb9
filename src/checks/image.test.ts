import { describe, expect, test } from 'vitest';
import { makePng } from '../../test/fixtures/png.ts';
import { checkImage } from './image.ts';

const png = makePng({ width: 8, height: 8 });
const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex');
const notInstalled = 'sharp is not installed, and no type but PNG can be checked without it';

/** As Node says that there is no such package. */
async function missing(): Promise<never> {
  const message = "Cannot find package 'sharp' imported from /x/image.js";
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

describe('without sharp', () => {
  test('a PNG is checked all the same', async () => {
    expect(await checkImage(png, missing)).toEqual({ passed: true });
    expect(await checkImage(png.subarray(0, -1), missing)).toMatchObject({ passed: false });
    expect(await checkImage(Buffer.alloc(0), missing)).toEqual({ passed: false, detail: 'empty' });
  });

  test('nothing is said of any other type, and it has not passed', async () => {
    expect(await checkImage(jpeg, missing)).toEqual({ passed: false, detail: notInstalled, unable: true });
  });

  test('a sharp that cannot be loaded is not taken for a missing one', async () => {
    const broken = async () => {
      throw Object.assign(new Error('wrong ELF class'), { code: 'ERR_DLOPEN_FAILED' });
    };
    const detail = 'sharp could not be loaded: wrong ELF class';
    expect(await checkImage(jpeg, broken)).toEqual({ passed: false, detail, unable: true });
    const incomplete = async () => {
      const message = "Cannot find package 'color' imported from /x/sharp/lib/index.js";
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    expect(await checkImage(jpeg, incomplete)).toMatchObject({
      detail: expect.stringMatching(/^sharp could not be loaded: Cannot/),
    });
    expect(await checkImage(jpeg, async () => ({}))).toMatchObject({
      detail: 'sharp could not be loaded: it exports no function',
    });
    expect(await checkImage(png, broken)).toEqual({ passed: true });
  });

  test('it is asked for by its name, whether it is here or not', async () => {
    const outcome = await checkImage(jpeg);
    expect(outcome.passed).toBe(false);
  });
});

describe('with sharp', () => {
  /** Decodes by its own lights, and remembers what it was asked. */
  function sharpThat(decodes: (bytes: Uint8Array) => Promise<unknown>) {
    const asked: unknown[] = [];
    const sharp = (bytes: Uint8Array, options: unknown) => {
      asked.push(options);
      return { raw: () => ({ toBuffer: () => decodes(bytes) }) };
    };
    return { asked, load: async () => ({ default: sharp }) };
  }

  test('every pixel of every frame is decoded, and a warning is enough to fail', async () => {
    const { asked, load } = sharpThat(async () => Buffer.alloc(1));
    expect(await checkImage(jpeg, load)).toEqual({ passed: true });
    expect(asked).toEqual([
      { failOn: 'warning', animated: true, sequentialRead: true, limitInputPixels: 67_108_864 },
    ]);
  });

  test('what it says is passed on', async () => {
    const { load } = sharpThat(async () => {
      throw new Error('VipsJpeg: premature end of JPEG image');
    });
    const detail = 'VipsJpeg: premature end of JPEG image';
    expect(await checkImage(jpeg, load)).toEqual({ passed: false, detail });
    expect(await checkImage(png, load)).toEqual({ passed: false, detail });
  });

  test('a PNG must please both: decoders forgive what was added or lost at the end', async () => {
    const { asked, load } = sharpThat(async () => Buffer.alloc(1));
    expect(await checkImage(Buffer.concat([png, Buffer.alloc(1)]), load)).toMatchObject({ passed: false });
    expect(asked).toEqual([]);
    expect(await checkImage(png, load)).toEqual({ passed: true });
    expect(asked).toHaveLength(1);
  });
});
