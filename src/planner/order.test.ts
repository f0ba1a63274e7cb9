import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';

const short = { ...phase('one'), ...phase('two') };

describe('units of a chain', () => {
  const chain = line({ units: { list: ['a', 'b', 'c'], order: 'chain' }, phases: short });

  it('wait for the one before', async () => {
    const world = await World.of(chain);
    expect(world.decisions()).toEqual({
      'a/one': 'run never-ran',
      'a/two': 'wait for one',
      'b/one': 'wait for a',
      'b/two': 'wait for one',
      'c/one': 'wait for b',
      'c/two': 'wait for one',
    });
    expect(world.run()).toEqual(['a/one#1', 'a/two#1', 'b/one#1', 'b/two#1', 'c/one#1', 'c/two#1']);
  });

  it('start nothing while the one before runs again, and keep what they have', async () => {
    const world = await World.of(chain);
    world.run('b/two');
    world.setFact('out/a.one', { kind: 'missing' });
    expect(world.decisions()).toMatchObject({
      'a/one': 'run output-missing',
      'b/one': 'reuse',
      'b/two': 'wait for a',
      'c/one': 'wait for b',
    });
  });

  it('stand still behind one that stopped', async () => {
    const stuck = line({ units: { list: ['a', 'b'], order: 'chain' }, phases: phase('one', { retries: 1 }) });
    const world = await World.of(stuck);
    world.fail('a/one');
    expect(world.decisions()).toEqual({ 'a/one': 'stop attempts-used-up', 'b/one': 'wait for a' });
  });
});

describe('units that need others', () => {
  const needs = (units: { id: string; needs?: string[] }[]) => line({ units, phases: short });

  it('wait for each of them', async () => {
    const world = await World.of(needs([{ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a', 'b'] }]));
    expect(world.decisions()).toMatchObject({ 'b/one': 'run never-ran', 'c/one': 'wait for a b' });
    expect(world.run('c/one')).toEqual(['a/one#1', 'a/two#1', 'b/one#1', 'b/two#1']);
    expect(world.decisions()).toMatchObject({ 'c/one': 'run never-ran' });
  });

  it('may be listed before them', async () => {
    const world = await World.of(needs([{ id: 'c', needs: ['b'] }, { id: 'b', needs: ['a'] }, { id: 'a' }]));
    expect(world.decisions()).toMatchObject({
      'c/one': 'wait for b',
      'b/one': 'wait for a',
      'a/one': 'run never-ran',
    });
    expect(world.run()).toEqual(['a/one#1', 'a/two#1', 'b/one#1', 'b/two#1', 'c/one#1', 'c/two#1']);
    expect([...world.plan().units.keys()]).toEqual(['c', 'b', 'a']);
    expect(world.plan().finished).toBe(true);
  });
});

describe('stages', () => {
  const staged = {
    pawl: 1 as const,
    pipeline: 'staged',
    stages: [
      { name: 'first', units: ['a', 'b'], phases: phase('one') },
      { name: 'second', units: ['c'], phases: phase('two') },
      { name: 'third', units: ['d'], phases: phase('three') },
    ],
  };

  it('start when every unit of the one before is finished', async () => {
    const world = await World.of(staged);
    expect(world.decisions()).toEqual({
      'a/one': 'run never-ran',
      'b/one': 'run never-ran',
      'c/two': 'wait for stage first',
      'd/three': 'wait for stage second',
    });
    expect(world.run('b/one')).toEqual(['a/one#1']);
    expect(world.decisions()).toMatchObject({ 'c/two': 'wait for stage first' });
    expect(world.run()).toEqual(['b/one#1', 'c/two#1', 'd/three#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('wait when an earlier one than the one before has to run again', async () => {
    const world = await World.of(staged);
    world.run('d/three');
    world.setFact('out/a.one', { kind: 'missing' });
    expect(world.decisions()).toEqual({
      'a/one': 'run output-missing',
      'b/one': 'reuse',
      'c/two': 'reuse',
      'd/three': 'wait for stage first',
    });
    expect(world.run()).toEqual(['a/one#2', 'd/three#1']);
  });
});
