import { describe, expect, it } from 'vitest';
import { gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

type OnChange = 'rerun' | 'tell';

/** `a`, `b`, `c`: each is drawn after the one before it, and then framed. */
function strip(on_change: OnChange = 'rerun', more: Partial<PipelineDefinition> = {}): PipelineDefinition {
  return line({
    units: ['a', 'b', 'c'],
    phases: {
      ...phase('draw', { inputs: { before: { from: 'draw.out', of: 'previous', on_change } }, retries: 1 }),
      ...phase('frame'),
    },
    ...more,
  });
}

/** What a step that can start would consume: which attempt made it, by input. */
function consumed(world: World, name: string): Record<string, string> {
  const decision = world.decision(name);
  if (decision.do !== 'run') throw new Error(`${name}: ${decision.do}`);
  return Object.fromEntries(
    [...decision.made.inputs].map(([input, { ref }]) => [input, ref.split(' ')[0] ?? '']),
  );
}

const hashOf = (world: World, step: `${string}/${string}`) =>
  world.ledger.steps.get(step)?.results[0]?.outputs.out?.hash;

/** The file of a step disappears, and its next output is different. */
function redo(world: World, unit: string, name: string, content?: string): void {
  if (content !== undefined) world.makers.set(`${unit}/${name}`, () => ({ out: content }));
  world.setFact(`out/${unit}.${name}`, { kind: 'missing' });
}

describe('what the unit before has made', () => {
  it('is waited for, until that unit is finished', async () => {
    const world = await World.of(strip());
    expect(world.decisions()).toEqual({
      'a/draw': 'run never-ran',
      'a/frame': 'wait for draw',
      'b/draw': 'wait for a',
      'b/frame': 'wait for draw',
      'c/draw': 'wait for b',
      'c/frame': 'wait for draw',
    });
    world.run('a/frame');
    expect(world.decisions()).toMatchObject({ 'a/frame': 'run never-ran', 'b/draw': 'wait for a' });
  });

  it('is not waited for by what does not take it', async () => {
    const phases = {
      ...phase('sketch'),
      ...phase('draw', { inputs: { before: { from: 'draw.out', of: 'previous' } } }),
    };
    const world = await World.of(line({ phases }));
    expect(world.decisions()).toMatchObject({ 'a/sketch': 'run never-ran', 'b/sketch': 'run never-ran' });
  });

  it('is taken, and the first has none', async () => {
    const world = await World.of(strip());
    expect(consumed(world, 'a/draw')).toEqual({});
    world.run('b/draw');
    expect(consumed(world, 'b/draw')).toEqual({ before: 'a/draw#1' });
    expect(world.run()).toEqual(['b/draw#1', 'b/frame#1', 'c/draw#1', 'c/frame#1']);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [], notices: [] });
    expect(world.ledger.steps.get('c/draw')?.results[0]?.inputs).toEqual({
      before: `b/draw#1 ${hashOf(world, 'b/draw')}`,
    });
  });

  it('with other bytes makes the next ones run again, one after the other', async () => {
    const world = await World.of(strip());
    world.run();
    redo(world, 'a', 'draw', 'another');
    expect(world.decisions()).toMatchObject({
      'a/draw': 'run output-missing',
      'b/draw': 'wait for a',
      'c/draw': 'wait for b',
    });
    const before = hashOf(world, 'a/draw');
    world.run('b/draw');
    expect(world.decision('b/draw')).toMatchObject({
      do: 'run',
      why: { code: 'input-changed', input: 'before', before, after: hashOf(world, 'a/draw') },
    });
    expect(world.run()).toEqual(['b/draw#2', 'b/frame#2', 'c/draw#2', 'c/frame#2']);
  });

  it('with the same bytes leaves the next ones as they are', async () => {
    const world = await World.of(strip());
    world.run();
    redo(world, 'a', 'draw');
    expect(world.run()).toEqual(['a/draw#2']);
    expect(world.plan()).toMatchObject({ finished: true, notices: [] });
  });

  it('of which a round may still come is not taken yet', async () => {
    const phases = {
      ...phase('draw', { inputs: { before: { from: 'draw.out', of: 'previous' } } }),
      ...phase('check', { gate: gate('stop', 'draw') }),
    };
    const world = await World.of(line({ phases }));
    world.verdicts.set('a/check', ['fail', 'pass']);
    world.makers.set('a/draw', ({ iteration: round }) => ({ out: `round ${round}` }));
    world.run('a/check');
    expect(world.decisions()).toMatchObject({ 'a/draw': 'reuse', 'b/draw': 'wait for a' });
    expect(world.run()).toEqual(['a/check#1', 'a/draw#2@2', 'a/check#2@2', 'b/draw#1', 'b/check#1']);
    expect(world.ledger.steps.get('b/draw')?.results[0]?.inputs?.before).toMatch(/^a\/draw#2 /);
  });
});

