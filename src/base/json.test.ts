import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byCodeUnit, canonicalJson, isJsonObject, type JsonValue } from './json.ts';

describe('canonicalJson', () => {
  it('writes the sample of RFC 8785, section 3.2.2', () => {
    const sample = JSON.parse(
      String.raw`{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }`,
    ) as JsonValue;
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code unit, as section 3.2.3 does', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const values = Object.values(JSON.parse(canonicalJson(sample)));
    expect(canonicalJson(sample).startsWith('{"\\r":')).toBe(true);
    expect(values).toHaveLength(7);
    expect([...canonicalJson(sample).matchAll(/:"([A-Z][a-z]+)/g)].map(([, word]) => word)).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ]);
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [123456789012345680000, '123456789012345680000'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
  ])('prints the number %s as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('sorts at every depth, and inside lists', () => {
    expect(canonicalJson({ b: { d: 1, c: [{ f: 1, e: 2 }] }, a: {} })).toBe(
      '{"a":{},"b":{"c":[{"e":2,"f":1}],"d":1}}',
    );
  });

  it('leaves members out that are undefined, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: 1 } as unknown as JsonValue)).toBe('{"b":1}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s', (value) => {
    expect(() => canonicalJson([value])).toThrow('NaN or Infinity');
  });

  it('is the same whatever order the keys were written in', () => {
    fc.assert(
      fc.property(jsonValues(), fc.nat(), (value, turn) => {
        expect(canonicalJson(reordered(value, turn))).toBe(canonicalJson(value));
      }),
    );
  });

  it('says everything: parsing it gives the value back', () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('differs for values that differ', () => {
    fc.assert(
      fc.property(jsonValues(), jsonValues(), (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b);
        const equal = isSameData(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
        expect(same).toBe(equal);
      }),
    );
  });
});

describe('byCodeUnit', () => {
  it('is the order of the plain sort, in any locale', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: characters })), (texts) => {
        expect(texts.toSorted(byCodeUnit)).toEqual(texts.toSorted());
      }),
    );
  });
});

describe('isJsonObject', () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['{}', false],
  ])('of %j is %s', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});

/**
 * Escaped and plain, of one code unit and of two, and keys whose order depends on how characters are counted.
 */
const characters = fc.constantFrom(...'aZ09 "\\/\n\u0000\u0080ö€\ufb33😀\ud800');

function jsonValues(): fc.Arbitrary<JsonValue> {
  return fc.jsonValue({ maxDepth: 4, stringUnit: characters }) as fc.Arbitrary<JsonValue>;
}

/** The same value with the keys of every object written in another order. */
function reordered(value: JsonValue, turn: number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item, turn));
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).reverse();
  const start = keys.length === 0 ? 0 : turn % keys.length;
  const object: Record<string, JsonValue> = Object.create(null);
  for (const key of [...keys.slice(start), ...keys.slice(0, start)]) {
    object[key] = reordered(value[key] ?? null, turn);
  }
  return object;
}

function isSameData(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
