import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
} from '../../../test/fixtures/memory.ts';

/** Each unit adds its name to the state. */
const counting: CodePipeline = {
  pawl: 1,
  pipeline: 'count',
  state: { path: 'state.json', initial: 'seed.json' },
  units: { list: ['a', 'b'], order: 'chain' },
  phases: {
    commit: {
      state: 'write',
      run: ({ unit, state }) => ({ state: [...((state?.json() ?? []) as string[]), unit.id] }),
    },
  },
};

describe('a fresh run of a pipeline with a state', () => {
  it('starts from the initial one, and keeps what the run before has shown', async () => {
    const env = memoryEnvironment({ 'seed.json': '[]' });
    await run(env, counting);
    env.disk.putFile(`${root}/seed.json`, '["z"]');
    env.clock.advance(60_000);
    const second = await run(env, counting, { fresh: true });
    expect(second).toMatchObject({ kind: 'new', heading: { status: 'completed' }, refusals: [] });
    expect(JSON.parse(readText(env, 'state.json') ?? '')).toEqual(['z', 'a', 'b']);
    const aside = readText(env, `.pawl/runs/${second.heading.run}/aside/state.json`);
    expect(JSON.parse(aside ?? '')).toEqual(['a', 'b']);
  });

  it('does so also where the process died before its first attempt', async () => {
    const env = memoryEnvironment({ 'seed.json': '[]' });
    await run(env, counting);
    env.clock.advance(60_000);
    env.disk.failWhen(({ operation, path }) =>
      operation === 'rename' && path.endsWith('/state.json') ? { kind: 'crash', when: 'before' } : undefined,
    );
    await expect(run(env, counting, { fresh: true })).rejects.toThrow();
    const next = { ...nextProcess(env), disk: env.disk.kill() };
    expect(await run(next, counting)).toMatchObject({ heading: { status: 'completed' }, refusals: [] });
  });
});
