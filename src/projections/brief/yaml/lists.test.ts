import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { patchSection, readSection } from './section.ts';
import { hasWanted, merge, pairItems } from './wanted.ts';

function patch(text: string, wanted: JsonObject): string {
  const before = readSection(text, 'r');
  const patched = patchSection(text, 'r', wanted);
  if (!patched.ok || !before.ok) throw new Error(JSON.stringify(patched));
  const read = readSection(patched.value, 'r');
  expect(read.ok && hasWanted(read.value, wanted)).toBe(true);
  expect(read).toEqual({ ok: true, value: merge(before.value, wanted) });
  expect(patchSection(patched.value, 'r', wanted)).toEqual(patched);
  return patched.value;
}

describe('pairItems', () => {
  it.each<[string, JsonValue[], JsonValue[], (number | undefined)[]]>([
    ['by id', [{ id: 'b' }, { id: 'a' }], [{ id: 'a', x: 1 }, { id: 'c' }, { id: 'b' }], [1, undefined, 0]],
    ['by path', [{ path: 'b' }, { path: 'a' }], [{ path: 'a', x: 1 }, { path: 'b' }], [1, 0]],
    ['a string with a path', ['b', { path: 'a' }], [{ path: 'a', x: 1 }, { path: 'b' }], [1, 0]],
    [
      'by the words of a decision',
      [{ decision: 'x' }, { id: 1 }],
      [{ id: 1 }, { id: 2, decision: 'x' }],
      [1, 0],
    ],
    ['by pattern', [{ pattern: 'x' }, { pattern: 'y' }], [{ pattern: 'y' }], [1]],
    ['scalars by value', ['a', 1, null, 'a'], [null, 'a', 'a', true], [2, 0, 3, undefined]],
    [
      'one name that two have, in order',
      [
        { id: 1, a: 1 },
        { id: 1, a: 2 },
      ],
      [{ id: 1, a: 3 }, { id: 1 }],
      [0, 1],
    ],
    ['an id before other words', [{ decision: 'x' }, { id: 1 }], [{ id: 1, decision: 'x' }], [1]],
    ['maps that tell nothing by place', [{ a: 1 }, { b: 1 }], [{ a: 2 }, { b: 2 }, {}], [0, 1, undefined]],
    ['maps that tell nothing where they are the same', [{ a: 1 }, { a: 2, b: 1 }], [{ a: 2 }], [1]],
    ['nothing with a different value', ['1'], [1], [undefined]],
  ])('pairs %s', (_, present, wanted, pairs) => {
    expect(pairItems(present, wanted)).toEqual(pairs);
  });
});

