import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import type { RunEnded } from '../../model/event.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { record } from '../../runner/context.ts';
import { allRuns, findRun, needRun } from './find-run.ts';
import { lockRun, releaseAfter } from './hold.ts';
import type { Target } from './requests.ts';
import { openWorkspace } from './workspace.ts';

const hourMs = 60 * 60 * 1000;

/** Frames of which `f1` cannot be drawn while `isStuck`. */
function sprites(isStuck: boolean, more: Partial<CodePipeline> = {}): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'sprites',
    identity: { character: 'blaze', move: 'idle' },
    units: { count: 2, id: 'f{index}' },
    phases: {
      draw: {
        run: ({ unit }) => {
          if (isStuck && unit.id === 'f1') throw new Error('no ink');
          return { picture: unit.id };
        },
        outputs: { picture: '{run}/{unit}.txt' },
      },
    },
    layout: { run: 'runs/{date}_{character}_{move}' },
    ...more,
  };
}

async function find(env: TestEnvironment, target: Target = {}, evenDamaged = false) {
  const pipeline = definePipeline(sprites(false));
  const workspace = demand(await openWorkspace(env, { path: root, pipeline }));
  return findRun(workspace, target, { evenDamaged });
}

/** One run after the other, an hour apart; `stopped` or `completed`. */
async function runs(env: TestEnvironment, ...outcomes: ('stopped' | 'completed')[]): Promise<string[]> {
  const ids: string[] = [];
  for (const outcome of outcomes) {
    const { heading } = await run(env, sprites(outcome === 'stopped'), { fresh: true });
    expect(heading.status).toBe(outcome);
    ids.push(heading.run);
    env.clock.ms += hourMs;
  }
  return ids;
}

/** A completed run is worked on again, and does not get to its end: it is open beside newer ones. */
async function reopen(env: TestEnvironment, id: string): Promise<void> {
  const { heading } = await run(env, sprites(true), { run: id, rerunFrom: 'draw' });
  expect(heading).toMatchObject({ run: id, status: 'stopped' });
}

/** A person ends a run for good. */
async function end(env: TestEnvironment, id: string, status: RunEnded['status']): Promise<void> {
  const workspace = demand(
    await openWorkspace(env, { path: root, pipeline: definePipeline(sprites(false)) }),
  );
  const opened = demand(needRun(workspace, { run: id }));
  const hold = demand(await lockRun(workspace, opened, { takeover: false }));
  const done = async () => {
    await record(hold, { type: 'run_ended', status });
    return { ok: true as const, value: undefined };
  };
  demand(await releaseAfter(workspace, hold, done));
}

describe('the run of an identity', () => {
  it('is none before there is one', async () => {
    expect(await find(memoryEnvironment())).toEqual({ ok: true, value: undefined });
  });

  it.each([
    [['stopped', 'completed'], 1],
    [['completed', 'stopped'], 1],
    [['completed', 'stopped', 'completed'], 2],
    [['stopped', 'stopped'], 1],
  ] as const)('of %j is the one that was started last', async (outcomes, at) => {
    const env = memoryEnvironment();
    const ids = await runs(env, ...outcomes);
    expect(demand(await find(env))?.id).toBe(ids[at]);
  });

  it('is the newest of those that are completed', async () => {
    const env = memoryEnvironment();
    const ids = await runs(env, 'completed', 'completed', 'completed');
    expect(demand(await find(env))?.id).toBe(ids[2]);
  });

  it('is the newest whatever its folder is called', async () => {
    const env = memoryEnvironment();
    const [, newest = ''] = await runs(env, 'completed', 'completed');
    env.disk.rename(`${root}/runs/20261115_blaze_idle.2`, `${root}/runs/0`);
    expect(demand(await find(env))).toMatchObject({ id: newest, folder: 'runs/0' });
  });

  it('is the open one where a completed one is newer and has replaced none', async () => {
    const env = memoryEnvironment();
    const [first = ''] = await runs(env, 'completed', 'completed');
    await reopen(env, first);
    expect(demand(await find(env))?.id).toBe(first);
  });

  it('is asked for when several are open of which none replaced another', async () => {
    const env = memoryEnvironment();
    const ids = await runs(env, 'completed', 'completed', 'stopped');
    await reopen(env, ids[0] ?? '');
    env.clock.ms += hourMs;
    await run(env, sprites(true), { run: ids[2], rerunFrom: 'draw' });
    expect(failureOf(await find(env))).toMatchObject({
      reason: 'which-run',
      candidates: [ids[2], ids[0]].map((id) => ({
        id,
        pipeline: 'sprites',
        identity: { character: 'blaze', move: 'idle' },
        status: 'stopped',
      })),
    });
    expect(demand(await find(env, { run: ids[2] }))?.id).toBe(ids[2]);
  });

  it.each(['failed', 'cancelled'] as const)('is not one that is %s', async (status) => {
    const env = memoryEnvironment();
    const [first = '', second = ''] = await runs(env, 'completed', 'stopped');
    await reopen(env, first);
    await end(env, second, status);
    expect(demand(await find(env))?.id).toBe(first);
    await end(env, first, status);
    expect(demand(await find(env))).toBeUndefined();
    expect(demand(await find(env, { run: first }))).toMatchObject({ id: first, status });
  });

  it('is not one of another identity or pipeline', async () => {
    const env = memoryEnvironment();
    await run(env, sprites(true, { identity: { character: 'blaze', move: 'run' } }));
    await run(env, sprites(true, { identity: { character: 'blaze' }, layout: { run: 'runs/{date}' } }));
    await run(env, sprites(true, { pipeline: 'other' }));
    expect(demand(await find(env))).toBeUndefined();
  });
});

