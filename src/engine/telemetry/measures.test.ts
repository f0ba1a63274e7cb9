import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instrument, Measures } from './measures.ts';

const named = { name: 'm', unit: 's', description: 'd' };
const sum: Instrument = { ...named, kind: 'sum', counts: 'int' };
const histogram: Instrument = { ...named, kind: 'histogram', bounds: [1, 2, 4] };

describe('a sum', () => {
  it('grows by series', () => {
    const measures = new Measures();
    measures.add(sum, 1, { phase: 'write' });
    measures.add(sum, 2, { phase: 'write' });
    measures.add(sum, 5, { phase: 'lint' });
    expect(measures.metrics(10, 20)).toEqual([
      {
        ...named,
        kind: 'sum',
        startMs: 10,
        timeMs: 20,
        points: [
          { attributes: { phase: 'write' }, value: { int: 3 } },
          { attributes: { phase: 'lint' }, value: { int: 5 } },
        ],
      },
    ]);
  });

  it('is of numbers with a fraction where it says so', () => {
    const measures = new Measures();
    measures.add({ ...sum, counts: 'double' }, 2, {});
    expect(measures.metrics(0, 0)).toMatchObject([{ points: [{ value: { double: 2 } }] }]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not take %s', (value) => {
    const measures = new Measures();
    measures.add(sum, value, {});
    expect(measures.metrics(0, 0)).toEqual([]);
  });

  it('has an end of series, and loses nothing by it', () => {
    const measures = new Measures();
    for (let index = 0; index < 1500; index++) measures.add(sum, 1, { model: `m${index}` });
    const [metric] = measures.metrics(0, 0);
    expect(metric?.points).toHaveLength(1001);
    expect(metric?.points.at(-1)).toEqual({
      attributes: { 'otel.metric.overflow': true },
      value: { int: 500 },
    });
  });
});

describe('a histogram', () => {
  it.each([
    [0, [1, 0, 0, 0]],
    [1, [1, 0, 0, 0]],
    [1.1, [0, 1, 0, 0]],
    [4, [0, 0, 1, 0]],
    [5, [0, 0, 0, 1]],
  ])('puts %d where its upper end is not below it', (value, buckets) => {
    const measures = new Measures();
    measures.add(histogram, value, {});
    expect(measures.metrics(0, 0)).toMatchObject([{ points: [{ buckets }] }]);
  });

  it('counts each value once', () => {
    const values = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, (all) => {
        const measures = new Measures();
        for (const value of all) measures.add(histogram, value, {});
        const [metric] = measures.metrics(0, 0);
        if (metric?.kind !== 'histogram') throw new Error('no histogram');
        const [point] = metric.points;
        expect(point?.count).toBe(all.length);
        expect(point?.buckets.reduce((total, count) => total + count)).toBe(all.length);
        expect([point?.min, point?.max]).toEqual([Math.min(...all), Math.max(...all)]);
      }),
    );
  });

  it('stays as it was told, whatever comes later', () => {
    const measures = new Measures();
    measures.add(histogram, 1, {});
    const told = measures.metrics(0, 0);
    const before = structuredClone(told);
    measures.add(histogram, 1, {});
    expect(told).toEqual(before);
  });
});
