import { describe, expect, it } from 'vitest';
import {
  attemptsOf,
  type CodePipeline,
  eventsOf,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
  type TestEnvironment,
  watching,
} from '../../test/fixtures/memory.ts';
import { gate } from '../../test/fixtures/pipelines.ts';
import { hashBytes } from '../base/hash.ts';
import type { PhaseFunction, PhaseTask } from './executors/task.ts';

/** A pipeline of one phase that is this function. */
function one(work: PhaseFunction, more: Partial<CodePipeline> = {}, phaseMore: object = {}): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'one',
    units: ['a'],
    phases: { make: { run: work, outputs: { out: 'out/{unit}.txt' }, ...phaseMore } },
    ...more,
  };
}

/** Lets a test decide when a piece of work ends. */
function door(): { readonly opened: Promise<void>; open(): void } {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open?.() };
}

const failureOf = (env: TestEnvironment) => {
  const failed = eventsOf(env).findLast((event) => event.type === 'attempt_failed');
  return failed?.type === 'attempt_failed'
    ? { reason: failed.reason, message: failed.message, facts: failed.facts }
    : undefined;
};

describe('what a function returns', () => {
  it('is written, recorded and shown', async () => {
    const env = memoryEnvironment();
    const answer = await run(
      env,
      one(({ unit }) => ({ out: `text of ${unit.id}` })),
    );
    expect(answer).toMatchObject({ kind: 'new', ran: { succeeded: 1, failed: 0 }, stops: [], refusals: [] });
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'out/a.txt')).toBe('text of a');
    expect(attemptsOf(env)).toEqual(['a/make#1 started', 'a/make#1 succeeded']);
  });

  it.each<[string, ReturnType<PhaseFunction>, string | Uint8Array]>([
    ['text', { out: 'x' }, 'x'],
    ['bytes', { out: new Uint8Array([0, 255]) }, new Uint8Array([0, 255])],
    ['data', { out: { b: [1, null] } }, '{\n  "b": [\n    1,\n    null\n  ]\n}\n'],
    ['a list', { out: [1] }, '[\n  1\n]\n'],
    ['a number', { out: 7 }, '7\n'],
    ['an empty text', { out: '' }, ''],
  ])('may be %s', async (_, returned, bytes) => {
    const env = memoryEnvironment();
    await run(
      env,
      one(() => returned),
    );
    expect(env.disk.read(`${root}/out/a.txt`)).toEqual(Uint8Array.from(Buffer.from(bytes)));
  });

  it('that was not declared is not written', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      one(() => ({ out: 'x', other: 'y' })),
    );
    expect(env.disk.list(`${root}/out`)).toEqual(['a.txt']);
  });
});

