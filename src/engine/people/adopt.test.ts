import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  demand,
  eventsOf,
  failureOf,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { verifyRun } from '../show/verify.ts';
import { adoptFiles } from './adopt.ts';

const reason = 'a better word';

async function finished() {
  const world = letters();
  await run(world.env, world.definition);
  world.ran.length = 0;
  return world;
}

describe('an edited file', () => {
  it('is refused by a run, with the guard and both hashes', async () => {
    const { env, definition } = await finished();
    env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    await expect(run(env, definition)).rejects.toThrow('output-edited');
  });

  it.each(['out/ann.draft', './out/ann.draft', '/work/out/ann.draft', 'ann/draft'])(
    'is adopted as %s',
    async (target) => {
      const world = await finished();
      world.env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
      const answer = demand(await adoptFiles(world.env, { ...world.target, targets: [target], reason }));
      expect(answer.adopted).toEqual([
        {
          unit: 'ann',
          phase: 'draft',
          output: 'text',
          path: 'out/ann.draft',
          before: hashBytes('Dear ann'),
          after: hashBytes('My dear Ann'),
        },
      ]);
      expect(answer.reruns).toEqual(['ann/read']);
      const after = await run(nextProcess(world.env), world.definition);
      expect(world.ran).toEqual(['ann/read', 'ann/seal']);
      expect(after.heading.status).toBe('completed');
      expect(readText(world.env, 'out/ann.letter')).toBe('My dear Ann. Sealed.');
      expect(readText(world.env, 'out/ann.draft')).toBe('My dear Ann');
    },
  );

  it('behind which a person decides: what depends on it waits, and is named', async () => {
    const env = memoryEnvironment();
    const asked: CodePipeline = {
      pawl: 1,
      pipeline: 'asked',
      channels: ['script'],
      units: ['ann'],
      phases: {
        draft: { run: () => ({ text: 'a' }), outputs: { text: 'out/{unit}.draft' }, checkpoint: 'look' },
        read: {
          run: () => ({ note: 'b' }),
          inputs: { text: 'draft.text' },
          outputs: { note: 'out/{unit}.note' },
        },
      },
    };
    await run(env, asked);
    env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    const target = { path: root, pipeline: definePipeline(asked) };
    const answer = demand(await adoptFiles(env, { ...target, targets: ['ann/draft'], reason }));
    expect(answer.reruns).toEqual([]);
    expect(answer.waits).toContain('ann/read');
  });

  it('is in the store: it can be brought back', async () => {
    const world = await finished();
    world.env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    demand(await adoptFiles(world.env, { ...world.target, targets: ['ann/draft'], reason }));
    await run(world.env, world.definition);
    world.env.disk.remove(`${root}/out/ann.draft`);
    await run(world.env, world.definition, { restore: true });
    expect(readText(world.env, 'out/ann.draft')).toBe('My dear Ann');
    expect(demand(await verifyRun(world.env, world.target)).findings).toEqual([]);
  });

  it('is written down with the reason', async () => {
    const world = await finished();
    world.env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    demand(await adoptFiles(world.env, { ...world.target, targets: ['ann/draft'], reason }));
    expect(eventsOf(world.env).find(({ type }) => type === 'artifact_adopted')).toMatchObject({ reason });
  });

  it('needs a reason, and an edit', async () => {
    const { env, target } = await finished();
    expect(failureOf(await adoptFiles(env, { ...target, targets: ['ann/draft'], reason: '' }))).toEqual({
      reason: 'usage',
      problem: { code: 'reason-required', flag: 'adopt' },
    });
    expect(failureOf(await adoptFiles(env, { ...target, targets: ['ann/draft'], reason }))).toEqual({
      reason: 'nothing-to-adopt',
      path: 'ann/draft',
    });
  });

  it('of all that are named is adopted, or none', async () => {
    const { env, target } = await finished();
    env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    const before = eventsOf(env).length;
    expect(
      failureOf(await adoptFiles(env, { ...target, targets: ['ann/draft', 'bob/draft'], reason })),
    ).toEqual({
      reason: 'nothing-to-adopt',
      path: 'bob/draft',
    });
    expect(eventsOf(env)).toHaveLength(before);
  });

  it('that fails its check is no edit but damage: the phase runs again', async () => {
    const { env, definition, ran } = await finished();
    env.disk.putFile(`${root}/out/ann.draft`, '');
    await run(env, definition);
    expect(ran).toEqual(['ann/draft']);
    expect(readText(env, 'out/ann.draft')).toBe('Dear ann');
  });

  it('that is a copy of another unit’s is damage too', async () => {
    const { env, definition, ran } = await finished();
    env.disk.putFile(`${root}/out/ann.draft`, 'Dear bob');
    await run(env, definition);
    expect(ran).toEqual(['ann/draft']);
  });
});

describe('an edited state', () => {
  const chain: CodePipeline = {
    pawl: 1,
    pipeline: 'chain',
    state: { path: 'state.json', initial: 'seed.json' },
    units: { list: ['a', 'b'], order: 'chain' },
    phases: {
      step: {
        run: ({ unit, state }) => ({
          state: { ...(state?.json() as object), [unit.id]: true },
          out: state?.text() ?? '',
        }),
        state: 'write',
        outputs: { out: 'out/{unit}.txt' },
      },
    },
  };
  const target = { path: root, pipeline: definePipeline(chain) };

  it('is adopted where it is shown, and its snapshot follows', async () => {
    const env = memoryEnvironment({ 'seed.json': '{}' });
    await run(env, chain);
    env.disk.putFile(`${root}/state.json`, '{"edited":true}');
    await expect(run(env, chain)).rejects.toThrow('state-edited');
    const answer = demand(await adoptFiles(env, { ...target, targets: ['state.json'], reason }));
    expect(answer.adopted).toMatchObject([
      { unit: 'b', phase: 'step', output: 'state', path: 'state/b.json' },
    ]);
    expect(readText(env, 'state/b.json')).toBe('{"edited":true}');
    expect((await run(env, chain)).heading.status).toBe('completed');
    expect(readText(env, 'state.json')).toBe('{"edited":true}');
  });

  it('before the first commit is nobody’s to adopt, and is not lost', async () => {
    const env = memoryEnvironment({ 'seed.json': '{}' });
    const failing: CodePipeline = {
      ...chain,
      phases: { step: { ...chain.phases?.step, run: () => Promise.reject('no') } },
    };
    await run(env, failing);
    env.disk.putFile(`${root}/state.json`, '{"mine":true}');
    await expect(run(env, chain)).rejects.toThrow('state-edited');
    await expect(run(env, chain, { forceResume: true, reason })).rejects.toThrow('state-edited');
    expect(failureOf(await adoptFiles(env, { ...target, targets: ['state.json'], reason }))).toEqual({
      reason: 'nothing-to-adopt',
      path: 'state.json',
    });
    expect(readText(env, 'state.json')).toBe('{"mine":true}');
  });
});
