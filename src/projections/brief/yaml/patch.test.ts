import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { patchSection, readSection } from './section.ts';
import { hasWanted } from './wanted.ts';

function patch(text: string, wanted: JsonObject, key = 'r'): string {
  const patched = patchSection(text, key, wanted);
  if (!patched.ok) throw new Error(JSON.stringify(patched.failure));
  const read = readSection(patched.value, key);
  expect(read.ok && hasWanted(read.value, wanted)).toBe(true);
  expect(patchSection(patched.value, key, wanted)).toEqual(patched);
  return patched.value;
}

describe('patchSection on a section that is there', () => {
  it('touches nothing that already says what is wanted, however it says it', () => {
    const text = `r :   # c
    a:   'x'   # one
    "b": >-
      folded
      text

    ? c
    : {x: 0x10,y: [ ~, ]}
    d: *never
`.replace('*never', '!!str 5');
    expect(patch(text, { a: 'x', b: 'folded text', c: { x: 16, y: [null] }, d: '5' })).toBe(text);
    expect(patch(text, {})).toBe(text);
  });

  it('replaces only the source of a scalar', () => {
    const text = `# head
r:
  # above
  plain: old   # plain
  single: 'it''s'\t# tab
  double: "a\\
    b" # double
  lines: one
    two
    three # lines
  number:   1
  unknown: kept # as it is

tail: { x: 1 }
`;
    const wanted = { plain: 'new', single: 'two words', double: null, lines: true, number: 2.5 };
    expect(patch(text, wanted)).toBe(`# head
r:
  # above
  plain: new   # plain
  single: "two words"\t# tab
  double: null # double
  lines: true # lines
  number:   2.5
  unknown: kept # as it is

tail: { x: 1 }
`);
  });

  it('replaces block scalars, with the comment of their first line left', () => {
    const text =
      'r:\n  a: |- # h\n    one\n\n    # no comment\n\n  b: >+\n    two\n\n\n  c: |\n  d: |2\n      x';
    expect(patch(text, { a: 1, b: 2, c: 3, d: 4 })).toBe('r:\n  a: 1 # h\n\n  b: 2\n  c: 3\n  d: 4');
    expect(patch(text, { a: [1], b: { x: 1 }, c: [2], d: { k: 2 }, e: 5 })).toBe(
      'r:\n  a: # h\n    - 1\n\n  b:\n    x: 1\n  c:\n    - 2\n  d:\n    k: 2\n  e: 5',
    );
  });

  it('fills empty values', () => {
    const text = 'r:\n  a:\n  b: # c\n  c: &c\n  d: !t # e\n  ? e\n  ? f # f\n  g:';
    const all = { a: 1, b: 'x', c: 2, d: 3, e: 4, f: 5, g: 6 };
    expect(patch(text, all)).toBe(
      'r:\n  a: 1\n  b: x # c\n  c: &c 2\n  d: 3 # e\n  ? e\n  : 4\n  ? f # f\n  : 5\n  g: 6',
    );
    expect(patch(text, { a: [1], b: [2], c: [3], d: [4], e: [5], f: { x: 1 }, g: [] })).toBe(
      'r:\n  a:\n    - 1\n  b: # c\n    - 2\n  c: &c\n    - 3\n  d: # e\n    - 4\n  ? e\n  :\n    - 5\n  ? f # f\n  :\n    x: 1\n  g: []',
    );
  });

  it('turns a scalar into a map or a list, and back', () => {
    const scalars = 'r:\n  a: old # a\n  b:\n    old\n  c:\n    old # c\n  d: "x\n    y"\nz: 1\n';
    const nested = { a: { x: 1 }, b: [1], c: { k: { z: [] } }, d: [[2]] };
    const maps =
      'r:\n  a: # a\n    x: 1\n  b:\n    - 1\n  c:\n     # c\n    k:\n      z: []\n  d:\n    - - 2\nz: 1\n';
    expect(patch(scalars, nested)).toBe(maps);
    expect(patch(maps, { a: 'x', b: null, c: 3, d: [] })).toBe(
      'r:\n  a: x # a\n  b: null\n  c: 3\n     # c\n  d: []\nz: 1\n',
    );
  });

  it('turns a list that stands below its key into a map', () => {
    expect(patch('r:\n  a:\n  - 1 # one\n  # after\n  b: 2\n', { a: { x: 1 } })).toBe(
      'r:\n  a:\n    x: 1\n  # after\n  b: 2\n',
    );
    expect(patch('r:\n  a:\n  - 1\n', { a: [2, 3] })).toBe('r:\n  a:\n  - 2\n  - 3\n');
    expect(patch('r:\n  ? a\n  : - 1\n    - 2\n', { a: [3] })).toBe('r:\n  ? a\n  : - 3\n');
    expect(patch('r:\n  ? a\n  : x: 1\n', { a: 3 })).toBe('r:\n  ? a\n  : 3\n');
  });

  it('goes into maps, keeps what it does not know, and adds what is missing to the end of each', () => {
    const text = `r:
   a:
      mine: [1,   2]   # mine
      b: 1
      # end of a
   # end of r

next: 1
`;
    expect(patch(text, { a: { b: 2, c: { d: 1 } }, e: { f: ['g'] } })).toBe(`r:
   a:
      mine: [1,   2]   # mine
      b: 2
      c:
         d: 1
   e:
      f:
         - g
      # end of a
   # end of r

next: 1
`);
  });

  it('adds to the map that ends where the one around it ends', () => {
    expect(patch('r:\n  a:\n    b:\n      c: 1', { a: { b: { d: 2 }, e: 3 }, f: 4 })).toBe(
      'r:\n  a:\n    b:\n      c: 1\n      d: 2\n    e: 3\n  f: 4',
    );
  });

  it('appends to lists', () => {
    expect(
      patch('r:\n  a:\n    - x # x\n    # last\n  b:\n  - y\n', {
        a: ['x', 'z'],
        b: ['y', { c: 1, d: [2] }],
      }),
    ).toBe('r:\n  a:\n    - x # x\n    - z\n    # last\n  b:\n  - y\n  - c: 1\n    d:\n      - 2\n');
  });

  it('goes into the maps of a list, and appends to it', () => {
    const text = `r:
  log:
    - id: RD-001   # the first
      applied: false
      note: mine
    - {id: RD-002, applied: false}
`;
    const log = [
      { id: 'RD-001', applied: true },
      { id: 'RD-002', applied: false, gate: null },
    ];
    const changed = `r:
  log:
    - id: RD-001   # the first
      applied: true
      note: mine
    - {id: RD-002, applied: false, gate: null}
`;
    expect(patch(text, { log })).toBe(changed);
    expect(patch(text, { log: [...log, { id: 'RD-003' }] })).toBe(`${changed}    - id: RD-003\n`);
  });

  it('replaces a list that has become another one', () => {
    expect(
      patch('r:\n  a: [1, 2] # c\n  b: # d\n    - x # gone\n    - k\n    # e\n', { a: [2], b: ['k'] }),
    ).toBe('r:\n  a: [2] # c\n  b: # d\n    - k\n    # e\n');
    expect(patch('r:\n  a:\n    - x\n', { a: [] })).toBe('r:\n  a: []\n');
  });

  it('writes in block style where somebody wrote that there is nothing', () => {
    expect(patch('r:\n  a: [ ] # none\n  b: {}\n  c: [] # [\n', { a: [1], b: { x: 1 }, c: ['k'] })).toBe(
      'r:\n  a: # none\n    - 1\n  b:\n    x: 1\n  c: # [\n    - k\n',
    );
    expect(patch('r: {} # empty\nb: 1\n', { a: 1 })).toBe('r: # empty\n  a: 1\nb: 1\n');
  });

  it.each(['r:', 'r: # c', 'r: ~ # c', 'r: null # c', 'r: !!null null # c'])(
    'writes into a section that is null: %j',
    (text) => {
      const comment = text.includes('#') ? ' # c' : '';
      expect(patch(`${text}\n# below\nb: 1`, { a: 1 })).toBe(`r:${comment}\n  a: 1\n# below\nb: 1`);
      expect(patch(`${text}\n# below\nb: 1`, {})).toBe(`r: {}${comment}\n# below\nb: 1`);
    },
  );

  it('keeps anchors and takes tags away from what it replaces', () => {
    const text = `r: &r !m
  a: &a !t old
  b: !t &b old # b
  c: &c !t
    x: 1
  d: !t
    - 1
  e: !!str 1
s: [*r, *a, *b, *c]
`;
    expect(patch(text, { a: 'new', b: [1], c: 2, d: { k: 1 }, e: 2 })).toBe(`r: &r !m
  a: &a new
  b: &b # b
    - 1
  c: &c 2
  d:
    k: 1
  e: 2
s: [*r, *a, *b, *c]
`);
  });
});

