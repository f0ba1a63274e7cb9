import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, escapeText, plainText, splitUnescaped, unescapeText } from './text.ts';
import { filledOf, readCounts, readPageTime, writeValue } from './values.ts';

describe('text on a page', () => {
  it('is rid of what cannot be seen', () => {
    expect(cleanText(' a\u202eb\u200b\r\nc\u0000\td\u2028e\ud800 ')).toBe('ab\nc d\ne');
    expect(cleanLine('a\nb')).toBe('a b');
  });

  it('is cleaned once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
    );
  });

  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clean = cleanText(text);
        expect(unescapeText(escapeText(clean))).toBe(clean);
        expect(plainText(writeValue(cleanLine(text)))).toBe(cleanLine(text) === '' ? '—' : cleanLine(text));
      }),
    );
  });

  it('is escaped only where Markdown would take it for more', () => {
    expect(escapeText('specs/001-x/feature_spec.md #1 (a): 50% + "b"')).toBe(
      'specs/001-x/feature_spec.md #1 (a): 50% + "b"',
    );
    expect(escapeText('_a_ *b* `c` [d](e) <f> g|h \\ ~i~ &amp;')).toBe(
      '\\_a\\_ \\*b\\* \\`c\\` \\[d\\](e) \\<f> g\\|h \\\\ \\~i\\~ \\&amp;',
    );
  });

  it('of others is read as Markdown means it', () => {
    expect(plainText('**`a\\_b`**')).toBe('a\\_b');
    expect(plainText('__C:\\new\\folder__')).toBe('C:\\new\\folder');
    expect(plainText('a\\*b<br/>c')).toBe('a*b\nc');
    expect(plainText('"a"', false)).toBe('"a"');
    expect(splitUnescaped('a\\,b,c\\\\,d', ',')).toEqual(['a\\,b', 'c\\\\', 'd']);
  });
});

describe('values', () => {
  it.each(['', '-', '—', 'N/A', 'none', 'NULL', '~', '**none**'])('%j is nothing', (raw) => {
    expect(filledOf(raw)).toBe('absent');
  });

  it.each(['<path>', '{{ run_id }}', 'TBD', '...', '?'])('%j was never filled in', (raw) => {
    expect(filledOf(raw)).toBe('placeholder');
  });

  it('of ours are never taken for nothing', () => {
    expect(['none', '—', 'tbd', '<x>', '{{x}}'].map(writeValue).map(filledOf)).toEqual(
      Array(5).fill('filled'),
    );
    expect(writeValue(undefined)).toBe('—');
  });

  it.each(['2026-11-15', '2026-11-15 14:00', '2026-11-15T14:00:00.123Z', '`2026-11-15T14:00+01:00`'])(
    '%j is a time',
    (raw) => {
      expect(readPageTime(raw)).toBe(raw.replaceAll('`', ''));
    },
  );

  it.each(['15.11.2026', '2026-13-01', '2026-11-15x', 'at 2026-11-15', '14:00', ''])('%j is none', (raw) => {
    expect(readPageTime(raw)).toBeUndefined();
  });

  it.each([
    ['2', { used: 2, max: undefined }],
    ['2/5', { used: 2, max: 5 }],
    ['2 of 5', { used: 2, max: 5 }],
    ['2 (budget: 5)', { used: 2, max: 5 }],
    ['-1', undefined],
    ['2.5', undefined],
    ['two', undefined],
    ['2/', undefined],
  ])('%j counts %j', (raw, counts) => {
    expect(readCounts(raw)).toEqual(counts);
  });
});
