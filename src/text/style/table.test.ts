import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapped } from './table.ts';

describe('a wrapped text', () => {
  it('is broken between words', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('one', 7)).toEqual(['one']);
    expect(wrapped('', 7)).toEqual(['']);
  });

  it('keeps a word whole that is longer than a line', () => {
    expect(wrapped('a current-stage-contradicts b', 5)).toEqual(['a', 'current-stage-contradicts', 'b']);
  });

  it('loses nothing, and no line of several words is too long', () => {
    const words = fc.array(fc.stringMatching(/^[a-z-]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (list, width) => {
        const lines = wrapped(list.join(' '), width);
        expect(lines.join(' ')).toBe(list.join(' '));
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true);
      }),
    );
  });
});
