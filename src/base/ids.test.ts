import { describe, expect, it } from 'vitest';
import { isSafeName } from '../model/names.ts';
import { type Ids, newRunId, systemIds } from './ids.ts';

const ids: Ids = { random: (length) => 'x7k2abcdefgh'.slice(0, length) };
const noon = Date.parse('2026-11-15T12:03:59.999Z');

describe('newRunId', () => {
  it('says when and what', () => {
    expect(newRunId(noon, 'book', ids)).toBe('20261115-1203-book-x7k2');
  });

  it.each([
    ['Blaze / Idle!', 'blaze-idle'],
    ['--a--', 'a'],
    ['Größe', 'gr-e'],
    ['日本', 'run'],
    ['', 'run'],
    ['../../etc', 'etc'],
    ['x'.repeat(99), 'x'.repeat(40)],
  ])('makes a slug of %j', (name, slug) => {
    expect(newRunId(noon, name, ids)).toBe(`20261115-1203-${slug}-x7k2`);
  });

  it('is a safe name for a folder', () => {
    expect(isSafeName(newRunId(noon, 'x'.repeat(99), systemIds))).toBe(true);
  });

  it('sorts by time', () => {
    const times = [noon - 60_000, noon, noon + 60_000, noon + 86_400_000, noon + 31 * 86_400_000];
    const made = times.map((ms) => newRunId(ms, 'book', systemIds));
    expect(made.toSorted()).toEqual(made);
  });
});

describe('systemIds', () => {
  it('gives letters and digits, as many as asked for', () => {
    for (const length of [0, 1, 4, 64]) {
      expect(systemIds.random(length)).toMatch(new RegExp(`^[a-z2-7]{${length}}$`));
    }
  });

  it('does not repeat itself', () => {
    const made = new Set(Array.from({ length: 1000 }, () => systemIds.random(16)));
    expect(made.size).toBe(1000);
  });
});
