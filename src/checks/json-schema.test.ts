import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { checkJsonSchema } from './json-schema.ts';

function judge(schema: unknown, value: unknown, timeoutMs = 5_000): string {
  const text = typeof value === 'string' && value.startsWith('RAW ') ? value.slice(4) : JSON.stringify(value);
  const outcome = checkJsonSchema(schema as JsonValue, Buffer.from(text), timeoutMs);
  return outcome.passed ? 'passed' : outcome.detail;
}

// An object with a `then` in code looks like a promise.
const conditional = JSON.parse('{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":1}}');

const drafts = 'https://json-schema.org/draft';

/** A list that says where what its items are can be found. */
const dynamicList = {
  type: 'array',
  items: { $dynamicRef: '#item' },
  $defs: { text: { $dynamicAnchor: 'item', type: 'string' } },
};

describe('good and bad values', () => {
  // Each: the schema, values that fit, values that do not.
  const cases: [string, unknown, unknown[], unknown[]][] = [
    ['true', true, [1, null], []],
    ['false', false, [], [1, null]],
    ['empty', {}, [1, {}], []],
    ['type', { type: 'object' }, [{}], [[], null, 1]],
    ['types', { type: ['string', 'null'] }, ['a', null], [1]],
    ['integer', { type: 'integer' }, [1, 1.0, 1e300], [1.5, '1']],
    ['boolean', { type: 'boolean' }, [true], [0]],
    ['enum', { enum: [1, { a: [1] }, null] }, [1, { a: [1] }, null], [2, {}, { a: [1, 2] }]],
    ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, 1]],
    ['const null', { const: null }, [null], [0, false]],
    ['bounds', { minimum: 1, maximum: 3 }, [1, 3, 'text'], [0.9, 3.1]],
    ['exclusive bounds', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
    ['multipleOf', { multipleOf: 0.01 }, [4.02, 0, 'x'], [4.025]],
    ['multipleOf large', { multipleOf: 3 }, [9, -3, 3e20], [10]],
    ['length', { minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 5], ['a', '😀', 'abcd']],
    ['pattern', { pattern: '^\\d+$' }, ['12', 12], ['a']],
    ['pattern not valid in Unicode mode', { pattern: '^[\\w-.]+\\-$' }, ['a.b-'], ['!']],
    ['items', { items: { type: 'number' } }, [[], [1, 2], 'x'], [[1, 'a']]],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [[1], ['a', 1]]],
    ['older tuples', { items: [{ type: 'string' }], additionalItems: false }, [['a'], []], [[1], ['a', 1]]],
    ['count of items', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
    [
      'uniqueItems',
      { uniqueItems: true },
      [[1, '1', { a: 1 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    ['contains', { contains: { const: 1 } }, [[2, 1]], [[], [2]]],
    [
      'minContains',
      { contains: { const: 1 }, minContains: 2, maxContains: 3 },
      [[1, 1]],
      [[1], [1, 1, 1, 1]],
    ],
    ['minContains 0', { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
    ['required', { required: ['a'] }, [{ a: null }, [], 'x'], [{}]],
    ['required names of Object', { required: ['toString'] }, [{ toString: 1 }], [{}]],
    ['properties', { properties: { a: { type: 'number' } } }, [{ a: 1 }, {}, { b: 'x' }], [{ a: 'x' }]],
    ['additionalProperties', { properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
    ['additional by schema', { additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
    [
      'a property named __proto__',
      { additionalProperties: false },
      [{}],
      ['RAW {"__proto__":1}', 'RAW {"constructor":1}'],
    ],
    [
      'patternProperties',
      { patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      [{ xa: 1 }],
      [{ xa: 'x' }, { a: 1 }],
    ],
    [
      'both ways to name a property',
      { properties: { xa: {} }, patternProperties: { '^x': false } },
      [{}],
      [{ xa: 1 }],
    ],
    ['propertyNames', { propertyNames: { pattern: '^a' } }, [{ a: 1 }], [{ b: 1 }]],
    ['count of properties', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
    ['dependentSchemas', { dependentSchemas: { a: { minProperties: 2 } } }, [{ b: 1 }], [{ a: 1 }]],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { minProperties: 2 } } },
      [{ a: 1, b: 1 }],
      [{ a: 1 }, { c: 1 }],
    ],
    ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
    ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 6], [4]],
    ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
    ['not', { not: { type: 'string' } }, [1], ['a']],
    ['if', conditional, ['ab', 1], ['a', 0]],
    ['if alone', { if: { type: 'string' } }, ['a', 1], []],
    ['$ref', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['a'], [1]],
    [
      '$ref with more beside it',
      { $ref: '#/$defs/a', minLength: 2, $defs: { a: { type: 'string' } } },
      ['ab'],
      ['a', 1],
    ],
    ['$ref with escapes', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'string' } } }, ['a'], [1]],
    ['$ref into a list', { $ref: '#/anyOf/0', anyOf: [{ type: 'string' }, true] }, ['a'], [1]],
    [
      'a tree',
      { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
      [{ next: { next: {} } }],
      [{ next: { other: 1 } }],
    ],
    ['format', { format: 'email' }, ['a@example.com', 1], ['nope']],
    ['format date-time', { format: 'date-time' }, ['2026-01-02T03:04:05Z'], ['2026-13-02T03:04:05Z']],
    [
      'unknown words and formats are notes',
      { format: 'postcode', 'x-note': 1, title: 'T', $id: 'a' },
      ['nope'],
      [],
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    ['unevaluatedItems', { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
    ['$anchor', { $ref: '#name', $defs: { a: { $anchor: 'name', type: 'string' } } }, ['a'], [1]],
    ['$dynamicRef', dynamicList, [['a']], [[1]]],
    [
      'draft 7, by its name',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
      [['a', 1]],
      [[1]],
    ],
    ['2019-09, by its name', { $schema: `${drafts}/2019-09/schema`, items: [{ const: 1 }] }, [[1]], [[2]]],
    ['2020-12, by its name', { $schema: `${drafts}/2020-12/schema`, prefixItems: [false] }, [[]], [[2]]],
  ];

  test.each(cases)('%s', (_, schema, good, bad) => {
    for (const value of good) expect([value, judge(schema, value)]).toEqual([value, 'passed']);
    for (const value of bad) expect(judge(schema, value)).toMatch(/^\$.*: expected .*, found /);
  });
});

test('the detail names the place, what was expected and what was found', () => {
  const schema = {
    type: 'object',
    required: ['scenes'],
    properties: {
      scenes: {
        type: 'array',
        items: {
          properties: { title: { type: 'string', minLength: 3 }, 'odd key': { enum: ['a', 'b'] } },
          required: ['title'],
          additionalProperties: false,
        },
      },
    },
  };
  expect(judge(schema, {})).toBe('$.scenes: expected a value, found nothing');
  expect(judge(schema, { scenes: 'none' })).toBe('$.scenes: expected array, found "none"');
  expect(judge(schema, { scenes: [{ title: 'yes' }, { title: 'no' }] })).toBe(
    '$.scenes[1].title: expected at least 3 characters, found "no"',
  );
  expect(judge(schema, { scenes: [{ title: 'yes', 'odd key': 'c' }] })).toBe(
    '$.scenes[0]["odd key"]: expected one of ["a","b"], found "c"',
  );
  expect(judge(schema, { scenes: [{ title: 'yes', extra: 1 }] })).toBe(
    '$.scenes[0].extra: expected no such property, found 1',
  );
});

test('of several choices the one that went deepest is told', () => {
  const schema = {
    anyOf: [
      { type: 'string' },
      { type: 'object', properties: { a: { properties: { b: { type: 'number' } } } } },
    ],
  };
  expect(judge(schema, { a: { b: 'x' } })).toBe('$.a.b: expected number, found "x"');
  expect(judge({ oneOf: [true, {}] }, 1)).toBe('$: expected one choice of oneOf to fit, found 2 that do');
});

test('a long value is shortened', () => {
  expect(judge({ type: 'number' }, 'x'.repeat(10_000)).length).toBeLessThan(200);
});

test('a value that is no JSON fails as such', () => {
  expect(judge({}, 'RAW {')).toMatch(/JSON/);
  expect(judge({}, `RAW ${'['.repeat(300)}`)).toBe('nested deeper than 200');
});

describe('a schema that cannot be used fails the check and says where', () => {
  test.each([
    [1, 'schema #: wrong-shape'],
    [{ type: 'objekt' }, 'schema #/type: wrong-shape'],
    [{ minLength: -1 }, 'schema #/minLength: wrong-shape'],
    [{ exclusiveMinimum: true }, 'schema #/exclusiveMinimum: wrong-shape'],
    [{ required: 'a' }, 'schema #/required: wrong-shape'],
    [{ properties: { 'a/b': { items: 5 } } }, 'schema #/properties/a~1b/items: wrong-shape'],
    [{ anyOf: [] }, 'schema #/anyOf: wrong-shape'],
    [{ multipleOf: 0 }, 'schema #/multipleOf: wrong-shape'],
    [{ pattern: '(' }, 'schema #/pattern: bad-pattern'],
    [{ patternProperties: { '(': true } }, 'schema #/patternProperties: bad-pattern'],
    [{ $ref: '#/$defs/none' }, 'schema #/$ref: reference-not-found'],
    [{ $ref: 'https://example.com/schema' }, 'schema #/$ref: reference-not-found'],
    [{ $ref: '#/constructor' }, 'schema #/$ref: reference-not-found'],
    [{ $ref: '#/%' }, 'schema #/$ref: reference-not-found'],
    [{ $dynamicRef: '#a' }, 'schema #/$dynamicRef: reference-not-found'],
    [{ items: { $ref: '#a' } }, 'schema #/items/$ref: reference-not-found'],
    [
      { items: { $dynamicRef: '#a' }, $defs: { a: { $id: 'b', $dynamicAnchor: 'a' } } },
      'schema #/items/$dynamicRef: unsupported',
    ],
    [{ $schema: 'https://example.com/draft' }, 'schema #/$schema: unsupported'],
  ])('%j', (schema, expected) => {
    expect(judge(schema, 1)).toBe(expected);
  });

  test('one nested without end', () => {
    let schema: unknown = {};
    for (let at = 0; at < 10_000; at++) schema = { not: schema };
    expect(judge(schema, 1)).toMatch(/too-deep$/);
  });
});

describe('a schema that never ends, or takes for ever', () => {
  test('refers to itself', () => {
    expect(judge({ $ref: '#' }, 1)).toBe('$: expected a schema that ends, found a loop');
    expect(judge({ not: { $ref: '#' } }, 1)).toBe('$: expected a schema that ends, found a loop');
  });

  test('doubles at every step', () => {
    const twice = { anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/node' }] };
    const schema = {
      $ref: '#/$defs/node',
      $defs: { node: { anyOf: [{ type: 'array', items: twice, minItems: 1 }, { const: 'never' }] } },
    };
    let value: unknown = 1;
    for (let at = 0; at < 60; at++) value = [value];
    expect(judge(schema, value, 50)).toBe('no answer within 50 ms from the schema');
  });

  test('has a pattern that backtracks for ever', () => {
    expect(judge({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`, 50)).toBe(
      'no answer within 50 ms from the schema',
    );
  });
});