describe('what the unit before has made anew, and is only to be told', () => {
  it('keeps what was made from the old one, and says so', async () => {
    const world = await World.of(strip('tell'));
    world.run();
    const before = hashOf(world, 'a/draw');
    redo(world, 'a', 'draw', 'another');
    expect(world.decisions()).toMatchObject({ 'a/draw': 'run output-missing', 'b/draw': 'reuse' });
    expect(world.plan().notices).toEqual([]);
    expect(world.run()).toEqual(['a/draw#2', 'a/frame#2']);
    expect(world.plan()).toMatchObject({ finished: true, refusals: [] });
    expect(world.plan().notices).toEqual([
      {
        code: 'input-stale',
        unit: 'b',
        phase: 'draw',
        input: 'before',
        before,
        after: hashOf(world, 'a/draw'),
      },
    ]);
  });

  it('is waited for where there is nothing to keep', async () => {
    const world = await World.of(strip('tell'));
    world.run('a/frame');
    expect(world.decisions()).toMatchObject({ 'b/draw': 'wait for a' });
    world.run('b/frame');
    redo(world, 'a', 'draw', 'another');
    expect(world.decisions()).toMatchObject({ 'b/draw': 'reuse', 'c/draw': 'wait for b' });
  });

  it('is told once, in however many rounds it was taken', async () => {
    const phases = {
      ...phase('draw', { inputs: { before: { from: 'check.out', of: 'previous', on_change: 'tell' } } }),
      ...phase('check', { gate: gate('stop', 'draw') }),
    };
    const world = await World.of(line({ phases }));
    world.verdicts.set('b/check', ['fail', 'pass']);
    world.makers.set('b/draw', ({ iteration: round }) => ({ out: `round ${round}` }));
    expect(world.run()).toContain('b/draw#2@2');
    redo(world, 'a', 'check', 'another');
    world.run();
    expect(world.plan().notices).toMatchObject([{ code: 'input-stale', unit: 'b', phase: 'draw' }]);
    expect(world.plan().finished).toBe(true);
  });

  it('does not keep what hangs on something else as well', async () => {
    const phases = {
      ...phase('sketch'),
      ...phase('draw', {
        inputs: { own: 'sketch.out', before: { from: 'draw.out', of: 'previous', on_change: 'tell' } },
      }),
    };
    const world = await World.of(line({ phases }));
    world.run();
    redo(world, 'b', 'sketch', 'another');
    world.run('b/draw');
    expect(world.decision('b/draw')).toMatchObject({ do: 'run', why: { input: 'own' } });
  });
});

