import { createServer } from 'node:net';
import { diag } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { hashBytes } from '../../src/base/hash.ts';
import type { EventBody } from '../../src/model/event.ts';
import { loadOpenTelemetry, telemetrySettings } from '../../src/projections/telemetry/settings.ts';
import { Telemetry } from '../../src/projections/telemetry/telemetry.ts';
import { TestClock } from '../fixtures/memory.ts';
import { bareCall, fullCall, fullCost } from '../fixtures/telemetry.ts';
import { projectRoot } from '../support/workspace.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';

const collectors: Collector[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const collector of collectors.splice(0)) collector.close();
});

async function collect(): Promise<Collector> {
  const collector = await startCollector();
  collectors.push(collector);
  return collector;
}

const run = { pipeline: 'book', identity: { book: 'ember' } } as const;

/** With the network as it is. */
function watch(endpoint: string, env: Record<string, string> = {}, clock: Clock = systemClock) {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const settings = telemetrySettings(process.env);
  if (settings === undefined) throw new Error('nothing is sent');
  const parts = { run: { ...run, parametersOf: () => ({ temperature: 1 }) }, clock, version: '1.2.3' };
  return new Telemetry(loadOpenTelemetry(projectRoot, settings), settings, parts);
}

let seq = 0;

function told(telemetry: Telemetry, ...bodies: EventBody[]): void {
  for (const body of bodies) {
    const at = new Date(Date.UTC(2026, 10, 15, 12) + seq).toISOString();
    telemetry.add('r1', [{ ...body, seq: ++seq, at, actor: 'runner', epoch: 1 }]);
  }
}

function begin(telemetry: Telemetry): void {
  told(telemetry, { type: 'run_resumed', boot: 'b' });
}

function workOn(telemetry: Telemetry, units: number): void {
  for (let index = 0; index < units; index++) {
    const step = { unit: `u${index}`, phase: 'write', attempt: 1, ms: 30 };
    const call = index % 2 === 0 ? fullCall : bareCall;
    const ends: EventBody[] = [
      { type: 'attempt_succeeded', ...step, outputs: {}, verdict: 'pass', call, cost: fullCost },
      { type: 'attempt_failed', ...step, reason: 'timed-out', message: 'x\ud800', call },
      { type: 'attempt_interrupted', ...step },
      { ...pause, ...step, call },
    ];
    const end = ends[index % ends.length];
    const intent = { model: fullCall.model, key: hashBytes('key') };
    told(telemetry, { type: 'attempt_started', ...step, revision: 1, call: intent }, ...(end ? [end] : []));
  }
}

const pause = {
  type: 'attempt_paused',
  reason: 'quota',
  message: '',
  until: '2026-11-15T13:00:00.000Z',
} as const;

function parentsOf(spans: readonly CollectedSpan[], prefix: string): Set<string | undefined> {
  return new Set(spans.filter(({ name }) => name.startsWith(prefix)).map(({ parentSpanId }) => parentSpanId));
}

