import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { chooseSteps } from './rerun.ts';
import { planWithin } from './scope.ts';
import { isNamed, readSelection, type SelectionRequest, selectionProblem } from './selection.ts';

/** Which steps may start, and which are blocked by what. */
function within(made: World, request: SelectionRequest) {
  const selection = readSelection(request, made.loaded.pipeline);
  if (selection === undefined) throw new Error('nothing is selected');
  const plan = made.plan();
  const { scope } = planWithin(
    made.loaded,
    plan,
    chooseSteps(made.loaded.pipeline, made.ledger, plan, selection),
  );
  const steps = [...plan.units.values()].flatMap((unit) => unit.cells);
  const names = (isMeant: (unit: string, phase: string) => boolean | undefined) =>
    steps.filter(({ unit, phase: name }) => isMeant(unit, name)).map((one) => `${one.unit}/${one.phase}`);
  return {
    selected: names((unit, name) => scope?.isSelected(unit, name)),
    starts: names((unit, name) => scope?.mayStart(unit, name)),
    blocked: scope?.blocked.map(({ unit, phase: name, by, because }) => `${unit}/${name}: ${by} ${because}`),
  };
}

const phases = { ...phase('one'), ...phase('two') };

describe('the scope of a selection', () => {
  it('holds what the selected steps wait for', async () => {
    const made = await World.of(line({ units: ['a', 'b'], phases }));
    expect(within(made, { phase: 'two', unit: 'a' })).toEqual({
      selected: ['a/two'],
      starts: ['a/one', 'a/two'],
      blocked: [],
    });
    expect(within(made, { phase: 'two', unit: 'a', noDeps: true })).toEqual({
      selected: ['a/two'],
      starts: [],
      blocked: ['a/two: a/one no-deps'],
    });
  });

  it('leaves out what no one asked for by name and cannot start', async () => {
    const needs = { list: [{ id: 'a' }, { id: 'b', needs: ['a'] }] };
    const made = await World.of(line({ units: needs, phases }));
    expect(within(made, { unit: '!a' })).toEqual({ selected: [], starts: [], blocked: [] });
    expect(within(made, { unit: ['b', '!a'] })).toMatchObject({
      starts: [],
      blocked: ['b/one: a/one excluded', 'b/two: a/one excluded'],
    });
    expect(within(made, { until: 'one' })).toMatchObject({ selected: ['a/one'], starts: ['a/one'] });
    expect(within(made, { until: 'one', unit: 'b' })).toMatchObject({ blocked: ['b/one: a/two until'] });
  });

  it('is found in time that grows with the steps, along a line of needs', async () => {
    const list = Array.from({ length: 2_000 }, (_, at) => ({
      id: `u${at}`,
      ...(at > 0 && { needs: [`u${at - 1}`] }),
    }));
    const made = await World.of(line({ units: { list }, phases }));
    expect(within(made, { unit: 'u1999', phase: 'two' }).starts).toHaveLength(4_000);
  });

  it('takes the first units that have something left to do', async () => {
    const made = await World.of(line({ units: ['a', 'b', 'c'], phases }));
    expect(within(made, { limit: 2, until: 'one' }).selected).toEqual(['a/one', 'b/one']);
  });
});

describe('a selection', () => {
  it('is none where nothing was given', () => {
    expect(readSelection({ unit: [], phase: '', failed: false }, { stages: [] })).toBeUndefined();
  });

  it('names what matches nothing', async () => {
    const { pipeline } = (await World.of(line({ units: ['a1', 'b1'], phases }))).loaded;
    const problem = (request: SelectionRequest) => {
      const selection = readSelection(request, pipeline);
      return selection && selectionProblem(pipeline, selection);
    };
    expect(problem({ unit: 'a1,a2' })).toEqual({ code: 'unknown-unit', name: 'a2', near: ['a1'] });
    expect(problem({ unit: '!c*' })).toMatchObject({ code: 'unknown-unit', name: 'c*' });
    expect(problem({ until: 'three' })).toMatchObject({ code: 'unknown-phase', valid: ['one', 'two'] });
    expect(problem({ unit: '[ab]1', phase: 'o*' })).toBeUndefined();
  });

  it('takes digits for the number of a counted unit, unless they are an id', async () => {
    const chosen = async (id: string, unit: string, others: readonly string[] = []) => {
      const { pipeline } = (await World.of(line({ units: { count: 3, start: 9, id }, phases }))).loaded;
      const selection = readSelection({ unit }, pipeline, others);
      const problem = selection && selectionProblem(pipeline, selection, others);
      const ids = pipeline.stages.flatMap((stage) => stage.units.map((one) => one.id));
      return problem?.code ?? ids.filter((one) => isNamed(selection?.units, one));
    };
    expect(await chosen('frame_{index:04}', '9, 11')).toEqual(['frame_0009', 'frame_0011']);
    expect(await chosen('frame_{index:04}', '!10')).toEqual(['frame_0009', 'frame_0011']);
    expect(await chosen('frame_{index:04}', '009')).toEqual(['frame_0009']);
    expect(await chosen('{index:03}', '009')).toEqual(['009']);
    expect(await chosen('frame_{index:04}', '9', ['9'])).toEqual([]);
    for (const none of ['12', '9*', '-9'])
      expect(await chosen('frame_{index:04}', none)).toBe('unknown-unit');
  });
});
