import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { EventBody } from '../model/event.ts';

const resumed: EventBody = { type: 'run_resumed', boot: 'boot-1' };
const budget = line({
  phases: { ...phase('one', { retries: { attempts: 2, interruptions: 3 } }), ...phase('two') },
});

/** A run whose owner died so often under `a/one`, with what was recorded before each. */
async function died(times: number, between: EventBody[] = [], manifest = budget): Promise<World> {
  const world = await World.of(manifest);
  world.begin();
  for (let time = 0; time < times; time++) {
    if (time > 0) world.fold(...between, resumed);
    world.die('a/one');
  }
  return world;
}

const asks = (world: World, name = 'a/one') => {
  const decision = world.decision(name);
  return decision.do === 'stop' ? decision.why : decision.do;
};

function finish(world: World, unit: string, name: string): void {
  const decision = world.decision(`${unit}/${name}`);
  if (decision.do !== 'run') throw new Error(decision.do);
  const { why, made } = decision;
  world.carryOut({ unit: { id: unit }, phase: { name }, round: 1, why, made } as Parameters<
    World['carryOut']
  >[0]);
}

describe('interruptions in a row', () => {
  it('are asked about before the step is started once more, before and after the run is resumed', async () => {
    const world = await died(2);
    expect(asks(world)).toBe('run');
    world.fold(resumed);
    world.die('a/one');
    const used = { code: 'interruptions-used-up', interruptions: 3, attempt: 3 };
    expect(asks(world)).toMatchObject(used);
    world.fold(resumed);
    expect(asks(world)).toMatchObject(used);
    // The row is complete: what others finish now shortens it no more.
    finish(world, 'b', 'one');
    expect(asks(world)).toMatchObject(used);
  });

  it('are five where the manifest does not say', async () => {
    expect(asks(await died(4, [], line()))).toBe('run');
    expect(asks(await died(5, [], line()))).toMatchObject({
      code: 'interruptions-used-up',
      interruptions: 5,
    });
  });

  it('start at 0 when a step of the run finishes in between', async () => {
    const world = await died(2);
    world.fold(resumed);
    finish(world, 'b', 'one');
    world.die('a/one');
    expect(asks(world)).toBe('run');
  });

  it('start at 0 when the step fails, and failures are counted apart', async () => {
    const world = await died(2);
    world.fold(resumed);
    world.fail('a/one');
    world.fold(resumed);
    world.die('a/one');
    expect(asks(world)).toBe('run');
    world.fold(resumed);
    world.fail('a/one');
    expect(asks(world)).toMatchObject({ code: 'attempts-used-up', attempts: 2 });
  });

  it.each<[string, EventBody[]]>([
    ['a stop', [{ type: 'stop_requested' }]],
    ['a takeover', [{ ...resumed, takeover: true } as EventBody]],
    ['a reboot', [{ type: 'run_resumed', boot: 'another' }]],
    ['Ctrl-C twice', []],
  ])('are not what %s ended', async (name, between) => {
    const world = await World.of(budget);
    world.begin();
    for (let time = 1; time <= 6; time++) {
      world.die('a/one');
      if (name === 'Ctrl-C twice')
        world.fold({ type: 'attempt_interrupted', unit: 'a', phase: 'one', attempt: time, ms: 1 });
      world.fold(...between, ...(name === 'a takeover' || name === 'a reboot' ? [] : [resumed]));
      if (name === 'a reboot') world.fold(resumed);
    }
    expect(asks(world)).toBe('run');
  });

  it('start at 0 when a person lets it be started again, and stop there when a person rejects that', async () => {
    const world = await died(3);
    world.fold(resumed);
    const why = asks(world);
    if (typeof why === 'string' || why.code !== 'interruptions-used-up' || why.asks === undefined) throw why;
    const { question, unit, phase: of, place, shown } = why.asks;
    const asked = { id: 'C1', question, unit, phase: of, place, shown };
    const decided = { ...asked, by: 'me', host: 'here', channel: 'terminal' as const };
    world.fold({ type: 'checkpoint_asked', ...asked, name: 'more' });
    world.fold({ type: 'checkpoint_decided', ...decided, decision: 'approved' });
    expect(asks(world)).toBe('run');
    for (let time = 0; time < 3; time++) {
      world.die('a/one');
      world.fold(resumed);
    }
    const again = asks(world);
    if (typeof again === 'string' || again.code !== 'interruptions-used-up') throw again;
    expect(again.asks?.id).toBeUndefined();
    const next = { ...decided, id: 'C2', shown: again.asks?.shown ?? {} };
    world.fold({ type: 'checkpoint_decided', ...next, decision: 'rejected', note: 'enough' });
    expect(asks(world)).toMatchObject({ code: 'checkpoint-rejected', id: 'C2' });
  });

  it('start at 0 when a rerun is asked for', async () => {
    const world = await died(3);
    world.fold({ type: 'results_superseded', steps: ['a/one'], because: 'rerun-requested' });
    expect(asks(world)).toBe('run');
  });
});
