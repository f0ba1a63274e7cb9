import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { rewriteSection } from './remove.ts';
import { readSection } from './section.ts';

function rewrite(text: string, wanted: JsonObject, ...names: string[]): string {
  const written = rewriteSection(text, 'r', wanted, names);
  if (!written.ok) throw new Error(JSON.stringify(written.failure));
  return written.value;
}

function troubleOf(text: string, wanted: JsonObject, ...names: string[]): string {
  const written = rewriteSection(text, 'r', wanted, names);
  return written.ok
    ? `written: ${written.value}`
    : `${written.failure.reason} ${written.failure.facts.detail ?? ''}`;
}

describe('rewriteSection in block style', () => {
  it('takes out whole members, and leaves every other byte', () => {
    const text = `# head
a: 1
r:
  # above one
  one: 1
  two:   'zwei'   # kept
  three:
    - x
    - { y: 1 }

  four: |
    text

    more
  five: 5
# tail
z: [1,  2]
`;
    expect(rewrite(text, {}, 'one', 'three', 'four')).toBe(`# head
a: 1
r:
  # above one
  two:   'zwei'   # kept

  five: 5
# tail
z: [1,  2]
`);
  });

  it('writes what is wanted in the same go', () => {
    expect(rewrite('r:\n  old: 1 # why\n  same: x\n', { same: 'y', new: { a: [1] } }, 'old')).toBe(
      'r:\n  # why\n  same: "y"\n  new:\n    a:\n      - 1\n',
    );
  });

  it('keeps the comment behind a member that goes, on a line of its own', () => {
    expect(rewrite('r:\n  one: 1   # because\n  two: 2\n', {}, 'one')).toBe('r:\n  # because\n  two: 2\n');
    expect(rewrite('r:\n  two: 2\n  one: 1   # because', {}, 'one')).toBe('r:\n  two: 2\n  # because');
  });

  it.each([
    ['the last line', 'r:\n  a: 1\n  b: 2', 'b', 'r:\n  a: 1\n'],
    ['an empty value', 'r:\n  a:\n  b: 2\n', 'a', 'r:\n  b: 2\n'],
    ['a quoted key', 'r:\n  "a b": 1\n  b: 2\n', 'a b', 'r:\n  b: 2\n'],
    ['windows line ends', 'r:\r\n  a: 1\r\n  b: 2\r\n', 'a', 'r:\r\n  b: 2\r\n'],
    ['a value over several lines', 'r:\n  a: one\n    two\n  b: 2\n', 'a', 'r:\n  b: 2\n'],
    ['a value in brackets over several lines', 'r:\n  a: [1,\n    2]\n  b: 2\n', 'a', 'r:\n  b: 2\n'],
  ])('takes out %s', (_, text, name, expected) => {
    expect(rewrite(text, {}, name)).toBe(expected);
  });

  it('changes nothing where there is nothing to take out', () => {
    const text = 'a: 1\nr:\n  b: 2 # x\n';
    expect(rewrite(text, {})).toBe(text);
    expect(rewrite(text, { b: 2 })).toBe(text);
    expect(rewrite(text, {}, 'c')).toBe(text);
  });

  it('leaves a member of the same name elsewhere', () => {
    const text = 'a: 1\nr:\n  a: 2\n  b: { a: 3 }\n';
    expect(rewrite(text, {}, 'a')).toBe('a: 1\nr:\n  b: { a: 3 }\n');
  });

  it.each([
    ['an anchor that others lean on', 'r:\n  a: &a 1\n  b: 2\nz: *a\n', 'a'],
    ['all of it', 'r:\n  a: 1\nz: 2\n', 'a'],
  ])('refuses %s rather than changing what it says', (_, text, name) => {
    expect(troubleOf(text, {}, name)).toMatch(/^(?:cannot-patch|bad-yaml) /);
  });

  it.each(['r: [1]\n', 'a: [\n', 'r: 1\n---\nr: 2\n'])('refuses %j', (text) => {
    expect(troubleOf(text, { a: 1 }, 'b')).not.toContain('written');
  });
});

/** Sections as people write them: comments, quotes, braces, several lines. */
const value = fc.constantFrom(
  '1',
  "'it''s'",
  '"a\\nb"   # why',
  '[1, 2]',
  '{ x: 1 }',
  '|\n    text\n\n    more',
  '>-\n    folded\n    text',
  '\n    - x\n    - y # z',
  '\n    k: v\n    # inside\n    l: [ ]',
  '',
  '# only a comment',
  '&a 7',
);
const names = ['one', 'two', 'three', 'four', 'five'] as const;
const documents = fc.record({
  members: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
    selector: ([name]) => name,
    minLength: 1,
  }),
  between: fc.array(fc.constantFrom('', '  # between\n', '\n', '# left\n'), { minLength: 6, maxLength: 6 }),
  before: fc.constantFrom('', '# head\na: &x 1\n', 'a: |+\n  keep\n\n'),
  after: fc.constantFrom('', 'z: *x\n', '\n# tail\nz: { q: 1 }\n', '...\n'),
  gone: fc.subarray([...names]),
});

it('takes out what was asked for and nothing else, or refuses, whatever the file looks like', () => {
  let written = 0;
  fc.assert(
    fc.property(documents, ({ members, between, before, after, gone }) => {
      const lines = members.map(([name, text], at) => `${between[at] ?? ''}  ${name}: ${text}\n`);
      const text = `${before}r:\n${lines.join('')}${after}`;
      const read = readSection(text, 'r');
      fc.pre(read.ok && read.value !== undefined);
      const result = rewriteSection(text, 'r', { new: 1 }, gone);
      if (!result.ok) return;
      written += 1;
      const found = readSection(result.value, 'r');
      const expected = Object.fromEntries(
        Object.entries((read.ok && read.value) || {}).filter(([name]) => !gone.includes(name as 'one')),
      );
      expect(JSON.parse(JSON.stringify(found.ok ? found.value : found))).toEqual({ ...expected, new: 1 });
      expect(result.value.startsWith(before)).toBe(true);
      // Comments stay, wherever they stood.
      for (const comment of ['# head', '# between', '# left', '# why', '# tail'])
        expect(result.value.split(comment).length).toBe(text.split(comment).length);
      // Again, there is nothing left to do.
      expect(rewriteSection(result.value, 'r', { new: 1 }, gone)).toEqual(result);
    }),
    { numRuns: 500 },
  );
  expect(written).toBeGreaterThan(250);
});
