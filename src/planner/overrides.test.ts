import { describe, expect, it } from 'vitest';
import { book, bookFiles, gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { Overrides } from './overrides.ts';

const reason = 'I know why';
const allow: Partial<Overrides> = { allowPromptChange: { reason } };
const keep: Partial<Overrides> = { forceResume: { reason } };
const force: Partial<Overrides> = { force: { reason } };
const rerun = (from?: string, units?: (unit: string) => boolean): Partial<Overrides> => ({
  rerun: { from, units },
});

/** A book of one scene that was revised once, and its attempts. */
async function finished(): Promise<World> {
  const world = await World.of(book({ units: { list: ['s1'], order: 'chain' } }), bookFiles);
  world.verdicts.set('s1/lint', ['fail', 'pass']);
  world.run();
  return world;
}

/** What is asked for is granted, and from then on no flag is needed to go on in the same way. */
function grant(world: World, asked: Partial<Overrides>): void {
  expect(refused(world.override(asked))).toEqual([]);
  const plan = world.plan();
  expect(refused(plan.refusals)).toEqual([]);
  const events = world.ledger.overrides.length;
  expect(world.override({})).toEqual([]);
  expect(world.plan()).toEqual(plan);
  expect(world.ledger.overrides).toHaveLength(events);
}

describe('a changed prompt', () => {
  it('opens for --resume-allow-prompt-change: what it made runs again, and what hangs on it', async () => {
    const world = await finished();
    await world.change({ 'write.md': 'Write otherwise.' });
    world.makers.set('s1/write', () => ({ out: 'another text' }));
    grant(world, allow);
    expect(world.decision('s1/write')).toMatchObject({ do: 'run', why: { code: 'prompt-changed', reason } });
    expect(world.run()).toEqual([
      's1/write#2',
      's1/state_repair#3',
      's1/lint#3',
      's1/repair#2@2',
      's1/state_repair#4@2',
      's1/lint#4@2',
      's1/commit#2',
    ]);
    expect(world.ledger.steps.get('s1/write')?.promptChange).toMatchObject({ reason });
    expect(world.plan().finished).toBe(true);
  });

  it('of the system runs every phase that uses it again, and with the same bytes nothing more', async () => {
    const world = await finished();
    await world.change({ 'system.md': 'You write well.' });
    grant(world, allow);
    expect(world.run()).toEqual([
      's1/plan#2',
      's1/write#2',
      's1/state_repair#3',
      's1/repair#2@2',
      's1/state_repair#4@2',
    ]);
  });

  it('opens for --force-resume: nothing runs again', async () => {
    const world = await finished();
    await world.change({ 'system.md': 'You write well.' });
    grant(world, keep);
    expect(world.run()).toEqual([]);
    expect(world.plan().finished).toBe(true);
  });

  it('that was kept is told again when it changes again', async () => {
    const world = await finished();
    await world.change({ 'plan.md': 'Plan otherwise.' });
    grant(world, keep);
    await world.change({ 'plan.md': 'Plan yet otherwise.' });
    expect(world.plan().refusals).toEqual([
      expect.objectContaining({
        before: hashBytes('Plan otherwise.'),
        after: hashBytes('Plan yet otherwise.'),
      }),
    ]);
  });

  it('is written down with its files and the reason', async () => {
    const world = await finished();
    await world.change({ 'system.md': 'You write well.' });
    grant(world, allow);
    const templates = [
      { path: 'system.md', before: hashBytes(bookFiles['system.md']), after: hashBytes('You write well.') },
    ];
    expect(world.ledger.overrides).toEqual([
      expect.objectContaining({
        guard: 'prompt-changed',
        flag: '--resume-allow-prompt-change',
        reason,
        facts: { templates },
      }),
    ]);
  });

  it('opens for no other override', async () => {
    const world = await finished();
    await world.change({ 'plan.md': 'Plan otherwise.' });
    expect(refused(world.override(force))).toEqual(['prompt-changed s1/plan']);
    expect(refused(world.override(rerun('write')))).toEqual(['prompt-changed s1/plan']);
    expect(world.ledger.overrides).toEqual([]);
  });

  it('is not opened by a rerun from there either: it would go unsaid', async () => {
    const world = await finished();
    await world.change({ 'plan.md': 'Plan otherwise.' });
    expect(refused(world.override(rerun()))).toEqual(['prompt-changed s1/plan']);
    expect(world.ledger.overrides).toEqual([]);
  });

  it('and a rerun from an earlier phase go together: each is on record', async () => {
    const world = await finished();
    await world.change({ 'write.md': 'Write otherwise.' });
    grant(world, { ...allow, ...rerun('plan') });
    expect(world.ledger.overrides.map(({ flag }) => flag)).toEqual([
      '--resume-allow-prompt-change',
      '--rerun-from',
    ]);
    expect(world.run().slice(0, 2)).toEqual(['s1/plan#2', 's1/write#2']);
    expect(world.ledger.steps.get('s1/write')?.promptChange).toMatchObject({ reason });
  });

  it('whose file is gone cannot be run with', async () => {
    const world = await finished();
    await world.change({ 'plan.md': undefined });
    expect(refused(world.override(allow))).toEqual(['prompt-changed s1/plan']);
    grant(world, keep);
    expect(world.plan().finished).toBe(true);
  });

  it('whose file is gone and that is kept is not recorded again and again', async () => {
    const world = await finished();
    await world.change({ 'plan.md': undefined });
    grant(world, keep);
    const { revision } = world.ledger;
    world.override({});
    expect(world.ledger.revision).toBe(revision);
  });

  it('that takes nothing in any more can be run with', async () => {
    const world = await finished();
    await world.change({ 'write.md': 'Write.', 'voice.md': undefined });
    grant(world, allow);
    expect(world.run()[0]).toBe('s1/write#2');
  });

  it('that nothing overrides any more can be run with', async () => {
    const world = await World.of(book(), { ...bookFiles, 'book/write.md': 'Write as the book wants.' });
    world.run('s2/plan');
    await world.change({ 'book/write.md': undefined });
    expect(refused(world.plan().refusals)).toEqual(['prompt-changed s1/write']);
    grant(world, allow);
    expect(world.run('s2/plan')[0]).toBe('s1/write#2');
  });
});

describe('a changed declared file', () => {
  const takes = line({
    units: ['a'],
    inputs: { outline: 'outline.md' },
    phases: { ...phase('one', { inputs: { outline: 'outline' } }), ...phase('two') },
  });

  it('opens for --force-resume and for a rerun, and for nothing else', async () => {
    for (const [asked, ran] of [
      [keep, []],
      [rerun('one'), ['a/one#2', 'a/two#2']],
    ] as const) {
      const world = await World.of(takes, { 'outline.md': 'old' });
      world.run();
      await world.change({ 'outline.md': 'new' });
      for (const other of [allow, force, rerun('two')]) {
        expect(refused(world.override(other))).toEqual(['file-changed a/one']);
      }
      grant(world, asked);
      expect(world.run()).toEqual(ran);
    }
  });
});

describe('an edited output', () => {
  it('opens for --force-resume: it is kept, and what depends on it runs again', async () => {
    const world = await finished();
    const after = world.edit('out/s1.plan', 'my own plan');
    for (const other of [allow, force, rerun('write')]) {
      expect(refused(world.override(other))).toEqual(['output-edited s1/plan']);
    }
    grant(world, keep);
    expect(world.decision('s1/write')).toMatchObject({ do: 'run', why: { code: 'input-changed', after } });
    expect(world.run()[0]).toBe('s1/write#2');
    expect(world.ledger.steps.get('s1/plan')).toMatchObject({ attempts: 1 });
    expect(world.ledger.overrides).toEqual([
      expect.objectContaining({ guard: 'output-edited', reason, facts: { path: 'out/s1.plan' } }),
    ]);
  });

  it('of the newest round is kept as that round', async () => {
    const world = await finished();
    world.edit('out/s1.repair', 'mended by hand');
    grant(world, keep);
    expect(world.run()).toEqual(['s1/state_repair#3@2', 's1/lint#3@2', 's1/commit#2']);
  });

  it('that is a gate’s report is judged anew', async () => {
    const world = await World.of(
      book({ units: { list: ['s1'], order: 'chain' } }, { gate: gate('stop') }),
      bookFiles,
    );
    world.verdicts.set('s1/lint', ['fail']);
    world.run();
    expect(world.decisions()).toMatchObject({ 's1/lint': 'stop gate-limit' });
    world.edit('out/s1.lint', 'read again, and good', 'pass');
    grant(world, keep);
    expect(world.run()).toEqual(['s1/commit#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('is discarded by a rerun from there', async () => {
    const world = await finished();
    world.edit('out/s1.write', 'mine');
    grant(world, rerun('write'));
    expect(world.run()[0]).toBe('s1/write#2');
  });
});

describe('a changed manifest', () => {
  const words = (count: number, units = ['a', 'b']) =>
    line({ units, phases: { ...phase('one', { params: { count } }), ...phase('two'), ...phase('three') } });

  it('opens for --force: finished units are kept, the rest goes on with it', async () => {
    const world = await World.of(words(1));
    world.run('b/two');
    await world.change({}, words(2));
    for (const other of [allow, keep, rerun('two')]) {
      expect(refused(world.override(other))).toEqual(['manifest-changed']);
    }
    grant(world, force);
    expect(world.decision('b/one')).toMatchObject({ do: 'run', why: { code: 'definition-changed' } });
    expect(world.run()).toEqual(['b/one#2', 'b/two#1', 'b/three#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('needs no reason', async () => {
    const world = await World.of(words(1));
    world.run();
    await world.change({}, words(2));
    grant(world, { force: { reason: undefined } });
    expect(world.run()).toEqual([]);
    expect(world.ledger.overrides[0]).toMatchObject({
      flag: '--force',
      facts: { changes: ['phases.one.params.count'] },
    });
  });

  it('with another unit runs that one', async () => {
    const world = await World.of(words(1));
    world.run();
    await world.change({}, words(1, ['a', 'b', 'c']));
    grant(world, force);
    expect(world.run()).toEqual(['c/one#1', 'c/two#1', 'c/three#1']);
  });

  it('with another phase goes on with finished units, and keeps what they have', async () => {
    const world = await World.of(line());
    world.run();
    await world.change(
      {},
      line({ phases: { ...phase('one'), ...phase('two'), ...phase('three'), ...phase('four') } }),
    );
    grant(world, force);
    expect(world.run()).toEqual(['a/four#1', 'b/four#1']);
  });

  it('is told again when it changes again', async () => {
    const world = await World.of(words(1));
    world.run();
    await world.change({}, words(2));
    grant(world, force);
    await world.change({}, words(3));
    expect(world.plan().refusals).toEqual([
      expect.objectContaining({ changes: [{ path: 'phases.one.params.count', before: 2, after: 3 }] }),
    ]);
  });

  it('keeps every round of a finished unit, also what its gate left out', async () => {
    const world = await finished();
    const { phases, ...rest } = book({ units: { list: ['s1'], order: 'chain' } });
    const changed = Object.entries(phases ?? {}).map(([name, one]) => [
      name,
      { ...one, params: { tone: 'dark' } },
    ]);
    await world.change({}, { ...rest, phases: Object.fromEntries(changed) });
    grant(world, force);
    expect(world.run()).toEqual([]);
    expect(world.plan().finished).toBe(true);
  });

  it('does not take a unit for finished that is in the middle of a loop', async () => {
    const loop = (count: number) =>
      line({
        units: ['a'],
        phases: {
          ...phase('write', { params: { count } }),
          ...phase('mend', { when: 'gate-failed', needs: ['write'], inputs: { report: 'lint.out' } }),
          ...phase('lint', {
            needs: ['mend'],
            inputs: { it: ['mend.out', 'write.out'] },
            gate: gate('stop', 'mend', 3),
          }),
        },
      });
    const world = await World.of(loop(1));
    world.verdicts.set('a/lint', ['fail', 'pass']);
    world.run('a/mend');
    expect(world.run('a/lint')).toEqual(['a/mend#1@2']);
    await world.change({}, loop(2));
    grant(world, force);
    expect(world.run()[0]).toBe('a/write#2');
  });
});

describe('changed fields of a unit', () => {
  const fromFile = line({
    inputs: { outline: 'outline.json' },
    units: { from: 'outline.scenes', on_change: 'refuse' },
  });
  const outline = (title: string | undefined) => ({
    'outline.json': JSON.stringify({
      scenes: ['a', 'b'].map((id) => (title === undefined ? id : { id, title })),
    }),
  });

  it('open for --force: finished units are kept, of the others what was made of the old ones runs again', async () => {
    const world = await World.of(fromFile, outline('old'));
    world.run('b/two');
    await world.change(outline('new'));
    for (const other of [allow, keep, rerun('two')]) {
      expect(refused(world.override(other))).toContain('unit-changed b/one');
    }
    grant(world, force);
    expect(world.decision('b/one')).toMatchObject({ do: 'run', why: { code: 'unit-changed' } });
    expect(world.run()).toEqual(['b/one#2', 'b/two#1', 'b/three#1']);
    expect(world.plan().finished).toBe(true);
  });

  it('may be all gone', async () => {
    const world = await World.of(fromFile, outline('old'));
    world.run();
    await world.change(outline(undefined));
    grant(world, force);
    expect(world.run()).toEqual([]);
  });

  it('do not matter to what a rerun discards', async () => {
    for (const options of [rerun(), { ...force, ...rerun() }]) {
      const world = await World.of(fromFile, outline('old'));
      world.run();
      await world.change(outline('new'));
      grant(world, options);
      expect(world.run()).toHaveLength(6);
    }
  });
});

describe('a rerun', () => {
  it('from a phase discards it and all later ones, whatever they hold', async () => {
    const world = await World.of(line());
    world.run();
    grant(world, rerun('two'));
    expect(world.decisions()).toMatchObject({
      'a/one': 'reuse',
      'a/two': 'run rerun-requested',
      'a/three': 'wait for two',
    });
    expect(world.run()).toEqual(['a/two#2', 'a/three#2', 'b/two#2', 'b/three#2']);
  });

  it('of named units leaves the others alone', async () => {
    const world = await World.of(line());
    world.run();
    grant(
      world,
      rerun('two', (unit) => unit === 'b'),
    );
    expect(world.run()).toEqual(['b/two#2', 'b/three#2']);
  });

  it('of all discards all', async () => {
    const world = await World.of(line());
    world.run();
    grant(world, rerun());
    expect(world.run()).toHaveLength(6);
    expect(world.ledger.overrides.map(({ flag }) => flag)).toEqual(['--rerun-all']);
  });

  it('discards every round of a loop', async () => {
    const world = await finished();
    grant(world, rerun('write'));
    expect(world.run()).toEqual([
      's1/write#2',
      's1/state_repair#3',
      's1/lint#3',
      's1/repair#2@2',
      's1/state_repair#4@2',
      's1/lint#4@2',
      's1/commit#2',
    ]);
  });

  it('of what never ran writes nothing down', async () => {
    const world = await World.of(line());
    world.begin();
    grant(world, rerun());
    expect(world.ledger.overrides).toEqual([]);
  });

  it('fits into events of a limited size at any number of units', async () => {
    const units = Array.from({ length: 25_001 }, (_, at) => `u${at}`);
    const world = await World.of(line({ units, phases: phase('one') }));
    world.begin();
    for (const unit of units)
      world.fold({ type: 'attempt_started', unit, phase: 'one', attempt: 1, revision: 1 });
    const sizes: number[] = [];
    const { fold } = world;
    world.fold = (...bodies) => {
      for (const body of bodies) if (body.type === 'results_superseded') sizes.push(body.steps.length);
      fold.apply(world, bodies);
    };
    expect(world.override(rerun())).toEqual([]);
    expect(sizes).toEqual([10_000, 10_000, 5_001]);
  });
});

it('opens several guards at once, each by its own flag', async () => {
  const world = await finished();
  world.edit('out/s1.plan', 'my own plan');
  await world.change({ 'write.md': 'Write otherwise.', 'seed.json': '{"new":true}' });
  expect(new Set(world.plan().refusals.map(({ guard }) => guard))).toEqual(
    new Set(['output-edited', 'prompt-changed', 'pre-state-differs']),
  );
  grant(world, keep);
  expect(world.ledger.overrides.map(({ guard }) => guard)).toEqual(
    expect.arrayContaining(['output-edited', 'prompt-changed', 'pre-state-differs']),
  );
  expect(world.run()[0]).toBe('s1/write#2');
});
