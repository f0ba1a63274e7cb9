import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson, start } from '../../support/command.ts';
import { library, libraryEnvironment } from '../../support/library.ts';
import { has, read, type TestWorkspace, withEnv } from '../../support/workspace.ts';
import { latch, type ModelServer, modelServer, type Turn } from '../server.ts';
import {
  answer,
  asking,
  inTurn,
  keys,
  local,
  manifest,
  of,
  only,
  reasons,
  refuse,
  serve,
  unitAsked,
  workspaceFor,
} from '../support.ts';

/* Calls that fail: which are made again, which end the run, and when a provider is left alone. */

function units(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `u${String(at + 1).padStart(2, '0')}`);
}

describe('what may be over by itself', () => {
  it('is tried again, and each try is on record', async () => {
    const broken: Turn[] = [
      refuse(500, { message: 'Oh no.' }),
      refuse(502, { body: '<h1>Bad gateway</h1>' }),
      { do: 'drop', text: 'x' },
      { do: 'drop', after: 2, text: 'dropped on its way' },
      { do: 'stop-short', after: 2, text: 'ended on its way, in good order' },
      { do: 'garble', after: 2, text: 'not to be read' },
      { do: 'error-event', kind: 'internal', message: 'Broken inside.', after: 1, text: 'broken inside' },
    ];
    const server = await inTurn(...broken);
    const workspace = workspaceFor(server, asking({ retries: { attempts: 8, backoff: '1ms' } }));
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(8);
    const kinds = reasons(workspace);
    expect(kinds.slice(0, 2)).toEqual(['server-error', 'server-error']);
    for (const kind of kinds.slice(2)) expect(['connection-lost', 'server-error']).toContain(kind);
    expect(kinds).toHaveLength(7);
    expect(of(workspace, 'attempt_failed')[0]).toMatchObject({ message: 'Oh no.', facts: { status: 500 } });
    expect(read(workspace, 'out/a.md')).toBe('answer 8\n');
    expect(stderr).toContain('trying again');
  });

  it('is tried no more often than the manifest grants, over every resume', async () => {
    const server = await serve(() => refuse(500));
    const workspace = workspaceFor(server, asking({ retries: { attempts: 2, backoff: '1ms' } }));
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect(server.asked).toHaveLength(2);
  });

  it('is tried three times in a sitting where the manifest says nothing', async () => {
    const server = await serve(() => refuse(500));
    const workspace = workspaceFor(server, asking());
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect(server.asked).toHaveLength(3);
  });
});

describe('a key that is not taken', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let finished: Finished;
  const right = 'sk-local-another-one-3fd02a';

  beforeAll(async () => {
    server = await modelServer(() => answer('yes'), { key: right });
    workspace = workspaceFor(
      server,
      asking({ retries: { attempts: 3, backoff: '1ms' } }, { units: units(10) }),
    );
    finished = await pawl(workspace, 'run');
    return () => server.close();
  }, 60_000);

  it('stops the run at once, and says which variable holds it', () => {
    expect(finished.code).toBe(1);
    expect(server.rejected).toHaveLength(1);
    expect(server.asked).toEqual([]);
    const words = `${finished.stdout}${finished.stderr}`;
    expect(words).toContain('LOCAL_API_KEY');
    expect(words).not.toContain(keys.LOCAL_API_KEY);
    expect(only(workspace, 'attempt_failed')).toMatchObject({ reason: 'not-authorized' });
  });

  it('is shown no more often than there are calls at a time', async () => {
    const locked = await serve(() => refuse(401));
    const text = asking(
      { retries: { attempts: 3, backoff: '1ms' } },
      { units: units(20), pace: { concurrency: 4 } },
    );
    expect((await pawl(workspaceFor(locked, text), 'run')).code).toBe(1);
    expect(locked.asked.length).toBeLessThanOrEqual(4);
  });

  it('has used up nothing: with the right one all is done', async () => {
    const open = withEnv(workspace, { LOCAL_API_KEY: right });
    const { code, stderr } = await pawl(open, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(10);
  });
});

describe('what no other try can mend', () => {
  it('a model that the provider does not know is left alone, and others are not', async () => {
    const server = await serve(({ model }) => (model === 'gone' ? refuse(404) : answer('yes')));
    const phase = (model: string): JsonObject => ({
      model,
      needs: [],
      prompt: 'prompt.md',
      outputs: { text: `out/{unit}.${model.replace('/', '.')}.md` },
      retries: { attempts: 3, backoff: '1ms' },
    });
    const text = manifest({ one: phase('local/gone'), two: phase('local/there') }, { units: units(3) });
    const workspace = workspaceFor(server, text);
    const { code, stderr, stdout } = await pawl(workspace, 'run');
    expect(code).toBe(1);
    expect(server.asked.map(({ model }) => model).toSorted()).toEqual(['gone', 'there', 'there', 'there']);
    expect(`${stdout}${stderr}`).toContain('local/gone');
    expect(has(workspace, 'out/u03.local.there.md')).toBe(true);
  });

  it('a call that the provider refuses is not made again in the same sitting', async () => {
    const server = await inTurn(refuse(400, { message: 'prompt is too long' }));
    const workspace = workspaceFor(server, asking({ retries: { attempts: 3, backoff: '1ms' } }));
    const { code, stdout, stderr } = await pawl(workspace, 'run');
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('prompt is too long');
    expect(server.asked).toHaveLength(1);
    expect((await pawl(workspace, 'run')).code).toBe(0);
  });
});

