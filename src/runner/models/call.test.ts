import { describe, expect, it, vi } from 'vitest';
import { watching } from '../../../test/fixtures/memory.ts';
import { asking, attemptPath, type ModelWorld, modelWorld, of } from '../../../test/fixtures/standin.ts';
import { latch } from '../../../test/models/server.ts';
import { hashBytes } from '../../base/hash.ts';
import { answerBytesMax } from './answer-files.ts';

const priced = {
  models: {
    providers: { standin: { function: './standin.mjs#answer' } },
    prices: { 'standin/m': { input: 1, output: 10, cache_read: 0.1 } },
  },
};

/** Of each attempt how it ended, and why. */
function ends(world: ModelWorld): string[] {
  return world.events().flatMap((event) => {
    if (event.type === 'attempt_succeeded') return [`${event.unit}#${event.attempt} succeeded`];
    if (event.type === 'attempt_failed') return [`${event.unit}#${event.attempt} ${event.reason}`];
    if (event.type === 'attempt_interrupted') return [`${event.unit}#${event.attempt} interrupted`];
    return [];
  });
}

describe('a call', () => {
  it('becomes an output, with all that is known of it on record', async () => {
    const world = modelWorld({ 'system.md': 'Be brief.' });
    world.answer = () => ({
      text: ' Hello.\n',
      usage: { inputTokens: 1000, outputTokens: 20, cacheReadTokens: 400 },
    });
    const prompt = { system: 'system.md', phase: 'prompt.md' };
    const answer = await world.run(asking({ prompt, model: { use: 'standin/m', max_tokens: 100 } }, priced));
    expect(answer.heading.status).toBe('completed');
    expect(world.read('out/a.md')).toBe('Hello.\n');
    expect(world.asked).toMatchObject([
      { model: 'm', system: 'Be brief.', prompt: 'Say a.', parameters: { maxTokens: 100 }, files: [] },
    ]);
    const [started] = of(world.events(), 'attempt_started');
    expect(started?.call).toEqual({
      model: 'standin/m',
      key: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      atStake: expect.any(Number),
    });
    // What may be paid at most: the prompt, and as long an answer as it may be.
    expect(started?.call?.atStake).toBeCloseTo((5 * 1 + 100 * 10) / 1e6, 5);
    expect(of(world.events(), 'attempt_succeeded')).toMatchObject([
      {
        response: hashBytes(' Hello.\n'),
        call: { model: 'standin/m', answered: 'm', finish: 'stop', ms: 0, firstMs: 0 },
        cost: { usd: 0.00084, inputTokens: 1000, outputTokens: 20, cacheReadTokens: 400 },
      },
    ]);
  });

  it('keeps what was sent and what came back with its attempt', async () => {
    const world = modelWorld({ 'system.md': 'Be brief.' });
    world.answer = () => ' Hello. ';
    await world.run(asking({ prompt: { system: 'system.md', phase: 'prompt.md' } }));
    const file = (name: string) => world.read(attemptPath(world, 'a/write#1', name));
    expect(file('prompt.md')).toBe('<!-- system -->\nBe brief.\n<!-- prompt -->\nSay a.\n');
    expect(file('response.txt')).toBe(' Hello. ');
    const [started] = of(world.events(), 'attempt_started');
    expect(JSON.parse(file('call.json') ?? '')).toEqual({
      model: 'standin/m',
      parameters: {},
      key: started?.call?.key,
    });
    expect(JSON.parse(file('answer.json') ?? '')).toMatchObject({
      key: started?.call?.key,
      prompt: started?.prompt,
      hash: hashBytes(' Hello. '),
      call: { model: 'standin/m', finish: 'stop' },
      cost: { usd: 0 },
    });
  });

  it('is on record before it is made, and its answer on disk while it arrives', async () => {
    const world = modelWorld();
    const half = latch();
    const go = latch();
    world.answer = async function* () {
      expect(of(world.events(), 'attempt_started')).toHaveLength(1);
      yield 'Hel';
      half.open();
      await go.opened;
      yield 'lo';
    };
    const running = world.run(asking());
    await half.opened;
    expect(world.read(attemptPath(world, 'a/write#1', 'response.txt'))).toBe('Hel');
    expect(world.read(attemptPath(world, 'a/write#1', 'answer.json'))).toBeUndefined();
    go.open();
    await running;
    expect(world.read('out/a.md')).toBe('Hello\n');
  });

  it('that makes text and JSON gives both', async () => {
    const world = modelWorld();
    world.answer = () => 'Prose.\n```json\n{"a":1}\n```\n';
    const outputs = {
      prose: 'out/{unit}.md',
      patch: { path: 'out/{unit}.json', from: 'json.a', check: 'json' as const },
    };
    await world.run(asking({ outputs }));
    expect(world.read('out/a.md')).toBe('Prose.\n');
    expect(world.read('out/a.json')).toBe('1\n');
  });

  it('asks for JSON of the schema that proves it', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const world = modelWorld({ 's.json': JSON.stringify(schema) });
    world.answer = () => '{"a":1}';
    await world.run(asking({ outputs: { data: { path: 'out/{unit}.json', schema: 's.json' } } }));
    expect(world.asked[0]?.schema).toEqual(schema);
    expect(world.read('out/a.json')).toBe('{\n  "a": 1\n}\n');
  });

  it('sends inputs as files, and leaves them out of the prompt', async () => {
    const world = modelWorld({ 'notes.md': 'Some notes', 'prompt.md': 'Look.' });
    const more = { inputs: { notes: 'notes.md' } };
    await world.run(
      asking({ model: { use: 'standin/m', attach: ['notes'] }, inputs: { notes: 'notes' } }, more),
    );
    const [asked] = world.asked;
    expect(asked?.files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ['notes', 'text/markdown'],
    ]);
    expect(new TextDecoder().decode(asked?.files[0]?.bytes())).toBe('Some notes');
    expect(asked?.prompt).toBe('Look.');
  });

  it('tells those who look on', async () => {
    const world = modelWorld();
    world.answer = () => ({ text: 'x', usage: { inputTokens: 3, outputTokens: 1 } });
    const { observer, seen } = watching();
    await world.run(asking({}, priced), { observer });
    expect(seen.filter(({ type }) => type === 'call-ended')).toMatchObject([
      {
        unit: 'a',
        phase: 'write',
        attempt: 1,
        provider: 'standin',
        model: 'm',
        usage: { inputTokens: 3, outputTokens: 1 },
        usd: 0.000013,
        failure: undefined,
        reused: false,
      },
    ]);
  });
});

