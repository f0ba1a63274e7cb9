import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, few, fitting, textWindow } from './parts.ts';

it('cuts a part out of a list, and says how long the list is', () => {
  expect(cut([1, 2, 3, 4], 1, 2)).toEqual({ items: [2, 3], total: 4 });
  expect(cut([1, 2], 5, 2)).toEqual({ items: [], total: 2 });
});

it('keeps the beginning of a list that is seldom long', () => {
  expect(few([1, 2])).toEqual([1, 2]);
  expect(few(Array.from({ length: 99 }, (_, at) => at))).toHaveLength(50);
});

it('keeps what fits into a message', () => {
  // Each takes three characters with its quotes.
  expect(fitting(['a', 'b', 'c'], 9)).toEqual({ items: ['a', 'b', 'c'], total: 3 });
  expect(fitting(['a', 'b', 'c'], 8)).toEqual({ items: ['a', 'b'], total: 3 });
  expect(fitting(['a'], 2)).toEqual({ items: [], total: 1 });
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('textWindow', () => {
  it.each([
    ['hello', 0, 10, 'hello', 0, 5],
    ['hello', 1, 3, 'ell', 1, 4],
    ['hello', 5, 3, '', 5, 5],
    ['hello', 99, 3, '', 5, 5],
    ['', 0, 3, '', 0, 0],
    // The second byte of the letter belongs to the part before.
    ['aöb', 2, 1, 'b', 3, 4],
    ['aöb', 1, 1, 'ö', 1, 3],
  ])('of %j at %i for %i is %j', (text, offset, length, part, from, to) => {
    expect(textWindow(bytesOf(text), offset, length)).toEqual({ text: part, from, to });
  });

  it.each([
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0xff, 0x62])],
    ['half a character', new Uint8Array([0x61, 0xc3])],
    ['a NUL', new Uint8Array([0x61, 0, 0x62])],
  ])('takes %s for no text', (_, bytes) => {
    expect(textWindow(bytes, 0, 10)).toBeUndefined();
  });

  it('gives the whole text, part by part, whatever the length of a part', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        fc.integer({ min: 1, max: 9 }),
        (text, length) => {
          const bytes = bytesOf(text);
          let whole = '';
          for (let offset = 0; offset < bytes.length; ) {
            const window = textWindow(bytes, offset, length);
            expect(window?.to).toBeGreaterThan(offset);
            whole += window?.text;
            offset = window?.to ?? bytes.length;
          }
          expect(whole).toBe(text);
        },
      ),
    );
  });
});
