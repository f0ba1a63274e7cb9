import { describe, expect, it } from 'vitest';
import { record } from '../../test/fixtures/events.ts';
import { gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import type { ArtifactAdopted } from '../model/event.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

/** A person put a file where an output of a step belongs, and it was taken in. */
function adopt(world: World, unit: string, name: string, more: Partial<ArtifactAdopted> = {}): void {
  world.begin();
  const unitData = world.loaded.unitData.get(unit);
  world.fold({
    type: 'artifact_adopted',
    unit,
    phase: name,
    output: 'out',
    after: record(`out/${unit}.${name}`, `${name} by hand`),
    attempt: (world.ledger.steps.get(`${unit}/${name}`)?.attempts ?? 0) + 1,
    ...(unitData !== undefined && { unitData }),
    reason: 'drawn by hand',
    ...more,
  });
}

const one = (more: Partial<PipelineDefinition> = {}) => line({ units: ['a'], ...more });

describe('a result that a person put there', () => {
  it('stands by itself: nothing before it is needed', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    expect(world.decisions()).toEqual({ 'a/one': 'skip', 'a/two': 'skip', 'a/three': 'reuse' });
    expect(world.decision('a/one')).toEqual({ do: 'skip', why: { code: 'consumers-by-hand' } });
    expect(world.plan()).toMatchObject({ finished: true, refusals: [], notices: [] });
  });

  it('is taken by what comes after it', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'two');
    expect(world.decisions()).toEqual({ 'a/one': 'skip', 'a/two': 'reuse', 'a/three': 'run never-ran' });
    expect(world.run()).toEqual(['a/three#1']);
    expect(world.ledger.steps.get('a/three')?.results[0]?.inputs?.out).toMatch(/^two#1 /);
    expect(world.plan().finished).toBe(true);
  });

  it('leaves what others need', async () => {
    const phases = {
      ...phase('one'),
      ...phase('two'),
      ...phase('side', { needs: ['one'] }),
      ...phase('join', { needs: ['two', 'side'], inputs: { a: 'two.out', b: 'side.out' } }),
    };
    const world = await World.of(one({ phases }));
    adopt(world, 'a', 'two');
    expect(world.decisions()).toMatchObject({ 'a/one': 'run never-ran', 'a/side': 'wait for one' });
    expect(world.run()).toEqual(['a/one#1', 'a/side#1', 'a/join#1']);
  });

  it('leaves what nobody takes', async () => {
    const phases = { ...phase('one'), ...phase('alone', { needs: [] }), ...phase('two', { needs: ['one'] }) };
    const world = await World.of(one({ phases }));
    adopt(world, 'a', 'two');
    expect(world.decisions()).toEqual({ 'a/one': 'skip', 'a/alone': 'run never-ran', 'a/two': 'reuse' });
  });

  it('leaves what another stage takes', async () => {
    const world = await World.of({
      pawl: 1,
      pipeline: 'two',
      stages: [
        { name: 'draw', units: ['a', 'b'], phases: { ...phase('one'), ...phase('two') } },
        {
          name: 'pack',
          units: ['sheet'],
          phases: phase('pack', { inputs: { all: { from: 'one.out', of: 'every' } } }),
        },
      ],
    });
    adopt(world, 'a', 'two');
    expect(world.decisions()).toMatchObject({ 'a/one': 'run never-ran', 'a/two': 'reuse' });
  });

  it('leaves what the next unit takes', async () => {
    const phases = {
      ...phase('one', { inputs: { before: { from: 'one.out', of: 'previous' } } }),
      ...phase('two'),
    };
    const world = await World.of(line({ phases }));
    adopt(world, 'a', 'two');
    expect(world.decisions()).toMatchObject({ 'a/one': 'run never-ran', 'a/two': 'reuse' });
    expect(world.run()).toEqual(['a/one#1', 'b/one#1', 'b/two#1']);
  });

  it('does not make what was there before it run again', async () => {
    const world = await World.of(one());
    world.run('a/two');
    adopt(world, 'a', 'three');
    expect(world.decisions()).toEqual({ 'a/one': 'reuse', 'a/two': 'skip', 'a/three': 'reuse' });
    world.makers.set('a/one', () => ({ out: 'another' }));
    world.setFact('out/a.one', { kind: 'missing' });
    expect(world.run()).toEqual(['a/one#2']);
    expect(world.decisions()).toMatchObject({ 'a/three': 'reuse' });
  });

  it('is another unit’s business of its own', async () => {
    const world = await World.of(line());
    adopt(world, 'a', 'three');
    expect(world.decisions()).toMatchObject({ 'a/one': 'skip', 'b/one': 'run never-ran' });
  });
});

