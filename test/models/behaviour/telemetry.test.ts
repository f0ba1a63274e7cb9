import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finished, pawl, pawlJson } from '../../support/command.ts';
import { runFolder } from '../../support/journal.ts';
import { hashes, read, type TestWorkspace, withEnv } from '../../support/workspace.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../telemetry/collector.ts';
import type { ModelServer } from '../server.ts';
import { answer, asking, keys, refuse, serve, unitAsked, workspaceFor } from '../support.ts';

/* OpenTelemetry is told of a run where an endpoint is set, and nowhere else; whether it hears it changes nothing. */

const said = 'An answer that is for nobody else.';

function script(): Promise<ModelServer> {
  const met = new Set<string>();
  return serve((asked) => {
    const isFirst = !met.has(unitAsked(asked));
    met.add(unitAsked(asked));
    if (unitAsked(asked) === 'b' && isFirst) return refuse(500, { message: `at ${keys.LOCAL_API_KEY}` });
    const usage = { input: 1000, output: 200, cacheRead: 100 };
    return answer(said, {
      usage,
      model: 'writer-2026',
      headers: { 'x-request-id': `for-${unitAsked(asked)}` },
    });
  });
}

function workspaceOf(server: ModelServer): TestWorkspace {
  const model = { use: 'local/writer', temperature: 0, max_tokens: 500 };
  const prices = { 'local/writer': { input: 1000, output: 1000 } };
  // The third says what the first has said.
  const units = ['a', 'b', { id: 'c', as: 'a' }];
  return workspaceFor(server, asking({ model }, { units, models: { prices } }), {
    'prompt.md': 'Say {{ unit.as | default: unit.id }}.\n',
  });
}

describe('a run with an endpoint', () => {
  let collector: Collector;
  let finished: Finished;
  let run: string;

  beforeAll(async () => {
    collector = await startCollector();
    const server = await script();
    const workspace = withEnv(workspaceOf(server), { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    finished = await pawl(workspace, 'run');
    run = runFolder(workspace).split('/').at(-1) ?? '';
  }, 60_000);

  afterAll(() => collector.close());

  it('is told as OTLP says', () => {
    expect(finished.code, finished.stderr).toBe(0);
    expect(collector.problems).toEqual([]);
  });

  it('is a span, with one for each attempt below it, and one for each call below that', () => {
    const [root, ...others] = named('pawl.run');
    expect(others).toEqual([]);
    expect(root?.name).toBe('pawl.run asking');
    expect(JSON.stringify(root?.attributes)).toContain(run);
    const phases = named('pawl.phase');
    expect(phases).toHaveLength(4);
    expect(phases.every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true);
    expect(phases.map(({ status }) => status.code ?? 0).filter((code) => code === 2)).toHaveLength(1);
    const calls = named('chat');
    expect(calls.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => 'chat writer'));
    const ids = new Set(phases.map(({ spanId }) => spanId));
    expect(calls.every(({ parentSpanId = '' }) => ids.has(parentSpanId))).toBe(true);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('says of a call what the GenAI conventions ask for', () => {
    const call = named('chat').find((span) => valuesOf(span)['gen_ai.response.id'] === 'for-a');
    expect(call && valuesOf(call)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'writer',
      'gen_ai.response.model': 'writer-2026',
      'gen_ai.request.temperature': 0,
      'gen_ai.request.max_tokens': 500,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 200,
      'pawl.cost.usd': 1.2,
    });
    const reused = named('chat').filter((span) => valuesOf(span)['pawl.reused'] === true);
    expect(reused).toHaveLength(1);
  });

  it('is counted: tokens, cost and attempts; what was reused is not paid again', () => {
    const metrics = new Map(collector.metrics.map((metric) => [metric.name, metric]));
    expect([...metrics.keys()].toSorted()).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
      'pawl.cost.usd',
      'pawl.phase.attempts',
    ]);
    expect(sumOf('pawl.cost.usd')).toBeCloseTo(2.4, 9);
    expect(sumOf('gen_ai.client.token.usage')).toBe(2400);
    expect(sumOf('pawl.phase.attempts')).toBe(4);
  });

  it('has neither prompts nor answers nor keys in it', () => {
    const sent = collector.bodies.join('');
    expect(sent).not.toContain(said);
    expect(sent).not.toContain('Say a.');
    expect(sent).not.toContain(keys.LOCAL_API_KEY);
  });

  function named(start: string): CollectedSpan[] {
    return collector.spans.filter(({ name }) => name.startsWith(start));
  }

  function sumOf(name: string): number {
    const metric = collector.metrics.find((one) => one.name === name);
    if (metric === undefined) return Number.NaN;
    if ('sum' in metric)
      return metric.sum.dataPoints.reduce(
        (sum, point) => sum + Number('asInt' in point ? point.asInt : point.asDouble),
        0,
      );
    return metric.histogram.dataPoints.reduce((sum, point) => sum + point.sum, 0);
  }
});

describe('a run', () => {
  it('without an endpoint speaks with the provider and with nobody else', async () => {
    const server = await script();
    const quiet = watched(workspaceOf(server));
    expect((await pawl(quiet, 'run')).code).toBe(0);
    const spoken = new Set(read(quiet, '../connections').trim().split('\n'));
    expect([...spoken]).toEqual([new URL(server.url).port]);
  });

  it('is the same in code and files where the collector is not there', async () => {
    const [one, two] = [workspaceOf(await script()), workspaceOf(await script())];
    const away = withEnv(two, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await unusedPort()}` });
    const [heard, unheard] = [
      await pawlJson(one, 'run'),
      await pawlJson<{ ok: boolean; notices: object[] }>(away, 'run'),
    ];
    expect([unheard.finished.code, unheard.ok]).toEqual([0, true]);
    expect(heard.finished.code).toBe(0);
    expect(unheard.notices).toMatchObject([{ code: 'telemetry-failed' }]);
    expect(hashes(two, 'out')).toEqual(hashes(one, 'out'));
    expect((await pawl(two, 'verify')).code).toBe(0);
  });
});

function valuesOf({ attributes }: CollectedSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: CollectedSpan['attributes'][number]['value']): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(plain);
  if ('intValue' in value) return Number(value.intValue);
  return Object.values(value)[0];
}

/** Notes the port of every connection that the command makes. */
function watched(workspace: TestWorkspace): TestWorkspace {
  const code = `
    import { appendFileSync } from 'node:fs';
    import { Socket } from 'node:net';
    const { connect } = Socket.prototype;
    Socket.prototype.connect = function (...args) {
      const [options] = Array.isArray(args[0]) ? args[0] : args;
      appendFileSync(process.env.TEST_CONNECTIONS, (options?.port ?? options?.path ?? options) + '\\n');
      return connect.apply(this, args);
    };`;
  return withEnv(workspace, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    TEST_CONNECTIONS: join(workspace.root, '../connections'),
  });
}

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}