describe('patchSection and aliases', () => {
  it('leaves an alias that says what is wanted', () => {
    const text = 'x: &x { a: 1 }\nr:\n  b: *x\n  c: &c 1\n  d: *c\n  e: 1\n';
    expect(patch(text, { b: { a: 1 } })).toBe(text);
    expect(patch(text, { b: { a: 1 }, d: 1, e: 2 })).toBe(text.replace('e: 1', 'e: 2'));
  });

  it('writes out what an alias says besides', () => {
    expect(patch('x: &x { a: 1, mine: [2] }\nr:\n  b: *x # c\nz: *x\n', { b: { a: 2 } })).toBe(
      'x: &x { a: 1, mine: [2] }\nr:\n  b: # c\n    a: 2\n    mine:\n      - 2\nz: *x\n',
    );
    expect(patch('x: &x {a: 1}\nr: *x\n', { b: 1 })).toBe('x: &x {a: 1}\nr:\n  a: 1\n  b: 1\n');
    expect(
      patch('x: &x {a: 1, m: 2}\nr: [*x]\n'.replace('r:', 'r: { l:').replace(']', '] }'), { l: [{ a: 2 }] }),
    ).toBe('x: &x {a: 1, m: 2}\nr: { l: [{a: 2, m: 2}] }\n');
  });

  it('takes apart two values of its own of which one followed the other', () => {
    expect(patch('r:\n  a: &a 1 # a\n  b: *a # b\n  c: *a # c\n', { a: 2, b: 1 })).toBe(
      'r:\n  a: &a 2 # a\n  b: 1 # b\n  c: *a # c\n',
    );
    expect(patch('r:\n  a:\n    - &a 1\n    - 2\n  b: [*a] # b\n', { a: [2], b: [1] })).toBe(
      'r:\n  a:\n    - 2\n  b: [1] # b\n',
    );
  });

  it('lets merge keys be', () => {
    const text = 'base: &base\n  a: 1\nr:\n  <<: *base # merged\n  b: 1\nz:\n  <<: [*base]\n';
    expect(patch(text, { a: 2, b: 2 })).toBe(
      'base: &base\n  a: 1\nr:\n  <<: *base # merged\n  b: 2\n  a: 2\nz:\n  <<: [*base]\n',
    );
  });

  it('leaves a file alone where somebody refers to what would go', () => {
    const text = 'r:\n  a:\n    - &a 1\n    - 2\nz: *a\n';
    expect(patchSection(text, 'r', { a: [3] })).toEqual({
      ok: false,
      failure: { reason: 'cannot-patch', facts: { line: 1, column: 1, detail: 'bad-yaml' } },
    });
  });

  it('does not let a reference slip to another anchor of the same name', () => {
    const text = 'x: &a 1\nr:\n  a: [&a 2, 3]\nz: *a\n';
    expect(patchSection(text, 'r', { a: [3] })).toMatchObject({
      ok: false,
      failure: { reason: 'cannot-patch', facts: { detail: 'others-differ' } },
    });
  });

  it('finds keys by alias', () => {
    expect(patch('&k a: 1\nr:\n  *k : 2\n', { a: 3 })).toBe('&k a: 1\nr:\n  *k : 3\n');
  });
});

