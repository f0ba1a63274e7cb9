import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { bareCall, fullCall } from '../../src/engine/telemetry/fixtures.ts';
import { telemetrySettings } from '../../src/engine/telemetry/settings.ts';
import {
  createTelemetry,
  type Telemetry,
  type TelemetryTrouble,
} from '../../src/engine/telemetry/telemetry.ts';
import type { Progress } from '../../src/runner/progress.ts';
import { TestClock } from '../fixtures/memory.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';

const collectors: Collector[] = [];

afterEach(() => {
  for (const collector of collectors.splice(0)) collector.close();
});

async function collect(): Promise<Collector> {
  const collector = await startCollector();
  collectors.push(collector);
  return collector;
}

const run = { id: 'r1', pipeline: 'book', identity: { book: 'ember' }, kind: 'new' } as const;

/** With the network as it is. */
function watch(endpoint: string, env: Record<string, string> = {}, clock: Clock = systemClock) {
  const settings = telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env });
  if (settings === undefined) throw new Error('nothing is sent');
  const troubles: TelemetryTrouble[] = [];
  const onTrouble = (trouble: TelemetryTrouble) => void troubles.push(trouble);
  return {
    telemetry: createTelemetry(settings, { clock, randomBytes, onTrouble, version: '1.2.3' }),
    troubles,
  };
}

function workOn(telemetry: Telemetry, units: number): void {
  for (let index = 0; index < units; index++) {
    const cell = { unit: `u${index}`, phase: 'write', attempt: 1 };
    const ends: Progress[] = [
      { type: 'attempt-succeeded', ...cell, iteration: 1, ms: 30, verdict: 'pass', judged: undefined },
      {
        type: 'attempt-failed',
        ...cell,
        ms: 30,
        failure: { reason: 'timed-out', message: 'x\ud800' },
        retryInMs: 5,
      },
      { type: 'attempt-interrupted', ...cell },
      { type: 'attempt-paused', ...cell, ms: 30, reason: 'quota', until: '2026-11-15T13:00:00.000Z' },
    ];
    const end = ends[index % ends.length];
    telemetry.progress({ type: 'attempt-started', ...cell, iteration: 1, why: { code: 'never-ran' } });
    telemetry.progress({ ...(index % 2 === 0 ? fullCall : bareCall), ...cell, ms: 20 });
    if (end !== undefined) telemetry.progress(end);
  }
}

function parentsOf(spans: readonly CollectedSpan[], prefix: string): Set<string | undefined> {
  return new Set(spans.filter(({ name }) => name.startsWith(prefix)).map(({ parentSpanId }) => parentSpanId));
}

describe('a collector', () => {
  it('understands all that a run sends', async () => {
    const collector = await collect();
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter22', OTEL_SERVICE_NAME: 'ember' };
    const { telemetry, troubles } = watch(collector.endpoint, env);
    telemetry.begun(run);
    workOn(telemetry, 400);
    await telemetry.ended('completed');
    expect(collector.problems).toEqual([]);
    expect(troubles).toEqual([]);
    // One for the run, and of each unit an attempt and a call: two requests, and one with metrics.
    expect(collector.spans).toHaveLength(801);
    expect(telemetry.counts).toEqual({ spansSent: 801, spansDropped: 0, spansFailed: 0, metricsFailed: 0 });
    expect(collector.headers).toHaveLength(3);
    for (const headers of collector.headers) expect(headers.authorization).toBe('Bearer hunter22');

    const ids = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(801);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(parentsOf(collector.spans, 'pawl.run')).toEqual(new Set([undefined]));
    expect(parentsOf(collector.spans, 'pawl.phase').size).toBe(1);
    expect(parentsOf(collector.spans, 'chat').size).toBe(400);
    for (const parent of parentsOf(collector.spans, 'chat')) expect(ids).toContain(parent);
    expect(collector.metrics.map(({ name }) => name).sort()).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
      'pawl.cost.usd',
      'pawl.phase.attempts',
    ]);
  });

  it('would not have understood something else', async () => {
    const collector = await collect();
    const post = (path: string, body: string, type = 'application/json') =>
      fetch(`${collector.endpoint}${path}`, { method: 'POST', body, headers: { 'content-type': type } });
    const wrong = [
      await post('/v1/traces', '{}'),
      await post('/v1/traces', '{"resourceSpans":[]}'),
      await post('/v1/traces', '{"resourceMetrics":[]}'),
      await post('/v1/metrics', '{"resourceMetrics":[{"resource":{"attributes":[]},"scopeMetrics":[{}]}]}'),
      await post('/v1/other', '{}'),
      await post('/v1/traces', '{}', 'text/plain'),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  });

  it('that is busy is asked once more', async () => {
    const collector = await collect();
    collector.answerNext((response) => void response.writeHead(503, { 'retry-after': '0' }).end('busy'));
    const { telemetry, troubles } = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    telemetry.begun(run);
    await telemetry.ended('completed');
    expect(collector.bodies).toHaveLength(2);
    expect(collector.bodies[1]).toBe(collector.bodies[0]);
    expect(collector.spans).toHaveLength(1);
    expect(troubles).toEqual([]);
  });

  it('that takes only a part is told of', async () => {
    const collector = await collect();
    collector.answerNext((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}');
    });
    const { telemetry, troubles } = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    telemetry.begun(run);
    await telemetry.ended('completed');
    expect(telemetry.counts).toMatchObject({ spansSent: 0, spansFailed: 1 });
    expect(troubles).toMatchObject([{ reason: 'refused', to: new URL(collector.endpoint).host }]);
  });

  it('that points elsewhere is not followed: the headers are for it alone', async () => {
    const [collector, other] = [await collect(), await collect()];
    const location = `${other.endpoint}/v1/traces`;
    collector.answerNext((response) => void response.writeHead(307, { location }).end());
    const { telemetry, troubles } = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    telemetry.begun(run);
    await telemetry.ended('completed');
    expect(other.bodies).toEqual([]);
    expect(troubles).toMatchObject([{ reason: 'http-status', facts: { status: 307 } }]);
  });

  it('that never answers is waited for no longer than the time limit', async () => {
    const collector = await collect();
    collector.answerNext(undefined);
    const clock = new TestClock();
    const { telemetry, troubles } = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' }, clock);
    telemetry.begun(run);
    const asked = collector.asked();
    const ended = telemetry.ended('completed');
    await asked;
    clock.advance(10_000);
    await ended;
    expect(troubles).toMatchObject([{ reason: 'timed-out', facts: { timeoutMs: 10_000 } }]);
    expect(clock.sleeping).toBe(0);
  });

  it('that is not there costs the spans, and nothing else', async () => {
    const { telemetry, troubles } = watch(`http://127.0.0.1:${await unusedPort()}`);
    telemetry.begun(run);
    workOn(telemetry, 300);
    await telemetry.ended('completed');
    expect(telemetry.counts).toEqual({ spansSent: 0, spansDropped: 0, spansFailed: 601, metricsFailed: 1 });
    expect(troubles).toMatchObject([{ reason: 'unreachable', facts: { code: 'ECONNREFUSED' } }]);
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}
