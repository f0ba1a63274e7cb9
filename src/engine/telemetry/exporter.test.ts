import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import type { Metric, Span } from './encode.ts';
import { Exporter, type ExportTrouble } from './exporter.ts';

const span: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentId: undefined,
  name: 's',
  kind: 'internal',
  startMs: 0,
  endMs: 1,
  attributes: {},
  error: undefined,
};

interface Call {
  readonly path: string;
  /** Names of spans, or times of metrics. */
  readonly held: readonly string[];
  answer(response?: Response): void;
}

/** A collector that answers when the test says so, or at once. */
function collecting({ atOnce = false, traces = true, metrics = true } = {}) {
  const clock = new TestClock();
  const calls: Call[] = [];
  const troubles: ExportTrouble[] = [];
  const to = (path: string) => ({
    url: `http://collector:4318${path}`,
    headers: new Map(),
    timeoutMs: 10_000,
  });
  const exporter = new Exporter({
    traces: traces ? to('/v1/traces') : undefined,
    metrics: metrics ? to('/v1/metrics') : undefined,
    sender: { resource: new Map(), version: undefined },
    clock,
    send: (url, init) =>
      new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        const answer = (response = new Response()) => resolve(response);
        calls.push({ path: new URL(url).pathname, held: heldIn(String(init.body)), answer });
        if (atOnce) answer();
      }),
    onTrouble: (trouble) => troubles.push(trouble),
  });
  return { clock, calls, troubles, exporter };
}

function heldIn(body: string): string[] {
  return [...body.matchAll(/"(?:name":"(s\d*)"|timeUnixNano":"(\d+))/g)].map(([, a, b]) => a ?? b ?? '');
}