describe('an answer that cannot be used', () => {
  it.each([
    ['answer-truncated', { text: 'Hel', finish: 'length' }],
    ['answer-truncated', { text: 'Hello', finish: 'pause_turn' }],
    ['answer-filtered', { text: 'Hel', finish: 'content-filter' }],
    ['answer-empty', { text: ' \n' }],
  ])('is %s: it is paid for, kept, and not used', async (reason, given) => {
    const world = modelWorld();
    world.answer = () => ({ usage: { inputTokens: 1000, outputTokens: 100 }, ...given });
    const answer = await world.run(asking({ retries: 1 }, priced));
    expect(answer.heading.status).toBe('stopped');
    expect(world.read('out/a.md')).toBeUndefined();
    const [failed] = of(world.events(), 'attempt_failed');
    expect(failed).toMatchObject({
      reason,
      cost: { usd: 0.002, inputTokens: 1000 },
      call: { model: 'standin/m' },
    });
    expect(world.read(attemptPath(world, 'a/write#1', 'response.txt'))).toBe(given.text);
  });

  it('is tried again a few times where that may help, and counts all that was paid', async () => {
    const world = modelWorld();
    world.answer = () => ({ text: world.asked.length < 3 ? '' : 'Hello', usage: { inputTokens: 1000 } });
    await world.run(asking({}, priced));
    expect(ends(world)).toEqual(['a#1 answer-empty', 'a#2 answer-empty', 'a#3 succeeded']);
    expect(world.env.clock.slept.filter((ms) => ms >= 500 && ms <= 2000).length).toBeGreaterThanOrEqual(2);
    const costs = world.events().flatMap((event) => ('cost' in event ? [event.cost?.usd] : []));
    expect(costs).toEqual([0.001, 0.001, 0.001]);
  });

  it('is too large beyond what anybody reads, and the rest of it is not waited for', async () => {
    const world = modelWorld();
    const piece = 'x'.repeat(1024 * 1024);
    let said = 0;
    world.answer = async function* ({ signal }) {
      for (; said < 100 && !signal.aborted; said++) yield piece;
    };
    await world.run(asking({ retries: 1 }));
    expect(of(world.events(), 'attempt_failed')).toMatchObject([
      { reason: 'answer-too-large', facts: { limitBytes: answerBytesMax } },
    ]);
    expect(said).toBeLessThan(20);
  });
});