describe('a collector', () => {
  it('understands all that a run sends', async () => {
    const collector = await collect();
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter22', OTEL_SERVICE_NAME: 'ember' };
    const telemetry = watch(collector.endpoint, env);
    begin(telemetry);
    workOn(telemetry, 400);
    await telemetry.end('completed');
    expect(collector.problems).toEqual([]);
    expect(telemetry.trouble).toBeUndefined();
    // One for the run, and of each unit an attempt and a call: two requests, and one with metrics.
    expect(collector.spans).toHaveLength(801);
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

  it('reads it compressed, too', async () => {
    const collector = await collect();
    const telemetry = watch(collector.endpoint, { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' });
    begin(telemetry);
    workOn(telemetry, 4);
    await telemetry.end('completed');
    expect(collector.problems).toEqual([]);
    expect(collector.headers.map((headers) => headers['content-encoding'])).toEqual(['gzip', 'gzip']);
    expect(collector.spans).toHaveLength(9);
  });

  it('is sent protocol buffers where they are asked for', async () => {
    const collector = await collect();
    for (let request = 0; request < 2; request++)
      collector.answerNext((response) => void response.writeHead(200).end());
    const telemetry = watch(collector.endpoint, {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    });
    begin(telemetry);
    workOn(telemetry, 1);
    await telemetry.end('completed');
    expect(telemetry.trouble).toBeUndefined();
    const types = collector.headers.map((headers) => headers['content-type']);
    expect(types).toEqual(['application/x-protobuf', 'application/x-protobuf']);
    for (const name of ['pawl.run book', 'pawl.phase write', 'chat claude-sonnet-5', 'pawl.phase.attempts'])
      expect(collector.bodies.join('')).toContain(name);
  });

  it('gets the run with its exact times, under the parent that the environment names', async () => {
    const collector = await collect();
    const traceId = 'a'.repeat(32);
    const env = { TRACEPARENT: `00-${traceId}-${'b'.repeat(16)}-01`, OTEL_METRICS_EXPORTER: 'none' };
    const telemetry = watch(collector.endpoint, env);
    told(telemetry, { type: 'run_ended', status: 'stopped' });
    await telemetry.end('stopped', 'phase-failed');
    const at = `${Date.UTC(2026, 10, 15, 12) + seq - 1}000000`;
    expect(collector.spans).toMatchObject([
      {
        name: 'pawl.run book',
        traceId,
        parentSpanId: 'b'.repeat(16),
        startTimeUnixNano: at,
        endTimeUnixNano: at,
        status: { code: 2, message: 'phase-failed' },
      },
    ]);
    const said = collector.spans[0]?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
    expect(Object.fromEntries(said ?? [])).toEqual({
      'pawl.run.id': 'r1',
      'pawl.run.kind': 'new',
      'pawl.pipeline': 'book',
      'pawl.status': 'stopped',
      'pawl.failure': 'phase-failed',
      'pawl.identity.book': 'ember',
    });
  });

  it('gets no spans of a trace that is not kept, and the metrics all the same', async () => {
    const collector = await collect();
    const env = { TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` };
    const telemetry = watch(collector.endpoint, env);
    begin(telemetry);
    workOn(telemetry, 1);
    await telemetry.end('completed');
    expect(collector.spans).toEqual([]);
    expect(collector.metrics).not.toEqual([]);
  });

  it('gets nothing of a run that recorded nothing', async () => {
    const collector = await collect();
    const telemetry = watch(collector.endpoint);
    await telemetry.end('broke-off', 'run-held');
    expect(collector.bodies).toEqual([]);
    expect(telemetry.trouble).toBeUndefined();
  });

  it.each([
    ['TRACEPARENT', 'x'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '-5'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zip'],
  ])('gets all of it although %s cannot be used, which is reported', async (name, value) => {
    const collector = await collect();
    const telemetry = watch(collector.endpoint, { [name]: value });
    begin(telemetry);
    await telemetry.end('completed');
    expect(collector.spans).toHaveLength(1);
    expect(telemetry.trouble).toEqual({ reason: 'variable-unusable', to: name });
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
    const telemetry = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    begin(telemetry);
    await telemetry.end('completed');
    expect(collector.bodies).toHaveLength(2);
    expect(collector.bodies[1]).toBe(collector.bodies[0]);
    expect(collector.spans).toHaveLength(1);
    expect(telemetry.trouble).toBeUndefined();
  });

  it('that takes only a part is told of', async () => {
    const collector = await collect();
    collector.answerNext((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}');
    });
    const telemetry = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    begin(telemetry);
    await telemetry.end('completed');
    expect(telemetry.trouble).toEqual({
      reason: 'refused',
      to: new URL(collector.endpoint).host,
      facts: { count: 1 },
    });
  });

  it('leaves the logger of a program that uses OpenTelemetry itself alone', async () => {
    const collector = await collect();
    const warned: string[] = [];
    const warn = (message: string) => void warned.push(message);
    diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore });
    try {
      collector.answerNext((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}');
      });
      const telemetry = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
      begin(telemetry);
      await telemetry.end('completed');
      diag.warn('still there');
    } finally {
      diag.disable();
    }
    expect(warned).toEqual(['Received Partial Success response:', 'still there']);
  });

  it('that points elsewhere is not followed: the headers are for it alone', async () => {
    const [collector, other] = [await collect(), await collect()];
    const location = `${other.endpoint}/v1/traces`;
    collector.answerNext((response) => void response.writeHead(307, { location }).end());
    const telemetry = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' });
    begin(telemetry);
    await telemetry.end('completed');
    expect(other.bodies).toEqual([]);
    expect(telemetry.trouble).toMatchObject({ reason: 'http-status', facts: { status: 307 } });
  });

  it('that never answers is waited for no longer than the time limit', async () => {
    const collector = await collect();
    collector.answerNext(undefined);
    const clock = new TestClock();
    const telemetry = watch(collector.endpoint, { OTEL_METRICS_EXPORTER: 'none' }, clock);
    begin(telemetry);
    const asked = collector.asked();
    const ended = telemetry.end('completed');
    await asked;
    clock.advance(5_000);
    await ended;
    expect(telemetry.trouble).toMatchObject({ reason: 'timed-out', facts: { timeoutMs: 5_000 } });
    expect(clock.sleeping).toBe(0);
  });

  it('that is not there costs the spans, and nothing else', async () => {
    const telemetry = watch(`http://127.0.0.1:${await unusedPort()}`);
    begin(telemetry);
    workOn(telemetry, 300);
    await telemetry.end('completed');
    expect(telemetry.trouble).toMatchObject({ reason: 'unreachable', facts: { code: 'ECONNREFUSED' } });
  });
});

function ignore(): void {}

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}