describe('what a function is told', () => {
  it('is its task, with all that it consumes', async () => {
    const env = memoryEnvironment({ 'notes.md': 'a note' });
    let told: PhaseTask | undefined;
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'two',
      inputs: { notes: 'notes.md' },
      units: [{ id: 'a', title: 'The First' }],
      phases: {
        plan: { run: () => ({ card: { mood: 'dark' } }), outputs: { card: 'out/{unit}.json' } },
        write: {
          run: (task) => {
            told = task;
            return { text: 'x' };
          },
          inputs: { card: 'plan.card', notes: 'notes' },
          params: { words: 300 },
          outputs: { text: 'out/{unit}.md' },
        },
      },
    };
    await run(env, definition);
    expect(told).toMatchObject({
      unit: { id: 'a', title: 'The First' },
      phase: 'write',
      attempt: 1,
      iteration: 1,
      params: { words: 300 },
      prompt: undefined,
      state: undefined,
      mode: 'fresh',
      previous: undefined,
    });
    expect(told?.run).toMatch(/^20261115-1200-two-/);
    expect(told?.inputs.card?.json()).toEqual({ mood: 'dark' });
    expect(told?.inputs.notes?.text()).toBe('a note');
    expect(told?.inputs.notes?.path).toBe(`${root}/notes.md`);
    expect(told?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same key for every attempt at the same work, and another for other work', async () => {
    const env = memoryEnvironment();
    const keys: string[] = [];
    const pipeline = (words: number) =>
      one(
        ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          if (keys.length === 1) throw new Error('not yet');
          return { out: 'x' };
        },
        { units: ['a', 'b'] },
        { params: { words } },
      );
    await run(env, pipeline(1));
    await run(env, pipeline(1));
    await run(env, pipeline(2), { force: true, rerunAll: true });
    const [a1, b, a2, a3] = keys;
    expect(a2).toBe(a1);
    expect(b).not.toBe(a1);
    expect(a3).not.toBe(a1);
  });

  it('is its prompt, rendered', async () => {
    const env = memoryEnvironment({
      'system.md': 'You write.',
      'make.md': 'Write {{ unit.id }} with {{ params.words }} words.',
    });
    let prompt: PhaseTask['prompt'];
    const work: PhaseFunction = (task) => {
      prompt = task.prompt;
      task.respond('the raw answer');
      return { out: 'x' };
    };
    const definition = one(
      work,
      {},
      { params: { words: 5 }, prompt: { system: 'system.md', phase: 'make.md' } },
    );
    await run(env, definition);
    expect(prompt).toMatchObject({ system: 'You write.', text: 'Write a with 5 words.' });
    const [id] = env.disk.list(`${root}/.pawl/runs`) ?? [];
    const folder = `.pawl/runs/${id}/attempts/a/make/1`;
    expect(readText(env, `${folder}/prompt.md`)).toBe(
      '<!-- system -->\nYou write.\n<!-- prompt -->\nWrite a with 5 words.\n',
    );
    expect(readText(env, `${folder}/response.txt`)).toBe('the raw answer');
    const succeeded = eventsOf(env).find((event) => event.type === 'attempt_succeeded');
    expect(succeeded).toMatchObject({ response: hashBytes('the raw answer') });
  });

  it('and what it says that it has spent is added up', async () => {
    const env = memoryEnvironment();
    const spend: PhaseFunction = (task) => {
      task.cost({ usd: 0.25, inputTokens: 10 });
      task.cost({ usd: 0.5, outputTokens: 3 });
      return { out: 'x' };
    };
    await run(env, one(spend));
    expect(eventsOf(env).find((event) => event.type === 'attempt_succeeded')).toMatchObject({
      cost: { usd: 0.75, inputTokens: 10, outputTokens: 3 },
    });
  });
});