/** What was begun goes on as far as it can. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

function add(exporter: Exporter, count: number, from = 0): void {
  for (let index = from; index < from + count; index++) exporter.addSpan({ ...span, name: `s${index}` });
}

const metricAt = (timeMs: number): Metric => ({
  name: 'm',
  unit: '1',
  description: '',
  startMs: 0,
  timeMs,
  kind: 'sum',
  points: [{ attributes: {}, value: { int: 1 } }],
});

const counts = { spansSent: 0, spansDropped: 0, spansFailed: 0, metricsFailed: 0 };

describe('spans', () => {
  it('are gathered for a while', async () => {
    const { clock, calls, exporter } = collecting({ atOnce: true });
    add(exporter, 2);
    await settle();
    expect(calls).toEqual([]);
    clock.advance(5000);
    await settle();
    expect(calls).toMatchObject([{ path: '/v1/traces', held: ['s0', 's1'] }]);
    add(exporter, 1, 2);
    clock.advance(5000);
    await settle();
    expect(calls[1]?.held).toEqual(['s2']);
    expect(exporter.counts).toEqual({ ...counts, spansSent: 3 });
  });

  it('go at once when there are enough for a request, and never more in one', async () => {
    const { calls, exporter } = collecting();
    add(exporter, 1100);
    await settle();
    expect(calls.map(({ held }) => held.length)).toEqual([512]);
    calls[0]?.answer();
    await settle();
    expect(calls.map(({ held }) => held.length)).toEqual([512, 512]);
    calls[1]?.answer();
    await settle();
    // The rest waits for company.
    expect(calls).toHaveLength(2);
    expect(exporter.counts.spansSent).toBe(1024);
  });

  it('that find no room are dropped, counted and told once', async () => {
    const { calls, troubles, exporter } = collecting();
    add(exporter, 512);
    await settle();
    add(exporter, 4096 + 10, 512);
    expect(exporter.counts).toEqual({ ...counts, spansDropped: 10 });
    expect(troubles).toEqual([
      { signal: 'traces', to: 'collector:4318', reason: 'queue-full', facts: { max: 4096 } },
    ]);
    calls[0]?.answer();
    await settle();
    expect(calls[1]?.held[0]).toBe('s512');
  });

  it('that are lost are counted, and the next ones are sent all the same', async () => {
    const { calls, troubles, exporter } = collecting();
    add(exporter, 512);
    await settle();
    calls[0]?.answer(new Response(null, { status: 400 }));
    await settle();
    add(exporter, 512);
    await settle();
    calls[1]?.answer(new Response(null, { status: 401 }));
    await settle();
    expect(exporter.counts).toEqual({ ...counts, spansFailed: 1024 });
    expect(troubles).toEqual([
      { signal: 'traces', to: 'collector:4318', reason: 'http-status', facts: { status: 400 } },
    ]);
  });

  it('that the collector refuses are told of', async () => {
    const { calls, troubles, exporter } = collecting();
    add(exporter, 512);
    await settle();
    const headers = { 'content-type': 'application/json' };
    calls[0]?.answer(new Response('{"partialSuccess":{"rejectedSpans":"12"}}', { headers }));
    await exporter.flush();
    expect(exporter.counts).toEqual({ ...counts, spansSent: 500, spansFailed: 12 });
    expect(troubles).toMatchObject([{ reason: 'refused', facts: { count: 12 } }]);
  });

  it('go nowhere without a destination', async () => {
    const { calls, exporter } = collecting({ traces: false });
    add(exporter, 600);
    await exporter.flush();
    expect(calls).toEqual([]);
    expect(exporter.counts).toEqual(counts);
  });
});

describe('metrics', () => {
  it('are sent at once, and of those that wait only the newest', async () => {
    const { calls, exporter } = collecting();
    for (const timeMs of [1, 2, 3]) exporter.setMetrics([metricAt(timeMs)]);
    await settle();
    expect(calls).toMatchObject([{ path: '/v1/metrics', held: ['1000000'] }]);
    calls[0]?.answer();
    await settle();
    expect(calls.map(({ held }) => held)).toEqual([['1000000'], ['3000000']]);
  });

  it('are not sent when there are none, or nowhere to', async () => {
    const here = collecting();
    here.exporter.setMetrics([]);
    const nowhere = collecting({ metrics: false });
    nowhere.exporter.setMetrics([metricAt(1)]);
    await settle();
    expect([here.calls, nowhere.calls]).toEqual([[], []]);
  });

  it('that are lost are counted', async () => {
    const { calls, troubles, exporter } = collecting();
    exporter.setMetrics([metricAt(1)]);
    await settle();
    calls[0]?.answer(new Response(null, { status: 500 }));
    await exporter.flush();
    expect(exporter.counts).toEqual({ ...counts, metricsFailed: 1 });
    expect(troubles).toMatchObject([{ signal: 'metrics', reason: 'http-status' }]);
  });
});

describe('flush', () => {
  it('sends all there is, and leaves no timer behind', async () => {
    const { clock, calls, exporter } = collecting({ atOnce: true });
    add(exporter, 1300);
    exporter.setMetrics([metricAt(1)]);
    await exporter.flush();
    const sent = calls.filter(({ path }) => path === '/v1/traces').map(({ held }) => held.length);
    expect(sent).toEqual([512, 512, 276]);
    expect(calls).toHaveLength(4);
    expect(exporter.counts).toEqual({ ...counts, spansSent: 1300 });
    expect(clock.sleeping).toBe(0);
  });

  it('has nothing to wait for when nothing was sent', async () => {
    const { clock, exporter } = collecting();
    await exporter.flush();
    expect(clock.sleeping).toBe(0);
  });

  it('waits no longer than the time limit: what is left is dropped', async () => {
    const { clock, calls, troubles, exporter } = collecting();
    add(exporter, 1300);
    const flushed = exporter.flush();
    await settle();
    clock.advance(10_000);
    await flushed;
    expect(calls).toHaveLength(1);
    expect(exporter.counts.spansSent).toBe(0);
    await settle();
    expect(exporter.counts).toEqual({ ...counts, spansDropped: 788, spansFailed: 512 });
    expect(troubles).toMatchObject([{ signal: 'traces', reason: 'timed-out', facts: { timeoutMs: 10_000 } }]);
    expect(clock.sleeping).toBe(0);
  });

  it('counts the time from its own start, not from that of a request', async () => {
    const { clock, calls, exporter } = collecting();
    add(exporter, 512);
    await settle();
    clock.advance(9000);
    add(exporter, 1, 512);
    const flushed = exporter.flush();
    clock.advance(1000);
    await settle();
    expect(calls.map(({ held }) => held.length)).toEqual([512, 1]);
    calls[1]?.answer();
    await flushed;
    expect(exporter.counts).toEqual({ ...counts, spansSent: 1, spansFailed: 512 });
  });

  it('cuts off a request that has time left', async () => {
    const { clock, calls, exporter } = collecting();
    add(exporter, 600);
    const flushed = exporter.flush();
    await settle();
    clock.advance(5000);
    calls[0]?.answer();
    await settle();
    expect(calls).toHaveLength(2);
    clock.advance(5000);
    await flushed;
    await settle();
    expect(exporter.counts).toEqual({ ...counts, spansSent: 512, spansFailed: 88 });
    expect(clock.sleeping).toBe(0);
  });

  it('is not the end: what comes later is gathered again', async () => {
    const { clock, calls, exporter } = collecting({ atOnce: true });
    add(exporter, 1);
    await exporter.flush();
    add(exporter, 1, 1);
    await settle();
    expect(calls).toHaveLength(1);
    clock.advance(5000);
    await settle();
    expect(calls[1]?.held).toEqual(['s1']);
  });
});
