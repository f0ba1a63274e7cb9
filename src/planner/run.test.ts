import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

interface Frames {
  readonly count?: number;
  readonly start?: number;
  readonly id?: string;
  readonly size?: number;
}

function frames({ count = 3, start, id = 'f{index}', size = 64 }: Frames = {}): PipelineDefinition {
  return line({
    units: { count, id, ...(start !== undefined && { start }) },
    phases: { ...phase('draw', { params: { size } }), ...phase('hang') },
  });
}

async function drawn(before: Frames = {}): Promise<World> {
  const world = await World.of(frames(before));
  world.run();
  return world;
}

describe('another number of units', () => {
  it('is no change of the manifest: the new ones run, and nothing else', async () => {
    const world = await drawn({ count: 2 });
    await world.change({}, frames({ count: 4 }));
    const notices = [{ code: 'value-changed', path: 'units.count', before: 2, after: 4 }];
    expect(world.plan()).toMatchObject({ refusals: [], notices, finished: false });
    expect(world.run()).toEqual(['f2/draw#1', 'f2/hang#1', 'f3/draw#1', 'f3/hang#1']);
  });

  it('that is smaller tells of the others, and leaves them', async () => {
    const world = await drawn({ count: 3 });
    await world.change({}, frames({ count: 1 }));
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
    expect(world.plan().notices).toMatchObject([
      { code: 'value-changed', path: 'units.count', before: 3, after: 1 },
      { code: 'unit-removed', unit: 'f1' },
      { code: 'unit-removed', unit: 'f2' },
    ]);
    await world.change({}, frames({ count: 3 }));
    expect(world.plan()).toMatchObject({ refusals: [], notices: [], finished: true });
  });

  it('in any stage', async () => {
    const staged = (one: number, two: number): PipelineDefinition => ({
      pawl: 1,
      pipeline: 'staged',
      stages: [
        { name: 's', units: { count: one, id: 's{index}' }, phases: phase('draw') },
        { name: 't', units: { count: two, id: 't{index}' }, phases: phase('hang') },
      ],
    });
    const world = await World.of(staged(1, 1));
    world.run();
    await world.change({}, staged(2, 3));
    expect(world.plan().refusals).toEqual([]);
    expect(world.run()).toEqual(['s1/draw#1', 't1/hang#1', 't2/hang#1']);
  });

  it('is in force from the next revision on', async () => {
    const world = await drawn({ count: 2 });
    await world.change({}, frames({ count: 4 }));
    expect(world.override({})).toEqual([]);
    expect(world.ledger.revision).toBe(2);
    await world.change({}, frames({ count: 4, size: 32 }));
    expect(world.plan().refusals).toMatchObject([
      { guard: 'manifest-changed', changes: [{ path: 'phases.draw.params.size', before: 64, after: 32 }] },
    ]);
  });
});

describe('any other change of the units', () => {
  it.each<[string, Frames, string]>([
    ['the first index', { start: 1 }, 'units.start'],
    ['what they are called', { id: 'g{index}' }, 'units.id'],
  ])('is one of the manifest: %s', async (_, change, path) => {
    const world = await drawn();
    await world.change({}, frames(change));
    expect(world.plan().refusals).toMatchObject([{ guard: 'manifest-changed', changes: [{ path }] }]);
  });

  it('together with their number is told with it', async () => {
    const world = await drawn();
    await world.change({}, frames({ count: 4, size: 32 }));
    const [refusal] = world.plan().refusals;
    const changes = refusal?.guard === 'manifest-changed' ? refusal.changes : [];
    expect(changes.map(({ path }) => path)).toEqual(['phases.draw.params.size', 'units.count']);
  });

  it('is one where units were named before', async () => {
    const world = await World.of(line({ units: ['f0', 'f1'], phases: phase('draw') }));
    world.run();
    await world.change({}, line({ units: { count: 2, id: 'f{index}' }, phases: phase('draw') }));
    expect(refused(world.plan().refusals)).toEqual(['manifest-changed']);
    await world.change({}, line({ units: ['f0', 'f1', 'f2'], phases: phase('draw') }));
    // New units change no result of the others.
    expect(world.plan().refusals).toEqual([]);
    expect(world.decisions()).toMatchObject({ 'f0/draw': 'reuse', 'f2/draw': 'run never-ran' });
  });

  it('is refused when nobody knows any more what the manifest was', async () => {
    const world = await drawn();
    await world.change({}, frames({ count: 4 }));
    world.facts.manifestBefore = undefined;
    expect(world.plan().refusals).toMatchObject([{ guard: 'manifest-changed', changes: [] }]);
  });

  it('is not taken for one of a parameter that is called alike', async () => {
    const counted = (count: number) => line({ phases: phase('draw', { params: { units: { count } } }) });
    const world = await World.of(counted(1));
    world.run();
    await world.change({}, counted(2));
    expect(refused(world.plan().refusals)).toEqual(['manifest-changed']);
  });
});

it('counts files of other runs and removed phases in one notice each, and leaves out those of a claim', async () => {
  const world = await World.of(frames());
  world.begin();
  const at = (unit: string, phase: string) => ({ unit, phase, output: 'out', path: `out/${unit}.${phase}` });
  world.facts.unknown.push(
    { ...at('f1', 'draw'), origin: { kind: 'run', run: 'r1' } },
    { ...at('f2', 'draw'), origin: { kind: 'run', run: 'r1' } },
    { ...at('f1', 'audit'), origin: { kind: 'removed-step', step: 'f1/check' } },
    { ...at('f2', 'audit'), origin: { kind: 'claim', actor: 'ann' } },
  );
  expect(world.plan().notices).toEqual([
    { code: 'files-written', run: 'r1', paths: ['out/f1.draw', 'out/f2.draw'] },
    { code: 'files-written', phase: 'check', paths: ['out/f1.audit'] },
  ]);
});

it('tells of files that nothing has made, and stops for none of them', async () => {
  const world = await World.of(frames());
  world.begin();
  const file = { unit: 'f1', phase: 'draw', output: 'out', path: 'out/f1.draw' };
  world.facts.unknown.push({ ...file, origin: { kind: 'unknown' } });
  expect(world.plan()).toMatchObject({ refusals: [], notices: [{ code: 'file-unknown', ...file }] });
  expect(world.decisions()).toMatchObject({ 'f1/draw': 'run never-ran' });
});
