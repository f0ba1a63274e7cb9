import { describe, expect, it } from 'vitest';
import { parseDuration } from './durations.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2000],
    ['1.5s', 1500],
    ['10m', 600_000],
    ['1h', 3_600_000],
    [0, 0],
    [250, 250],
    ['2', undefined],
    ['2 s', undefined],
    ['-2s', undefined],
    ['2d', 2 * 86_400_000],
    ['1e3s', undefined],
    ['', undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
  ])('%s', (written, ms) => {
    expect(parseDuration(written)).toBe(ms);
  });
});
