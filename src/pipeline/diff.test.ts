import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { diffManifests } from './diff.ts';

describe('diffManifests', () => {
  it('names each changed value with the old and the new one', () => {
    const before = { a: 1, b: { c: [1, 2, 3], d: 'x' }, gone: { deep: [1] }, same: [{ x: 1 }] };
    const after = { a: 2, b: { c: [1, 5], d: { y: 1 } }, added: true, same: [{ x: 1 }] };
    expect(diffManifests(before, after)).toEqual([
      { path: 'a', before: 1, after: 2 },
      { path: 'added', before: undefined, after: true },
      { path: 'b.c[1]', before: 2, after: 5 },
      { path: 'b.c[2]', before: 3, after: undefined },
      { path: 'b.d', before: 'x', after: { y: 1 } },
      { path: 'gone', before: { deep: [1] }, after: undefined },
    ]);
  });

  it('says where the new value stands', () => {
    const locate = (path: string) => ({ file: 'f', line: path.length, column: 2, source: '' });
    expect(diffManifests({ a: 1, b: 1 }, { a: 2 }, locate)).toEqual([
      { path: 'a', before: 1, after: 2, line: 1, column: 2 },
      { path: 'b', before: 1, after: undefined },
    ]);
  });

  it('does not mistake what objects inherit for a value', () => {
    expect(diffManifests({}, { constructor: 'x' })).toEqual([
      { path: 'constructor', before: undefined, after: 'x' },
    ]);
  });

  it('finds nothing between equal documents and something between others, whatever the order of keys', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(json, (value) => {
        expect(diffManifests(value, reversed(value))).toEqual([]);
        expect(diffManifests({ value }, { value: [value] })).not.toEqual([]);
      }),
    );
  });
});

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
