import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { indexJson } from './document.ts';

describe('indexJson', () => {
  it('finds keys and values', () => {
    const text = ' { "a" : [ 10 , {"b\\"": "x"} ], "c":-1e3 } ';
    expect([...indexJson(text)]).toEqual([
      ['', { key: 1, value: 1 }],
      ['a', { key: 3, value: 9 }],
      ['a[0]', { key: 11, value: 11 }],
      ['a[1]', { key: 16, value: 16 }],
      ['a[1].b"', { key: 17, value: 24 }],
      ['c', { key: 32, value: 36 }],
    ]);
  });

  it('finds every value of every document at the beginning of its own text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify({ value }, undefined, indent);
        const { value: offset } = indexJson(text).get('value') ?? { value: -1 };
        expect(startsWithJson(text.slice(offset), JSON.parse(text).value as JsonValue, indent)).toBe(true);
      }),
    );
  });
});

function startsWithJson(text: string, value: JsonValue, indent: string | number | undefined): boolean {
  const plain = (json: string) => json.replaceAll(/\s/g, '');
  return plain(text).startsWith(plain(JSON.stringify(value, undefined, indent)));
}
