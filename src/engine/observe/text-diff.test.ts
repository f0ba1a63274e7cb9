import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './text-diff.ts';

const marks = { same: ' ', added: '+', removed: '-', gap: '…' };
const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${marks[kind]}${text}`);

describe('a comparison of two texts', () => {
  it('has nothing to say of the same', () => {
    expect(diffLines('a\nb\n', 'a\nb\n')).toEqual([{ kind: 'gap', text: '' }]);
    expect(diffLines('', '')).toEqual([]);
  });

  it('shows what was added, removed and replaced', () => {
    expect(shown('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([' a', '-b', '+x', ' c', '+d']);
  });

  it('shows a whole text as new, or as gone', () => {
    expect(shown('', 'a\nb\n')).toEqual(['+a', '+b']);
    expect(shown('a\nb', '')).toEqual(['-a', '-b']);
  });

  it('leaves out what is far from any difference', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const changed = lines.with(10, 'another');
    expect(shown(lines.join('\n'), changed.join('\n'))).toEqual([
      '…',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+another',
      ' line 11',
      ' line 12',
      ' line 13',
      '…',
    ]);
  });

  it('keeps the order of what moved', () => {
    expect(shown('a\nb\nc\n', 'c\na\nb\n')).toEqual(['+c', ' a', ' b', '-c']);
  });

  it('does not choke on texts that have nothing in common', () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`).join('\n');
    const lines = diffLines(text('a'), text('b'));
    expect(lines).toHaveLength(10_000);
    expect(lines[0]?.kind).toBe('removed');
    expect(lines.at(-1)?.kind).toBe('added');
  });

  it('says all: both texts can be read from it', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before.join('\n'), after.join('\n'));
        const read = (left: string) =>
          lines.filter(({ kind }) => kind === 'same' || kind === left).map(({ text }) => text);
        // Short enough for nothing to be left out once anything differs.
        if (!lines.some(({ kind }) => kind === 'added' || kind === 'removed')) expect(before).toEqual(after);
        else if (!lines.some(({ kind }) => kind === 'gap'))
          expect([read('removed'), read('added')]).toEqual([before, after]);
      }),
    );
  });
});
