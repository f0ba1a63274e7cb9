import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { abandon } from './hold.ts';
import { lockNewRun } from './new-run.ts';
import { firstEvent, runPlaces } from './run-places.ts';
import { openWorkspace, placeWorkspace, type Workspace } from './workspace.ts';

const sprites: CodePipeline = {
  pawl: 1,
  pipeline: 'sprites',
  identity: { character: 'blaze' },
  units: ['a'],
  phases: { draw: { run: () => ({ out: 'x' }), outputs: { out: '{run}/{unit}.txt' } } },
  layout: { run: 'runs/{date}_{character}' },
};
const folder = 'runs/20261115_blaze';

async function workspaceOf(env: TestEnvironment, more: Partial<CodePipeline> = {}): Promise<Workspace> {
  const pipeline = definePipeline({ ...sprites, ...more });
  return placeWorkspace(demand(await openWorkspace(env, { path: root, pipeline })), undefined);
}

const options = { takeover: false, fresh: false };

describe('a new run', () => {
  it('has said what it is for, and is remembered, before anything is done', async () => {
    const env = memoryEnvironment();
    const hold = demand(await lockNewRun(await workspaceOf(env), options));
    expect(hold?.folder).toBe(folder);
    expect(firstEvent(env, root, folder)).toMatchObject({
      run: hold?.id,
      pipeline: 'sprites',
      identity: { character: 'blaze' },
    });
    expect(runPlaces(env, root, undefined)).toEqual([{ id: hold?.id, folder }]);
  });

  it('is not made when somebody was faster', async () => {
    const env = memoryEnvironment();
    const late = await workspaceOf(env);
    await run(env, sprites);
    expect(demand(await lockNewRun(late, options))).toBeUndefined();
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261115_blaze']);
  });

  it('is made all the same when a new one is asked for, in a folder of its own', async () => {
    const env = memoryEnvironment();
    const late = await workspaceOf(env);
    await run(env, sprites);
    // The name was free when it was looked for.
    expect(demand(await lockNewRun(late, { ...options, fresh: true }))).toBeUndefined();
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261115_blaze']);
    const again = await workspaceOf(env);
    expect(demand(await lockNewRun(again, { ...options, fresh: true }))?.folder).toBe(`${folder}.2`);
  });

  it('does not take the folder of another identity', async () => {
    const env = memoryEnvironment();
    const layout = { run: 'runs/{date}' };
    const late = await workspaceOf(env, { layout, identity: { character: 'ember' } });
    await run(env, { ...sprites, layout });
    expect(demand(await lockNewRun(late, options))).toBeUndefined();
    expect(firstEvent(env, root, 'runs/20261115')?.identity).toEqual({ character: 'blaze' });
    const answer = await run(env, { ...sprites, layout, identity: { character: 'ember' } });
    expect(answer.heading.status).toBe('completed');
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261115', '20261115.2']);
  });

  it('that died before it was remembered is found by its layout', async () => {
    const env = memoryEnvironment();
    const hold = demand(await lockNewRun(await workspaceOf(env), options));
    if (hold === undefined) throw new Error('no run');
    env.disk.remove(`${root}/.pawl/runs/${hold.id}.json`);
    await abandon(hold);
    const answer = await run(nextProcess(env), sprites);
    expect(answer).toMatchObject({ kind: 'resumed', heading: { run: hold.id, status: 'completed' } });
  });
});
