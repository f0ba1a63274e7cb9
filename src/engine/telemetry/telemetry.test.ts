import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import type { Progress } from '../../runner/progress.ts';
import { fullCall } from './fixtures.ts';
import { telemetrySettings } from './settings.ts';
import { createTelemetry, type Telemetry, type TelemetryTrouble } from './telemetry.ts';

const run = { id: 'r1', pipeline: 'book', identity: { book: 'ember' }, kind: 'new' } as const;
const cell = { unit: 'ch001_sc001', phase: 'write', attempt: 2 };
const started: Progress = { type: 'attempt-started', ...cell, iteration: 1, why: { code: 'never-ran' } };
const succeeded: Progress = {
  type: 'attempt-succeeded',
  ...cell,
  iteration: 1,
  ms: 3000,
  verdict: 'pass',
  judged: undefined,
};
const failed: Progress = {
  type: 'attempt-failed',
  ...cell,
  ms: 3000,
  failure: { reason: 'check-failed', message: 'once upon a time' },
  retryInMs: undefined,
};

interface SpanTold {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: object;
}

interface MetricTold {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly PointTold[] };
  readonly histogram?: { readonly dataPoints: readonly PointTold[] };
}

interface PointTold {
  readonly asInt?: string;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly attributes: SpanTold['attributes'];
}

/** One sitting, and all that was sent of it. */
function sitting(env: Record<string, string> = {}) {
  const clock = new TestClock();
  const startMs = clock.ms;
  const bodies: { readonly path: string; readonly text: string }[] = [];
  const troubles: TelemetryTrouble[] = [];
  let made = 0;
  const settings = telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', ...env });
  if (settings === undefined) throw new Error('nothing is sent');
  const telemetry = createTelemetry(settings, {
    clock,
    randomBytes: (size) => Buffer.alloc(size, ++made),
    send: (url, init) => {
      bodies.push({ path: new URL(url).pathname, text: String(init.body) });
      return Promise.resolve(new Response());
    },
    version: '1.2.3',
    onTrouble: (trouble) => troubles.push(trouble),
  });
  const sent = (path: string) =>
    bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text));
  return {
    clock,
    telemetry,
    bodies,
    troubles,
    /** Milliseconds since the start, of a time as it was sent. */
    at: (nano: string | undefined) => Number(BigInt(nano ?? 0) / 1_000_000n) - startMs,
    spans: (): SpanTold[] =>
      sent('/v1/traces').flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans),
    metrics: (): MetricTold[][] =>
      sent('/v1/metrics').map(({ resourceMetrics }) => resourceMetrics[0].scopeMetrics[0].metrics),
    resource: () => plainOf(sent('/v1/traces')[0].resourceSpans[0].resource.attributes),
  };
}