describe('a provider that breaks', () => {
  it('has failed, and is not tried again without a word', async () => {
    const world = modelWorld();
    world.answer = () => {
      throw new Error('no');
    };
    const answer = await world.run(asking());
    expect(ends(world)).toEqual(['a#1 provider-failed']);
    expect(answer.stops).toMatchObject([{ why: { code: 'failed', failure: 'provider-failed' } }]);
    const [failed] = of(world.events(), 'attempt_failed');
    expect(failed).toMatchObject({
      message: 'Error: no',
      facts: { model: 'standin/m' },
      call: { model: 'standin/m' },
    });
    expect(failed).not.toHaveProperty('cost');
  });

  it('by answering with nothing has failed alike: the run goes on', async () => {
    const world = modelWorld();
    world.answer = (({ prompt }: { prompt: string }) => (prompt === 'Say a.' ? undefined : 'Hello')) as never;
    const answer = await world.run(asking({}, { units: ['a', 'b'] }));
    expect(answer.heading.status).toBe('stopped');
    expect(ends(world).sort()).toEqual(['a#1 provider-failed', 'b#1 succeeded']);
  });

  it('by saying rubbish about itself does not end the run', async () => {
    const world = modelWorld();
    world.answer = (({ prompt }: { prompt: string }) =>
      prompt === 'Say a.' ? { text: 'x', finish: 7, usage: { inputTokens: Number.NaN } } : 'Hello') as never;
    await world.run(asking({}, { units: ['a', 'b'] }));
    expect(ends(world)).toContain('b#1 succeeded');
  });

  it('five times in a row is not asked again, however often each was tried', async () => {
    const world = modelWorld();
    const units = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    world.answer = () => {
      throw new Error('no');
    };
    const answer = await world.run(asking({ retries: 2 }, { units }));
    expect(world.asked).toHaveLength(10);
    expect(answer.halts).toEqual([{ model: 'standin/m', failure: 'provider-failed' }]);
  });

  it('is asked on in the next sitting', async () => {
    const world = modelWorld();
    world.answer = () => {
      throw new Error('no');
    };
    await world.run(asking({}, { units: ['a', 'b', 'c', 'd', 'e', 'f'] }));
    world.answer = () => 'Hello';
    world.restart();
    const answer = await world.run(asking({}, { units: ['a', 'b', 'c', 'd', 'e', 'f'] }));
    expect(answer.heading.status).toBe('completed');
  });

  it('whose module lacks its function is told as that', async () => {
    const world = modelWorld();
    const models = { providers: { standin: { function: './standin.mjs#none' } } };
    await world.run(asking({}, { models }));
    expect(of(world.events(), 'attempt_failed')).toMatchObject([
      { reason: 'function-missing', facts: { module: 'standin.mjs', name: 'none' } },
    ]);
  });
});