describe('a unit that is given up', () => {
  const allow = { failures: 'allow' as const };

  it('is done without by the next one, where that is allowed', async () => {
    const world = await World.of(strip('rerun', allow));
    world.run('b/draw');
    world.fail('b/draw');
    expect(world.plan().units.get('b')).toMatchObject({ finished: false, ended: true });
    expect(consumed(world, 'c/draw')).toEqual({});
    expect(world.run()).toEqual(['c/draw#1', 'c/frame#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('and comes to something later makes the next one run again', async () => {
    const world = await World.of(strip('rerun', allow));
    world.run('b/draw');
    world.fail('b/draw');
    world.run();
    const again = strip('rerun', allow);
    const draw = again.phases?.draw;
    if (draw === undefined) throw new Error('no draw');
    await world.change({}, { ...again, phases: { ...again.phases, draw: { ...draw, retries: 2 } } });
    expect(world.decisions()).toMatchObject({ 'b/draw': 'run failed-before', 'c/draw': 'wait for b' });
    expect(world.run()).toEqual(['b/draw#2', 'b/frame#1', 'c/draw#2', 'c/frame#2']);
  });

  it('keeps the next one waiting, where it is not', async () => {
    const world = await World.of(strip());
    world.run('b/draw');
    world.fail('b/draw');
    expect(world.plan().units.get('b')).toMatchObject({ finished: false, ended: false });
    expect(world.decisions()).toMatchObject({ 'b/draw': 'stop attempts-used-up', 'c/draw': 'wait for b' });
    expect(world.run()).toEqual([]);
  });
});

/** Frames that are drawn, and a sheet of all of them. */
function sheet(count: number, more: { failures?: 'allow'; on_change?: OnChange } = {}): PipelineDefinition {
  const { failures, on_change } = more;
  const frames = { from: 'draw.out', of: 'every' as const, ...(on_change && { on_change }) };
  return {
    pawl: 1,
    pipeline: 'sheet',
    stages: [
      {
        name: 'frames',
        units: { count, id: 'f{index}' },
        phases: { ...phase('draw', { retries: 1 }), ...phase('audit') },
        ...(failures && { failures }),
      },
      { name: 'export', units: ['sheet'], phases: phase('pack', { inputs: { frames } }) },
    ],
  };
}

describe('what every unit has made', () => {
  it('is waited for, all of it', async () => {
    const world = await World.of(sheet(3));
    expect(world.decisions()['sheet/pack']).toBe('wait for f0 f1 f2');
    world.run('f1/draw');
    expect(world.decisions()['sheet/pack']).toBe('wait for f1 f2');
    world.run('f2/audit');
    expect(world.decisions()['sheet/pack']).toBe('wait for stage frames');
  });

  it('is taken unit by unit, in their order', async () => {
    const world = await World.of(sheet(3));
    world.run('sheet/pack');
    expect(Object.entries(consumed(world, 'sheet/pack'))).toEqual([
      ['frames/f0', 'f0/draw#1'],
      ['frames/f1', 'f1/draw#1'],
      ['frames/f2', 'f2/draw#1'],
    ]);
    world.run();
    expect(world.plan()).toMatchObject({ finished: true, notices: [] });
  });

  it('is taken anew when one of them has other bytes, and not when it has the same', async () => {
    const world = await World.of(sheet(3));
    world.run();
    redo(world, 'f1', 'draw');
    expect(world.decisions()['sheet/pack']).toBe('wait for f1');
    expect(world.run()).toEqual(['f1/draw#2']);
    redo(world, 'f1', 'draw', 'another');
    const before = hashOf(world, 'f1/draw');
    world.run('sheet/pack');
    expect(world.decision('sheet/pack')).toMatchObject({
      do: 'run',
      why: { code: 'input-changed', input: 'frames/f1', before, after: hashOf(world, 'f1/draw') },
    });
    expect(world.run()).toEqual(['sheet/pack#2']);
  });

  it('and is only to be told leaves the result, and names the unit', async () => {
    const world = await World.of(sheet(3, { on_change: 'tell' }));
    world.run();
    redo(world, 'f1', 'draw', 'another');
    expect(world.run()).toEqual(['f1/draw#2', 'f1/audit#2']);
    expect(world.plan().notices).toMatchObject([
      { code: 'input-stale', unit: 'sheet', phase: 'pack', input: 'frames/f1' },
    ]);
    expect(world.plan().finished).toBe(true);
  });

  it('is without that of a unit that was given up', async () => {
    const world = await World.of(sheet(3, { failures: 'allow' }));
    world.run('f1/draw');
    world.fail('f1/draw');
    world.run('sheet/pack');
    expect(Object.keys(consumed(world, 'sheet/pack'))).toEqual(['frames/f0', 'frames/f2']);
    expect(world.run()).toEqual(['sheet/pack#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('is never complete where a unit that failed stops the run', async () => {
    const world = await World.of(sheet(3));
    world.run('f1/draw');
    world.fail('f1/draw');
    world.run();
    expect(world.decisions()['sheet/pack']).toBe('wait for f1');
    expect(world.plan().finished).toBe(false);
  });

  it('changes with the number of units', async () => {
    const world = await World.of(sheet(2));
    world.run();
    await world.change({}, sheet(3));
    expect(world.plan().refusals).toEqual([]);
    expect(world.decisions()['sheet/pack']).toBe('wait for f2');
    world.run('sheet/pack');
    expect(world.decision('sheet/pack')).toMatchObject({
      why: { code: 'input-changed', input: 'frames/f2', before: undefined },
    });
    expect(world.run()).toEqual(['sheet/pack#2']);
    await world.change({}, sheet(1));
    expect(world.decision('sheet/pack')).toMatchObject({
      why: { code: 'input-changed', input: 'frames/f1', after: undefined },
    });
    expect(world.plan().notices).toMatchObject([
      { code: 'value-changed', path: 'stages[0].units.count', before: 2, after: 1 },
      { code: 'unit-removed', unit: 'f1' },
      { code: 'unit-removed', unit: 'f2' },
    ]);
    expect(world.run()).toEqual(['sheet/pack#3']);
  });
});

describe('what the only unit of a stage has made', () => {
  const anchored: PipelineDefinition = {
    pawl: 1,
    pipeline: 'anchored',
    stages: [
      { name: 'anchor', units: ['anchor'], phases: phase('draw') },
      { name: 'frames', units: ['f0', 'f1'], phases: phase('frame', { inputs: { anchor: 'draw.out' } }) },
    ],
  };

  it('is waited for, taken by every unit, and taken anew when it changes', async () => {
    const world = await World.of(anchored);
    expect(world.decisions()).toMatchObject({ 'f0/frame': 'wait for anchor', 'f1/frame': 'wait for anchor' });
    world.run('f0/frame');
    expect(consumed(world, 'f1/frame')).toEqual({ anchor: 'anchor/draw#1' });
    world.run();
    redo(world, 'anchor', 'draw', 'another');
    expect(world.run()).toEqual(['anchor/draw#2', 'f0/frame#2', 'f1/frame#2']);
  });
});