describe('patchSection on lists', () => {
  it('leaves the comment and the keys of an entry that was put in above another one with it', () => {
    const text = `r:
  decision_log:
    # Bob insists
    - decision: "Bob rule" # really
      author: carol
    # Ours
    - id: RD-001 # first
      decision: Keep
      applied: false
      # until May
  # end
`;
    const decision_log = [
      { id: 'RD-001', decision: 'Keep', applied: true },
      { id: 'RD-002', decision: 'Bob rule', applied: false },
    ];
    expect(patch(text, { decision_log, more: 1 })).toBe(`r:
  decision_log:
    # Ours
    - id: RD-001 # first
      decision: Keep
      applied: true
      # until May
    # Bob insists
    - decision: "Bob rule" # really
      author: carol
      id: RD-002
      applied: false
  more: 1
  # end
`);
  });

  it('puts what is new before what is there, and takes away only what is not wanted', () => {
    const text = `r:
  files_to_read:
    # mine
    - docs/a.md # read X, not Y
    - gone.md # gone
    - {path: docs/b.md,  owner: bob} # b
    # above c

    - docs/c.md
`;
    const files_to_read = [
      { path: 'plan.yaml', priority: 1 },
      'new.md',
      'docs/a.md',
      { path: 'docs/b.md', priority: 2 },
      { path: 'docs/c.md', priority: 3 },
    ];
    expect(patch(text, { files_to_read })).toBe(
      `r:
  files_to_read:
    - path: plan.yaml
      priority: 1
    - new.md
    # mine
    - docs/a.md # read X, not Y
    - {path: docs/b.md,  owner: bob, priority: 2} # b
    # above c

    - path: docs/c.md
      priority: 3
`,
    );
  });

  it('turns a path into an entry, with the comment behind it', () => {
    expect(patch('r:\n  l:\n  -   a.md   # why\n  - b\n', { l: [{ path: 'a.md', s: ['x'] }, 'b'] })).toBe(
      'r:\n  l:\n  -   path: a.md   # why\n      s:\n        - x\n  - b\n',
    );
    expect(patch('r:\n  l:\n  - path: a.md\n    s: 1 # why\n  - b\n', { l: ['b', 'a.md'] })).toBe(
      'r:\n  l:\n  - b\n  - a.md\n',
    );
  });

  it('keeps the comment above a list whose first item goes, and away from the next item', () => {
    expect(patch('r:\r\n  l:\r\n    # these\r\n    - a\r\n    - b\r\n', { l: ['b', 'c'] })).toBe(
      'r:\r\n  l:\r\n    # these\r\n\r\n    - b\r\n    - c\r\n',
    );
    expect(patch('r:\n  l:\n    # these\n    - a\n', { l: ['c'] })).toBe(
      'r:\n  l:\n    # these\n\n    - c\n',
    );
    expect(patch('r:\n  l:\n    - a\n    # of b\n    - b\n    - c', { l: ['a', 'c'] })).toBe(
      'r:\n  l:\n    - a\n    - c',
    );
  });

  it('takes away the last item with the comment further in below it, and adds to the map around it', () => {
    expect(
      patch('r:\n  l:\n  - id: a\n    # of a\n  - id: b\n    # of b\n# end\n', { l: [{ id: 'a' }], m: 1 }),
    ).toBe('r:\n  l:\n  - id: a\n    # of a\n  m: 1\n# end\n');
    const text = 'r:\n  l:\n  - id: a\n    # of a\n# end\n';
    expect(patch(text, { l: [{ id: 'a', x: 1 }, { id: 'b' }], m: 1 })).toBe(
      'r:\n  l:\n  - id: a\n    x: 1\n    # of a\n  - id: b\n  m: 1\n# end\n',
    );
  });

  it('writes a list anew that does not begin on a line of its own', () => {
    expect(patch('r:\n  ? l\n  : - a\n    - b # b\n', { l: ['b', 'a'] })).toBe(
      'r:\n  ? l\n  : - b\n    - a\n',
    );
    expect(patch('r:\n  ? l\n  : - a\n    - b # b\n', { l: ['a', 'c', 'b'] })).toBe(
      'r:\n  ? l\n  : - a\n    - c\n    - b # b\n',
    );
  });

  it('does not take an item away that others stand for, nor move one before what it stands for', () => {
    expect(patchSection('r:\n  l:\n  - &a x\n  - y\nz: *a\n', 'r', { l: ['y'] }).ok).toBe(false);
    expect(patch('r:\n  l:\n  - &a x\n  - [*a]\n', { l: [['x'], 'x'] })).toBe(
      'r:\n  l:\n  - - x\n  - &a x\n',
    );
  });

  it('puts a list in brackets together anew', () => {
    expect(
      patch('r: {l: [ a, {path: b,  mine: 1}, c ]}\n', { l: ['k', { path: 'c' }, { path: 'b', x: 1 }] }),
    ).toBe('r: {l: [ k, {path: c}, {path: b,  mine: 1, x: 1} ]}\n');
    expect(patch('{"r": {"l": [\n  "a",\n  "b"\n]}}', { l: ['c', 'b', 'a'] })).toBe(
      '{"r": {"l": [\n  "c",\n  "b",\n  "a"\n]}}',
    );
    expect(patch('x: &x 1\nr: {l: [*x , "b"]}\n', { l: ['b', 1] })).toBe('x: &x 1\nr: {l: ["b", *x ]}\n');
  });

  it('keeps the comments inside of brackets with their items', () => {
    const text = `r:
  l: [ # head
    a, # of a
    # above b
    b # of b
    , c, # of c
    # tail
  ] # l
`;
    expect(patch(text, { l: ['d', 'b', 'a'] })).toBe(`r:
  l: [ # head
    d,
    # above b
    b, # of b
    a # of a
    # tail
  ] # l
`);
  });
});

describe('patchSection on any list', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const some = fc.shuffledSubarray(names, { minLength: 1 });

  it('leaves every comment and every key of others with its item', () => {
    fc.assert(
      fc.property(
        some,
        some,
        fc.constantFrom('id', 'path', 'decision'),
        fc.nat(),
        (present, wanted, key, bits) => {
          const text = `x: 1\nr:\n  l:\n${present.map((name, at) => writeEntry(name, key, bits >> at)).join('')}  # end\ny: 1\n`;
          const result = patch(text, { l: wanted.map((name) => ({ [key]: name, ours: 1 })) });
          expect(result.startsWith('x: 1\nr:\n  l:\n')).toBe(true);
          expect(result.endsWith('  # end\ny: 1\n')).toBe(true);
          for (const [at, name] of present.entries()) {
            const entry = writeEntry(name, key, bits >> at);
            const [head = ''] = entry.split('      # below');
            if (wanted.includes(name)) expect(result.replaceAll('      ours: 1\n', '')).toContain(entry);
            else expect(result).not.toContain(head.slice(head.indexOf('    -')));
          }
        },
      ),
    );
  });

  it('leaves every line of a list of words with its word', () => {
    fc.assert(
      fc.property(some, some, fc.nat(), (present, wanted, bits) => {
        const lineOf = (name: string) =>
          `${(bits >> names.indexOf(name)) & 1 ? `    # above ${name}\n` : ''}    - ${name} # of ${name}\n`;
        const text = `r:\n  l:\n${present.map(lineOf).join('')}  m: 1\n`;
        const result = patch(text, { l: wanted });
        const lines = wanted.map((name) => (present.includes(name) ? lineOf(name) : `    - ${name}\n`));
        const first = present[0] ?? '';
        const isHeaded = !wanted.includes(first) && lineOf(first).includes('above');
        const head = isHeaded ? `    # above ${first}\n\n` : '';
        expect(result).toBe(`r:\n  l:\n${head}${lines.join('')}  m: 1\n`);
      }),
    );
  });
});

function writeEntry(name: string, key: string, bits: number): string {
  const above = bits & 1 ? `    # above ${name}\n` : '';
  const below = bits & 4 ? `      # below ${name}\n` : '';
  return `${above}    - ${key}: ${name}${bits & 2 ? ` # of ${name}` : ''}\n      mine: ${name}1\n${below}`;
}