describe('an attempt that fails', () => {
  it('by an error stops the run, and says where', async () => {
    const env = memoryEnvironment();
    const answer = await run(
      env,
      one(() => {
        throw new Error('no ink');
      }),
    );
    expect(answer.heading.status).toBe('stopped');
    expect(answer.stops).toEqual([
      {
        unit: 'a',
        phase: 'make',
        why: { code: 'failed', failure: 'function-threw', message: expect.stringContaining('no ink') },
      },
    ]);
    expect(answer.ran).toEqual({ succeeded: 0, failed: 1 });
    expect(failureOf(env)?.message).toContain('run-plan.test.ts');
    expect(readText(env, 'out/a.txt')).toBeUndefined();
  });

  it.each<[string, () => unknown, object]>([
    [
      'returns nothing',
      () => undefined,
      { reason: 'output-missing', message: 'the function returned undefined' },
    ],
    ['returns null', () => null, { reason: 'output-missing', message: 'the function returned null' }],
    ['returns a text', () => 'text', { reason: 'output-missing' }],
    [
      'returns something else',
      () => ({ other: 'x', more: 'y' }),
      { reason: 'output-missing', facts: { output: 'out', returned: 'other, more' } },
    ],
    ['throws no error', () => Promise.reject('a text'), { reason: 'function-threw', message: 'a text' }],
  ])('because it %s is told as such', async (_, work, failure) => {
    const env = memoryEnvironment();
    await run(env, one(work as PhaseFunction));
    expect(failureOf(env)).toMatchObject(failure);
  });

  it('with a long message keeps its journal small', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      one(() => Promise.reject('x'.repeat(100_000))),
    );
    expect(failureOf(env)?.message.length).toBeLessThanOrEqual(4000);
  });

  it('leaves the other units to go on', async () => {
    const env = memoryEnvironment();
    const work: PhaseFunction = ({ unit }) => {
      if (unit.id === 'a') throw new Error('no ink');
      return { out: 'x' };
    };
    const answer = await run(env, one(work, { units: ['a', 'b', 'c'] }));
    expect(answer.ran).toEqual({ succeeded: 2, failed: 1 });
    expect(answer.cells).toMatchObject({ units: 3, unitsFinished: 2 });
  });

  it('is tried again in the next sitting, with the next number', async () => {
    const env = memoryEnvironment();
    let tries = 0;
    const definition = one(() => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      return { out: 'x' };
    });
    for (const status of ['stopped', 'stopped', 'completed']) {
      expect((await run(env, definition)).heading.status).toBe(status);
    }
    expect(attemptsOf(env).at(-1)).toBe('a/make#3 succeeded');
    expect(eventsOf(env).filter(({ type }) => type === 'run_resumed')).toHaveLength(2);
  });

  it('leaves what was there before', async () => {
    const env = memoryEnvironment();
    let text: string | undefined = 'first';
    const definition = one(() => {
      if (text === undefined) throw new Error('no ink');
      return { out: text };
    });
    await run(env, definition);
    text = undefined;
    await run(env, definition, { rerunAll: true });
    expect(readText(env, 'out/a.txt')).toBe('first');
  });
});

describe('a check that fails', () => {
  const checked = (text: string) =>
    one(() => ({ out: text }), {}, { outputs: { out: { path: 'out/{unit}.json', check: 'json' } } });

  it('keeps the rejected output with the attempt, and out of its place', async () => {
    const env = memoryEnvironment();
    await run(env, checked('{"cut'));
    expect(failureOf(env)).toMatchObject({
      reason: 'check-failed',
      facts: { output: 'out', check: 'json', path: 'out/a.json' },
    });
    const [id] = env.disk.list(`${root}/.pawl/runs`) ?? [];
    expect(readText(env, `.pawl/runs/${id}/attempts/a/make/1/outputs/out`)).toBe('{"cut');
    expect(readText(env, 'out/a.json')).toBeUndefined();
    expect(env.disk.list(`${root}/.pawl/runs/${id}/staging`) ?? []).toEqual([]);
  });

  it('does not touch the output of the attempt before', async () => {
    const env = memoryEnvironment();
    await run(env, checked('{}'));
    await run(env, checked('{"cut'), { rerunAll: true });
    expect(readText(env, 'out/a.json')).toBe('{}');
  });
});

describe('a verdict', () => {
  const gated = (report: string) => one(() => ({ out: report }), {}, { gate: gate('stop', 'make', 1) });

  it.each([
    ['{"status":"pass"}', 'completed'],
    ['{"status":"fail"}', 'stopped'],
  ])('of %s makes the run %s', async (report, status) => {
    const env = memoryEnvironment();
    expect((await run(env, gated(report))).heading.status).toBe(status);
  });

  it.each(['not json', '{}', '{"status":{}}', '{"status":null}', '[]', ''])(
    'that cannot be read from %j fails the attempt',
    async (report) => {
      const env = memoryEnvironment();
      await run(env, gated(report));
      expect(failureOf(env)).toMatchObject({
        reason: 'verdict-unreadable',
        facts: { output: 'out', path: 'status' },
      });
    },
  );

  it('may be a number or a truth', async () => {
    const env = memoryEnvironment();
    const passes = { ...gate('stop', 'make', 1), pass: ['7', 'true'] };
    for (const report of ['{"status":7}', '{"status":true}']) {
      const definition = one(() => ({ out: report }), { identity: { report } }, { gate: passes });
      expect((await run(env, definition)).heading.status).toBe('completed');
    }
  });
});