describe('patchSection inside braces', () => {
  it('writes flow style, before the comments', () => {
    const text = `r: {
  a: 1, # a
  'b':   [x, # x
    ],
  "c":"y" ,  d, e: , f : {} # f
} # r
`;
    const wanted = { a: 2, b: ['x', 'z'], c: 'w', d: { i: ['j k'] }, e: 1, f: { h: null }, g: [] };
    expect(patch(text, wanted)).toBe(`r: {
  a: 2, # a
  'b':   [x, z # x
    ],
  "c": w ,  d: {i: ["j k"]}, e: 1 , f : {h: null}, g: [] # f
} # r
`);
  });

  it('keeps a JSON file JSON', () => {
    const text = '{\n  "a": {"b":1},\n  "r": {"x":"old", "l": []}\n}\n';
    const patched = patch(text, { x: 'new', l: ['y'], m: { n: 'o' } });
    expect(patched).toBe('{\n  "a": {"b":1},\n  "r": {"x": "new", "l": ["y"], "m": {"n": "o"}}\n}\n');
    expect(JSON.parse(patched)).toMatchObject({ a: { b: 1 }, r: { x: 'new' } });
    expect(JSON.parse(patch('{"a": 1}', { x: 'y' }))).toEqual({ a: 1, r: { x: 'y' } });
  });

  it('does not take a pair in brackets for a map that can grow', () => {
    expect(patch('r: {l: [a: 1]}\n', { l: [{ a: 1, b: 2 }] })).toBe('r: {l: [{a: 1, b: 2}]}\n');
  });
});

