import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../base/json.ts';
import { rewriteSection } from './remove.ts';

function rewrite(text: string, wanted: JsonObject, names: readonly string[]): string {
  const rewritten = rewriteSection(text, 'r', wanted, names);
  if (!rewritten.ok) throw new Error(JSON.stringify(rewritten.failure));
  return rewritten.value;
}

describe('rewriteSection', () => {
  it('takes lines away in block style, and leaves the comments', () => {
    expect(rewrite('r:\n  # a\n  a: 1 # one\n  b:\n    - x\n  c: 1\nz: 1\n', { d: 2 }, ['a', 'b'])).toBe(
      'r:\n  # a\n  # one\n  c: 1\n  d: 2\nz: 1\n',
    );
  });

  it('takes members out of braces, with their commas', () => {
    const text = 'z: 1\nr: {a: cp-5, b: {x: [1, 2]}, c: "d, e"} # r\n';
    expect(rewrite(text, {}, ['a'])).toBe('z: 1\nr: {b: {x: [1, 2]}, c: "d, e"} # r\n');
    expect(rewrite(text, {}, ['b'])).toBe('z: 1\nr: {a: cp-5, c: "d, e"} # r\n');
    expect(rewrite(text, {}, ['c'])).toBe('z: 1\nr: {a: cp-5, b: {x: [1, 2]}} # r\n');
    expect(rewrite(text, {}, ['b', 'c'])).toBe('z: 1\nr: {a: cp-5 } # r\n');
    expect(rewrite(text, {}, ['a', 'b', 'c'])).toBe('z: 1\nr: {} # r\n');
    expect(rewrite(text, { d: 1 }, ['a', 'b', 'c'])).toBe('z: 1\nr: {d: 1} # r\n');
    expect(rewrite('r: { a: 1, b: 2, }\n', {}, ['b'])).toBe('r: { a: 1, }\n');
  });

  it('keeps a JSON file JSON', () => {
    const text = '{\n  "r": {\n    "a": "cp-5",\n    "b": [1],\n    "c": {}\n  },\n  "z": 1\n}\n';
    const rewritten = rewrite(text, { d: { a: 'x' } }, ['a', 'c']);
    expect(rewritten).toBe('{\n  "r": {\n    "b": [1],\n    "d": {"a": "x"}\n  },\n  "z": 1\n}\n');
    expect(JSON.parse(rewritten)).toEqual({ r: { b: [1], d: { a: 'x' } }, z: 1 });
    expect(JSON.parse(rewrite(text, {}, ['b', 'c']))).toEqual({ r: { a: 'cp-5' }, z: 1 });
  });

  it('leaves the comments inside of braces', () => {
    const text = 'r: { # r\n  a: 1, # a\n  # b\n  b: 2 # two\n  , c, # c\n  d: # e\n    4\n}\n';
    expect(rewrite(text, {}, ['b'])).toBe(
      'r: { # r\n  a: 1, # a\n  # b\n  # two\n   c, # c\n  d: # e\n    4\n}\n',
    );
    expect(rewrite(text, {}, ['c', 'd'])).toBe('r: { # r\n  a: 1, # a\n  # b\n  b: 2 # two\n    # c\n}\n');
  });

  it('leaves alone what is no map of its own', () => {
    expect(rewriteSection('x: &x {a: 1, b: 2}\nr: *x\n', 'r', {}, ['a'])).toMatchObject({
      ok: false,
      failure: { reason: 'cannot-patch', facts: { detail: 'not-a-map' } },
    });
    expect(rewriteSection('r: {a: &a 1, b: *a }\n', 'r', {}, ['a']).ok).toBe(false);
  });

  it('takes away any members of any braces, and nothing else', () => {
    const gap = fc.constantFrom('', ' ', '\n  ', ' # c\n  ', '\n  # c\n  ');
    const value = fc.constantFrom('1', '"x, y"', '[1, {a: 2}]', "'it''s'", '{}', 'two words', '~');
    const member = fc.record({ gap, value, behind: gap, goes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), fc.boolean(), (members, isTailed) => {
        const source = members.map((one, at) => `${one.gap}"k${at}": ${one.value}${one.behind}`).join(',');
        const text = `p: 1\nr: {${source}${isTailed && members.length > 0 ? ', ' : ''}}\nq: 2\n`;
        const names = members.flatMap(({ goes }, at) => (goes ? [`k${at}`] : []));
        const rewritten = rewrite(text, {}, names);
        const data = parse(text) as { r: JsonObject };
        const left = Object.entries(data.r).filter(([name]) => !names.includes(name));
        expect(parse(rewritten)).toEqual({ ...data, r: Object.fromEntries(left) });
        expect(rewritten.split('# c')).toHaveLength(text.split('# c').length);
        if (!isTailed) expect(/,\s*\}\nq/.test(rewritten)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
