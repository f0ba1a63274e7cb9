import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttributeValue, encodeMetrics, encodeTraces, type Metric, type Span } from './encode.ts';

const sender = { resource: new Map([['service.name', 'pawl']]), version: '1.2.3' };

const span: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentId: '00f067aa0ba902b7',
  name: 'pawl.phase write',
  kind: 'internal',
  startMs: 1_794_744_000_000,
  endMs: 1_794_744_000_001.5,
  attributes: {},
  error: undefined,
};

const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'pawl' } }] };
const scope = { name: 'pawl', version: '1.2.3' };

describe('spans', () => {
  it('are written as OTLP has them', () => {
    expect(encodeTraces(sender, [{ ...span, attributes: { 'pawl.unit': 'ch001' } }])).toEqual({
      resourceSpans: [
        {
          resource,
          scopeSpans: [
            {
              scope,
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  parentSpanId: '00f067aa0ba902b7',
                  flags: 1,
                  name: 'pawl.phase write',
                  kind: 1,
                  startTimeUnixNano: '1794744000000000000',
                  endTimeUnixNano: '1794744000001500000',
                  attributes: [{ key: 'pawl.unit', value: { stringValue: 'ch001' } }],
                  status: {},
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('have no parent, are calls or have failed, as it may be', () => {
    const [encoded] = spansOf({ ...span, parentId: undefined, kind: 'client', error: 'timed-out' });
    expect(encoded).not.toHaveProperty('parentSpanId');
    expect(encoded).toMatchObject({ kind: 3, status: { code: 2, message: 'timed-out' } });
  });

  it('keep every millisecond since 1970, and never go back', () => {
    const times = fc.double({ min: 0, max: 4e12, noNaN: true });
    fc.assert(
      fc.property(times, times, (a, b) => {
        const [startMs, endMs] = a <= b ? [a, b] : [b, a];
        const [encoded] = spansOf({ ...span, startMs, endMs });
        const start = BigInt(String(encoded?.startTimeUnixNano));
        const end = BigInt(String(encoded?.endTimeUnixNano));
        expect(start <= end).toBe(true);
        expect(start / 1_000_000n).toBe(BigInt(Math.floor(startMs)));
      }),
    );
  });
});

describe('attributes', () => {
  it.each<[AttributeValue, unknown]>([
    ['text', { stringValue: 'text' }],
    ['', { stringValue: '' }],
    [false, { boolValue: false }],
    [{ int: 12 }, { intValue: '12' }],
    [{ int: Number.MAX_SAFE_INTEGER }, { intValue: '9007199254740991' }],
    [{ double: 1 }, { doubleValue: 1 }],
    [{ double: 0.25 }, { doubleValue: 0.25 }],
    [['stop'], { arrayValue: { values: [{ stringValue: 'stop' }] } }],
    [[], { arrayValue: { values: [] } }],
  ])('%j is written by its kind', (value, encoded) => {
    expect(attributesOf({ a: value })).toEqual([{ key: 'a', value: encoded }]);
  });

  it.each([undefined, { int: 1.5 }, { int: Number.NaN }, { double: Number.NaN }, { double: -1 / 0 }])(
    '%j is left out',
    (value) => {
      expect(attributesOf({ a: value, b: 'b' })).toEqual([{ key: 'b', value: { stringValue: 'b' } }]);
    },
  );

  it('are cut where they are long, and there is an end of them', () => {
    const [cut] = attributesOf({ a: `${'x'.repeat(1022)}😀😀` });
    expect(cut).toEqual({ key: 'a', value: { stringValue: `${'x'.repeat(1022)}…` } });
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v']));
    expect(attributesOf(many)).toHaveLength(128);
  });

  it('are UTF-8, whatever they were', () => {
    expect(attributesOf({ a: 'x\ud800y 😀' })).toEqual([{ key: 'a', value: { stringValue: 'x\ufffdy 😀' } }]);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud800', '\udc00', '\n') }), (text) => {
        const json = JSON.stringify(attributesOf({ a: text }));
        expect(Buffer.from(json, 'utf8').toString('utf8')).toBe(json);
        expect(json).not.toMatch(/\\ud[89a-f]/i);
      }),
    );
  });
});

describe('metrics', () => {
  const shared = { name: 'm', unit: 's', description: 'd', startMs: 1000, timeMs: 2000 };
  const times = { startTimeUnixNano: '1000000000', timeUnixNano: '2000000000' };

  it('are sums since the start', () => {
    const points = [
      { attributes: { a: 'x' }, value: { int: 3 } },
      { attributes: {}, value: { double: 3 } },
    ];
    expect(metricOf({ ...shared, kind: 'sum', points })).toEqual({
      name: 'm',
      unit: 's',
      description: 'd',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [
          { ...times, attributes: [{ key: 'a', value: { stringValue: 'x' } }], asInt: '3' },
          { ...times, attributes: [], asDouble: 3 },
        ],
      },
    });
  });

  it('are histograms since the start', () => {
    const point = { attributes: {}, count: 3, sum: 6.5, min: 0.5, max: 4, buckets: [1, 1, 1] };
    expect(metricOf({ ...shared, kind: 'histogram', bounds: [1, 2], points: [point] })).toEqual({
      name: 'm',
      unit: 's',
      description: 'd',
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          {
            ...times,
            attributes: [],
            count: '3',
            sum: 6.5,
            min: 0.5,
            max: 4,
            bucketCounts: ['1', '1', '1'],
            explicitBounds: [1, 2],
          },
        ],
      },
    });
  });
});

interface EncodedSpan {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly unknown[];
}

function spansOf(...spans: Span[]): EncodedSpan[] {
  const body = encodeTraces(sender, spans) as unknown as {
    resourceSpans: { scopeSpans: { spans: EncodedSpan[] }[] }[];
  };
  return body.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

function attributesOf(attributes: Span['attributes']): readonly unknown[] {
  return spansOf({ ...span, attributes })[0]?.attributes ?? [];
}

function metricOf(metric: Metric): unknown {
  const body = encodeMetrics(sender, [metric]) as unknown as {
    resourceMetrics: { resource: unknown; scopeMetrics: { scope: unknown; metrics: unknown[] }[] }[];
  };
  const [of] = body.resourceMetrics;
  expect(of?.resource).toEqual(resource);
  expect(of?.scopeMetrics[0]?.scope).toEqual(scope);
  return of?.scopeMetrics[0]?.metrics[0];
}