describe('a run that is named', () => {
  it('is found by its id, by a beginning that no other has, and by its folder', async () => {
    const env = memoryEnvironment();
    const [first = '', second = ''] = await runs(env, 'completed', 'stopped');
    for (const id of [first, first.slice(0, 13), '20261115_blaze_idle'])
      expect(demand(await find(env, { run: id }))?.id).toBe(first);
    for (const id of [second, second.slice(0, 13), '20261115_blaze_idle.2', '20261115_blaze_idle.'])
      expect(demand(await find(env, { run: id }))?.id).toBe(second);
  });

  it('is told what it might be when the beginning is that of several', async () => {
    const env = memoryEnvironment();
    const ids = await runs(env, 'completed', 'stopped');
    expect(failureOf(await find(env, { run: '20261115-' }))).toMatchObject({
      reason: 'run-not-found',
      id: '20261115-',
      near: ids,
    });
  });

  it('is told what is nearest when there is none', async () => {
    const env = memoryEnvironment();
    const [id = ''] = await runs(env, 'completed');
    const slip = `${id.slice(0, -1)}x`;
    expect(failureOf(await find(env, { run: slip }))).toMatchObject({
      reason: 'run-not-found',
      id: slip,
      near: [id],
    });
    expect(failureOf(await find(env, { run: 'nothing-like-it' }))).toMatchObject({ near: [] });
  });

  it('is needed where nothing can be done without', async () => {
    const env = memoryEnvironment();
    const pipeline = definePipeline(sprites(false));
    const workspace = demand(await openWorkspace(env, { path: root, pipeline }));
    expect(failureOf(needRun(workspace, {}))).toEqual({ reason: 'no-run', workspace: '.' });
  });
});

describe('a run that cannot say what it is for', () => {
  const spoil = (env: TestEnvironment, folder: string) => {
    const [segment = ''] = env.disk.list(`${root}/${folder}/events/runner`) ?? [];
    env.disk.putFile(`${root}/${folder}/events/runner/${segment}`, 'garbage\n');
    env.disk.remove(`${root}/${folder}/snapshot`);
  };

  it('is not taken for none', async () => {
    const env = memoryEnvironment();
    await runs(env, 'stopped');
    spoil(env, 'runs/20261115_blaze_idle');
    expect(failureOf(await find(env))).toMatchObject({ reason: 'journal-damaged' });
    expect(demand(await find(env, {}, true))?.folder).toBe('runs/20261115_blaze_idle');
  });

  it('does not stand in the way of another', async () => {
    const env = memoryEnvironment();
    const [first = ''] = await runs(env, 'completed', 'stopped');
    spoil(env, 'runs/20261115_blaze_idle.2');
    expect(demand(await find(env))?.id).toBe(first);
  });
});

it('lists every run of a workspace, oldest first', async () => {
  const env = memoryEnvironment();
  const ids = await runs(env, 'completed', 'stopped');
  const other = await run(env, sprites(false, { pipeline: 'other', layout: { run: 'else/{date}' } }));
  const pipeline = definePipeline(sprites(false));
  const workspace = demand(await openWorkspace(env, { path: root, pipeline }));
  expect(allRuns(workspace).map(({ id, folder }) => [id, folder])).toEqual([
    [ids[0], 'runs/20261115_blaze_idle'],
    [ids[1], 'runs/20261115_blaze_idle.2'],
    [other.heading.run, 'else/20261115'],
  ]);
});
