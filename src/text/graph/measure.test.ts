import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitting, fittingLines, shown, textWidth } from './measure.ts';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

describe('text of unknown width', () => {
  it('is wider in wide letters', () => {
    expect(textWidth('iiii', 10)).toBeLessThan(textWidth('nnnn', 10));
    expect(textWidth('nnnn', 10)).toBeLessThan(textWidth('mmmm', 10));
    expect(textWidth('木木木木', 10)).toBeGreaterThan(textWidth('nnnn', 10));
    expect(textWidth('e\u0301', 10)).toBe(textWidth('e', 10));
    expect(textWidth('iiii', 10, 'mono')).toBe(textWidth('mmmm', 10, 'mono'));
  });

  it('is cut off with a mark, between characters', () => {
    expect(fitting('short', 100, 10)).toBe('short');
    expect(fitting('a much longer text', 50, 10)).toMatch(/^a m.*…$/);
    expect(fitting('😀😀😀😀', 40, 10)).toBe('😀😀…');
  });

  it('is broken between words, and within those that are too long', () => {
    expect(fittingLines('one two three', 45, 10, 2)).toEqual(['one two', 'three']);
    expect(fittingLines('one two three four five', 45, 10, 2)).toEqual(['one two', 'three…']);
    expect(fittingLines('onetwothreefour', 45, 10, 3).join('')).toBe('onetwothreefour');
    expect(fittingLines('', 45, 10, 2)).toEqual([]);
    expect(fittingLines('木', 1, 10, 5)).toHaveLength(1);
  });

  it('never takes more than its room, nor more lines', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 1, max: 4 }),
        (text, room, most) => {
          const lines = fittingLines(shown(text), room, 12, most);
          expect(lines.length).toBeLessThanOrEqual(most);
          for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(room);
        },
      ),
    );
  });

  it('is shown with all that it hides, and holds nothing that XML cannot', () => {
    expect(shown('a\n\tb\u0000\u202e\ufffe\uffff c ')).toBe('a\\n b\\u{0}\\u{202e} c');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(shown(text)).not.toMatch(/[\p{Cc}\p{Cs}\ufffe\uffff]/u);
      }),
    );
  });
});