describe('retries', () => {
  const stubborn = (failures: number, retries: object) => {
    let tries = 0;
    return one(
      () => {
        tries += 1;
        if (tries <= failures) throw new Error('not yet');
        return { out: `try ${tries}` };
      },
      {},
      { retries },
    );
  };
  const quick = () => {
    const env = memoryEnvironment();
    env.clock.skippedMs = 10 * 60_000;
    return env;
  };

  it('come in the same sitting, each after twice the wait', async () => {
    const env = quick();
    const { seen, observer } = watching();
    const answer = await run(env, stubborn(3, { attempts: 4, backoff: '2s' }), { observer });
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'out/a.txt')).toBe('try 4');
    expect(
      seen.flatMap((progress) => (progress.type === 'attempt-failed' ? [progress.retryInMs] : [])),
    ).toEqual([2000, 4000, 8000]);
    expect(env.clock.slept).toEqual(expect.arrayContaining([2000, 4000, 8000]));
  });

  it('leave their place to others while they wait', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const { observer } = watching();
    observer.progress = ({ type }) => {
      if (type === 'attempt-succeeded') stop.abort();
    };
    const definition = one(
      ({ unit }) => (unit.id === 'a' ? Promise.reject('no') : { out: 'made' }),
      { units: ['a', 'b'], pace: { concurrency: 1 } },
      { retries: { attempts: 3, backoff: '1h' } },
    );
    const answer = await run(env, definition, { stop: stop.signal, observer });
    expect(answer.ran).toEqual({ succeeded: 1, failed: 1 });
    expect(readText(env, 'out/b.txt')).toBe('made');
    expect(env.clock.sleeping).toBe(0);
  });

  it('are not waited for when nothing may start any more', async () => {
    const env = memoryEnvironment();
    const definition = one(
      () => Promise.reject('no'),
      { units: ['a', 'b'], pace: { concurrency: 1 } },
      { retries: { attempts: 3, backoff: '1h' }, limits: { attempts: 2 } },
    );
    const answer = await run(env, definition);
    expect(answer.ran).toEqual({ succeeded: 0, failed: 2 });
    expect(answer.limits).toHaveLength(1);
    expect(env.clock.sleeping).toBe(0);
  });

  it('do not wait longer than five minutes', async () => {
    const env = quick();
    await run(env, stubborn(3, { attempts: 4, backoff: '4m' }));
    expect(env.clock.slept.filter((ms) => ms >= 240_000 && ms <= 480_000)).toEqual([
      240_000, 300_000, 300_000,
    ]);
  });

  it('end when they are used up, and the run stops', async () => {
    const env = quick();
    const definition = stubborn(99, { attempts: 2, backoff: 0 });
    const answer = await run(env, definition);
    expect(answer.ran).toEqual({ succeeded: 0, failed: 2 });
    expect(answer.stops).toEqual([
      { unit: 'a', phase: 'make', why: { code: 'attempts-used-up', attempts: 2, failure: 'function-threw' } },
    ]);
    expect((await run(env, definition)).ran).toEqual({ succeeded: 0, failed: 0 });
  });

  it('go on counting after a crash between them', async () => {
    const env = quick();
    const definition = stubborn(99, { attempts: 3, backoff: 0 });
    let failures = 0;
    const crash = watching();
    crash.observer.progress = (progress) => {
      if (progress.type === 'attempt-failed' && ++failures === 2) throw new Error('the process is gone');
    };
    await expect(run(env, definition, { observer: crash.observer })).rejects.toThrow('gone');
    const answer = await run(nextProcess(env), definition);
    expect(answer.ran).toEqual({ succeeded: 0, failed: 1 });
  });
});

