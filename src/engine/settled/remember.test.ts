import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { copyOf, files, one, rewriteJournal, scenes, settled } from '../../../test/fixtures/scenes.ts';

/** What a sitting has remembered is what a look at the whole run remembers, and then there is no need to write it. */
async function expectSameMemory(env: TestEnvironment, definition: CodePipeline): Promise<void> {
  const { heading } = await run(env, definition);
  const path = `${root}/.pawl/runs/${heading.run}/settled`;
  const text = () => new TextDecoder().decode(env.disk.read(path));
  const remembered = text();
  expect(remembered).not.toBe('');
  env.disk.remove(path);
  await run(nextProcess(env), definition);
  expect(text()).toBe(remembered);
  const { calls } = env.disk;
  expect((await run(nextProcess(env), definition)).kind).toBe('unchanged');
  expect(env.disk.calls).toBe(calls);
}

describe('a settled run', () => {
  it.each<[string, Partial<CodePipeline>]>([
    ['of a chain with a loop', {}],
    ['whose ledger files lie elsewhere', { layout: { ledger: 'history/{unit}.json' } }],
  ])('%s is remembered alike by a sitting and by a look', async (_, more) => {
    const env = memoryEnvironment(files);
    await run(env, scenes(more));
    await expectSameMemory(env, scenes(more));
  });

  it('with notices is remembered with them', async () => {
    const { env } = await settled();
    const definition = scenes({ units: { list: [one, 'two'], order: 'chain' } });
    const { notices } = await run(env, definition, { force: true });
    expect(notices).toEqual([{ code: 'unit-removed', unit: 'three' }]);
    await expectSameMemory(env, definition);
    expect((await run(env, definition)).notices).toEqual(notices);
  });

  it('is answered for where nothing can be written', async () => {
    const world = await settled();
    const remembered = copyOf(world.env);
    const forgotten = copyOf(world.env);
    forgotten.disk.remove(`${world.folder}/settled`);
    for (const env of [remembered, forgotten]) {
      env.disk.failWhen(({ number }) =>
        number === undefined ? undefined : { kind: 'error', code: 'EROFS' },
      );
      expect((await run(env, world.definition)).kind).toBe('unchanged');
    }
  });

  it('is let go of as well when it cannot be remembered', async () => {
    const env = memoryEnvironment(files);
    let isLetGo = false;
    env.disk.failWhen(({ operation, path }) => {
      if (isLetGo && operation === 'create') return { kind: 'error', code: 'ENOSPC' };
      isLetGo ||= operation === 'rename' && path.endsWith('/snapshot');
      return undefined;
    });
    expect(await run(env, scenes())).toMatchObject({ kind: 'new', heading: { status: 'completed' } });
    expect(isLetGo).toBe(true);
  });
});

describe('nothing is remembered', () => {
  it('in a folder that a layout has put elsewhere', async () => {
    const env = memoryEnvironment(files);
    const definition = scenes({ layout: { run: 'runs/{date}_{pipeline}' } });
    await run(env, definition);
    const { calls } = env.disk;
    expect((await run(nextProcess(env), definition)).kind).toBe('unchanged');
    expect(env.disk.calls).toBe(calls);
    expect(env.disk.list(`${root}/runs/20261115_scenes`)).not.toContain('settled');
  });

  it('where nobody knows when the machine was started', async () => {
    const env = memoryEnvironment(files);
    env.host.self = { ...env.host.self, boot: '' };
    const { folder, definition } = await settled(scenes(), env);
    expect((await run(env, definition)).kind).toBe('unchanged');
    expect(env.disk.stat(`${folder}/settled`)).toBeUndefined();
  });

  it('where the run itself lists units', async () => {
    const env = memoryEnvironment();
    const made = { run: () => ({ list: { tasks: ['a'] } }), outputs: { list: 'list.json' } };
    const task = { run: () => ({ text: 'x' }), outputs: { text: 'out/{unit}.txt' } };
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'tasks',
      stages: [
        { name: 'plan', units: ['plan'], phases: { made } },
        { name: 'build', units: { artifact: 'made.list.tasks' }, phases: { task } },
      ],
    };
    expect((await run(env, definition)).heading.status).toBe('completed');
    const { calls } = env.disk;
    expect(await run(nextProcess(env), definition)).toMatchObject({ kind: 'unchanged', cells: { done: 2 } });
    expect(env.disk.calls).toBe(calls);
  });

  it('while there is something to tell of the journal', async () => {
    const world = await settled();
    const { definition } = world;
    const env = nextProcess(world.env);
    rewriteJournal(world, (text) => `${text}{"seq":`);
    env.disk.remove(`${world.folder}/settled`);
    const { calls } = env.disk;
    expect((await run(env, definition)).findings).toMatchObject([{ code: 'torn-tail', weight: 'quiet' }]);
    expect(env.disk.calls).toBe(calls);
  });

  it('while there is a file that belongs to no unit', async () => {
    const { env, definition, folder } = await settled();
    env.disk.putFile(`${root}/out/nine.mended.md`, 'a note of mine');
    env.disk.remove(`${folder}/settled`);
    expect((await run(env, definition)).notices).toMatchObject([{ code: 'files-without-unit' }]);
    expect(env.disk.stat(`${folder}/settled`)).toBeUndefined();
  });

  it('when the snapshot could not be written', async () => {
    const env = memoryEnvironment(files);
    env.disk.failWhen(({ operation, path }) =>
      operation === 'rename' && path.endsWith('/snapshot') ? { kind: 'error', code: 'EIO' } : undefined,
    );
    const { folder, definition } = await settled(scenes(), env);
    expect(env.disk.stat(`${folder}/settled`)).toBeUndefined();
    await run(env, definition, { rerunFrom: 'commit' });
    expect(env.disk.stat(`${folder}/settled`)).toBeUndefined();
  });

  it('while the snapshot stands for a part of the journal', async () => {
    const world = await settled();
    const { env, definition, folder } = world;
    await run(env, definition, { rerunFrom: 'commit' });
    env.disk.link(`${folder}/snapshot`, `${folder}/kept`);
    await run(env, definition, { rerunFrom: 'commit' });
    env.disk.rename(`${folder}/kept`, `${folder}/snapshot`);
    const { calls } = env.disk;
    expect((await run(env, definition)).kind).toBe('unchanged');
    expect(env.disk.calls).toBe(calls);
  });
});
