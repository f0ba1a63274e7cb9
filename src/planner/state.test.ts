import { describe, expect, it } from 'vitest';
import { started } from '../../test/fixtures/events.ts';
import { book, bookFiles, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';

const readers = ['write', 'state_repair'];
const cascading = { state: { path: 'state.json', initial: 'seed.json', cascade: 'rerun' as const } };

async function scenes(more: Parameters<typeof book>[0] = {}): Promise<World> {
  return await World.of(book(more), bookFiles);
}

const stateOf = (world: World, unit: string) => {
  const result = world.ledger.steps.get(`${unit}/commit`)?.results[0];
  if (result?.outputs.state === undefined) throw new Error(`${unit} has committed nothing`);
  const { hash, path } = result.outputs.state;
  return { hash, path, from: `${unit}#${result.attempt}` };
};

/** The first scene runs again with another text, so it commits another state. */
function rewrite(world: World, text = 'another beginning'): void {
  world.makers.set('s1/write', () => ({ out: text }));
  world.setFact('out/s1.write', { kind: 'missing' });
}

describe('the state', () => {
  it('goes from unit to unit', async () => {
    const world = await scenes();
    world.run('s1/write');
    const initial = { hash: hashBytes('{}'), path: 'seed.json' };
    expect(world.decision('s1/write')).toMatchObject({ do: 'run', made: { preState: initial } });
    world.run('s2/write');
    expect(world.decision('s2/write')).toMatchObject({ do: 'run', made: { preState: stateOf(world, 's1') } });
    world.run();
    expect(world.ledger.steps.get('s3/write')?.results[0]?.preState).toEqual(stateOf(world, 's2'));
    expect(world.plan().units.get('s3')?.state).toEqual(stateOf(world, 's3'));
  });

  it('is not given to a phase that does not ask for it', async () => {
    const world = await scenes();
    expect(world.decision('s1/plan')).toMatchObject({ do: 'run', made: { preState: undefined } });
  });

  it('that is committed anew with the same bytes changes nothing', async () => {
    const world = await scenes();
    world.run();
    world.setFact('out/s1.commit', { kind: 'missing' });
    expect(world.run()).toEqual(['s1/commit#2']);
    expect(world.plan()).toMatchObject({ finished: true, notices: [] });
  });
});

describe('another initial state', () => {
  it('refuses what began with the old one', async () => {
    const world = await scenes();
    world.run();
    await world.change({ 'seed.json': '{"mood":"dark"}' });
    expect(world.plan().refusals).toEqual(
      [...readers, 'commit'].map((name) => ({
        guard: 'pre-state-differs',
        unit: 's1',
        phase: name,
        before: hashBytes('{}'),
        after: hashBytes('{"mood":"dark"}'),
      })),
    );
  });

  it('can be kept away from what there is', async () => {
    const world = await scenes();
    world.run();
    await world.change({ 'seed.json': '{"mood":"dark"}' });
    expect(world.override({})).toHaveLength(3);
    expect(world.override({ allowPromptChange: { reason: 'r' }, force: { reason: 'r' } })).toHaveLength(3);
    expect(world.override({ forceResume: { reason: 'only the mood' } })).toEqual([]);
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
    expect(world.run()).toEqual([]);
  });

  it('can be run with', async () => {
    const world = await scenes();
    world.run();
    await world.change({ 'seed.json': '{"mood":"dark"}' });
    expect(world.override({ rerun: { from: 'write', units: (unit) => unit === 's1' } })).toEqual([]);
    expect(world.run()).toEqual(['s1/write#2', 's1/state_repair#2', 's1/lint#2', 's1/commit#2']);
  });
});

describe('a unit made anew', () => {
  it('leaves later finished units as they are, and tells', async () => {
    const world = await scenes();
    world.run();
    const before = stateOf(world, 's1').hash;
    rewrite(world);
    expect(world.run()).toEqual(['s1/write#2', 's1/state_repair#2', 's1/lint#2', 's1/commit#2']);
    expect(world.plan()).toMatchObject({
      finished: true,
      refusals: [],
      notices: [{ code: 'start-state-stale', unit: 's2', before, after: stateOf(world, 's1').hash }],
    });
  });

  it('refuses a later unit that is not finished: two states would be mixed', async () => {
    const world = await scenes();
    world.run('s2/lint');
    const before = stateOf(world, 's1').hash;
    rewrite(world);
    expect(world.decisions()).toMatchObject({ 's2/write': 'reuse', 's2/lint': 'wait for s1' });
    expect(() => world.run()).toThrow('refused');
    const after = stateOf(world, 's1').hash;
    expect(world.plan().refusals).toEqual(
      readers.map((name) => ({ guard: 'pre-state-differs', unit: 's2', phase: name, before, after })),
    );
  });

  it('lets a refused unit go on as it is, when a person says so', async () => {
    const world = await scenes();
    world.run('s2/lint');
    rewrite(world);
    expect(() => world.run()).toThrow('refused');
    expect(world.override({ forceResume: { reason: 'it fits' } })).toEqual([]);
    expect(world.plan().refusals).toEqual([]);
    expect(world.run().slice(0, 2)).toEqual(['s2/lint#1', 's2/commit#1']);
    expect(world.ledger.steps.get('s2/write')?.results[0]?.preState).toMatchObject(stateOf(world, 's1'));
    expect(world.plan()).toMatchObject({ finished: true, notices: [] });
  });

  it('lets a refused unit be made anew, when a person says so', async () => {
    const world = await scenes();
    world.run('s2/lint');
    rewrite(world);
    expect(() => world.run()).toThrow('refused');
    expect(world.override({ rerun: { from: 'write', units: (unit) => unit === 's2' } })).toEqual([]);
    expect(world.run().slice(0, 4)).toEqual(['s2/write#2', 's2/state_repair#2', 's2/lint#1', 's2/commit#1']);
  });

  it('goes on into a later unit that a person has rerun in part', async () => {
    const world = await scenes();
    world.run();
    rewrite(world);
    world.run();
    // Finished with the old state, and now asked for again from its middle: its first half has to follow.
    expect(world.override({ rerun: { from: 'lint', units: (unit) => unit === 's2' } })).toEqual([]);
    expect(world.plan().refusals).toEqual([]);
    expect(world.decision('s2/write')).toMatchObject({ do: 'run', why: { code: 'pre-state-changed' } });
    expect(world.run()).toEqual(['s2/write#2', 's2/state_repair#2', 's2/lint#2', 's2/commit#2']);
  });

  it('goes on into later units, where a prompt before the state is taken was allowed to change', async () => {
    const { plan, write, ...others } = book().phases as Record<string, object>;
    const phases = {
      plan,
      ...phase('outline', { inputs: { card: 'plan.out' } }),
      write: { ...write, inputs: { card: 'outline.out' } },
      ...others,
    };
    const world = await scenes({ phases: phases as NonNullable<ReturnType<typeof book>['phases']> });
    world.run();
    await world.change({ 'plan.md': 'Plan {{ unit.id }} otherwise.' });
    for (const unit of ['s1', 's2', 's3'])
      for (const name of ['plan', 'outline', 'write', 'state_repair'])
        world.makers.set(`${unit}/${name}`, () => ({ out: `another ${name} of ${unit}` }));
    expect(world.override({ allowPromptChange: { reason: 'better' } })).toEqual([]);
    expect(world.run()).toEqual(
      ['s1', 's2', 's3'].flatMap((unit) =>
        ['plan', 'outline', 'write', 'state_repair', 'lint', 'commit'].map((name) => `${unit}/${name}#2`),
      ),
    );
    expect(world.plan()).toMatchObject({ finished: true, refusals: [], notices: [] });

    // What was allowed is over: a later change of the state is asked about again.
    world.makers.set('s1/write', () => ({ out: 'a third beginning' }));
    world.setFact('out/s1.write', { kind: 'missing' });
    world.setFact('out/s2.commit', { kind: 'missing' });
    expect(() => world.run()).toThrow('refused');
    expect(world.plan().refusals).toMatchObject(
      [...readers, 'commit'].map((name) => ({ guard: 'pre-state-differs', unit: 's2', phase: name })),
    );
  });

  describe('where the pipeline says cascade', () => {
    it('makes later units anew, one after the other', async () => {
      const world = await scenes(cascading);
      world.run();
      rewrite(world);
      expect(world.run('s2/write')).toEqual(['s1/write#2', 's1/state_repair#2', 's1/lint#2', 's1/commit#2']);
      expect(world.decision('s2/write')).toMatchObject({ do: 'run', why: { code: 'chain-cascade' } });
      expect(world.run()).toEqual(
        ['s2', 's3'].flatMap((unit) => [
          `${unit}/write#2`,
          `${unit}/state_repair#2`,
          `${unit}/lint#2`,
          `${unit}/commit#2`,
        ]),
      );
      expect(world.plan()).toMatchObject({ finished: true, notices: [] });
    });

    it('stops where the state is the same again', async () => {
      const world = await scenes(cascading);
      world.makers.set('s2/commit', () => ({ state: 'the same whatever comes' }));
      world.run();
      rewrite(world);
      expect(world.run().filter((attempt) => attempt.startsWith('s3'))).toEqual([]);
      expect(world.plan().finished).toBe(true);
    });

    it('does not count a unit as finished before the one above it is', async () => {
      const world = await scenes(cascading);
      world.run();
      rewrite(world);
      const { units } = world.plan();
      expect([...units.values()].map(({ finished }) => finished)).toEqual([false, false, false]);
    });
  });
});

describe('a state edited by hand', () => {
  it('where it is shown refuses', async () => {
    const world = await scenes();
    world.run('s3/plan');
    const after = world.editState('{"edited":true}');
    expect(world.plan().refusals).toEqual([
      { guard: 'state-edited', unit: 's2', path: 'state.json', before: stateOf(world, 's2').hash, after },
    ]);
  });

  it('that is adopted is what the unit has committed', async () => {
    const world = await scenes();
    world.run('s3/plan');
    const after = world.editState('{"edited":true}');
    expect(world.override({ forceResume: { reason: 'mended' } })).toEqual([]);
    expect(world.plan().refusals).toEqual([]);
    expect(world.plan().units.get('s2')?.state).toMatchObject({ hash: after, from: 's2#1' });
    world.run();
    expect(world.ledger.steps.get('s3/write')?.results[0]?.preState?.hash).toBe(after);
  });

  it('that is adopted makes the unit behind it anew', async () => {
    const world = await scenes();
    world.run('s3/lint');
    const before = stateOf(world, 's2').hash;
    const after = world.editState('{"edited":true}');
    expect(world.override({ forceResume: { reason: 'mended' } })).toEqual([]);
    expect(world.decision('s3/write')).toMatchObject({
      do: 'run',
      why: { code: 'pre-state-changed', before, after },
    });
  });

  it('is not one that is only behind', async () => {
    const world = await scenes();
    world.run();
    for (const hash of [hashBytes('{}'), stateOf(world, 's1').hash, stateOf(world, 's2').hash]) {
      const shown = world.facts.state?.shown;
      if (shown === undefined) throw new Error('no state is shown');
      world.facts.state = { initial: hashBytes('{}'), shown: { ...shown, hash } };
      expect(world.plan().refusals).toEqual([]);
    }
  });

  it('is one that somebody has put back, once the run was let go in good order', async () => {
    const world = await scenes();
    world.run();
    const { hash } = stateOf(world, 's3');
    world.fold({ type: 'run_ended', status: 'completed', state: hash });
    expect(world.plan().refusals).toEqual([]);
    const shown = world.facts.state?.shown;
    if (shown === undefined) throw new Error('no state is shown');
    const old = stateOf(world, 's1').hash;
    world.facts.state = { initial: hashBytes('{}'), shown: { ...shown, hash: old } };
    expect(world.plan().refusals).toEqual([
      { guard: 'state-edited', unit: 's3', path: 'state.json', before: hash, after: old },
    ]);
  });

  it('is not one that was made anew since', async () => {
    const world = await scenes();
    world.run('s2/plan');
    const shown = world.facts.state?.shown;
    rewrite(world);
    world.run('s2/plan');
    world.facts.state = { initial: hashBytes('{}'), shown };
    expect(world.plan().refusals).toEqual([]);
  });

  it('is not one that is missing', async () => {
    const world = await scenes();
    world.run();
    world.facts.state = { initial: hashBytes('{}'), shown: undefined };
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });

  it('before anything was committed is nobody’s: it can be kept by no override', async () => {
    const world = await scenes();
    world.editState('{"mine":true}');
    // Before its first attempt it is the user's file, like any other at a declared path.
    expect(world.plan().refusals).toEqual([]);
    world.begin();
    expect(world.plan().refusals).toEqual([]);
    world.fold(started('s1/plan#1'));
    expect(refused(world.plan().refusals)).toEqual(['state-edited ']);
    expect(refused(world.override({ forceResume: { reason: 'mine' } }))).toEqual(['state-edited ']);
  });
});

it('runs the units of a chain that only read it with the initial state', async () => {
  const definition = book();
  const { commit: _, ...phases } = definition.phases ?? {};
  const world = await World.of({ ...definition, phases }, bookFiles);
  world.run();
  expect(world.ledger.steps.get('s3/write')?.results[0]?.preState?.hash).toBe(hashBytes('{}'));
});

it('hands the last state of a stage to the one behind it', async () => {
  const { units, phases, ...rest } = book();
  if (units === undefined || phases === undefined) throw new Error('no units');
  const review = { name: 'review', units: ['r1', 'r2'], phases: phase('read', { state: 'read' }) };
  const chained = { ...review, units: { list: review.units, order: 'chain' as const } };
  const world = await World.of({ ...rest, stages: [{ name: 'draft', units, phases }, chained] }, bookFiles);
  world.run();
  expect(world.ledger.steps.get('r1/read')?.results[0]?.preState).toEqual(stateOf(world, 's3'));
  expect(world.ledger.steps.get('r2/read')?.results[0]?.preState).toEqual(stateOf(world, 's3'));
});
