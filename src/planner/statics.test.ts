import { describe, expect, it } from 'vitest';
import { book, bookFiles, line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes, hashJson } from '../base/hash.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

describe('a changed template', () => {
  const steps = (phases: readonly string[], units = ['s1', 's2', 's3']) =>
    units.flatMap((unit) => phases.map((name) => `prompt-changed ${unit}/${name}`));

  async function finished(): Promise<World> {
    const world = await World.of(book(), bookFiles);
    world.verdicts.set('s2/lint', ['fail', 'pass']);
    world.run();
    return world;
  }

  it('of one phase refuses every cell of it, with both hashes', async () => {
    const world = await finished();
    await world.change({ 'plan.md': 'Plan otherwise.' });
    expect(world.plan().refusals).toEqual(
      ['s1', 's2', 's3'].map((unit) => ({
        guard: 'prompt-changed',
        unit,
        phase: 'plan',
        role: 'phase',
        path: 'plan.md',
        before: hashBytes(bookFiles['plan.md']),
        after: hashBytes('Plan otherwise.'),
      })),
    );
    expect(world.plan().finished).toBe(false);
  });

  it('of the system names every phase that uses it, in every unit that ran it', async () => {
    const world = await finished();
    await world.change({ 'system.md': 'You write well.' });
    expect(refused(world.plan().refusals)).toEqual([
      ...steps(['plan', 'write', 'state_repair'], ['s1']),
      ...steps(['plan', 'write', 'repair', 'state_repair'], ['s2']),
      ...steps(['plan', 'write', 'state_repair'], ['s3']),
    ]);
    expect(world.decisions()).toMatchObject({
      's1/lint': 'reuse',
      's1/commit': 'reuse',
      's2/commit': 'reuse',
    });
  });

  it('that is taken in by another refuses as what it is', async () => {
    const world = await finished();
    await world.change({ 'voice.md': ' Loudly.' });
    expect(world.plan().refusals[0]).toMatchObject({
      guard: 'prompt-changed',
      phase: 'write',
      role: 'include:voice.md',
      path: 'voice.md',
      before: hashBytes(' Softly.'),
      after: hashBytes(' Loudly.'),
    });
  });

  it('that is gone refuses without a new hash', async () => {
    const world = await finished();
    await world.change({ 'plan.md': undefined });
    expect(world.plan().refusals[0]).toMatchObject({
      guard: 'prompt-changed',
      path: 'plan.md',
      after: undefined,
    });
  });

  it('that comes to override another refuses without an old hash', async () => {
    const world = await finished();
    await world.change({ 'book/write.md': 'Write as the book wants.' });
    expect(world.plan().refusals[0]).toMatchObject({
      guard: 'prompt-changed',
      phase: 'write',
      role: 'override',
      before: undefined,
      after: hashBytes('Write as the book wants.'),
    });
  });

  it('does not matter to a cell that has no result yet', async () => {
    const world = await World.of(book(), bookFiles);
    world.run('s1/write');
    await world.change({ 'write.md': 'Write otherwise.' });
    expect(world.plan().refusals).toEqual([]);
    await world.change({ 'system.md': 'You write well.' });
    expect(refused(world.plan().refusals)).toEqual(['prompt-changed s1/plan']);
  });

  it('that is as it was again refuses nothing', async () => {
    const world = await finished();
    await world.change({ 'plan.md': 'Plan otherwise.' });
    await world.change({ 'plan.md': bookFiles['plan.md'] });
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });
});

describe('a changed declared file', () => {
  const takes = (policy: 'block' | 'rerun' | 'ignore') =>
    line({
      units: ['a'],
      inputs: { outline: { path: 'outline.md', on_change: policy } },
      phases: {
        ...phase('one', { inputs: { outline: 'outline' } }),
        ...phase('two'),
        ...phase('three', { needs: [], inputs: {} }),
      },
    });
  const files = { 'outline.md': 'old' };
  const hashes = { before: hashBytes('old'), after: hashBytes('new') };

  it('refuses by default', async () => {
    const world = await World.of(takes('block'), files);
    world.run();
    await world.change({ 'outline.md': 'new' });
    expect(world.plan().refusals).toEqual([
      { guard: 'file-changed', unit: 'a', phase: 'one', file: 'outline', path: 'outline.md', ...hashes },
    ]);
  });

  it('reruns who takes it, where the manifest says so, and nobody else', async () => {
    const world = await World.of(takes('rerun'), files);
    world.run();
    await world.change({ 'outline.md': 'new' });
    expect(world.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'file-changed', file: 'outline', ...hashes },
    });
    expect(world.decisions()).toMatchObject({ 'a/two': 'wait for one', 'a/three': 'reuse' });
    expect(world.plan().refusals).toEqual([]);
  });

  it('is let be where the manifest says so', async () => {
    const world = await World.of(takes('ignore'), files);
    world.run();
    await world.change({ 'outline.md': 'new' });
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });

  it('that is gone refuses, also where a change would rerun: there is nothing to run with', async () => {
    const world = await World.of(takes('rerun'), files);
    world.run();
    await world.change({ 'outline.md': undefined });
    expect(world.plan().refusals).toEqual([
      expect.objectContaining({ guard: 'file-changed', before: hashes.before, after: undefined }),
    ]);
  });
});

