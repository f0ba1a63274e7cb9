import { describe, expect, it } from 'vitest';
import { answer, ask, questionsIn } from '../../test/fixtures/people.ts';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

/** `one` takes the idea, `two` what `one` has made, `three` what `two` has made. */
function fromIdea(units: PipelineDefinition['units'] = ['a']): PipelineDefinition {
  return line({
    units,
    inputs: { idea: { path: 'idea.md', on_change: 'ask' } },
    phases: {
      ...phase('one', { inputs: { idea: 'idea' } }),
      ...phase('two', { inputs: { text: 'one.out' } }),
      ...phase('three', { inputs: { text: 'two.out' } }),
    },
  });
}

async function changedIdea(units?: PipelineDefinition['units']): Promise<World> {
  const world = await World.of(fromIdea(units), { 'idea.md': 'a boat' });
  world.run();
  await world.change({ 'idea.md': 'a ship' });
  return world;
}

/** Continues with the answers of people; returns what ran. */
function goOn(world: World): string[] {
  expect(world.override({})).toEqual([]);
  return world.run();
}

describe('a declared file with on_change: ask', () => {
  it('that is another one is asked about, and nothing starts', async () => {
    const world = await changedIdea();
    expect(world.plan().refusals).toEqual([
      {
        guard: 'file-changed',
        unit: 'a',
        phase: 'one',
        file: 'idea',
        path: 'idea.md',
        before: hashBytes('a boat'),
        after: hashBytes('a ship'),
        asks: {
          id: undefined,
          question: 'change',
          unit: '',
          phase: '',
          place: 'file:idea',
          name: 'idea.md changed',
          shown: { 'idea.md': hashBytes('a ship'), 'before idea.md': hashBytes('a boat') },
          channels: ['terminal', 'page'],
          redo: undefined,
          expiresMs: undefined,
        },
      },
    ]);
    expect(refused(world.override({}))).toEqual(['file-changed a/one']);
  });

  it('is one question for all units', async () => {
    const world = await changedIdea(['a', 'b']);
    expect(world.plan().refusals).toHaveLength(2);
    expect(ask(world)).toEqual(['C1']);
    answer(world, 'C1', 'approved', { restart: 'two' });
    expect(goOn(world)).toEqual(['a/two#2', 'a/three#2', 'b/two#2', 'b/three#2']);
  });

  it('may be kept: what was made from the old one counts as made from the new one', async () => {
    const world = await changedIdea();
    ask(world);
    answer(world, 'C1', 'approved', { note: 'only a word' });
    expect(goOn(world)).toEqual([]);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
  });

  it('may have everything done again from a phase on', async () => {
    const world = await changedIdea();
    ask(world);
    world.makers.set('a/one', () => ({ out: 'of a ship' }));
    answer(world, 'C1', 'approved', { restart: 'one' });
    expect(world.override({})).toEqual([]);
    expect(world.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'rerun-requested', reason: 'C1' },
    });
    expect(world.run()).toEqual(['a/one#2', 'a/two#2', 'a/three#2']);
  });

  it('keeps what comes before the phase that everything is done again from', async () => {
    const world = await changedIdea();
    ask(world);
    answer(world, 'C1', 'approved', { restart: 'three' });
    expect(goOn(world)).toEqual(['a/three#2']);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
  });

  it('takes the choice for the bytes that were shown, and asks again about others', async () => {
    const world = await changedIdea();
    ask(world);
    answer(world, 'C1', 'approved');
    await world.change({ 'idea.md': 'a fleet' });
    expect(refused(world.override({}))).toEqual(['file-changed a/one']);
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(goOn(world)).toEqual([]);
  });

  it('is up to date when it comes back to the bytes that its result was made from', async () => {
    const world = await changedIdea();
    ask(world);
    answer(world, 'C1', 'approved', { restart: 'one' });
    goOn(world);
    await world.change({ 'idea.md': 'a fleet' });
    ask(world);
    answer(world, 'C2', 'approved');
    goOn(world);
    await world.change({ 'idea.md': 'a ship' });
    expect(refused(world.override({}))).toEqual([]);
    expect(ask(world)).toEqual([]);
    expect(goOn(world)).toEqual([]);
  });

  it('that comes from somewhere else to the same bytes is another change', async () => {
    const world = await changedIdea();
    ask(world);
    await world.change({ 'idea.md': 'a fleet' });
    ask(world);
    answer(world, 'C2', 'approved');
    goOn(world);
    await world.change({ 'idea.md': 'a ship' });
    expect(ask(world)).toEqual(['C3']);
    answer(world, 'C3', 'approved');
    expect(goOn(world)).toEqual([]);
  });

  it('is no question any more when the change is undone', async () => {
    const world = await changedIdea();
    ask(world);
    await world.change({ 'idea.md': 'a boat' });
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
  });

  it('that is gone is refused: there is nothing to look at', async () => {
    const world = await changedIdea();
    await world.change({ 'idea.md': undefined });
    expect(world.plan().refusals).toMatchObject([{ guard: 'file-changed', after: undefined }]);
    expect(questionsIn(world)).toEqual([]);
  });

  it('is asked about again where the answer is no', async () => {
    const world = await changedIdea();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'who was that?' });
    expect(refused(world.override({}))).toEqual(['file-changed a/one']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('asks nothing where on_change is block', async () => {
    const definition = { ...fromIdea(), inputs: { idea: 'idea.md' } };
    const world = await World.of(definition, { 'idea.md': 'a boat' });
    world.run();
    await world.change({ 'idea.md': 'a ship' });
    expect(refused(world.plan().refusals)).toEqual(['file-changed a/one']);
    expect(questionsIn(world)).toEqual([]);
  });
});