describe('at once', () => {
  it('runs as many as the pace allows, and no more', async () => {
    const env = memoryEnvironment();
    let running = 0;
    let most = 0;
    const full = door();
    const work: PhaseFunction = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) full.open();
      await full.opened;
      running -= 1;
      return { out: 'x' };
    };
    const units = Array.from({ length: 10 }, (_, at) => `u${at}`);
    const answer = await run(env, one(work, { units, pace: { concurrency: 3 } }));
    expect(most).toBe(3);
    expect(answer.ran).toEqual({ succeeded: 10, failed: 0 });
  });

  it('runs phases of one unit that do not need each other', async () => {
    const env = memoryEnvironment();
    const both = door();
    let running = 0;
    const together: PhaseFunction = async () => {
      running += 1;
      if (running === 2) both.open();
      await both.opened;
      return { out: 'x' };
    };
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'p',
      units: ['a'],
      phases: {
        left: { run: together, outputs: { out: 'l/{unit}' } },
        right: { run: together, needs: [], outputs: { out: 'r/{unit}' } },
      },
    };
    expect((await run(env, definition)).heading.status).toBe('completed');
  });
});

describe('a signal', () => {
  it('to stop lets what runs end and starts nothing more', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const started: string[] = [];
    const work: PhaseFunction = ({ unit }) => {
      started.push(unit.id);
      stop.abort();
      return { out: 'x' };
    };
    const definition = one(work, { units: ['a', 'b', 'c'], pace: { concurrency: 1 } });
    const answer = await run(env, definition, { stop: stop.signal });
    expect(started).toEqual(['a']);
    expect(answer).toMatchObject({ interrupted: true, ran: { succeeded: 1, failed: 0 } });
    expect(answer.heading.status).toBe('stopped');
    expect(
      (
        await run(
          env,
          one(() => ({ out: 'x' }), { units: ['a', 'b', 'c'], pace: { concurrency: 1 } }),
        )
      ).ran,
    ).toEqual({ succeeded: 2, failed: 0 });
  });

  it('to stop wakes workers that wait for others', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const work: PhaseFunction = async () => {
      stop.abort();
      return { out: 'x' };
    };
    const definition = one(work, { units: { list: ['a', 'b'], order: 'chain' }, pace: { concurrency: 4 } });
    expect((await run(env, definition, { stop: stop.signal })).ran).toEqual({ succeeded: 1, failed: 0 });
  });

  it('to interrupt ends what runs: recorded, and no failure', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const interrupt = new AbortController();
    const { seen, observer } = watching();
    const work: PhaseFunction = () => {
      stop.abort();
      interrupt.abort();
      return new Promise(() => undefined);
    };
    const answer = await run(env, one(work), { stop: stop.signal, interrupt: interrupt.signal, observer });
    expect(answer).toMatchObject({ interrupted: true, ran: { succeeded: 0, failed: 0 }, stops: [] });
    expect(attemptsOf(env)).toEqual(['a/make#1 started', 'a/make#1 interrupted']);
    expect(seen.map(({ type }) => type)).toContain('attempt-interrupted');
    expect(
      (
        await run(
          env,
          one(() => ({ out: 'x' })),
        )
      ).heading.status,
    ).toBe('completed');
  });

  it('to interrupt alone starts nothing more either', async () => {
    const env = memoryEnvironment();
    const interrupt = new AbortController();
    const started: string[] = [];
    const work: PhaseFunction = ({ unit }) => {
      started.push(unit.id);
      interrupt.abort();
      return new Promise(() => undefined);
    };
    const definition = one(work, { units: ['a', 'b'], pace: { concurrency: 1 } });
    const answer = await run(env, definition, { interrupt: interrupt.signal });
    expect(started).toEqual(['a']);
    expect(answer.interrupted).toBe(true);
  });

  it('to stop interrupts when the grace is over', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const work: PhaseFunction = ({ signal }) => {
      stop.abort();
      queueMicrotask(() => env.clock.advance(10_000));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    };
    await run(env, one(work), { stop: stop.signal });
    expect(attemptsOf(env).at(-1)).toBe('a/make#1 interrupted');
  });

  it('leaves nothing that sleeps when the run is over', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const work: PhaseFunction = () => {
      stop.abort();
      return { out: 'x' };
    };
    await run(env, one(work), { stop: stop.signal });
    expect(env.clock.sleeping).toBe(0);
  });

  it('that comes during a backoff ends it', async () => {
    const env = memoryEnvironment();
    const stop = new AbortController();
    const { observer } = watching();
    observer.progress = (progress) => {
      if (progress.type === 'attempt-failed') queueMicrotask(() => stop.abort());
    };
    const definition = one(() => Promise.reject('no'), {}, { retries: { attempts: 3, backoff: '1h' } });
    const answer = await run(env, definition, { stop: stop.signal, observer });
    expect(answer.ran).toEqual({ succeeded: 0, failed: 1 });
    expect(answer.stops).toEqual([
      expect.objectContaining({ why: expect.objectContaining({ code: 'failed' }) }),
    ]);
  });
});

