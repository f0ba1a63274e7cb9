import { describe, expect, it } from 'vitest';
import { findCycles } from './graph.ts';

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

describe('findCycles', () => {
  it('finds none where there is none', () => {
    expect(findCycles(graph({ a: [], b: ['a'], c: ['a', 'b'], d: ['elsewhere'] }))).toEqual([]);
  });

  it('names each along the way', () => {
    expect(findCycles(graph({ a: ['b'], b: ['c'], c: ['a'] }))).toEqual([['a', 'b', 'c', 'a']]);
    expect(findCycles(graph({ a: ['a'] }))).toEqual([['a', 'a']]);
    expect(findCycles(graph({ start: ['x'], x: ['y'], y: ['x'] }))).toEqual([['x', 'y', 'x']]);
  });

  it('finds several, and not without end', () => {
    expect(findCycles(graph({ a: ['b'], b: ['a'], c: ['d'], d: ['c'] }))).toHaveLength(2);
    const names = Array.from({ length: 50 }, (_, at) => `n${at}`);
    expect(findCycles(new Map(names.map((name) => [name, names])))).toHaveLength(10);
  });

  it('walks a chain of fifty thousand', () => {
    const chain = new Map(
      Array.from({ length: 50_000 }, (_, at) => [`u${at}`, at === 0 ? [] : [`u${at - 1}`]]),
    );
    expect(findCycles(chain)).toEqual([]);
    chain.set('u0', ['u49999']);
    expect(findCycles(chain)[0]).toHaveLength(50_001);
  });
});