describe('patchSection on a file without the section', () => {
  it.each([
    ['', 'r:\n  a: 1\n'],
    ['\ufeff', '\ufeffr:\n  a: 1\n'],
    ['# only\n\n# comments', '# only\n\n# comments\nr:\n  a: 1\n'],
    ['---', '---\nr:\n  a: 1\n'],
    ['--- # c\n', '--- # c\nr:\n  a: 1\n'],
    ['---\n...\n', '---\nr:\n  a: 1\n...\n'],
    ['# c\n...\n# d\n', '# c\nr:\n  a: 1\n...\n# d\n'],
    ['%YAML 1.1\n---\nb: yes\n', '%YAML 1.1\n---\nb: yes\nr:\n  a: 1\n'],
    ['b: 1', 'b: 1\nr:\n  a: 1\n'],
    ['b: 1 # c', 'b: 1 # c\nr:\n  a: 1\n'],
    ['b: 1\n\n# end\n', 'b: 1\n\n# end\nr:\n  a: 1\n'],
    ['b:\n', 'b:\nr:\n  a: 1\n'],
    ['b:\n- 1\n', 'b:\n- 1\nr:\n  a: 1\n'],
    ['  b: 1\n  c: 2\n', '  b: 1\n  c: 2\n  r:\n    a: 1\n'],
    ['  b: 1\n  # end\n', '  b: 1\n  # end\n  r:\n    a: 1\n'],
    ['b: |\n  text', 'b: |\n  text\nr:\n  a: 1\n'],
    ['b: |+\n  text\n\n', 'b: |+\n  text\n\nr:\n  a: 1\n'],
    ['b: 1\r\n...\r\n', 'b: 1\r\nr:\r\n  a: 1\r\n...\r\n'],
    ['b: 1\n... # end', 'b: 1\nr:\n  a: 1\n... # end'],
    ['{}', '{r: {a: 1}}'],
    ['{ b: 1, } # c\n', '{ b: 1, r: {a: 1} } # c\n'],
    ['{ # c\n}\n...\n', '{r: {a: 1} # c\n}\n...\n'],
    ['--- {b: 1}', '--- {b: 1, r: {a: 1}}'],
    ['x:\n  r: 1\n', 'x:\n  r: 1\nr:\n  a: 1\n'],
  ])('adds it to the end of %j', (text, expected) => {
    expect(patch(text, { a: 1 })).toBe(expected);
  });

  it('writes an empty one, and one whose key is no plain word', () => {
    expect(patch('a: 1\n', {})).toBe('a: 1\nr: {}\n');
    expect(patch('a: 1\n', { b: 1 }, 'my key')).toBe('a: 1\n"my key":\n  b: 1\n');
  });
});

describe('patchSection on odd files', () => {
  it('keeps CRLF, BOM, directives, markers, tabs and spaces at the end of lines', () => {
    const text = [
      '\ufeff%YAML 1.2',
      '%TAG !e! tag:example.com,2000:',
      '--- \t# start',
      '? [complex, {key: 1}]',
      ': !e!x   "- no list"   ',
      '"r"  : \t# section  ',
      '  a:\told\t# tab\t',
      '',
      '\t',
      '  b: [1,\t2]   ',
      'tail: &t "x\\',
      '  y"  ',
      '... # end',
      '# after \t',
    ].join('\r\n');
    const expected = text
      .replace('\told\t', '\tnew\t')
      .replace('[1,\t2]   ', '[1,\t2, 3]   \r\n  c:\r\n    - d');
    expect(patch(text, { a: 'new', b: [1, 2, 3], c: ['d'] })).toBe(expected);
  });

  it('follows the line breaks of the section', () => {
    expect(patch('a: 1\nr:\r\n  b: 1\r\nc: 1\n', { d: 1 })).toBe('a: 1\nr:\r\n  b: 1\r\n  d: 1\r\nc: 1\n');
  });

  it('keeps keys that JSON cannot have', () => {
    const text = 'r:\n  ? [x]\n  : 1\n  ~: 2\n  a: 1\n  ? {y: 1}\n';
    expect(patch(text, { a: 2, b: 3 })).toBe('r:\n  ? [x]\n  : 1\n  ~: 2\n  a: 2\n  ? {y: 1}\n  b: 3\n');
  });

  it('keeps a key that would reach into every object', () => {
    const wanted = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}') as JsonObject;
    expect(patch('r:\n  a: 1\n', wanted)).toBe('r:\n  a: 1\n  "__proto__":\n    x: 1\n  constructor: 1\n');
    expect(patch('r:\n  __proto__:\n    y: 1\n', wanted)).toBe(
      'r:\n  __proto__:\n    y: 1\n    x: 1\n  constructor: 1\n',
    );
  });

  it('writes time stamps as strings, and quotes what another reader takes for something else', () => {
    expect(patch('r:\n  at: 2026-02-20T10:00:00Z\n', { at: '2026-02-20T11:00:00Z', on: 'yes' })).toBe(
      'r:\n  at: "2026-02-20T11:00:00Z"\n  "on": "yes"\n',
    );
  });

  it('refuses what would make the file too large or too deep to be read again', () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 70; depth++) deep = { deep };
    expect(patchSection('a: 1\n', 'r', deep)).toMatchObject({
      ok: false,
      failure: { reason: 'cannot-patch', facts: { detail: 'too-deep' } },
    });
    expect(patchSection('a: 1\n', 'r', { a: 'x'.repeat(1 << 20) })).toMatchObject({
      ok: false,
      failure: { reason: 'cannot-patch', facts: { detail: 'too-large' } },
    });
  });
});