describe('a changed manifest', () => {
  const other = (): PipelineDefinition =>
    line({ phases: { ...phase('one'), ...phase('two', { params: { words: 300 } }), ...phase('three') } });

  it('refuses with what changed, and says it once', async () => {
    const world = await World.of(line());
    world.run();
    const before = hashJson(world.loaded.pipeline.manifest);
    await world.change({}, other());
    expect(world.plan().refusals).toEqual([
      {
        guard: 'manifest-changed',
        before,
        after: hashJson(world.loaded.pipeline.manifest),
        changes: [{ path: 'phases.two.params', before: undefined, after: { words: 300 } }],
        names: ['phases.two'],
      },
    ]);
    expect(world.decisions()).toMatchObject({ 'a/one': 'reuse', 'a/two': 'refuse definition-changed' });
    expect(world.plan().finished).toBe(false);
  });

  it('refuses also where what it said before is lost', async () => {
    const world = await World.of(line());
    world.run();
    world.facts.manifestBefore = undefined;
    await world.change({}, other());
    expect(world.plan().refusals).toEqual([
      expect.objectContaining({ guard: 'manifest-changed', changes: [] }),
    ]);
  });

  it.each<[string, Partial<PipelineDefinition>]>([
    ['pace', { pace: { concurrency: 9 } }],
    ['layout', { layout: { ledger: 'ledger/{unit}.json' } }],
    ['retries', { phases: { ...phase('one', { retries: 5 }), ...phase('two'), ...phase('three') } }],
    ['timeout', { phases: { ...phase('one', { timeout: '5m' }), ...phase('two'), ...phase('three') } }],
  ])('does not mind the pace: %s', async (_, more) => {
    const world = await World.of(line());
    world.run();
    await world.change({}, line(more));
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });

  it('refuses nothing before the first revision', async () => {
    const world = await World.of(line());
    await world.change({}, other());
    expect(world.plan().refusals).toEqual([]);
  });
});

it('does not believe a result whose revision is lost', async () => {
  const world = await World.of(line({ units: ['a'] }));
  world.run();
  const { definition } = world.loaded.statics.get('one') ?? {};
  world.ledger.revisions.delete(1);
  expect(world.plan().refusals[0]).toEqual({
    guard: 'definition-changed',
    unit: 'a',
    phase: 'one',
    before: undefined,
    after: definition,
  });
});

describe('changed fields of a unit', () => {
  const scenes = (title: string) =>
    line({
      units: [
        { id: 'a', title },
        { id: 'b', title: 'same' },
      ],
    });

  it('refuse every cell that was made of them', async () => {
    const world = await World.of(scenes('old'));
    world.run();
    const before = world.loaded.unitData.get('a');
    await world.change({}, scenes('new'));
    const after = world.loaded.unitData.get('a');
    expect(world.plan().refusals).toEqual([
      expect.objectContaining({ guard: 'manifest-changed' }),
      ...['one', 'two', 'three'].map((name) => ({
        guard: 'unit-changed',
        unit: 'a',
        phase: name,
        before,
        after,
      })),
    ]);
  });

  it('that come from a declared file refuse without a change of the manifest, where the manifest says so', async () => {
    const units = { from: 'outline.scenes', on_change: 'refuse' as const };
    const fromFile = line({ inputs: { outline: 'outline.json' }, units });
    const outline = (title: string) => ({
      'outline.json': JSON.stringify({ scenes: [{ id: 'a', title }, 'b'] }),
    });
    const world = await World.of(fromFile, outline('old'));
    world.run();
    await world.change(outline('new'));
    expect(refused(world.plan().refusals)).toEqual(
      ['one', 'two', 'three'].map((name) => `unit-changed a/${name}`),
    );
    expect(world.decisions()).toMatchObject({ 'b/one': 'reuse' });
  });
});
