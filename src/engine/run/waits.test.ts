import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CodePipeline, demand, failureOf } from '../../../test/fixtures/memory.ts';
import { asking, type ModelWorld, modelWorld, of } from '../../../test/fixtures/standin.ts';
import { latch, type ModelServer, modelServer, type Script, type Turn } from '../../../test/models/server.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { showStatus } from '../show/status.ts';
import { runPipeline } from './run.ts';

const open: ModelServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(does: Turn | Script): Promise<ModelServer> {
  const server = await modelServer(typeof does === 'function' ? does : () => does);
  open.push(server);
  return server;
}

/** A pipeline that asks a server, one unit after the other. */
function asks(server: ModelServer, more: Partial<CodePipeline> = {}, provider: object = {}): CodePipeline {
  const models = { providers: { local: { base_url: `${server.url}/v1`, ...provider } } };
  return asking({ model: 'local/m' }, { models, ...more });
}

const hello: Turn = { do: 'answer', text: 'Hello' };
const limit = (after: string, message = 'Slow down'): Turn => ({
  do: 'refuse',
  status: 429,
  message,
  headers: { 'retry-after': after },
});
const started = (world: ModelWorld) =>
  of(world.events(), 'attempt_started').map(({ unit, attempt }) => `${unit}#${attempt}`);

describe('a provider that asks to wait', () => {
  it('is waited for, and nothing has failed', async () => {
    const server = await serve(({ nth }) => (nth <= 2 ? limit('7') : hello));
    const world = modelWorld();
    const answer = await world.run(asks(server));
    expect(answer.heading.status).toBe('completed');
    expect(answer.ran).toEqual({ succeeded: 1, failed: 0 });
    expect(started(world)).toEqual(['a#1', 'a#2', 'a#3']);
    const pauses = of(world.events(), 'attempt_paused');
    expect(pauses).toMatchObject([
      { attempt: 1, reason: 'rate-limited', message: 'Slow down', call: { model: 'local/m' } },
      { attempt: 2, reason: 'rate-limited' },
    ]);
    for (const { at, until } of pauses) {
      const ms = Date.parse(until) - Date.parse(at);
      expect(ms).toBeGreaterThanOrEqual(6000);
      expect(ms).toBeLessThanOrEqual(7000);
    }
    const [, second, third] = of(world.events(), 'attempt_started');
    expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(pauses[0]?.until ?? ''));
    expect(Date.parse(third?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(pauses[1]?.until ?? ''));
  });

  it('uses up no attempt, however often', async () => {
    const server = await serve(({ nth }) => (nth <= 6 ? limit('1') : hello));
    const world = modelWorld();
    const definition = asks(server);
    const answer = await world.run({
      ...definition,
      phases: { write: { ...definition.phases?.write, retries: 1 } },
    });
    expect(answer.heading.status).toBe('completed');
  });

  it('is not asked anything else meanwhile, and then everything in its order', async () => {
    const server = await serve(({ nth }) => (nth === 1 ? limit('30') : hello));
    const world = modelWorld();
    const answer = await world.run(asks(server, { units: ['a', 'b', 'c'] }));
    expect(answer.heading.status).toBe('completed');
    expect(server.asked).toHaveLength(4);
    const [pause] = of(world.events(), 'attempt_paused');
    for (const event of of(world.events(), 'attempt_started').slice(1))
      expect(Date.parse(event.at)).toBeGreaterThanOrEqual(Date.parse(pause?.until ?? ''));
  });

  it('without saying how long is asked again after longer and longer', async () => {
    const refuse: Turn = { do: 'refuse', status: 529, message: 'Overloaded' };
    const server = await serve(({ nth }) => (nth <= 5 ? refuse : hello));
    const world = modelWorld();
    await world.run(asks(server));
    const waits = of(world.events(), 'attempt_paused').map(
      ({ at, until }) => Date.parse(until) - Date.parse(at),
    );
    expect(waits).toHaveLength(5);
    for (const [nth, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** nth - 250);
      expect(ms).toBeLessThanOrEqual(1000 * 2 ** nth);
    }
  });

  it('that says to wait for nothing, again and again, is not asked as fast as it answers', async () => {
    const server = await serve(({ nth }) => (nth <= 5 ? limit('0') : hello));
    const world = modelWorld();
    await world.run(asks(server));
    const waits = of(world.events(), 'attempt_paused').map(
      ({ at, until }) => Date.parse(until) - Date.parse(at),
    );
    expect(waits).toHaveLength(5);
    expect(waits.at(-1)).toBeGreaterThan(1000);
  });
});

