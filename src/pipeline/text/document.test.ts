import { describe, expect, it } from 'vitest';
import { parseDocument } from './document.ts';

const parse = (text: string) => parseDocument(text, 'f.yaml');
const data = (text: string) => {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value.data;
};
const codes = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.failure.map(({ code }) => code);
};

describe('parseDocument', () => {
  it('reads YAML 1.2, where yes and 012 are what they look like', () => {
    expect(
      data('a: yes\nb: 012\nc: 0o14\nd: 1e3\ne: ~\nf: true\ng: "1"\nh: 2026-01-01\n1: x\n<<: y'),
    ).toEqual({
      a: 'yes',
      b: 12,
      c: 12,
      d: 1000,
      e: null,
      f: true,
      g: '1',
      h: '2026-01-01',
      '1': 'x',
      '<<': 'y',
    });
    expect(data('')).toBe(null);
  });

  it('follows aliases', () => {
    expect(data('a: &x { b: [1] }\nc: *x')).toEqual({ a: { b: [1] }, c: { b: [1] } });
  });

  it('finds the place of a value, of its key, and of what is not there', () => {
    const parsed = parse('# first\na:\n  b: [10, x]\n  c:\n    d: 1\n');
    if (!parsed.ok) throw new Error('not read');
    const at = (path: string, part?: 'key' | 'value') => {
      const place = parsed.value.locate(path, part);
      return `${place?.line}:${place?.column}`;
    };
    expect(at('a.b')).toBe('3:6');
    expect(at('a.b', 'key')).toBe('3:3');
    expect(at('a.b[1]')).toBe('3:11');
    expect(at('a.c')).toBe('5:5');
    expect(at('a.c.missing')).toBe('4:3');
    expect(at('a.b[7].x')).toBe('3:3');
    expect(at('nothing')).toBe('2:1');
    expect(parsed.value.locate('a.b')?.source).toBe('  b: [10, x]');
  });

  it('stops where nesting is too deep, however it is written, before the parser can break', () => {
    const indented = Array.from({ length: 1200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    const many = 20_000;
    const deep = [
      '['.repeat(many),
      '{'.repeat(many),
      '[{'.repeat(many),
      '[a: '.repeat(many),
      '- '.repeat(many),
      '? '.repeat(many),
      `${'['.repeat(many)}${']'.repeat(many)}`,
      `a: ${'{a: '.repeat(many)}1${'}'.repeat(many)}`,
      `a:\n  - ${'- '.repeat(many)}x`,
      '"\n[" : [[['.padEnd(200, '['),
      indented,
      `${indented} x`,
    ];
    for (const text of deep) expect(codes(text)).toEqual(['yaml-too-deep']);
  });

  it('tells the first slip of the syntax and nothing of what it does to the rest', () => {
    const parsed = parse('a: { x: out/{unit}.txt, y: [p, {unit.path}] }\nb: 1\n---\nc: [1,\n');
    expect(parsed.ok ? [] : parsed.failure).toMatchObject([
      { code: 'yaml-syntax', place: { line: 1, column: 13 }, facts: { cause: 'UNEXPECTED_TOKEN' } },
    ]);
  });

  it('counts depth, not brackets', () => {
    expect(
      codes(`a: "${'['.repeat(20_000)}"\nb: |\n  ${'{'.repeat(20_000)}\nc: x${'['.repeat(200)}`),
    ).toEqual([]);
    expect(codes(Array.from({ length: 500 }, () => '- text with [ one bracket').join('\n'))).toEqual([]);
    expect(codes(`${'['.repeat(64)}${']'.repeat(64)}`)).toEqual([]);
    expect(codes(`${'['.repeat(67)}${']'.repeat(67)}`)).toEqual(['yaml-too-deep']);
  });

  it('sees depth that aliases add up', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [[[*a${at}]]]`);
    expect(codes(['a0: &a0 [1]', ...levels].join('\n'))).toContain('yaml-too-deep');
  });

  it('does not write out an alias bomb', () => {
    const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
    expect(codes(['a0: &a0 [lol]', ...levels].join('\n'))).toContain('yaml-too-many-aliases');
  });

  it('does not take forever over a map with very many keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n');
    expect(Object.keys(data(keys) as object)).toHaveLength(20_000);
    expect(codes(`${keys}\nk7: 1`)).toEqual(['yaml-duplicate-key']);
  });

  it('does not let a document choose another YAML', () => {
    expect(data('%YAML 1.1\n---\na: yes\n')).toEqual({ a: 'yes' });
  });
});