describe('a call that takes too long', () => {
  it('is ended, and has failed by that', async () => {
    const world = modelWorld();
    world.env.clock.skippedMs = 0;
    const begun = latch();
    world.answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')));
        begun.open();
      });
    const running = world.run(asking({ timeout: '1m' }));
    await begun.opened;
    world.env.clock.advance(59_999);
    expect(world.asked[0]?.signal.aborted).toBe(false);
    world.env.clock.advance(1);
    await running;
    expect(of(world.events(), 'attempt_failed')).toMatchObject([
      { reason: 'timed-out', facts: { timeoutMs: 60_000 } },
    ]);
  });

  it('is ended also where whoever answers does not listen', async () => {
    const world = modelWorld();
    world.env.clock.skippedMs = 0;
    const begun = latch();
    world.answer = () => {
      begun.open();
      return new Promise(() => undefined);
    };
    const running = world.run(asking({ timeout: '1m' }));
    await begun.opened;
    world.env.clock.advance(60_000);
    await running;
    expect(ends(world)).toEqual(['a#1 timed-out']);
  });
});

describe('a call in the middle of which somebody ends the run', () => {
  it('is interrupted, and asked again by the next sitting', async () => {
    const world = modelWorld();
    const interrupt = new AbortController();
    world.answer = async function* ({ signal }) {
      yield 'Hel';
      interrupt.abort();
      if (signal.aborted) throw new Error('ended');
      yield 'lo';
    };
    const answer = await world.run(asking(), { interrupt: interrupt.signal });
    expect(answer.interrupted).toBe(true);
    expect(ends(world)).toEqual(['a#1 interrupted']);
    expect(world.read(attemptPath(world, 'a/write#1', 'response.txt'))).toBe('Hel');
    world.answer = () => 'Hello';
    world.restart();
    expect((await world.run(asking())).heading.status).toBe('completed');
    expect(world.asked).toHaveLength(2);
  });

  it('but whose answer is whole all the same is not paid again', async () => {
    const world = modelWorld();
    const interrupt = new AbortController();
    world.answer = () => {
      interrupt.abort();
      return 'Hello';
    };
    await world.run(asking(), { interrupt: interrupt.signal });
    world.restart();
    expect((await world.run(asking())).heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
    expect(world.read('out/a.md')).toBe('Hello\n');
  });
});

describe('secrets', () => {
  it('are neither sent nor written down anywhere', async () => {
    const secret = 'sekret-0123456789';
    vi.stubEnv('SOME_API_KEY', secret);
    const world = modelWorld({ 'notes.md': `The key is ${secret}.`, 'prompt.md': 'Say {{ inputs.notes }}' });
    const more = { inputs: { notes: 'notes.md' }, units: ['a', 'b'] };
    world.answer = async function* ({ prompt }) {
      expect(prompt).toBe('Say The key is [SOME_API_KEY].');
      if (world.asked.length > 1) throw new Error(`wrong: ${secret} and sk-abcdefghijklmnopqrst`);
      yield 'Yours: sekret-0';
      yield '123456789, and more';
    };
    await world.run(asking({ inputs: { notes: 'notes' } }, more));
    vi.unstubAllEnvs();
    expect(world.read('out/a.md')).toBe('Yours: [SOME_API_KEY], and more\n');
    expect(of(world.events(), 'attempt_failed')).toMatchObject([
      { message: 'Error: wrong: [SOME_API_KEY] and [key]' },
    ]);
    const [run = ''] = world.env.disk.list(`${world.folder}/.pawl/runs`) ?? [];
    const written = filesBelow(world, `.pawl/runs/${run}`);
    expect(written.length).toBeGreaterThan(8);
    for (const [path, text] of written) expect(text, path).not.toContain(secret);
  });

  it('in a text that is sent as a file are not sent either', async () => {
    const secret = 'sekret-0123456789';
    vi.stubEnv('SOME_API_KEY', secret);
    const world = modelWorld({ 'notes.md': `The key is ${secret}.` });
    const phase = { model: { use: 'standin/m', attach: ['notes'] }, inputs: { notes: 'notes' } };
    await world.run(asking(phase, { inputs: { notes: 'notes.md' } }));
    vi.unstubAllEnvs();
    expect(new TextDecoder().decode(world.asked[0]?.files[0]?.bytes())).not.toContain(secret);
  });
});

function filesBelow(world: ModelWorld, path: string): [string, string][] {
  const names = world.env.disk.list(`${world.folder}/${path}`);
  if (names === undefined) return [[path, world.read(path) ?? '']];
  return names.flatMap((name) => filesBelow(world, `${path}/${name}`));
}
