import { describe, expect, it } from 'vitest';
import { patchSection, readSection } from './section.ts';

const read = (text: string) => readSection(text, 'resumption');
const value = (text: string) => {
  const found = read(text);
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  return found.value;
};
/** Nothing is ever written where nothing can be read. */
const trouble = (text: string) => {
  const found = read(text);
  const patched = patchSection(text, 'resumption', { a: 1 });
  expect(patched).toEqual(found);
  if (found.ok) throw new Error(JSON.stringify(found.value));
  return found.failure;
};

describe('readSection', () => {
  it('reads scalars by the core schema, and what JSON has no word for as strings', () => {
    const text = `
other: { x: 1 }
"resumption":
  at: 2026-02-20T10:00:00Z
  date: 2026-02-20
  yes: no
  int: 0o14
  float: 1.50
  inf: .inf
  nan: .nan
  quoted: '1'
  typed: !!str 1
  own: !secret abc
  when: !!timestamp 2026-02-20
  lines: |
    one
    two
  1: number
  true: boolean
  <<: { a: 1 }
  nothing:
  list: [~, true]
`;
    expect(value(text)).toEqual({
      at: '2026-02-20T10:00:00Z',
      date: '2026-02-20',
      yes: 'no',
      int: 12,
      float: 1.5,
      inf: '.inf',
      nan: '.nan',
      quoted: '1',
      typed: '1',
      own: 'abc',
      when: '2026-02-20',
      lines: 'one\ntwo\n',
      1: 'number',
      true: 'boolean',
      '<<': { a: 1 },
      nothing: null,
      list: [null, true],
    });
  });

  it.each([
    '',
    '\ufeff',
    '\n\n',
    '# only\n# comments',
    '---\n',
    '---\n...\n',
    '%YAML 1.2\n---\n',
    'a: 1\n',
    '{}',
  ])('finds nothing in %j', (text) => {
    expect(value(text)).toBeUndefined();
  });

  it.each(['resumption:', 'resumption: ~\n', 'resumption: null # later\nb: 1', 'a: &n\nresumption: *n'])(
    'takes null for nothing: %j',
    (text) => {
      expect(value(text)).toBeUndefined();
    },
  );

  it('follows aliases to what stands last before them', () => {
    const text = 'a: &x 1\nb: &x { c: 2 }\nresumption: { d: *x, *x : e }\n&k f: 3\n'.replace(', *x : e', '');
    expect(value(text)).toEqual({ d: { c: 2 } });
    expect(value('&k last: 3\nresumption:\n  *k : 4\n')).toEqual({ last: 4 });
    expect(value('base: &b\n  a: 1\nresumption: *b\n')).toEqual({ a: 1 });
  });

  it('lets everything be that is not its own', () => {
    const text = `%TAG !e! tag:example.com,2000:
---
? [complex, key]
: !e!thing { a: 1 }
? { x: 1 }
twice: 1
twice: 2
~: null key
.inf: .inf
resumption:
  ? [a]
  : 1
  b: 2
`;
    expect(value(text)).toEqual({ b: 2 });
  });

  it('keeps a key that would reach into every object', () => {
    const found = value('resumption:\n  __proto__: { polluted: 1 }\n  constructor: 2\n');
    expect(Object.keys(found ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('tells what is no YAML, with its place', () => {
    expect(trouble('a: 1\nb: [1\n')).toEqual({
      reason: 'bad-yaml',
      facts: { line: 3, column: 1, detail: expect.stringMatching(/^[A-Z_]+$/) },
    });
    expect(trouble('a: "torn')).toMatchObject({ reason: 'bad-yaml', facts: { line: 1 } });
    expect(trouble('\tx: 1\n')).toMatchObject({ reason: 'bad-yaml' });
    expect(trouble('a: 1\n b: 2\n')).toMatchObject({ reason: 'bad-yaml', facts: { line: 1 } });
    expect(trouble('%YAML 1.2\n')).toMatchObject({ reason: 'bad-yaml' });
  });

  it('tells an alias of nothing, wherever it is, and one of what it lies in', () => {
    const facts = { detail: 'BAD_ALIAS' };
    expect(trouble('a: *x\nresumption: {}\n')).toMatchObject({ reason: 'bad-yaml', facts });
    expect(trouble('a: *x\nb: &x 1\n')).toMatchObject({ reason: 'bad-yaml', facts });
    expect(trouble('resumption: &x { a: *x }\n')).toMatchObject({ reason: 'bad-yaml', facts });
  });

  it('tells a section, or a key in it, that is there twice', () => {
    const facts = { line: 2, column: 1, detail: 'DUPLICATE_KEY' };
    expect(trouble('resumption: {}\n"resumption": {}\n')).toEqual({
      reason: 'bad-yaml',
      facts: { ...facts, key: 'resumption' },
    });
    expect(trouble('resumption:\n  1: a\n  "1": b\n')).toMatchObject({
      reason: 'bad-yaml',
      facts: { ...facts, line: 3, column: 3, key: '1' },
    });
  });

  it('tells a second document', () => {
    expect(trouble('a: 1\n---\nb: 1\n')).toMatchObject({ reason: 'many-documents' });
    expect(trouble('a: 1\n...\n---\n')).toMatchObject({ reason: 'many-documents' });
  });

  it.each(['- a\n', 'text', '[]', 'null', '"x"', '|\n  x\n', '--- ~'])(
    'tells a file that is no map: %j',
    (text) => {
      expect(trouble(text)).toMatchObject({ reason: 'not-a-map' });
    },
  );

  it.each(['resumption: 1', 'resumption: []', 'resumption: ""', 'a: &x 1\nresumption: *x'])(
    'tells a section that is no map: %j',
    (text) => {
      expect(trouble(text)).toMatchObject({ reason: 'not-a-map' });
    },
  );

  it('has a limit on size, in bytes', () => {
    expect(trouble(`# ${'x'.repeat(1024 * 1024)}`)).toEqual({
      reason: 'too-large',
      facts: { limit: 1048576 },
    });
    expect(trouble(`# ${'€'.repeat(400_000)}`)).toMatchObject({ reason: 'too-large' });
    expect(value(`# ${'x'.repeat(1024 * 1024 - 2)}`)).toBeUndefined();
  });

  it('has a limit on depth, however it is reached', () => {
    expect(trouble(`a: ${'['.repeat(20_000)}`)).toMatchObject({ reason: 'too-deep', facts: { limit: 64 } });
    expect(trouble(`a: ${'{a: '.repeat(100)}1${'}'.repeat(100)}`)).toMatchObject({ reason: 'too-deep' });
    const deep = `${'['.repeat(40)}`;
    const close = `${']'.repeat(40)}`;
    const nested = `a: &a ${deep}1${close}\nb: &b ${deep}*a${close}\nresumption: { x: *b }\n`;
    expect(trouble(nested)).toMatchObject({ reason: 'too-deep' });
  });

  it('has a limit on aliases, and on what they stand for', () => {
    const many = (count: number) => `a: &a 1\nb: [${Array(count).fill('*a').join(', ')}]\nresumption: {}\n`;
    expect(trouble(many(101))).toMatchObject({ reason: 'too-many-aliases', facts: { line: 2, limit: 100 } });
    expect(value(many(100))).toEqual({});
    const bomb = Array.from({ length: 10 }, (_, at) => {
      const inner = at === 0 ? '1' : `*a${at - 1}`;
      return `a${at}: &a${at} [${Array(9).fill(inner).join(', ')}]`;
    });
    expect(trouble(`${bomb.join('\n')}\nresumption: { a: *a9 }\n`)).toMatchObject({
      reason: 'too-large',
      facts: { limit: 100_000 },
    });
    // What the section has nothing to do with costs nothing.
    expect(value(`${bomb.join('\n')}\nresumption: { a: 1 }\n`)).toEqual({ a: 1 });
  });
});