describe('a disk that fails', () => {
  it('ends what runs before the run is let go', async () => {
    const env = memoryEnvironment();
    const both = door();
    let ended = false;
    const work: PhaseFunction = async ({ unit, signal }) => {
      if (unit.id === 'a') {
        await both.opened;
        env.disk.failWhen(({ operation }) =>
          operation === 'sync' ? { kind: 'error', code: 'EIO' } : undefined,
        );
        return { out: 'x' };
      }
      both.open();
      return await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new Error('ended'));
        }),
      );
    };
    await expect(run(env, one(work, { units: ['a', 'b'] }))).rejects.toThrow('disk-failed');
    expect(ended).toBe(true);
    expect(env.clock.sleeping).toBe(0);
  });
});

describe('a time limit', () => {
  it('fails the attempt, and what comes later is not heard', async () => {
    const env = memoryEnvironment();
    const late = door();
    const work: PhaseFunction = async () => {
      queueMicrotask(() => env.clock.advance(60_000));
      await late.opened;
      return { out: 'late' };
    };
    const answer = await run(env, one(work, {}, { timeout: '1m' }));
    late.open();
    expect(answer.heading.status).toBe('stopped');
    expect(failureOf(env)).toMatchObject({ reason: 'timed-out', facts: { timeoutMs: 60_000 } });
    expect(readText(env, 'out/a.txt')).toBeUndefined();
  });

  it('leaves no timer behind when the work was quicker', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      one(() => ({ out: 'x' })),
    );
    expect(env.clock.sleeping).toBe(0);
  });
});

describe('a file that is not ours', () => {
  it('at a declared path is set aside and told', async () => {
    const env = memoryEnvironment({ 'out/a.txt': 'somebody wrote this' });
    const { seen, observer } = watching();
    await run(
      env,
      one(() => ({ out: 'ours' })),
      { observer, replaceExisting: true },
    );
    expect(readText(env, 'out/a.txt')).toBe('ours');
    const aside = seen.find((progress) => progress.type === 'file-set-aside');
    expect(aside).toMatchObject({
      path: 'out/a.txt',
      to: expect.stringMatching(/^\.pawl\/runs\/.*\/aside\/out__a\.txt$/),
    });
    expect(aside?.type === 'file-set-aside' && readText(env, aside.to)).toBe('somebody wrote this');
  });

  it('that came while the phase ran is set aside too', async () => {
    const env = memoryEnvironment();
    const definition = (text: string) =>
      one(() => {
        if (text === 'second') env.disk.putFile(`${root}/out/a.txt`, 'an edit in between');
        return { out: text };
      });
    await run(env, definition('first'));
    const { seen, observer } = watching();
    await run(env, definition('second'), { rerunAll: true, observer });
    expect(readText(env, 'out/a.txt')).toBe('second');
    const aside = seen.find((progress) => progress.type === 'file-set-aside');
    expect(aside?.type === 'file-set-aside' && readText(env, aside.to)).toBe('an edit in between');
  });

  it('or a folder, or a link, stands in nobody’s way', async () => {
    const env = memoryEnvironment({ 'out/a.txt/deep/file': 'x', 'elsewhere.txt': 'keep me' });
    env.disk.putLink(`${root}/out/b.txt`, `${root}/elsewhere.txt`);
    const answer = await run(
      env,
      one(({ unit }) => ({ out: unit.id }), { units: ['a', 'b'] }),
      { replaceExisting: true },
    );
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'out/a.txt')).toBe('a');
    expect(env.disk.stat(`${root}/out/b.txt`)?.kind).toBe('file');
    expect(readText(env, 'elsewhere.txt')).toBe('keep me');
  });

  it('where a folder of ours belongs is set aside', async () => {
    const env = memoryEnvironment({ out: 'a file' });
    const { seen, observer } = watching();
    const answer = await run(
      env,
      one(() => ({ out: 'ours' })),
      { observer },
    );
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'out/a.txt')).toBe('ours');
    const aside = seen.find((progress) => progress.type === 'file-set-aside');
    expect(aside?.type === 'file-set-aside' && readText(env, aside.to)).toBe('a file');
  });

  it('that is a link out of the workspace is not followed', async () => {
    const env = memoryEnvironment();
    env.disk.putFile('/outside/keep', 'x');
    env.disk.putLink(`${root}/out`, '/outside');
    const runs = run(
      env,
      one(() => ({ out: 'x' })),
    );
    await expect(runs).rejects.toThrow('path-through-link');
    expect(env.disk.list('/outside')).toEqual(['keep']);
  });
});

