import { describe, expect, it } from 'vitest';
import { demand } from '../../../test/fixtures/memory.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { asking, attemptPath, type ModelWorld, modelWorld, of } from '../../../test/fixtures/standin.ts';
import { answerCheckpoint } from '../../engine/people/checkpoints/answer.ts';
import { runPipeline } from '../../engine/run/run.ts';
import { definePipeline } from '../../pipeline/define.ts';

const reuse = { reuse: 'content' as const };
const same = { 'prompt.md': 'Say it.' };
const priced = {
  models: {
    providers: { standin: { function: './standin.mjs#answer' } },
    prices: { 'standin/m': { input: 1, output: 10 } },
  },
};

/** Files by what is in them, wherever they lie below a folder. */
function* filesBelow(world: ModelWorld, path: string): Generator<string> {
  const names = world.env.disk.list(`${world.folder}/${path}`);
  if (names === undefined) yield path;
  else for (const name of names) yield* filesBelow(world, `${path}/${name}`);
}

describe('the same call', () => {
  it('is made once for all units, and what it had cost is told as saved', async () => {
    const world = modelWorld(same);
    world.answer = () => ({ text: 'Hello', usage: { inputTokens: 1000, outputTokens: 10 } });
    const answer = await world.run(asking(reuse, { units: ['a', 'b', 'c'], ...priced }));
    expect(answer.heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
    for (const unit of ['a', 'b', 'c']) expect(world.read(`out/${unit}.md`)).toBe('Hello\n');
    const [first, ...others] = of(world.events(), 'attempt_succeeded');
    expect(first?.cost?.usd).toBe(0.0011);
    for (const other of others) {
      expect(other).not.toHaveProperty('cost');
      expect(other.response).toBe(first?.response);
      expect(other.call).toMatchObject({
        model: 'standin/m',
        answered: 'm',
        finish: 'stop',
        ms: 0,
        reused: expect.stringMatching(/^\S+ a\/write#1$/),
        saved: { usd: 0.0011, inputTokens: 1000, outputTokens: 10 },
      });
    }
    expect(world.read(attemptPath(world, 'b/write#1', 'response.txt'))).toBe('Hello');
  });

  it('is made once also when all ask at the same time', async () => {
    const world = modelWorld(same);
    world.answer = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return 'Hello';
    };
    const answer = await world.run(asking(reuse, { units: ['a', 'b', 'c'], pace: { concurrency: 3 } }));
    expect(answer.heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
  });

  it('is found by another run', async () => {
    const world = modelWorld(same);
    await world.run(asking(reuse));
    world.restart();
    world.env.clock.advance(120_000);
    await world.run(asking(reuse), { fresh: true });
    expect(world.asked).toHaveLength(1);
    expect(world.env.disk.list(`${world.folder}/.pawl/runs`)).toHaveLength(2);
  });

  it('is found by another pipeline and another phase of the workspace, in another order', async () => {
    const world = modelWorld(same);
    await world.run(asking(reuse, { units: ['a', 'b'] }));
    world.restart();
    const phases = {
      other: { model: 'standin/m', prompt: 'prompt.md', outputs: { text: 'other/{unit}.md' }, ...reuse },
    };
    const answer = await world.run(asking({}, { pipeline: 'another', units: ['z', 'a'], phases }));
    expect(answer.heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
    expect(world.read('other/z.md')).toBe(world.read('out/a.md'));
  });

  it('is made anew where nobody wants it reused', async () => {
    const world = modelWorld(same);
    await world.run(asking({}, { units: ['a', 'b'] }));
    expect(world.asked).toHaveLength(2);
    expect(world.env.disk.list(`${world.folder}/.pawl/answers`)).toBeUndefined();
  });

  it('is made anew for who wants that for this once, and is then the newest', async () => {
    const world = modelWorld(same);
    world.answer = () => `Answer ${world.asked.length}`;
    await world.run(asking(reuse));
    world.restart();
    world.env.clock.advance(120_000);
    await world.run(asking(reuse), { fresh: true, noReuse: true });
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Answer 2\n');
    world.restart();
    world.env.clock.advance(120_000);
    await world.run(asking(reuse), { fresh: true });
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Answer 2\n');
  });

  it('is reused without a word at temperature 0', async () => {
    const world = modelWorld(same);
    const model = (temperature: number) => ({ model: { use: 'standin/m', temperature } });
    await world.run(asking(model(0), { units: ['a', 'b'] }));
    expect(world.asked).toHaveLength(1);
    const warm = modelWorld(same);
    await warm.run(asking(model(0.1), { units: ['a', 'b'] }));
    expect(warm.asked).toHaveLength(2);
  });
});

describe('another call is another call', () => {
  const schema = { 's.json': '{"type":"string"}' };
  it.each<[string, Parameters<typeof asking>[0], Record<string, string>]>([
    ['with another prompt', {}, { 'prompt.md': 'Say it otherwise.' }],
    [
      'with another system',
      { prompt: { system: 'system.md', phase: 'prompt.md' } },
      { 'system.md': 'Be brief.' },
    ],
    ['of another model', { model: 'standin/n' }, {}],
    ['with another parameter', { model: { use: 'standin/m', temperature: 1 } }, {}],
    ['with another option', { model: { use: 'standin/m', options: { a: 1 } } }, {}],
    ['that asks for another part', { outputs: { text: { path: 'out/{unit}.md', from: 'json' } } }, {}],
    ['that is proven otherwise', { outputs: { text: { path: 'out/{unit}.md', check: 'non-empty' } } }, {}],
    ['with a schema', { outputs: { text: { path: 'out/{unit}.md', schema: 's.json' } } }, {}],
  ])('%s', async (_, phase, files) => {
    const world = modelWorld({ ...same, ...schema });
    world.answer = () => '"Hello"';
    await world.run(asking(reuse));
    for (const [path, text] of Object.entries(files)) world.put(path, text);
    world.restart();
    world.env.clock.advance(120_000);
    const answer = await world.run(asking({ ...phase, ...reuse }), { fresh: true });
    expect(answer.heading.status).toBe('completed');
    expect(world.asked).toHaveLength(2);
  });

  it('with a file of other bytes, or another kind', async () => {
    const world = modelWorld({ ...same, 'notes.md': 'One' });
    const sending = asking(
      { model: { use: 'standin/m', attach: ['notes'] }, inputs: { notes: 'notes' }, ...reuse },
      { inputs: { notes: 'notes.md' }, units: ['a', 'b'] },
    );
    await world.run(sending);
    expect(world.asked).toHaveLength(1);
    world.put('notes.md', 'Two');
    world.restart();
    world.env.clock.advance(120_000);
    await world.run(sending, { fresh: true });
    expect(world.asked).toHaveLength(2);
  });
});

describe('what is kept is proven', () => {
  async function answered(): Promise<ModelWorld> {
    const world = modelWorld(same);
    world.answer = () => `Answer ${world.asked.length}`;
    await world.run(asking(reuse));
    world.restart();
    world.env.clock.advance(120_000);
    return world;
  }
  const again = async (world: ModelWorld) => {
    const answer = await world.run(asking(reuse), { fresh: true });
    expect(answer.heading.status).toBe('completed');
    return world.asked.length;
  };

  it('an answer whose bytes are damaged is asked for again, and is good from then on', async () => {
    const world = await answered();
    world.answer = () => 'Answer 1';
    for (const path of filesBelow(world, '.pawl/objects')) {
      const text = world.read(path) ?? '';
      if (text.includes('Answer 1')) world.put(path, text.replaceAll('Answer 1', 'Answer X'));
    }
    expect(await again(world)).toBe(2);
    expect(world.read('out/a.md')).toBe('Answer 1\n');
    world.restart();
    world.env.clock.advance(120_000);
    expect(await again(world)).toBe(2);
  });

  it('an answer that is gone is asked for again', async () => {
    const world = await answered();
    for (const path of [...filesBelow(world, '.pawl/objects')])
      world.env.disk.remove(`${world.folder}/${path}`);
    expect(await again(world)).toBe(2);
  });

  it.each<[string, (said: Record<string, unknown>) => string]>([
    ['rubbish', () => '{'],
    ['nothing', () => ''],
    ['a list', () => '[]'],
    ['of another version', (said) => JSON.stringify({ ...said, version: 9 })],
    ['about another call', (said) => JSON.stringify({ ...said, key: `sha256:${'0'.repeat(64)}` })],
    ['without an answer', (said) => JSON.stringify({ ...said, response: 'sha256:x' })],
    ['with a path in the place of a hash', (said) => JSON.stringify({ ...said, response: '../../out/a.md' })],
    ['with a cost that is none', (said) => JSON.stringify({ ...said, cost: { usd: 'free' } })],
    ['without its call', (said) => JSON.stringify({ ...said, call: 7 })],
    [
      'with an end that is no word',
      (said) => JSON.stringify({ ...said, call: { model: 'standin/m', ms: 1, finish: 7 } }),
    ],
    ['larger than it may be', (said) => `${JSON.stringify(said)}${' '.repeat(70_000)}`],
  ])('an entry that is %s finds nothing', async (_, change) => {
    const world = await answered();
    const [entry = ''] = filesBelow(world, '.pawl/answers');
    world.put(entry, change(JSON.parse(world.read(entry) ?? '') as Record<string, unknown>));
    expect(await again(world)).toBe(2);
    expect(of(world.events(), 'attempt_failed')).toEqual([]);
  });

  it('an answer that begins with a mark of byte order comes back as it was', async () => {
    const world = modelWorld(same);
    world.answer = () => '\uFEFFHello';
    await world.run(asking(reuse, { units: ['a', 'b'] }));
    expect(world.asked).toHaveLength(1);
    const [first, second] = of(world.events(), 'attempt_succeeded');
    expect(second?.response).toBe(first?.response);
  });
});

describe('what has not succeeded is never reused', () => {
  it.each<[string, unknown]>([
    ['cut off', { text: 'Hel', finish: 'length' }],
    ['filtered', { text: 'Hel', finish: 'content-filter' }],
    ['empty', ''],
    ['not what was wanted', '{"a":1}'],
  ])('an answer that was %s', async (_, bad) => {
    const world = modelWorld(same);
    world.answer = () => (world.asked.length === 1 ? (bad as string) : 'Hello');
    const outputs = { text: { path: 'out/{unit}.md', check: { regex: '^Hello' } } };
    await world.run(asking({ ...reuse, outputs, retries: 1 }, { units: ['a', 'b'] }));
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/b.md')).toBe('Hello\n');
  });
});

describe('who wants another answer gets one', () => {
  it('by asking for it', async () => {
    const world = modelWorld(same);
    world.answer = () => `Answer ${world.asked.length}`;
    await world.run(asking(reuse));
    world.restart();
    await world.run(asking(reuse), { rerunAll: true, reason: 'dull' });
    expect(world.read('out/a.md')).toBe('Answer 2\n');
  });

  it('by asking for it, also when the process died in between', async () => {
    const world = modelWorld(same);
    world.answer = () => `Answer ${world.asked.length}`;
    await world.run(asking(reuse));
    world.restart();
    world.answer = () => {
      world.env.disk.failWhen(() => ({ kind: 'crash', when: 'before' }));
      return 'lost';
    };
    const dying = world.env.disk;
    await runPipeline(world.env, {
      path: world.folder,
      pipeline: definePipeline(asking(reuse)),
      rerunAll: true,
      reason: 'dull',
    }).catch(() => undefined);
    expect(dying.crashed).toBe(true);
    world.answer = () => `Answer ${world.asked.length}`;
    world.restart(dying.kill());
    await world.run(asking(reuse));
    expect(world.read('out/a.md')).toBe('Answer 3\n');
  });

  it('by rejecting it', async () => {
    const world = modelWorld(same);
    world.answer = () => `Answer ${world.asked.length}`;
    const definition = asking({ ...reuse, checkpoint: 'after' });
    await world.run(definition);
    const target = { path: world.folder, pipeline: definePipeline(definition) };
    demand(
      await answerCheckpoint(world.env, { ...target, id: 'C1', decision: 'rejected', note: 'dull', ...ann }),
    );
    world.restart();
    await world.run(definition);
    expect(world.read('out/a.md')).toBe('Answer 2\n');
  });
});