describe('a file that a person put there', () => {
  it('and that is gone is made by the phases, from the first one on', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    world.setFact('out/a.three', { kind: 'missing' });
    expect(world.decisions()).toEqual({
      'a/one': 'run never-ran',
      'a/two': 'wait for one',
      'a/three': 'wait for two',
    });
    expect(world.run()).toEqual(['a/one#1', 'a/two#1', 'a/three#2']);
    expect(world.plan().finished).toBe(true);
  });

  it('and that is damaged too', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    world.setFact('out/a.three', { kind: 'damaged', damage: { kind: 'not-a-file' } });
    expect(world.decisions()).toMatchObject({ 'a/one': 'run never-ran', 'a/three': 'wait for two' });
  });

  it('and that did not survive a power cut is put back', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    world.setFact('out/a.three', { kind: 'unpromoted' });
    expect(world.decisions()).toEqual({ 'a/one': 'skip', 'a/two': 'skip', 'a/three': 'restore out' });
  });

  it('and that was edited since is refused, as any other', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    world.edit('out/a.three', 'edited');
    expect(refused(world.plan().refusals)).toEqual(['output-edited a/three']);
    expect(world.decisions()).toMatchObject({ 'a/one': 'skip', 'a/three': 'refuse output-edited' });
  });
});

describe('a changed phase', () => {
  const changed = (name: string) => {
    const { phases } = one();
    const old = phases?.[name];
    if (old === undefined) throw new Error(`no phase ${name}`);
    return one({ phases: { ...phases, [name]: { ...old, params: { size: 2 } } } });
  };

  it('refuses what a person put there, as any other result', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    await world.change({}, changed('three'));
    expect(refused(world.plan().units.get('a')?.refusals ?? [])).toEqual(['definition-changed a/three']);
    expect(world.override({ force: { reason: undefined } })).toEqual([]);
    expect(world.decisions()).toMatchObject({ 'a/three': 'reuse' });
  });

  it('before it says nothing about it', async () => {
    const world = await World.of(one());
    adopt(world, 'a', 'three');
    await world.change({}, changed('one'));
    expect(world.plan().units.get('a')?.refusals).toEqual([]);
  });

  it('is told from a changed unit', async () => {
    const world = await World.of(one({ units: [{ id: 'a', title: 'Ash' }] }));
    adopt(world, 'a', 'three');
    expect(world.plan().finished).toBe(true);
    await world.change({}, one({ units: [{ id: 'a', title: 'Oak' }] }));
    expect(refused(world.plan().units.get('a')?.refusals ?? [])).toEqual(['unit-changed a/three']);
  });
});

describe('a gate’s report that a person put there', () => {
  const judged = one({
    phases: {
      ...phase('draw'),
      ...phase('look', { gate: gate('stop', 'draw', 3) }),
      ...phase('hang', { inputs: { picture: 'draw.out' } }),
    },
  });

  it('lets the unit go on when it says so; what others take is still made', async () => {
    const world = await World.of(judged);
    adopt(world, 'a', 'look', { verdict: 'pass' });
    expect(world.decisions()).toMatchObject({ 'a/draw': 'run never-ran', 'a/look': 'reuse' });
    expect(world.run()).toEqual(['a/draw#1', 'a/hang#1']);
  });

  it('sends the unit back when it says so, and the next round is a whole one', async () => {
    const { hang: _, ...phases } = judged.phases ?? {};
    const world = await World.of(one({ phases }));
    adopt(world, 'a', 'look', { verdict: 'fail' });
    expect(world.decision('a/draw')).toMatchObject({
      do: 'run',
      why: { code: 'gate-failed', gate: 'look', verdict: 'fail', iteration: 2 },
    });
    expect(world.run()).toEqual(['a/draw#1@2', 'a/look#2@2']);
    expect(world.plan().finished).toBe(true);
  });
});
