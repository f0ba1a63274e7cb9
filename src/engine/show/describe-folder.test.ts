import { describe, expect, it } from 'vitest';
import { next, startedWorld } from '../../../test/fixtures/claimed.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { cancelRun } from '../people/cancel.ts';
import { describeFolder } from './describe-folder.ts';

const postcards = (isStuck = false): CodePipeline => ({
  pawl: 1,
  pipeline: 'postcards',
  units: ['lima', 'oslo'],
  phases: {
    draft: {
      run: ({ unit }) => {
        if (isStuck && unit.id === 'oslo') throw new Error('no ink');
        return { text: unit.id };
      },
      outputs: { text: '{unit}.md' },
    },
  },
});
const target = { path: root, pipeline: definePipeline(postcards()) };

describe('a workspace', () => {
  it('has no run at first', async () => {
    expect(demand(await describeFolder(memoryEnvironment(), target))).toEqual({
      pipeline: 'postcards',
      identity: { pipeline: 'postcards' },
      workspace: '.',
      run: undefined,
      ended: undefined,
    });
  });

  it('has a run that stands somewhere, and something comes next', async () => {
    const env = memoryEnvironment();
    await run(env, postcards(true));
    const stuck = demand(await describeFolder(nextProcess(env), target));
    expect(stuck.run).toMatchObject({
      heading: { status: 'stopped' },
      done: 1,
      total: 2,
      next: { code: 'run-phases', cells: ['oslo/draft'] },
    });
    await run(nextProcess(env), postcards());
    expect(demand(await describeFolder(nextProcess(env), target)).run).toMatchObject({
      heading: { status: 'completed' },
      done: 2,
      total: 2,
      next: { code: 'nothing' },
    });
  });

  it('tells of a run that was ended for good', async () => {
    const env = memoryEnvironment();
    await run(env, postcards(true));
    demand(await cancelRun(env, { ...target, reason: 'enough', by: 'ann' }));
    expect(demand(await describeFolder(nextProcess(env), target))).toMatchObject({
      run: undefined,
      ended: { status: 'cancelled' },
    });
  });

  it('whose work is claimed offers the next task, of the units that the run has listed', async () => {
    const env = await startedWorld();
    expect(demand(await describeFolder(env)).run).toMatchObject({ total: 8, next: { code: 'claim-task' } });
    demand(await next(env, 'bob'));
    expect(demand(await describeFolder(env)).run).toMatchObject({ heading: { status: 'running' } });
  });

  it('is not there, or not right', async () => {
    expect(failureOf(await describeFolder(memoryEnvironment())).reason).toBe('manifest-not-found');
    const wrong = memoryEnvironment({ 'pawl.yaml': 'pawl: 1\n' });
    expect(failureOf(await describeFolder(wrong)).reason).toBe('manifest-invalid');
  });
});