describe('a provider that asks to wait for longer than anybody sits', () => {
  const quota = limit('7200', 'You have used your requests per day');

  it('pauses the run, which says until when, and is over then', async () => {
    const server = await serve(({ nth }) => (nth === 1 ? quota : hello));
    const world = modelWorld();
    const definition = asks(server, { units: ['a', 'b'] });
    const answer = await world.run(definition);
    expect(answer.heading.status).toBe('paused');
    expect(answer.stops).toMatchObject([
      {
        unit: 'a',
        phase: 'write',
        why: { code: 'paused', pause: 'quota', message: 'You have used your requests per day' },
      },
    ]);
    expect(server.asked).toHaveLength(1);
    const status = demand(
      await showStatus(world.env, { path: world.folder, pipeline: definePipeline(definition) }),
    );
    expect(status.heading.status).toBe('paused');
    expect(status.counts).toMatchObject({ paused: 1 });

    world.restart();
    world.env.clock.advance(7_200_000);
    const after = await world.run(definition);
    expect(after.heading.status).toBe('completed');
    expect(server.asked).toHaveLength(3);
  });

  it('is not asked before that by another sitting either, for whatever unit', async () => {
    const server = await serve(({ nth }) => (nth === 1 ? quota : hello));
    const world = modelWorld();
    const definition = asks(server, { units: ['a', 'b'] });
    await world.run(definition);
    world.restart();
    world.env.clock.advance(3_600_000);
    const early = await world.run(definition);
    expect(early.heading.status).toBe('paused');
    expect(server.asked).toHaveLength(1);
  });

  it('lets all that asks others go on before the run pauses', async () => {
    const server = await serve(({ model }) => (model === 'm' ? quota : hello));
    const world = modelWorld();
    const phases = {
      one: { model: 'local/m', prompt: 'prompt.md', outputs: { o: 'one/{unit}.md' } },
      two: { model: 'local/n', needs: [], prompt: 'prompt.md', outputs: { o: 'two/{unit}.md' } },
    };
    const answer = await world.run(asks(server, { units: ['a', 'b', 'c'], phases }));
    expect(answer.heading.status).toBe('paused');
    expect(
      of(world.events(), 'attempt_succeeded')
        .map(({ unit, phase }) => `${unit}/${phase}`)
        .sort(),
    ).toEqual(['a/two', 'b/two', 'c/two']);
    expect(server.asked.filter(({ model }) => model === 'm')).toHaveLength(1);
  });

  it('is waited for by who wants that', async () => {
    const server = await serve(({ nth }) => (nth === 1 ? quota : hello));
    const world = modelWorld();
    world.env.clock.skippedMs = 0;
    const definition = asks(server);
    const paused = latch();
    const running = runPipeline(world.env, {
      path: world.folder,
      pipeline: definePipeline(definition),
      wait: true,
      observer: {
        begun: () => undefined,
        progress: ({ type }) => {
          if (type === 'attempt-paused') paused.open();
        },
      },
    });
    await paused.opened;
    // It sleeps an hour at a time, at most: whatever it does, it does not ask before its time.
    for (let step = 0; step < 23; step++) {
      await settle();
      world.env.clock.advance(300_000);
    }
    await settle();
    expect(server.asked).toHaveLength(1);
    for (let step = 0; step < 3; step++) {
      await settle();
      world.env.clock.advance(300_000);
    }
    expect(demand(await running).heading.status).toBe('completed');
    expect(server.asked).toHaveLength(2);
  });

  it('is waited for no longer when somebody stops the run', async () => {
    const server = await serve(quota);
    const world = modelWorld();
    world.env.clock.skippedMs = 0;
    const paused = latch();
    const stop = new AbortController();
    const running = world.run(asks(server), {
      wait: true,
      stop: stop.signal,
      observer: {
        begun: () => undefined,
        progress: ({ type }) => {
          if (type === 'attempt-paused') paused.open();
        },
      },
    });
    await paused.opened;
    await settle();
    stop.abort();
    const answer = await running;
    expect(answer).toMatchObject({ interrupted: true, heading: { status: 'paused' } });
    expect(server.asked).toHaveLength(1);
  });

  it('is asked at once by who says why', async () => {
    const server = await serve(({ nth }) => (nth === 1 ? quota : hello));
    const world = modelWorld();
    await world.run(asks(server));
    world.restart();
    const answer = await world.run(asks(server), { pastLimits: true, reason: 'we have paid' });
    expect(answer.heading.status).toBe('completed');
  });
});

