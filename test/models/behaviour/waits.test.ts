import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson, start } from '../../support/command.ts';
import { read, type TestWorkspace } from '../../support/workspace.ts';
import type { ModelServer, Turn } from '../server.ts';
import {
  answer,
  asking,
  inTurn,
  manifest,
  of,
  only,
  reasons,
  refuse,
  serve,
  unitAsked,
  workspaceFor,
} from '../support.ts';

/* A provider that says "later" has failed nobody. */

const later = (seconds: number | string, more: Partial<Extract<Turn, { do: 'refuse' }>> = {}): Turn =>
  refuse(429, { headers: { 'retry-after': String(seconds) }, ...more });
/** One attempt and no more: whatever is used up is seen at once. */
const once: JsonObject = { retries: { attempts: 1 } };

interface RunJson {
  readonly reason?: string;
  readonly retry_at?: string;
  readonly retryAt?: string;
  readonly heading: { readonly status: string };
}

/** A turn for each request, and when it came, by the clock of the server. */
async function timed(...turns: readonly Turn[]) {
  const times: number[] = [];
  const server = await serve(({ nth }) => {
    times.push(Date.now());
    return turns[nth - 1] ?? answer(`answer ${nth}`);
  });
  return { server, times };
}

describe('a short wait', () => {
  it('is sat out, and uses up no attempt', async () => {
    const { server, times } = await timed(later(1, { message: 'Slow down.' }), later(0));
    const workspace = workspaceFor(server, asking(once));
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(reasons(workspace)).toEqual(['rate-limited', 'rate-limited']);
    const [paused] = of(workspace, 'attempt_paused');
    expect(paused).toMatchObject({ message: 'Slow down.', attempt: 1 });
    expect(Date.parse(String(paused?.until)) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(stderr).toContain('a/write paused by a rate limit of the provider until');
    expect(read(workspace, 'out/a.md')).toBe('answer 3\n');
    // Nothing was paid for being sent away.
    const { total } = await pawlJson<{ total: { calls: number } }>(workspace, 'cost');
    expect(total.calls).toBe(1);
  });

  it.each([
    ['529', refuse(529, { headers: { 'retry-after': '0' } }), 'overloaded'],
    ['503 with a time', refuse(503, { headers: { 'retry-after': '0' } }), 'overloaded'],
    ['429 with a time in milliseconds', refuse(429, { headers: { 'retry-after-ms': '3' } }), 'rate-limited'],
    [
      'an overload in the middle of an answer',
      { do: 'error-event', kind: 'overloaded', message: 'Busy.', after: 2, text: 'never to its end' },
      'overloaded',
    ],
  ] as [string, Turn, string][])('is what %s means', async (_, turn, reason) => {
    const server = await inTurn(turn);
    const workspace = workspaceFor(server, asking({ model: 'anthropic/claude-sonnet-5', ...once }));
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(reasons(workspace)).toEqual([reason]);
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('answer 2\n');
  });

  it('holds up that model and nothing else', async () => {
    const server = await serve(({ model }) => (model === 'slow' ? later(86_400) : answer('yes')));
    const phase = (model: string): JsonObject => ({
      model: `local/${model}`,
      needs: [],
      prompt: 'prompt.md',
      outputs: { text: `out/{unit}.${model}.md` },
    });
    const phases = { slow: phase('slow'), quick: phase('quick') };
    const workspace = workspaceFor(server, manifest(phases, { units: ['a', 'b', 'c'] }));
    expect((await pawl(workspace, 'run')).code).toBe(75);
    expect(server.asked.map(({ model }) => model).toSorted()).toEqual(['quick', 'quick', 'quick', 'slow']);
  });
});

describe('a quota for the day', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let began: number;
  let told: RunJson & { readonly finished: Finished };

  beforeAll(async () => {
    server = await serve((asked) =>
      unitAsked(asked) === 'a'
        ? answer('yes')
        : later(86_400, { message: 'You exceeded your quota: requests per day.' }),
    );
    workspace = workspaceFor(server, asking(once, { units: ['a', 'b', 'c', 'd'] }));
    began = Date.now();
    told = await pawlJson<RunJson>(workspace, 'run');
  }, 60_000);

  it('pauses the run, and nobody is told twice', () => {
    expect(told.finished.code).toBe(75);
    expect(told).toMatchObject({ ok: false, exitCode: 75, reason: 'paused', heading: { status: 'paused' } });
    const { until, reason } = only(workspace, 'attempt_paused');
    expect(reason).toBe('quota');
    expect(Date.parse(String(until)) - began).toBeGreaterThanOrEqual(86_400_000);
    // The others ask the same model.
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('yes\n');
  });

  it('is told with the time at which it can go on', async () => {
    const { until } = only(workspace, 'attempt_paused');
    const status = await pawlJson<{ heading: { status: string } }>(workspace, 'status');
    expect(status.heading.status).toBe('paused');
    expect((await pawl(workspace, 'status')).stdout).toContain(String(until).slice(0, 10));
    expect([told.retry_at, told.retryAt]).toContain(until);
  });

  it('keeps every run before that time from asking', async () => {
    const again = await pawl(workspace, 'run');
    expect(again.code).toBe(75);
    expect(`${again.stdout}${again.stderr}`).toContain('--wait');
    expect(server.asked).toHaveLength(2);
    expect(reasons(workspace)).toEqual(['quota']);
  });

  it('can be ended by a person who knows better', async () => {
    const server = await inTurn(later(86_400));
    const workspace = workspaceFor(server, asking(once));
    expect((await pawl(workspace, 'run')).code).toBe(75);
    const past = ['run', '--past-limits', '--reason', 'another plan was booked'];
    const { code, stderr } = await pawl(workspace, ...past);
    expect(code).toBe(0);
    // The attempt before was paused, not cut off.
    expect(stderr).toContain('attempt 1 was paused by a rate limit of the provider');
    expect(stderr).not.toContain('cut off');
    const why = await pawl(workspace, 'why', 'a/write');
    expect(why.stdout).toContain('attempt 2: attempt 1 was paused by a rate limit of the provider;');
    expect(server.asked).toHaveLength(2);
  });
});