describe('inputs', () => {
  const chain = (second: PhaseFunction): CodePipeline => ({
    pawl: 1,
    pipeline: 'p',
    units: ['a'],
    phases: {
      first: { run: () => ({ out: 'as it was made' }), outputs: { out: 'out/{unit}.1' } },
      second: { run: second, outputs: { end: 'out/{unit}.2' } },
    },
  });

  it('are the recorded bytes, whatever became of the file since the plan', async () => {
    const env = memoryEnvironment();
    const { observer } = watching();
    observer.progress = (progress) => {
      if (progress.type === 'attempt-succeeded' && progress.phase === 'first')
        env.disk.putFile(`${root}/out/a.1`, 'edited meanwhile');
    };
    let taken: string | undefined;
    await run(
      env,
      chain(({ inputs }) => {
        taken = inputs.out?.text();
        return { end: 'x' };
      }),
      { observer },
    );
    expect(taken).toBe('as it was made');
    expect(readText(env, 'out/a.1')).toBe('edited meanwhile');
  });
});

describe('a loop whose earlier round has to be put back', () => {
  it('is finished in the same sitting', async () => {
    const env = memoryEnvironment();
    let text = 'first text';
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'p',
      units: { list: ['a', 'b'], order: 'chain' },
      phases: {
        write: { run: () => ({ out: text }), outputs: { out: 'out/{unit}.write' } },
        mend: {
          run: () => ({ out: 'mended' }),
          when: 'gate-failed',
          needs: ['write'],
          inputs: { report: 'lint.out' },
          outputs: { out: 'out/{unit}.mend' },
        },
        lint: {
          run: ({ iteration: round }) => ({ out: { status: round === 1 ? 'fail' : 'pass' } }),
          needs: ['mend'],
          inputs: { it: ['mend.out', 'write.out'] },
          outputs: { out: 'out/{unit}.lint' },
          gate: gate('stop', 'mend'),
        },
      },
    };
    await run(env, definition);
    expect(readText(env, 'out/a.lint')).toContain('pass');
    env.disk.remove(`${root}/out/a.write`);
    text = 'second text';
    const answer = await run(env, definition);
    expect(answer.ran).toEqual({ succeeded: 2, failed: 0 });
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'out/a.lint')).toContain('pass');
  });
});

it('writes nothing when there is nothing to do', async () => {
  const env = memoryEnvironment();
  const definition = one(() => ({ out: 'x' }));
  await run(env, definition);
  const { calls } = env.disk;
  const answer = await run(env, definition);
  expect(answer).toMatchObject({ kind: 'unchanged', ran: { succeeded: 0, failed: 0 } });
  expect(env.disk.calls).toBe(calls);
});
