import { describe, expect, it } from 'vitest';
import { compilePattern, expandPattern, fillPattern, hasFields, parsePattern } from './pattern.ts';

const unit = { id: 'ch001', data: { chapter: 7, title: 'Ash', draft: true, long: 12345 }, needs: [] };

describe('expandPattern', () => {
  it.each([
    ['draft/{unit}.md', 'draft/ch001.md'],
    ['{chapter}', '7'],
    ['{chapter:03}', '007'],
    ['{long:03}', '12345'],
    ['{title}-{unit}-{title}', 'Ash-ch001-Ash'],
    ['plain', 'plain'],
    ['', ''],
  ])('%s', (pattern, expected) => {
    expect(expandPattern(pattern, unit)).toBe(expected);
    expect(compilePattern(pattern)(unit, 1)).toBe(expected);
  });

  it('throws for what the load would have refused', () => {
    expect(() => expandPattern('{nope}', unit)).toThrow('nope');
    expect(() => expandPattern('{unit', unit)).toThrow('{unit');
  });
});

describe('fillPattern', () => {
  const fill = (text: string, fields: Record<string, string | number | boolean>) => {
    const parsed = parsePattern(text);
    if ('wrong' in parsed) throw new Error(parsed.wrong);
    return fillPattern(parsed.pattern, (name) => fields[name]);
  };

  it('says which field is missing or of the wrong type', () => {
    expect(fill('{a}', {})).toEqual({ code: 'pattern-unknown-field', field: 'a' });
    expect(fill('{a}', { a: true })).toEqual({ code: 'wrong-type', field: 'a', expected: 'string' });
    expect(fill('{a:02}', { a: '7' })).toEqual({ code: 'wrong-type', field: 'a', expected: 'integer' });
    expect(fill('{a:02}', { a: 1.5 })).toEqual({ code: 'wrong-type', field: 'a', expected: 'integer' });
    expect(fill('{a:02}', { a: -1 })).toEqual({ code: 'wrong-type', field: 'a', expected: 'integer' });
  });
});

describe('parsePattern', () => {
  it.each(['{', '{}', 'a{b c}d', '{a:3}', '{a:003}', '{a:0}', '{{unit}}', '{1}'])('refuses %s', (text) => {
    expect(parsePattern(text)).toHaveProperty('wrong');
  });

  it('tells a pattern from a text', () => {
    const has = (text: string) => {
      const parsed = parsePattern(text);
      return 'pattern' in parsed && hasFields(parsed.pattern);
    };
    expect([has('a/{unit}'), has('a/b'), has('')]).toEqual([true, false, false]);
  });
});
