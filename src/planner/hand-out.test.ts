import { beforeEach, describe, expect, it } from 'vitest';
import { started } from '../../test/fixtures/events.ts';
import { phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { foldEvent } from '../ledger/fold.ts';
import { emptyLedger } from '../ledger/ledger.ts';
import type { EventBody } from '../model/event.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import { claimedUnits, handOut } from './hand-out.ts';

const executor = { run: { task: 'executor' }, outputs: {} };
const reviewer = { run: { task: 'reviewer' }, outputs: {} };

/** A plan, some tasks that are implemented and then reviewed, and an end. Fields of a task as a list of tasks has them. */
function crew(tasks: readonly object[]): { definition: PipelineDefinition; files: Record<string, string> } {
  const definition: PipelineDefinition = {
    pawl: 1,
    pipeline: 'crew',
    inputs: { list: { path: 'tasks.json' } },
    stages: [
      { name: 'plan', units: ['plan'], phases: phase('draft') },
      {
        name: 'tasks',
        units: { from: 'list', priority: 'priority', touches: ['area'], beside: 'beside' },
        phases: { ...phase('implement', executor), ...phase('review', reviewer) },
      },
      { name: 'end', units: ['end'], phases: phase('close') },
    ],
  };
  return { definition, files: { 'tasks.json': JSON.stringify(tasks) } };
}

async function planned(...tasks: readonly object[]): Promise<World> {
  const { definition, files } = crew(tasks);
  const world = await World.of(definition, files);
  const [first] = tasks as { id: string }[];
  world.run(`${first?.id}/implement`);
  return world;
}

let seq: number;

beforeEach(() => {
  seq = 1000;
});

function by(world: World, actor: string, body: EventBody): void {
  seq += 1;
  foldEvent(world.ledger, { ...body, seq, at: '2026-11-15T13:00:00.000Z', actor, epoch: 1 });
}

const lease = '2026-11-15T14:00:00.000Z';

function claim(world: World, step: string, actor = 'ann', until = lease): void {
  const [unit = ''] = step.split('/');
  const unitData = world.loaded.unitData.get(unit);
  by(world, actor, started(`${step}#1`, { lease: until, ...(unitData && { unitData }) }));
}

function complete(world: World, step: string, actor = 'ann'): void {
  const [unit = '', name = ''] = step.split('/');
  claim(world, step, actor);
  by(world, actor, { type: 'attempt_succeeded', unit, phase: name, attempt: 1, outputs: {}, ms: 1 });
}

function claimed(world: World): string[] {
  const { stages } = world.loaded.pipeline;
  return stages.flatMap((stage) => claimedUnits(stage, world.plan()).map(({ id }) => id));
}

function offered(world: World): string[] {
  const { offers } = handOut(world.loaded.pipeline.stages, world.plan());
  return offers.map(({ unit, phase: { name } }) => `${unit.id}/${name}`);
}

function heldBack(world: World): Record<string, readonly string[]> {
  return Object.fromEntries(handOut(world.loaded.pipeline.stages, world.plan()).heldBack);
}

describe('what is handed out', () => {
  it('is what agents do, and nothing that Pawl does itself', async () => {
    const { definition, files } = crew([{ id: 't1' }, { id: 't2', needs: ['t1'] }]);
    const world = await World.of(definition, files);
    world.begin();
    expect(offered(world)).toEqual([]);
    world.run('t1/implement');
    expect(offered(world)).toEqual(['t1/implement']);
  });

  it('is one phase of a task after the other', async () => {
    const world = await planned({ id: 't1' });
    complete(world, 't1/implement');
    expect(offered(world)).toEqual(['t1/review']);
    complete(world, 't1/review', 'bob');
    expect(offered(world)).toEqual([]);
  });

  it('is not what somebody has, until the lease has run out', async () => {
    const world = await planned({ id: 't1' }, { id: 't2' });
    claim(world, 't1/implement');
    expect(offered(world)).toEqual(['t2/implement']);
    expect(claimed(world)).toEqual(['t1']);
    world.facts.now = lease;
    expect(offered(world)).toEqual(['t1/implement', 't2/implement']);
  });

  it('is not what was blocked, nor what waits for it', async () => {
    const world = await planned({ id: 't1' }, { id: 't2', needs: ['t1'] }, { id: 't3' });
    by(world, 'ann', { type: 'task_blocked', unit: 't1', reason: 'needs a key' });
    expect(offered(world)).toEqual(['t3/implement']);
    by(world, 'bob', { type: 'task_unblocked', unit: 't1' });
    expect(offered(world)).toEqual(['t1/implement', 't3/implement']);
  });
});

describe('the order', () => {
  it('goes by priority, then by what was begun, then as listed', async () => {
    const world = await planned(
      { id: 'low', priority: 'low' },
      { id: 'plain' },
      { id: 'begun' },
      { id: 'medium', priority: 'medium' },
      { id: 'high', priority: 1 },
      { id: 'critical', priority: 'P0' },
    );
    complete(world, 'begun/implement');
    expect(offered(world)).toEqual([
      'critical/implement',
      'high/implement',
      'begun/review',
      'plain/implement',
      'medium/implement',
      'low/implement',
    ]);
  });

  it('is the same however often it is asked for', async () => {
    const tasks = Array.from({ length: 40 }, (_, nth) => ({ id: `t${nth}`, priority: nth % 3 }));
    const world = await planned(...tasks);
    const first = offered(world);
    expect(first).toHaveLength(40);
    expect(offered(world)).toEqual(first);
  });
});

describe('a task that touches what somebody is at', () => {
  it('is held back, and told for whom, until that is over', async () => {
    const world = await planned({ id: 't1', area: ['src'] }, { id: 't2', area: 'src/a.ts' }, { id: 't3' });
    expect(offered(world)).toEqual(['t1/implement', 't2/implement', 't3/implement']);
    claim(world, 't1/implement');
    expect(offered(world)).toEqual(['t3/implement']);
    expect(heldBack(world)).toEqual({ t2: ['t1'] });
    by(world, 'ann', { type: 'attempt_interrupted', unit: 't1', phase: 'implement', attempt: 1, ms: 1 });
    expect(heldBack(world)).toEqual({});
  });

  it('is held back while any phase of it is claimed', async () => {
    const world = await planned({ id: 't1', area: ['src'] }, { id: 't2', area: ['src'] });
    complete(world, 't1/implement');
    expect(offered(world)).toEqual(['t1/review', 't2/implement']);
    claim(world, 't1/review', 'bob');
    expect(heldBack(world)).toEqual({ t2: ['t1'] });
  });

  it.each([
    ['the one', { id: 't1', area: ['src'], beside: ['t2'] }, { id: 't2', area: ['src'] }],
    ['the other', { id: 't1', area: ['src'] }, { id: 't2', area: ['src'], beside: 't1' }],
  ])('is not held back where %s says that they may be beside each other', async (_, one, two) => {
    const world = await planned(one, two);
    claim(world, 't1/implement');
    expect(offered(world)).toEqual(['t2/implement']);
  });

  it('does not hold itself back', async () => {
    const world = await planned({ id: 't1', area: ['src', 'src/a.ts'] });
    claim(world, 't1/implement', 'ann', '2026-11-15T12:00:00.000Z');
    world.facts.now = lease;
    expect(offered(world)).toEqual(['t1/implement']);
  });
});

describe('a ledger that knows nothing', () => {
  it('offers nothing of a stage whose turn has not come', async () => {
    const { definition, files } = crew([{ id: 't1' }]);
    const world = await World.of(definition, files);
    expect(world.ledger).toEqual(emptyLedger());
    expect(offered(world)).toEqual([]);
  });
});
