import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../base/json.ts';
import { renderSection } from './render.ts';
import { patchSection, readSection } from './section.ts';

describe('renderSection', () => {
  it('writes block style, two spaces, and quotes what is not plainly a word', () => {
    const value = {
      last_checkpoint: 'CP-014',
      current_phase: 3,
      fill: null,
      applied: false,
      updated_at: '2026-02-20T10:00:00Z',
      next_step: 'Go on: "quote" # no comment',
      gates: ['QG-1', 'yes', 'No', '1', '', '- x', 'a,b', '~'],
      none: [],
      nothing: {},
      files: [{ path: 'docs/a.md', sections: ['one', 'two words'] }, 'plain.md', [], [[1, 2], {}], {}],
      'key with space': { true: 1, '1': 2 },
    };
    expect(renderSection('resumption', value)).toBe(
      `resumption:
  last_checkpoint: CP-014
  current_phase: 3
  fill: null
  applied: false
  updated_at: "2026-02-20T10:00:00Z"
  next_step: "Go on: \\"quote\\" # no comment"
  gates:
    - QG-1
    - "yes"
    - "No"
    - "1"
    - ""
    - "- x"
    - "a,b"
    - "~"
  none: []
  nothing: {}
  files:
    - path: docs/a.md
      sections:
        - one
        - "two words"
    - plain.md
    - []
    - - - 1
        - 2
      - {}
    - {}
  "key with space":
    "1": 2
    "true": 1
`,
    );
  });

  it('writes an empty section, and leaves out a key without a value', () => {
    expect(renderSection('resumption', {})).toBe('resumption: {}\n');
    const value = { a: undefined } as unknown as JsonObject;
    expect(renderSection('resumption', value)).toBe('resumption: {}\n');
  });

  it('writes on one line what some reader would take for the end of a line, or refuse', () => {
    const value = { a: 'x\ny\u0085\u2028\u2029\ufeff\u007f\uffff\u0000\ud800', long: 'word '.repeat(1000) };
    const text = renderSection('r', value);
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain('"x\\ny\\u0085\\u2028\\u2029\\ufeff\\u007f\\uffff\\u0000\\ud800"');
    expect(readSection(text, 'r')).toEqual({ ok: true, value });
  });

  it('writes out what cannot be seen or turns the text round', () => {
    const unseen = 'a\u202eb\u200bc\u2066d\u00ade\u3164f\u{e0041}g\u001b';
    const value = { a: unseen, [`k${unseen}`]: [unseen] };
    const written = 'a\\u202eb\\u200bc\\u2066d\\u00ade\\u3164f\\U000e0041g\\u001b';
    const text = renderSection('r', value);
    expect(text).toBe(`r:\n  a: "${written}"\n  "k${written}":\n    - "${written}"\n`);
    expect(readSection(text, 'r')).toEqual({ ok: true, value });

    const json = patchSection('{"x": 1}', 'r', value);
    expect(json.ok && /^[ -~]+$/.test(json.value)).toBe(true);
    expect(json.ok && JSON.parse(json.value)).toEqual({ x: 1, r: value });
  });

  it('marks a key that is too long to be seen as one', () => {
    const value = { [`k${'x'.repeat(2000)}`]: { [`${'y '.repeat(900)}`]: [1] }, b: 1 };
    expect(readSection(renderSection('r', value), 'r')).toEqual({ ok: true, value });
  });

  it('writes numbers that every version of YAML reads', () => {
    const value = { a: 1e21, b: -1.5e-9, c: 5e-324, d: -0, e: Number.MAX_SAFE_INTEGER, f: 0.1 };
    const text = renderSection('r', value);
    expect(text).toContain('a: 1.0e+21\n');
    expect(text).toContain('d: 0\n');
    expect(readSection(text, 'r')).toEqual({ ok: true, value: { ...value, d: 0 } });
    expect(() => renderSection('r', { a: Number.NaN })).toThrow('NaN');
  });

  it('quotes every short word that some reader would take for a number', () => {
    const letters = [...'eExXoObB01_.-:+'];
    const longer = (words: string[]) => words.flatMap((word) => letters.map((letter) => word + letter));
    const words = [letters, longer(letters), longer(longer(letters))].flat();
    const text = renderSection('r', { words });
    for (const version of ['1.1', '1.2'] as const) {
      expect(parse(text, { version })).toEqual({ r: { words } });
    }
  });

  it('is read as it was, also by a reader of YAML 1.1', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (anything) => {
        const value = JSON.parse(JSON.stringify(anything)) as JsonObject;
        const text = renderSection('r', value);
        expect(readSection(text, 'r')).toEqual({ ok: true, value });
        for (const version of ['1.1', '1.2'] as const) {
          expect(JSON.stringify(parse(text, { version }))).toBe(JSON.stringify({ r: value }));
        }
      }),
    );
  });
});
