import { describe, expect, it } from 'vitest';
import { nearest } from './problems.ts';

describe('nearest', () => {
  const keys = ['needs', 'inputs', 'outputs', 'retries', 'back_to', 'on_interrupt'];

  it.each([
    ['need', ['needs']],
    ['retires', ['retries']],
    ['backTo', ['back_to']],
    ['back-to', ['back_to']],
    ['OUTPUTS', ['outputs']],
    ['on_interupt', ['on_interrupt']],
    ['colour', []],
    ['', []],
  ])('%s', (word, expected) => {
    expect(nearest(word, keys)).toEqual(expected);
  });

  it('gives the nearest first, equally near ones by name, and not too many', () => {
    expect(nearest('unit2', ['unit4', 'unit1', 'uni2', 'unit3', 'unit2x'])).toEqual([
      'uni2',
      'unit1',
      'unit2x',
    ]);
    expect(nearest('unit2', ['unit4', 'unit1'], 1)).toEqual(['unit1']);
  });

  it('does not compare what nobody can have mistyped', () => {
    expect(nearest('x'.repeat(1_000_000), ['x'.repeat(1_000_001)])).toEqual([]);
  });
});
