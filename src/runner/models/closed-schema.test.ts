import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { isClosed } from './answer-parts.ts';

const text = { type: 'string' };
const object = (properties: JsonValue, more = {}): JsonValue => ({
  type: 'object',
  properties,
  required: Object.keys(properties as object),
  additionalProperties: false,
  ...more,
});

describe('a schema is closed', () => {
  it.each<[string, JsonValue]>([
    ['with all members named and no others', object({ a: text, b: object({ c: text }) })],
    ['with a list of closed ones', object({ a: { type: 'array', items: object({ b: text }) } })],
    ['with a choice of closed ones', object({ a: { anyOf: [text, object({ b: text }), { type: 'null' }] } })],
    ['with definitions', object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: object({ c: text }) } })],
    ['with no members at all', object({})],
    ['with more required than named', object({ a: text }, { required: ['a', 'b'] })],
    ['with members that are called as words of schemas are', object({ type: text, required: text })],
    ['with a member called properties', object({ properties: text })],
  ])('%s', (_, schema) => {
    expect(isClosed(schema)).toBe(true);
  });
});

describe('a schema is open', () => {
  it.each<[string, JsonValue]>([
    ['with other members', object({ a: text }, { additionalProperties: true })],
    ['with members of a kind', object({ a: text }, { additionalProperties: text })],
    ['where nothing is said of others', { type: 'object', properties: { a: text }, required: ['a'] }],
    ['with a member that may lack', object({ a: text }, { required: [] })],
    ['where nothing is required', { type: 'object', properties: { a: text }, additionalProperties: false }],
    ['with any object', { type: 'object' }],
    ['with an object that is only closed by its members', { properties: { a: text } }],
    ['deep down', object({ a: { type: 'array', items: { anyOf: [object({ b: { type: 'object' } })] } } })],
    ['in a definition', object({ a: text }, { $defs: { b: { type: 'object' } } })],
    ['with any object or nothing', object({ a: { type: ['object', 'null'] } })],
    ['with a member of which nothing is said', object({ a: {} })],
    ['where anything goes', {}],
    ['where anything goes, in a word', true],
    ['with a list of anything', object({ a: { type: 'array' } })],
  ])('%s', (_, schema) => {
    expect(isClosed(schema)).toBe(false);
  });

  it('deeper than anybody looks', () => {
    let schema: JsonValue = object({});
    for (let depth = 0; depth < 100; depth++) schema = object({ a: schema });
    expect(isClosed(schema)).toBe(false);
  });
});