it('a paused step is described as paused everywhere, also after an attempt that failed', async () => {
  const server = await inTurn(refuse(500), later(86_400, { message: 'Daily limit.' }));
  const retried: JsonObject = { retries: { attempts: 3, backoff: '1ms' } };
  const workspace = workspaceFor(server, asking(retried, { layout: { brief: 'RESUME.yaml' } }));
  expect((await pawl(workspace, 'run')).code).toBe(75);
  const until = String(only(workspace, 'attempt_paused').until);
  const resumed = await pawl(workspace, 'resume');
  const said = {
    status: (await pawl(workspace, 'status')).stdout,
    resume: `${resumed.stdout}${resumed.stderr}`,
    // Its story names the attempt that failed before.
    why: (await pawl(workspace, 'why', 'a/write')).stdout.split('  story\n', 1)[0] ?? '',
    inspect: (await pawl(workspace, 'inspect')).stdout,
    brief: read(workspace, 'RESUME.yaml'),
  };
  expect(said.status).toMatch(/a\/write paused until .* by a quota of the provider.*Daily limit\./);
  expect(said.resume).toMatch(/wait: write of a is paused until .* by a quota of the provider/);
  expect(said.why).toMatch(/paused until .* by a quota of the provider/);
  expect(said.brief).toContain(
    `Wait until ${until}: a/write paused by a quota of the provider until ${until}`,
  );
  for (const [name, text] of Object.entries(said)) {
    if (name !== 'inspect') expect(text, name).not.toMatch(/failed|cut off|cannot go on/);
    expect(text, name).toContain('paused');
  }
}, 60_000);

describe('run --wait', () => {
  it('waits however long, and goes on by itself', async () => {
    const { server, times } = await timed(later(1), later(1));
    // Without --wait nothing at all is sat out here.
    const workspace = workspaceFor(server, asking(once, { pace: { concurrency: 1, wait: 0 } }));
    const { code, stderr } = await pawl(workspace, 'run', '--wait');
    expect(code, stderr).toBe(0);
    for (const at of [1, 2]) expect((times[at] ?? 0) - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(reasons(workspace)).toEqual(['rate-limited', 'rate-limited']);
    expect(read(workspace, 'out/a.md')).toBe('answer 3\n');
  });

  it('can be ended while it waits, and loses nothing', async () => {
    const server = await inTurn(later(86_400));
    const workspace = workspaceFor(server, asking(once));
    const running = start(workspace, ['run', '--wait']);
    await running.line('paused by');
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(server.asked).toHaveLength(1);
    expect((await pawl(workspace, 'run')).code).toBe(75);
    expect(server.asked).toHaveLength(1);
  });
});
