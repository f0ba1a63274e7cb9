import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type ItemFields, isListOfNames, itemFields, readItem } from './fields.ts';

const fields: ItemFields = {
  needs: 'dependencies',
  title: 'title',
  priority: 'priority',
  touches: ['area_paths', 'conflict_hotspots'],
  beside: 'parallelizable_with',
  file: undefined,
};

const read = (item: JsonObject, given: ItemFields = fields) => readItem(given, item);

describe('the fields of a list', () => {
  it.each([
    ['a list of names', ['a', 'b']],
    ['a count', { count: 3 }],
    ['a list of items', { list: ['a'] }],
  ])('of %s are the usual ones', (_, units) => {
    expect(itemFields(units as never)).toEqual({
      needs: 'needs',
      title: 'title',
      priority: undefined,
      touches: [],
      beside: undefined,
    });
  });

  it('are as the manifest names them', () => {
    const named = { needs: 'after', title: 'name', priority: 'rank', touches: 'paths', beside: 'with' };
    for (const source of [{ from: 'list' }, { artifact: 'graph.tasks' }])
      expect(itemFields({ ...source, ...named } as never)).toEqual({ ...named, touches: ['paths'] });
    expect(itemFields({ from: 'list', touches: ['a', 'b'] } as never).touches).toEqual(['a', 'b']);
  });
});

describe('an item', () => {
  it('says how its unit is handed out, and that is no part of what its results depend on', () => {
    const item = {
      id: 'T001',
      title: 'First',
      dependencies: ['T000'],
      priority: 'high',
      area_paths: ['src'],
      conflict_hotspots: 'package.json',
      parallelizable_with: ['T002'],
      criteria: ['works'],
    };
    expect(read(item)).toEqual({
      needs: ['T000'],
      title: 'First',
      priority: 1,
      touches: ['src', 'package.json'],
      beside: ['T002'],
      data: {
        id: 'T001',
        title: 'First',
        area_paths: ['src'],
        conflict_hotspots: 'package.json',
        criteria: ['works'],
      },
    });
    expect(item.dependencies).toEqual(['T000']);
  });

  it('without any of these says nothing of them', () => {
    expect(read({ id: 'T001' })).toEqual({ needs: undefined, data: { id: 'T001' } });
    const plain = { ...fields, priority: undefined, touches: [], beside: undefined };
    expect(read({ id: 'T001', priority: 1, beside: ['x'] }, plain)).toEqual({
      needs: undefined,
      data: { id: 'T001', priority: 1, beside: ['x'] },
    });
  });

  it.each<[JsonValue, number | undefined]>([
    [0, 0],
    [7, 7],
    [-1, -1],
    [1.5, 1.5],
    ['P0', 0],
    ['p2', 2],
    ['3', 3],
    [' High ', 1],
    ['CRITICAL', 0],
    ['medium', 2],
    ['normal', 2],
    ['low', 3],
    ['urgent', undefined],
    ['', undefined],
    ['P', undefined],
    ['P1234567', undefined],
    [null, undefined],
    [true, undefined],
    [[1], undefined],
  ])('with priority %j has rank %s', (priority, rank) => {
    expect(read({ id: 'x', priority }).priority).toBe(rank);
  });

  it.each<[JsonValue, readonly string[] | undefined]>([
    ['src', ['src']],
    [
      ['src', 'docs'],
      ['src', 'docs'],
    ],
    ['', undefined],
    [[], undefined],
    [['src', 1], undefined],
    [{ path: 'src' }, undefined],
    [null, undefined],
  ])('with paths %j touches %j', (paths, touches) => {
    expect(read({ id: 'x', area_paths: paths }).touches).toEqual(touches);
    expect(read({ id: 'x', parallelizable_with: paths }).beside).toEqual(touches);
  });

  it('has a title only where that is words', () => {
    for (const title of ['', 7, null, ['x']] as JsonValue[])
      expect(read({ id: 'x', title })).not.toHaveProperty('title');
  });

  it('may have fields that are called like those of any object', () => {
    const item = JSON.parse('{"id":"x","__proto__":["y"],"constructor":"z"}') as JsonObject;
    expect(read(item, { ...fields, touches: ['constructor'] }).touches).toEqual(['z']);
    expect(read({ id: 'x' }, { ...fields, touches: ['constructor', '__proto__'] })).not.toHaveProperty(
      'touches',
    );
  });
});

describe('a list of names', () => {
  it.each<[JsonValue | undefined, boolean]>([
    [[], true],
    [['a'], true],
    [['a', 1], false],
    ['a', false],
    [undefined, false],
    [{ length: 0 }, false],
  ])('is %j: %s', (value, expected) => {
    expect(isListOfNames(value)).toBe(expected);
  });
});
