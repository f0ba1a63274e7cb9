import { describe, expect, it } from 'vitest';
import { answer, ask } from '../../test/fixtures/people.ts';
import { gate, line, phase, tries } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

const twoTries = { ...phase('one', { retries: 2 }), ...phase('two') };
const judged = (then: 'stop' | 'ask') => ({
  ...phase('draw'),
  ...phase('look', { gate: gate(then, 'draw', 1) }),
  ...phase('hang'),
});
const allowed = (more: Partial<PipelineDefinition>) => line({ failures: 'allow', ...more });

const ended = (world: World, unit = 'a') => {
  const { finished, ended } = world.plan().units.get(unit) ?? {};
  return { finished, ended };
};

describe('a unit whose attempts are used up', () => {
  it('is given up where the manifest allows it, and the run is finished without it', async () => {
    const world = await World.of(allowed({ phases: twoTries }));
    world.fail('a/one');
    expect(ended(world)).toEqual({ finished: false, ended: false });
    world.fail('a/one');
    expect(ended(world)).toEqual({ finished: false, ended: true });
    expect(world.plan().finished).toBe(false);
    expect(world.run()).toEqual(['b/one#1', 'b/two#1']);
    expect(world.plan().finished).toBe(true);
    expect(world.decisions()).toMatchObject({ 'a/one': 'stop attempts-used-up', 'a/two': 'wait for one' });
  });

  it('keeps the run from being finished otherwise', async () => {
    const world = await World.of(line({ phases: twoTries }));
    world.fail('a/one');
    world.fail('a/one');
    world.run();
    expect(ended(world)).toEqual({ finished: false, ended: false });
    expect(world.plan().finished).toBe(false);
  });

  it('is not one that may be tried again', async () => {
    const world = await World.of(allowed({}));
    world.fail('a/one');
    world.fail('a/one');
    expect(ended(world)).toEqual({ finished: false, ended: false });
    expect(world.decisions()).toMatchObject({ 'a/one': 'run failed-before' });
  });

  it('is not given up while a person is asked for more, but when that person says no', async () => {
    const phases = { ...phase('one', { retries: tries(2, 'ask') }), ...phase('two') };
    const world = await World.of(allowed({ phases }));
    world.fail('a/one');
    world.fail('a/one');
    world.run();
    expect(ask(world)).toEqual(['C1']);
    expect(ended(world)).toEqual({ finished: false, ended: false });
    answer(world, 'C1', 'rejected', { note: 'leave it' });
    expect(world.decisions()).toMatchObject({ 'a/one': 'stop checkpoint-rejected' });
    expect(ended(world)).toEqual({ finished: false, ended: true });
    expect(world.plan().finished).toBe(true);
  });

  it('is taken up again when it is granted more', async () => {
    const world = await World.of(allowed({ phases: twoTries }));
    world.fail('a/one');
    world.fail('a/one');
    world.run();
    await world.change({}, allowed({ phases: { ...phase('one', { retries: 3 }), ...phase('two') } }));
    expect(world.plan()).toMatchObject({ finished: false, refusals: [] });
    expect(world.run()).toEqual(['a/one#3', 'a/two#1']);
  });
});

describe('a unit whose rounds are used up', () => {
  it.each([
    ['allow', true],
    ['stop', false],
  ] as const)('with failures %s', async (failures, isEnded) => {
    const world = await World.of(line({ failures, phases: judged('stop') }));
    world.verdicts.set('a/look', ['fail']);
    world.run();
    expect(ended(world)).toEqual({ finished: false, ended: isEnded });
    expect(world.plan().finished).toBe(isEnded);
  });

  it('is not given up while a person has to decide, nor when that person sends it back', async () => {
    const world = await World.of(allowed({ phases: judged('ask') }));
    world.verdicts.set('a/look', ['fail']);
    world.run();
    expect(world.decisions()).toMatchObject({ 'a/look': 'stop gate-asks' });
    expect(ended(world)).toEqual({ finished: false, ended: false });
    expect(ask(world)).toEqual(['C1']);
    answer(world, 'C1', 'rejected', { note: 'too dark' });
    expect(world.decisions()).toMatchObject({ 'a/draw': 'run rejected' });
    expect(ended(world)).toEqual({ finished: false, ended: false });
  });
});

describe('a unit that was given up', () => {
  it('lets those go on that need it, and the next stage', async () => {
    const stages = (failures: 'stop' | 'allow'): PipelineDefinition => ({
      pawl: 1,
      pipeline: 'staged',
      stages: [
        { name: 'first', failures, units: ['a', { id: 'b', needs: ['a'] }], phases: twoTries },
        { name: 'last', units: ['z'], phases: phase('end') },
      ],
    });
    const given = await World.of(stages('allow'));
    given.fail('a/one');
    given.fail('a/one');
    expect(given.run()).toEqual(['b/one#1', 'b/two#1', 'z/end#1']);
    expect(given.plan().finished).toBe(true);
    const stopped = await World.of(stages('stop'));
    stopped.fail('a/one');
    stopped.fail('a/one');
    expect(stopped.run()).toEqual([]);
    expect(stopped.decisions()).toMatchObject({ 'b/one': 'wait for a', 'z/end': 'wait for stage first' });
  });

  it('is allowed stage by stage', async () => {
    const world = await World.of({
      pawl: 1,
      pipeline: 'staged',
      stages: [
        { name: 'first', failures: 'allow', units: ['a'], phases: phase('one', { retries: 1 }) },
        { name: 'last', units: ['z'], phases: phase('end', { retries: 1 }) },
      ],
    });
    world.fail('a/one');
    world.fail('z/end');
    expect([ended(world, 'a').ended, ended(world, 'z').ended]).toEqual([true, false]);
    expect(world.plan().finished).toBe(false);
  });

  it('is never one that a state goes through: the next would start from nothing', async () => {
    const phases = phase('one', { state: 'write', retries: 1 });
    const state = { path: 'state.json', initial: 'seed.json' };
    const units = { list: ['a', 'b'], order: 'chain' as const };
    const world = await World.of(allowed({ state, units, phases }), { 'seed.json': '{}' });
    world.fail('a/one');
    expect(ended(world)).toEqual({ finished: false, ended: false });
    expect(world.decisions()).toMatchObject({ 'b/one': 'wait for a' });
  });

  it('lets a chain without a state go on', async () => {
    const units = { list: ['a', 'b'], order: 'chain' as const };
    const world = await World.of(allowed({ units, phases: phase('one', { retries: 1 }) }));
    world.fail('a/one');
    expect(world.run()).toEqual(['b/one#1']);
  });
});