describe('a call that takes longer than its phase may', () => {
  it('is ended, and is a failed attempt with what had come until then', async () => {
    const never = new Promise<void>(() => undefined);
    const server = await serve(() => ({ do: 'hang', after: 2, until: never, text: 'half of an answer' }));
    const workspace = workspaceFor(server, asking({ timeout: '1h', retries: { attempts: 1 } }));
    for (const [name, value] of Object.entries(workspace.env)) vi.stubEnv(name, value);
    // The hour is over once the server has been asked, however long loading and connecting take on a busy machine.
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => (ms === 3_600_000 ? server.waitFor(1) : systemClock.sleep(ms, signal)),
    };
    const { run } = await library();
    const ended = await run({ path: workspace.root }, { ...(await libraryEnvironment(workspace)), clock });
    expect(ended).toMatchObject({ ok: true, value: { kind: 'new', heading: { status: 'stopped' } } });
    expect(reasons(workspace)).toEqual(['timed-out']);
    await server.idle();
    expect(server.left).toEqual([1]);
    expect(has(workspace, 'out/a.md')).toBe(false);
  });
});

describe('the circuit breaker', () => {
  it.each([
    ['refuses every call', 400, { retries: { attempts: 3, backoff: '1ms' } }, 5],
    ['fails at every call', 500, { retries: { attempts: 2, backoff: '1ms' } }, 10],
  ] as const)('leaves a provider alone that %s', async (_, status, phase, asked) => {
    let isWell = false;
    const server = await serve(() => (isWell ? answer('yes') : refuse(status)));
    const workspace = workspaceFor(server, asking(phase, { units: units(30) }));
    const { finished, ...told } = await pawlJson(workspace, 'run');
    expect(finished.code).toBe(1);
    expect(told).toMatchObject({ ok: false, reason: 'phase-failed', halts: [{ model: 'local/writer' }] });
    expect(server.asked).toHaveLength(asked);
    // The next sitting asks again, and goes on with all that was never asked.
    isWell = true;
    await pawl(workspace, 'run');
    expect(of(workspace, 'attempt_succeeded').length).toBeGreaterThanOrEqual(25);
  });

  it('counts only what comes one after the other', async () => {
    const server = await serve((asked) => (unitAsked(asked).endsWith('5') ? answer('yes') : refuse(400)));
    const workspace = workspaceFor(server, asking({}, { units: units(12) }));
    expect((await pawl(workspace, 'run')).code).toBe(1);
    // Four, one that goes well, and five.
    expect(server.asked).toHaveLength(10);
  });
});

describe('how many calls there are at a time', () => {
  const wide = { concurrency: 6 };

  it('is what the provider is granted, and no less', async () => {
    let waiting: (() => void)[] = [];
    // Two are let go together: one alone would wait for ever.
    const server = await serve(async () => {
      const { opened, open } = latch();
      waiting.push(open);
      if (waiting.length >= 2) {
        for (const go of waiting) go();
        waiting = [];
      }
      await opened;
      return answer('yes');
    });
    const models = { providers: { local: { ...local, concurrency: 2 } } };
    const workspace = workspaceFor(server, asking({}, { units: units(6), pace: wide, models }));
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.maxInFlight).toBe(2);
  });

  it('is what the model is granted, while others go on', async () => {
    const small = latch();
    let most = 0;
    let now = 0;
    const server = await serve(async ({ model }) => {
      if (model !== 'small') return answer('yes');
      now += 1;
      most = Math.max(most, now);
      await small.opened;
      now -= 1;
      return answer('yes');
    });
    const phase = (model: string): JsonObject => ({
      model: `local/${model}`,
      needs: [],
      prompt: 'prompt.md',
      outputs: { text: `out/{unit}.${model}.md` },
    });
    const models = { limits: { 'local/small': { concurrency: 1 } } };
    const text = manifest(
      { small: phase('small'), large: phase('large') },
      { units: units(4), pace: wide, models },
    );
    const workspace = workspaceFor(server, text);
    const running = start(workspace, ['run']);
    for (const unit of units(4)) await running.line(`${unit}/large succeeded`);
    expect(server.asked.filter(({ model }) => model === 'small')).toHaveLength(1);
    small.open();
    expect((await running.ended).code).toBe(0);
    expect(most).toBe(1);
  });

  it.each([
    ['requests', { requests_per_minute: 2 }, 2],
    ['tokens', { tokens_per_minute: 250 }, 3],
  ] as const)('is bounded by %s per minute, and nothing else is held up', async (_, limit, asked) => {
    const server = await serve(() => answer('yes', { usage: { input: 60, output: 40 } }));
    const phases = {
      write: { model: 'local/writer', needs: [], prompt: 'prompt.md', outputs: { text: 'out/{unit}.md' } },
      other: { run: { function: './phases.mjs#step' }, needs: [], outputs: { text: 'out/{unit}.txt' } },
    };
    const models = { providers: { local: { ...local, ...limit } } };
    const workspace = workspaceFor(server, manifest(phases, { units: units(6), models }));
    const running = start(workspace, ['run']);
    // All that is left now are calls that have to wait for the next minute.
    for (const unit of units(6)) await running.line(`${unit}/other succeeded`);
    expect(server.asked).toHaveLength(asked);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(server.asked).toHaveLength(asked);
    expect(of(workspace, 'attempt_succeeded')).toHaveLength(asked + 6);
    expect(reasons(workspace)).toEqual([]);
  });
});