function plainOf(attributes: SpanTold['attributes']): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function named(spans: readonly SpanTold[], name: string): SpanTold {
  const found = spans.filter((span) => span.name === name);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} spans ${name}`);
  return found[0];
}

function tell(telemetry: Telemetry, ...all: Progress[]): void {
  for (const one of all) telemetry.progress(one);
}

describe('the spans of a sitting', () => {
  it('are the run, its attempts and their calls, each under the one before', async () => {
    const { clock, telemetry, spans, at } = sitting();
    telemetry.begun(run);
    clock.advance(1000);
    tell(telemetry, started);
    clock.advance(2900);
    tell(telemetry, fullCall);
    clock.advance(100);
    tell(telemetry, succeeded);
    clock.advance(500);
    await telemetry.ended('completed');
    expect(spans()).toHaveLength(3);
    const [whole, phase, call] = ['pawl.run book', 'pawl.phase write', 'chat claude-sonnet-5'].map((name) =>
      named(spans(), name),
    );
    expect(whole).not.toHaveProperty('parentSpanId');
    expect(phase?.parentSpanId).toBe(whole?.spanId);
    expect(call?.parentSpanId).toBe(phase?.spanId);
    const times = [whole, phase, call].map((span) => [
      at(span?.startTimeUnixNano),
      at(span?.endTimeUnixNano),
    ]);
    expect(times).toEqual([
      [0, 4500],
      [1000, 4000],
      [1400, 3900],
    ]);
  });

  it('say what they are about', async () => {
    const { telemetry, spans, resource } = sitting();
    telemetry.begun(run);
    tell(telemetry, started, succeeded);
    await telemetry.ended('completed');
    expect(plainOf(named(spans(), 'pawl.run book').attributes)).toEqual({
      'pawl.run.id': 'r1',
      'pawl.run.kind': 'new',
      'pawl.pipeline': 'book',
      'pawl.status': 'completed',
      'pawl.identity.book': 'ember',
    });
    expect(plainOf(named(spans(), 'pawl.phase write').attributes)).toEqual({
      'pawl.run.id': 'r1',
      'pawl.unit': 'ch001_sc001',
      'pawl.phase': 'write',
      'pawl.attempt': '2',
      'pawl.iteration': '1',
      'pawl.why': 'never-ran',
      'pawl.outcome': 'succeeded',
      'pawl.verdict': 'pass',
    });
    expect(resource()).toEqual({ 'service.name': 'pawl', 'service.instance.id': '01'.repeat(16) });
  });

  it('belong under the parent that the environment names', async () => {
    const traceId = 'a'.repeat(32);
    const { telemetry, spans } = sitting({ TRACEPARENT: `00-${traceId}-${'b'.repeat(16)}-01` });
    telemetry.begun(run);
    tell(telemetry, started, succeeded);
    await telemetry.ended('completed');
    expect(named(spans(), 'pawl.run book')).toMatchObject({ traceId, parentSpanId: 'b'.repeat(16) });
    expect(named(spans(), 'pawl.phase write')).toMatchObject({ traceId });
  });

  it.each([
    [
      failed,
      { code: 2, message: 'check-failed' },
      { 'pawl.outcome': 'failed', 'pawl.failure': 'check-failed' },
    ],
    [{ type: 'attempt-interrupted', ...cell } as const, {}, { 'pawl.outcome': 'interrupted' }],
    [
      {
        type: 'attempt-paused',
        ...cell,
        ms: 10,
        reason: 'quota',
        until: '2026-11-15T13:00:00.000Z',
      } as const,
      {},
      { 'pawl.outcome': 'paused', 'pawl.paused_until': '2026-11-15T13:00:00.000Z' },
    ],
  ])('tell how an attempt ended: $type', async (end, status, attributes) => {
    const { clock, telemetry, spans, at } = sitting();
    telemetry.begun(run);
    clock.advance(100);
    tell(telemetry, started);
    clock.advance(3000);
    tell(telemetry, end);
    await telemetry.ended('stopped');
    const phase = named(spans(), 'pawl.phase write');
    expect(phase.status).toEqual(status);
    expect(plainOf(phase.attributes)).toMatchObject(attributes);
    if (end.type === 'attempt-interrupted') expect(at(phase.startTimeUnixNano)).toBe(100);
  });

  it.each([
    ['completed', undefined, {}],
    ['stopped', undefined, {}],
    ['stopped', 'phase-failed', { code: 2, message: 'phase-failed' }],
    ['failed', undefined, { code: 2, message: 'failed' }],
  ])('tell how the run ended: %s, %s', async (status, failure, told) => {
    const { telemetry, spans } = sitting();
    telemetry.begun(run);
    await telemetry.ended(status, failure);
    expect(named(spans(), 'pawl.run book').status).toEqual(told);
  });

  it('keep attempts of other units, phases and numbers apart', async () => {
    const { telemetry, spans } = sitting();
    const others = [cell, { ...cell, unit: 'ch002' }, { ...cell, phase: 'lint' }, { ...cell, attempt: 3 }];
    telemetry.begun(run);
    for (const other of others) tell(telemetry, { ...started, ...other });
    for (const other of others) tell(telemetry, { ...fullCall, ...other }, { ...succeeded, ...other });
    await telemetry.ended('completed');
    const phases = spans().filter(({ name }) => name.startsWith('pawl.phase'));
    const calls = spans().filter(({ name }) => name.startsWith('chat'));
    expect(new Set(phases.map(({ spanId }) => spanId)).size).toBe(4);
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(phases.map(({ spanId }) => spanId));
  });

  it('are not missing an attempt that was never said to end', async () => {
    const { telemetry, spans } = sitting();
    telemetry.begun(run);
    tell(telemetry, started, fullCall);
    await telemetry.ended('stopped');
    const phase = named(spans(), 'pawl.phase write');
    expect(plainOf(phase.attributes)['pawl.outcome']).toBe('interrupted');
    expect(named(spans(), 'chat claude-sonnet-5').parentSpanId).toBe(phase.spanId);
  });

  it('are told of an attempt whose start nobody saw', async () => {
    const { telemetry, spans } = sitting();
    telemetry.begun(run);
    tell(telemetry, fullCall, failed);
    await telemetry.ended('stopped');
    const root = named(spans(), 'pawl.run book').spanId;
    expect(named(spans(), 'pawl.phase write').parentSpanId).toBe(root);
    expect(named(spans(), 'chat claude-sonnet-5').parentSpanId).toBe(root);
  });

  it('never end before they start, though the clock is put back', async () => {
    const { clock, telemetry, spans, at } = sitting();
    telemetry.begun(run);
    clock.advance(60_000);
    tell(telemetry, started);
    clock.ms -= 120_000;
    tell(telemetry, fullCall, { type: 'attempt-interrupted', ...cell });
    await telemetry.ended('stopped');
    for (const { startTimeUnixNano, endTimeUnixNano } of spans()) {
      expect(at(startTimeUnixNano)).toBeGreaterThanOrEqual(0);
      expect(at(endTimeUnixNano)).toBeGreaterThanOrEqual(at(startTimeUnixNano));
    }
  });

  it('hold no text of a prompt or an answer', async () => {
    const { telemetry, bodies } = sitting();
    telemetry.begun(run);
    const why = { code: 'rejected', checkpoint: 'c', feedback: 'once upon a time' } as const;
    const verdict = `once upon a time ${'there was '.repeat(5)}`;
    tell(telemetry, { ...started, why }, failed, { ...succeeded, verdict });
    await telemetry.ended('completed');
    expect(bodies.map(({ text }) => text).join('')).not.toContain('once upon');
  });
});

describe('the metrics of a sitting', () => {
  it('are counted from its start', async () => {
    const { clock, telemetry, metrics, at } = sitting();
    telemetry.begun(run);
    tell(telemetry, started, fullCall, failed, started, fullCall, succeeded);
    clock.advance(2000);
    await telemetry.ended('completed');
    const [last, ...others] = metrics();
    expect(others).toEqual([]);
    expect(last?.map(({ name }) => name).sort()).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
      'pawl.cost.usd',
      'pawl.phase.attempts',
    ]);
    const points = last?.find(({ name }) => name === 'pawl.phase.attempts')?.sum?.dataPoints ?? [];
    const counted = points.map(({ asInt, attributes }) => [plainOf(attributes)['pawl.outcome'], asInt]);
    expect(counted).toEqual([
      ['failed', '1'],
      ['succeeded', '1'],
    ]);
    expect([at(points[0]?.startTimeUnixNano), at(points[0]?.timeUnixNano)]).toEqual([0, 2000]);
  });

  it('are told every minute while the run goes on', async () => {
    const { clock, telemetry, metrics } = sitting();
    telemetry.begun(run);
    for (let second = 0; second < 150; second++) {
      clock.advance(1000);
      tell(telemetry, started, succeeded);
      await Promise.resolve();
    }
    await telemetry.ended('completed');
    const counted = metrics().map((all) => all[0]?.sum?.dataPoints[0]?.asInt);
    expect(counted).toEqual(['60', '120', '150']);
  });

  it('alone are told where spans are turned off', async () => {
    const { telemetry, bodies } = sitting({ OTEL_TRACES_EXPORTER: 'none' });
    telemetry.begun(run);
    tell(telemetry, started, succeeded);
    await telemetry.ended('completed');
    expect(bodies.map(({ path }) => path)).toEqual(['/v1/metrics']);
  });
});

describe('a sitting', () => {
  it('is one, however often it is begun or ended', async () => {
    const { telemetry, spans } = sitting();
    telemetry.begun(run);
    telemetry.begun({ ...run, kind: 'resumed' });
    await telemetry.ended('completed');
    await telemetry.ended('failed');
    tell(telemetry, started, succeeded);
    expect(spans()).toHaveLength(1);
    expect(plainOf(named(spans(), 'pawl.run book').attributes)['pawl.run.kind']).toBe('new');
    expect(telemetry.counts).toMatchObject({ spansSent: 1, spansDropped: 0, spansFailed: 0 });
  });

  it('that was never begun tells nothing', async () => {
    const { telemetry, bodies } = sitting();
    tell(telemetry, started, succeeded, { type: 'unit-finished', unit: 'a' });
    await telemetry.ended('stopped');
    expect(bodies).toEqual([]);
  });

  it('says which variables it could not use, and nothing after that', async () => {
    const { telemetry, troubles } = sitting({ TRACEPARENT: 'x', OTEL_EXPORTER_OTLP_TIMEOUT: 'x' });
    telemetry.begun(run);
    await telemetry.ended('completed');
    const names = ['TRACEPARENT', 'OTEL_EXPORTER_OTLP_TIMEOUT'];
    expect(troubles).toEqual([{ reason: 'variable-unusable', names }]);
  });
});
