import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import { demand, failureOf, memoryEnvironment, readText, run } from '../../../test/fixtures/memory.ts';
import { showGraph, writeGraph } from './graph.ts';

describe('the graph of a run', () => {
  it('has every unit with what it needs and where it stands', async () => {
    const world = letters({
      units: [{ id: 'ann' }, { id: 'bob', needs: ['ann'] }, { id: 'cy', needs: ['bob'] }],
    });
    world.work.seal = ({ unit, inputs }) => {
      if (unit.id === 'bob') throw new Error('no wax');
      return { letter: inputs.text?.text() ?? '' };
    };
    await run(world.env, world.definition);
    const graph = demand(await showGraph(world.env, world.target));
    expect(graph.heading).toMatchObject({ pipeline: 'letters', status: 'stopped' });
    expect(graph.stages).toHaveLength(1);
    const [stage] = graph.stages;
    expect(stage?.phases).toEqual(['draft', 'mend', 'read', 'seal']);
    expect(stage?.isOpen).toBe(false);
    expect(stage?.tasks.map(({ unit, state, needs }) => [unit, state, ...needs])).toEqual([
      ['ann', 'done'],
      ['bob', 'failed', 'ann'],
      ['cy', 'pending', 'bob'],
    ]);
    expect(graph.tasks).toMatchObject({ total: 3, done: 1, failed: 1, pending: 1 });
  });

  it('has a line from each unit of a chain to the next, also where none is declared', async () => {
    const world = letters({
      units: { list: [{ id: 'ann' }, { id: 'bob', needs: ['ann'] }, { id: 'cy' }], order: 'chain' },
    });
    await run(world.env, world.definition);
    const graph = demand(await showGraph(world.env, world.target));
    expect(graph.stages[0]?.tasks.map(({ needs }) => needs)).toEqual([[], ['ann'], ['bob']]);
  });

  it('is not there before the run', async () => {
    const { env, target } = letters();
    expect(failureOf(await showGraph(env, target))).toMatchObject({ reason: 'no-run' });
  });
});

describe('the picture of a graph', () => {
  const mark = '<!-- ours -->';
  const picture = { text: `${mark} new`, mark, name: 'graph.svg' };

  it('goes into the file that is named, or into a folder', () => {
    const env = memoryEnvironment({ 'a/b.txt': 'x' });
    expect(writeGraph(env, { ...picture, out: 'c/d.svg' })).toEqual({
      ok: true,
      value: { path: 'c/d.svg', bytes: picture.text.length },
    });
    expect(writeGraph(env, { ...picture, out: 'a' })).toMatchObject({
      ok: true,
      value: { path: 'a/graph.svg' },
    });
    expect(readText(env, 'c/d.svg')).toBe(picture.text);
    expect(readText(env, 'a/graph.svg')).toBe(picture.text);
  });

  it('is written over nothing but a picture', () => {
    const env = memoryEnvironment({ 'notes.svg': 'mine', 'old.svg': `${mark} old` });
    expect(writeGraph(env, { ...picture, out: 'notes.svg' })).toEqual({
      ok: false,
      failure: { path: 'notes.svg' },
    });
    expect(readText(env, 'notes.svg')).toBe('mine');
    expect(writeGraph(env, { ...picture, out: 'old.svg' })).toMatchObject({ ok: true });
    expect(readText(env, 'old.svg')).toBe(picture.text);
  });
});
