import { describe, expect, it } from 'vitest';
import { groupsOf, layersOf, linksOf } from './links.ts';

function tasks(needs: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(needs).map(([unit, needs]) => ({ unit, needs }));
}

describe('links between tasks', () => {
  it('leave out what is not there, what is said twice, and the task itself', () => {
    const links = linksOf(tasks({ a: ['a', 'nobody'], b: ['a', 'a'] }));
    expect(links.needs).toEqual([[], [0]]);
    expect(links.neededBy).toEqual([[1], []]);
  });

  it('are taken from the first of two tasks with one name', () => {
    const links = linksOf([
      { unit: 'a', needs: [] },
      { unit: 'a', needs: [] },
      { unit: 'b', needs: ['a'] },
    ]);
    expect(links.needs).toEqual([[], [], [0]]);
  });

  it('put each task one layer below the lowest that it needs, wherever it is listed', () => {
    const links = linksOf(tasks({ end: ['b', 'a'], b: ['a'], a: [], alone: [] }));
    expect(layersOf(links)).toEqual([2, 1, 0, 0]);
    expect(links.order.map((at) => ['end', 'b', 'a', 'alone'][at])).toEqual(['a', 'alone', 'b', 'end']);
  });

  it('are opened where they lead in a circle, at the task that is listed first', () => {
    const links = linksOf(tasks({ a: ['c'], b: ['a'], c: ['b'], d: ['c'], e: ['f'], f: ['e', 'a'] }));
    expect(links.needs).toEqual([[], [0], [1], [2], [], [4, 0]]);
    expect(layersOf(links)).toEqual([0, 1, 2, 3, 0, 1]);
  });

  it('tell which tasks hang together', () => {
    const links = linksOf(tasks({ a: [], b: [], c: ['a'], d: ['b'], e: [], f: ['d', 'b'] }));
    expect(groupsOf(links)).toEqual([[0, 2], [1, 3, 5], [4]]);
  });

  it('may be as many as there are tasks, one after the other', () => {
    const chain = Array.from({ length: 50_000 }, (_, at) => ({
      unit: String(at),
      needs: at === 0 ? [] : [String(at - 1)],
    }));
    const links = linksOf(chain.toReversed());
    expect(layersOf(links).slice(0, 2)).toEqual([49_999, 49_998]);
    expect(groupsOf(links)).toHaveLength(1);
  });
});