describe('an output with on_edit: ask', () => {
  const edited = async (onEdit: 'ask' | 'refuse' = 'ask') => {
    const world = await World.of(
      line({
        units: ['a', 'b'],
        phases: {
          ...phase('one', { outputs: { out: { path: 'out/{unit}.one', on_edit: onEdit } } }),
          ...phase('two', { inputs: { text: 'one.out' } }),
          ...phase('three', { inputs: { text: 'two.out', first: 'one.out' } }),
        },
      }),
    );
    world.run();
    world.edit('out/a.one', 'mine');
    return world;
  };

  it('that is edited is asked about, for its unit', async () => {
    const world = await edited();
    expect(questionsIn(world)).toEqual([
      expect.objectContaining({
        question: 'change',
        unit: 'a',
        phase: 'one',
        place: 'edit:out',
        name: 'out/a.one changed',
        shown: expect.objectContaining({ 'one.out': hashBytes('mine') }),
      }),
    ]);
    expect(refused(world.override({}))).toEqual(['output-edited a/one']);
  });

  it('may be kept: the edit is taken in, and what was made from the old bytes stands', async () => {
    const world = await edited();
    expect(ask(world)).toEqual(['C1']);
    answer(world, 'C1', 'approved', { note: 'a typo' });
    expect(goOn(world)).toEqual([]);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
    expect(world.ledger.steps.get('a/one')?.results[0]?.outputs.out?.hash).toBe(hashBytes('mine'));
    expect(world.ledger.steps.get('a/three')?.results[0]?.inputs?.first).toBe(`one#1 ${hashBytes('mine')}`);
  });

  it('may have everything done again from a phase on, with the edit', async () => {
    const world = await edited();
    ask(world);
    answer(world, 'C1', 'approved', { restart: 'two' });
    expect(goOn(world)).toEqual(['a/two#2', 'a/three#2']);
    expect(world.ledger.steps.get('a/two')?.results[0]?.inputs?.text).toBe(`one#1 ${hashBytes('mine')}`);
  });

  it('keeps what takes the edit and comes before the phase that everything is done again from', async () => {
    const world = await edited();
    ask(world);
    answer(world, 'C1', 'approved', { restart: 'three' });
    expect(goOn(world)).toEqual(['a/three#2']);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
  });

  it('takes the choice for the bytes that were shown, and asks again about others', async () => {
    const world = await edited();
    ask(world);
    answer(world, 'C1', 'approved');
    world.edit('out/a.one', 'mine again');
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(goOn(world)).toEqual([]);
    world.edit('out/a.one', 'and again');
    expect(ask(world)).toEqual(['C3']);
  });

  it('asks nothing where it says to refuse', async () => {
    const world = await edited('refuse');
    expect(refused(world.plan().refusals)).toEqual(['output-edited a/one']);
    expect(questionsIn(world)).toEqual([]);
  });
});