describe('limits of one’s own', () => {
  it('are waited for, however little patience there is with providers', async () => {
    const server = await serve(hello);
    const world = modelWorld();
    const more = { units: ['a', 'b', 'c'], pace: { concurrency: 1, wait: '1s' } };
    const answer = await world.run(asks(server, more, { requests_per_minute: 1 }));
    expect(answer.heading.status).toBe('completed');
    const times = of(world.events(), 'attempt_started').map(({ at }) => Date.parse(at));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(59_000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(59_000);
  });

  it('hold for calls at a time', async () => {
    const server = await serve(hello);
    const world = modelWorld();
    const units = Array.from({ length: 12 }, (_, nth) => `u${nth}`);
    const answer = await world.run(asks(server, { units, pace: { concurrency: 8 } }, { concurrency: 2 }));
    expect(answer.heading.status).toBe('completed');
    expect(server.maxInFlight).toBeLessThanOrEqual(2);
    const free = await serve(hello);
    const other = modelWorld();
    await other.run(asks(free, { units, pace: { concurrency: 8 } }));
    expect(free.asked).toHaveLength(12);
  });
});

describe('what goes wrong', () => {
  it('for a while is tried again', async () => {
    const troubles: Turn[] = [{ do: 'refuse', status: 500 }, { do: 'drop', text: 'Hello', after: 2 }, hello];
    const server = await serve(({ nth }) => troubles[nth - 1] ?? hello);
    const world = modelWorld();
    const answer = await world.run(asks(server));
    expect(answer.heading.status).toBe('completed');
    expect(of(world.events(), 'attempt_failed').map(({ reason }) => reason)).toEqual([
      'server-error',
      'connection-lost',
    ]);
    expect(world.read('out/a.md')).toBe('Hello\n');
  });

  it('with a key stops everything at once, and uses up no attempt', async () => {
    vi.stubEnv('LOCAL_KEY', 'sekret-0123456789');
    const server = await serve({ do: 'refuse', status: 401, message: 'Wrong key: sekret-0123456789' });
    const world = modelWorld();
    const definition = asks(server, { units: ['a', 'b', 'c'] }, { key: '$LOCAL_KEY' });
    const limited = { ...definition, phases: { write: { ...definition.phases?.write, retries: 1 } } };
    for (let sitting = 1; sitting <= 2; sitting++) {
      const answer = await world.run(limited);
      expect(answer.heading.status).toBe('stopped');
      expect(answer.halts).toEqual([{ model: 'local/m', failure: 'not-authorized' }]);
      expect(server.asked).toHaveLength(sitting);
      world.restart();
    }
    vi.unstubAllEnvs();
    expect(of(world.events(), 'attempt_failed')[0]).toMatchObject({
      reason: 'not-authorized',
      message: 'Wrong key: [LOCAL_KEY]',
      facts: { key: 'LOCAL_KEY', status: 401, model: 'local/m' },
    });
  });

  it('with a key that is not set is told before anything starts', async () => {
    vi.stubEnv('LOCAL_KEY', '');
    const server = await serve(hello);
    const world = modelWorld();
    const definition = asks(server, {}, { key: '$LOCAL_KEY' });
    const failure = failureOf(
      await runPipeline(world.env, { path: world.folder, pipeline: definePipeline(definition) }),
    );
    vi.unstubAllEnvs();
    expect(failure).toMatchObject({
      reason: 'provider-missing',
      missing: [{ provider: 'local', phases: ['write'], packages: [], key: 'LOCAL_KEY' }],
    });
    expect(server.asked).toEqual([]);
  });

  it('with a header whose variable is not set is told as well', async () => {
    vi.stubEnv('LOCAL_TEAM', '');
    const server = await serve(hello);
    const world = modelWorld();
    const definition = asks(server, {}, { headers: { 'x-team': '$LOCAL_TEAM' } });
    const answer = await runPipeline(world.env, { path: world.folder, pipeline: definePipeline(definition) });
    vi.unstubAllEnvs();
    expect(answer).toMatchObject({ ok: false, failure: { reason: 'provider-missing' } });
  });

  it('with one model leaves the others alone', async () => {
    const server = await serve(({ model }) => (model === 'm' ? { do: 'refuse', status: 404 } : hello));
    const world = modelWorld();
    const phases = {
      one: { model: 'local/m', prompt: 'prompt.md', outputs: { o: 'one/{unit}.md' } },
      two: { model: 'local/n', needs: [], prompt: 'prompt.md', outputs: { o: 'two/{unit}.md' } },
    };
    const answer = await world.run(asks(server, { units: ['a', 'b', 'c'], phases }));
    expect(answer.halts).toEqual([{ model: 'local/m', failure: 'model-unknown' }]);
    expect(server.asked.filter(({ model }) => model === 'm')).toHaveLength(1);
    expect(of(world.events(), 'attempt_succeeded')).toHaveLength(3);
  });

  it('every time stops asking after five cells, and the others are left as they are', async () => {
    const server = await serve({ do: 'refuse', status: 500 });
    const world = modelWorld();
    const units = Array.from({ length: 9 }, (_, nth) => `u${nth}`);
    const answer = await world.run(asks(server, { units }));
    expect(answer.heading.status).toBe('stopped');
    expect(server.asked).toHaveLength(15);
    expect(new Set(of(world.events(), 'attempt_started').map(({ unit }) => unit)).size).toBe(5);
    expect(answer.halts).toEqual([{ model: 'local/m', failure: 'server-error' }]);
  });
});

/** Lets everything happen that can without anybody moving the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
