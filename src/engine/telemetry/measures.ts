import type { Attributes, Metric } from './encode.ts';

/** What is measured, and how it is put together. */
export type Instrument = {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
} & (
  | { readonly kind: 'sum'; readonly counts: 'int' | 'double' }
  | { readonly kind: 'histogram'; readonly bounds: readonly number[] }
);

/** All that was measured in a sitting: it only grows, so that a request that is lost costs nothing. */
export class Measures {
  readonly #instruments = new Map<Instrument, Map<string, Series>>();

  add(instrument: Instrument, value: number, attributes: Attributes): void {
    // A sum that falls is taken for one that was begun anew.
    if (!Number.isFinite(value) || value < 0) return;
    const series = this.#seriesOf(instrument, attributes);
    series.count += 1;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    if (instrument.kind === 'sum') return;
    const { bounds } = instrument;
    const found = bounds.findIndex((bound) => value <= bound);
    const bucket = found === -1 ? bounds.length : found;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }

  /** As it stands now. What was never measured is left out. */
  metrics(startMs: number, timeMs: number): Metric[] {
    return [...this.#instruments].map(([instrument, series]) => {
      const { name, unit, description } = instrument;
      const shared = { name, unit, description, startMs, timeMs };
      if (instrument.kind === 'histogram') {
        const { kind, bounds } = instrument;
        const points = [...series.values()].map((one) => ({ ...one, buckets: [...one.buckets] }));
        return { ...shared, kind, bounds, points };
      }
      const points = [...series.values()].map(({ attributes, sum }) => ({
        attributes,
        value: instrument.counts === 'int' ? { int: sum } : { double: sum },
      }));
      return { ...shared, kind: instrument.kind, points };
    });
  }

  #seriesOf(instrument: Instrument, attributes: Attributes): Series {
    const known = this.#instruments.get(instrument) ?? new Map<string, Series>();
    this.#instruments.set(instrument, known);
    const key = JSON.stringify(attributes);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= seriesMax && attributes !== overflow) return this.#seriesOf(instrument, overflow);
    const buckets = instrument.kind === 'sum' ? [] : new Array<number>(instrument.bounds.length + 1).fill(0);
    const series = {
      attributes,
      count: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
      buckets,
    };
    known.set(key, series);
    return series;
  }
}

interface Series {
  readonly attributes: Attributes;
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly buckets: number[];
}

/** Names of models come from outside: what is too many goes into one, as the specification has it. */
const seriesMax = 1000;
const overflow: Attributes = { 'otel.metric.overflow': true };
