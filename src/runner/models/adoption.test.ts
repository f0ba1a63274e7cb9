import { describe, expect, it } from 'vitest';
import { type CodePipeline, demand } from '../../../test/fixtures/memory.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { asking, attemptPath, type ModelWorld, modelWorld, of } from '../../../test/fixtures/standin.ts';
import { CrashSignal, type DiskCall, type MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { hashBytes } from '../../base/hash.ts';
import { answerCheckpoint } from '../../engine/people/checkpoints/answer.ts';
import type { RunRequest } from '../../engine/run/run-request.ts';
import { planPipeline } from '../../engine/show/plan.ts';
import { definePipeline } from '../../pipeline/define.ts';

const priced = {
  models: {
    providers: { standin: { function: './standin.mjs#answer' } },
    prices: { 'standin/m': { input: 1, output: 10 } },
  },
};

/** The process dies at the n-th call to the disk that is meant; another one goes on with what it leaves. */
async function dieAt(
  world: ModelWorld,
  definition: CodePipeline,
  isMeant: (call: DiskCall) => boolean,
  { when = 'after', request = {} }: { when?: 'before' | 'after'; request?: RunRequest } = {},
): Promise<void> {
  const { disk } = world.env;
  let isOver = false;
  disk.failWhen((call) => {
    if (isOver || !isMeant(call)) return undefined;
    isOver = true;
    return { kind: 'crash', when };
  });
  await expect(world.run(definition, request)).rejects.toThrow(CrashSignal);
  world.restart(disk.kill());
}

const marked = ({ operation, path }: DiskCall) => operation === 'rename' && path.endsWith('/answer.json');
const markedIn = (attempt: number) => (call: DiskCall) =>
  marked(call) && call.path.endsWith(`/${attempt}/answer.json`);

describe('an answer that had arrived when the process died', () => {
  it('is taken over and not paid again, with what it had cost', async () => {
    const world = modelWorld();
    world.answer = () => ({ text: 'Hello', usage: { inputTokens: 1000, outputTokens: 10 } });
    await dieAt(world, asking({}, priced), marked);
    expect(of(world.events(), 'attempt_succeeded')).toEqual([]);
    const answer = await world.run(asking({}, priced));
    expect(answer.heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
    expect(world.read('out/a.md')).toBe('Hello\n');
    expect(of(world.events(), 'attempt_succeeded')).toMatchObject([
      {
        attempt: 2,
        response: hashBytes('Hello'),
        call: { model: 'standin/m', finish: 'stop', adopted: 1 },
        cost: { usd: 0.0011, inputTokens: 1000, outputTokens: 10 },
      },
    ]);
    // The attempt that was cut off stays as it was.
    expect(world.read(attemptPath(world, 'a/write#1', 'response.txt'))).toBe('Hello');
  });

  it('is told in the plan as what is at stake', async () => {
    const world = modelWorld();
    const definition = asking({ model: { use: 'standin/m', max_tokens: 100 } }, priced);
    await dieAt(world, definition, marked);
    const target = { path: world.folder, pipeline: definePipeline(definition) };
    const { plan } = demand(await planPipeline(world.env, target));
    expect(plan.units.get('a')?.cells[0]?.decision).toMatchObject({
      do: 'run',
      why: { code: 'interrupted', attempt: 1, call: { model: 'standin/m', atStake: 0.001002 } },
    });
  });

  it('is taken over however often the process dies', async () => {
    const world = modelWorld();
    world.answer = () => 'Hello';
    await dieAt(world, asking(), marked);
    // Right after its start is on record, before it has taken anything over.
    await dieAt(
      world,
      asking(),
      ({ operation, path }) => operation === 'makeFolder' && path.endsWith('/write/2'),
      {
        when: 'before',
      },
    );
    expect(of(world.events(), 'attempt_started').map(({ attempt }) => attempt)).toEqual([1, 2]);
    await dieAt(world, asking(), markedIn(3));
    expect((await world.run(asking())).heading.status).toBe('completed');
    expect(world.asked).toHaveLength(1);
  });

  it('is taken over whatever the reason was that it was asked for', async () => {
    const world = modelWorld();
    world.answer = () => `Answer ${world.asked.length}`;
    await world.run(asking());
    world.restart();
    world.env.disk.remove(`${world.folder}/out/a.md`);
    await dieAt(world, asking(), markedIn(2));
    await world.run(asking());
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Answer 2\n');
  });

  it('is taken over after a person had sent the one before back', async () => {
    const world = modelWorld();
    world.answer = () => `Answer ${world.asked.length}`;
    const definition = asking({ checkpoint: 'after' });
    await world.run(definition);
    const target = { path: world.folder, pipeline: definePipeline(definition) };
    demand(
      await answerCheckpoint(world.env, { ...target, id: 'C1', decision: 'rejected', note: 'dull', ...ann }),
    );
    world.restart();
    await dieAt(world, definition, markedIn(2));
    await world.run(definition);
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Answer 2\n');
  });

  it('that could not be used is failed as it would have been, and paid for once', async () => {
    const world = modelWorld();
    world.answer = () => ({ text: 'Hel', finish: 'length', usage: { inputTokens: 1000 } });
    await dieAt(world, asking({ retries: 1 }, priced), marked);
    await world.run(asking({ retries: 1 }, priced));
    expect(world.asked).toHaveLength(1);
    expect(of(world.events(), 'attempt_failed')).toMatchObject([
      { attempt: 2, reason: 'answer-truncated', cost: { usd: 0.001 }, call: { adopted: 1 } },
    ]);
  });

  it('is noted for others from then on', async () => {
    const world = modelWorld({ 'prompt.md': 'Say it.' });
    const definition = asking({ reuse: 'content' }, { units: ['a', 'b'] });
    await dieAt(world, definition, marked);
    await world.run(definition);
    expect(world.asked).toHaveLength(1);
  });

  it('that had been reused costs nothing when it is taken over', async () => {
    const world = modelWorld({ 'prompt.md': 'Say it.' });
    const definition = asking({ reuse: 'content' }, { units: ['a', 'b'], ...priced });
    world.answer = () => ({ text: 'Hello', usage: { inputTokens: 1000 } });
    await dieAt(world, definition, (call) => marked(call) && call.path.includes('/b/write/1/'));
    await world.run(definition);
    expect(world.asked).toHaveLength(1);
    const [, second] = of(world.events(), 'attempt_succeeded');
    expect(second).toMatchObject({ unit: 'b', call: { reused: expect.any(String) } });
    expect(second).not.toHaveProperty('cost');
  });

  it('is not paid again, at whatever call to the disk the process died behind it', async () => {
    const whole = modelWorld();
    let from = 0;
    whole.env.disk.watch((call, moment) => {
      if (moment === 'after' && marked(call)) from = call.number ?? 0;
    });
    await whole.run(asking());
    const last = whole.env.disk.calls;
    expect(from).toBeGreaterThan(0);
    expect(last).toBeGreaterThan(from);
    for (let number = from; number <= last; number++) {
      const world = modelWorld();
      const { disk } = world.env;
      disk.failAt(number, { kind: 'crash', when: 'after' });
      await world.run(asking()).catch(() => undefined);
      world.restart(disk.kill());
      await world.run(asking());
      expect(world.asked, `call ${number}`).toHaveLength(1);
      expect(world.read('out/a.md')).toBe('Answer to: Say a.\n');
    }
  });
});

describe('an answer that had arrived when the power failed', () => {
  it('is not paid again, whatever of the disk is left', async () => {
    const first = modelWorld();
    first.answer = () => 'Hello';
    const left: MemoryDisk[] = [];
    let isMarked = false;
    first.env.disk.watch((call, moment) => {
      if (moment !== 'after') return;
      isMarked ||= marked(call);
      // From here on the mark itself is durable.
      if (!isMarked || call.operation !== 'syncFolder' || !call.path.endsWith('/write/1')) return;
      for (const state of first.env.disk.crashStates(40)) left.push(state.disk);
    });
    await first.run(asking());
    expect(left.length).toBeGreaterThan(1);
    for (const disk of left) {
      first.restart(disk);
      const answer = await first.run(asking());
      expect(answer.heading.status).toBe('completed');
      expect(first.asked).toHaveLength(1);
      expect(first.read('out/a.md')).toBe('Hello\n');
    }
  });
});

describe('what had not arrived is asked again', () => {
  it('where the answer was torn', async () => {
    const world = modelWorld();
    world.answer = async function* () {
      yield 'Hel';
      yield 'lo';
    };
    await dieAt(
      world,
      asking(),
      ({ operation, path }) => operation === 'write' && path.endsWith('/response.txt'),
    );
    expect(world.read(attemptPath(world, 'a/write#1', 'response.txt'))).toBe('Hel');
    await world.run(asking());
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Hello\n');
    expect(of(world.events(), 'attempt_succeeded')[0]?.call).not.toHaveProperty('adopted');
  });

  it('where all of it was there and nobody had said so', async () => {
    const world = modelWorld();
    await dieAt(world, asking(), marked, { when: 'before' });
    await world.run(asking());
    expect(world.asked).toHaveLength(2);
  });

  it('where it was tampered with', async () => {
    const world = modelWorld();
    world.answer = () => 'Hello';
    await dieAt(world, asking(), marked);
    world.put(attemptPath(world, 'a/write#1', 'response.txt'), 'Hellx');
    await world.run(asking());
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Hello\n');
  });

  it('where another question is asked now', async () => {
    const world = modelWorld();
    await dieAt(world, asking(), marked);
    world.put('prompt.md', 'Say it otherwise.');
    await world.run(asking());
    expect(world.asked).toHaveLength(2);
    expect(world.read('out/a.md')).toBe('Answer to: Say it otherwise.\n');
  });

  it('where the attempt is one that has failed: another answer is wanted', async () => {
    const world = modelWorld();
    world.answer = () => (world.asked.length === 1 ? ' ' : 'Hello');
    // The second attempt dies before anything came: the first one's answer had failed.
    await dieAt(
      world,
      asking(),
      ({ operation, path }) => operation === 'append' && path.endsWith('/2/response.txt'),
      {
        when: 'before',
      },
    );
    await world.run(asking());
    expect(world.read('out/a.md')).toBe('Hello\n');
    expect(of(world.events(), 'attempt_failed')).toHaveLength(1);
  });
});
