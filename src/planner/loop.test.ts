import { describe, expect, it } from 'vitest';
import { questionsIn } from '../../test/fixtures/people.ts';
import { book, bookFiles, gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { CheckpointDecided } from '../model/event.ts';

const oneScene = { units: { list: ['s1'], order: 'chain' as const } };

/** One scene whose gate says these verdicts, round by round. */
async function scene(verdicts: readonly string[], lint: Parameters<typeof book>[1] = {}): Promise<World> {
  const world = await World.of(book(oneScene, lint), bookFiles);
  world.verdicts.set('s1/lint', verdicts);
  return world;
}

describe('a gate', () => {
  it('lets a good verdict through: what only mends is skipped', async () => {
    const world = await scene(['pass']);
    expect(world.run()).toEqual(['s1/plan#1', 's1/write#1', 's1/state_repair#1', 's1/lint#1', 's1/commit#1']);
    expect(world.decisions()).toMatchObject({ 's1/repair': 'skip', 's1/commit': 'reuse' });
    expect(world.decision('s1/repair')).toEqual({ do: 'skip', why: { code: 'gate-not-failed' } });
    expect(world.plan().finished).toBe(true);
  });

  it('goes back with a bad one, round by round', async () => {
    const world = await scene(['fail', 'fail', 'pass']);
    expect(world.run()).toEqual([
      's1/plan#1',
      's1/write#1',
      's1/state_repair#1',
      's1/lint#1',
      's1/repair#1@2',
      's1/state_repair#2@2',
      's1/lint#2@2',
      's1/repair#2@3',
      's1/state_repair#3@3',
      's1/lint#3@3',
      's1/commit#1',
    ]);
    const { units, finished } = world.plan();
    expect(finished).toBe(true);
    expect(units.get('s1')?.cells.map(({ iteration: round }) => round)).toEqual([1, 1, 3, 3, 3, 1]);
  });

  it('tells the phase that it goes back to why it runs', async () => {
    const world = await scene(['poor']);
    world.run('s1/repair');
    expect(world.decision('s1/repair')).toMatchObject({
      do: 'run',
      why: { code: 'gate-failed', gate: 'lint', verdict: 'poor', iteration: 2 },
    });
    expect(world.decisions()).toMatchObject({
      's1/state_repair': 'wait for repair',
      's1/lint': 'wait for state_repair repair',
      's1/commit': 'wait for lint repair state_repair',
    });
  });

  it('hands the round before to what comes from later phases, and the newest to what comes after', async () => {
    const world = await scene(['fail', 'fail', 'pass']);
    world.run('s1/repair');
    const made = (name: string) => {
      const decision = world.decision(name);
      if (decision.do !== 'run') throw new Error(`${name}: ${decision.do}`);
      return Object.fromEntries(
        [...decision.made.inputs].map(([input, { ref }]) => [input, ref.split(' ')[0]]),
      );
    };
    expect(made('s1/repair')).toEqual({ prose: 'write#1', report: 'lint#1' });
    world.run('s1/state_repair');
    expect(made('s1/state_repair')).toEqual({ prose: 'repair#1' });
    world.run('s1/repair');
    expect(made('s1/repair')).toEqual({ prose: 'repair#1', report: 'lint#2' });
    world.run('s1/commit');
    expect(made('s1/commit')).toEqual({ prose: 'repair#2', patch: 'state_repair#3' });
  });
});

describe('a gate whose rounds are used up', () => {
  it('stops', async () => {
    const world = await scene(['fail'], { gate: gate('stop') });
    world.run();
    expect(world.decision('s1/lint')).toEqual({
      do: 'stop',
      why: { code: 'gate-limit', stopped: 'limit', iterations: 2, round: 2, verdict: 'fail' },
    });
    expect(world.decisions()).toMatchObject({ 's1/commit': 'wait for lint' });
    expect(world.plan()).toMatchObject({ finished: false, refusals: [], notices: [] });
  });

  it('accepts what there is and says so, when the manifest does', async () => {
    const world = await scene(['fail'], { gate: gate('accept') });
    expect(world.run().at(-1)).toBe('s1/commit#1');
    expect(world.plan()).toMatchObject({
      finished: true,
      notices: [
        { code: 'gate-accepted', unit: 's1', phase: 'lint', verdict: 'fail', round: 2, by: 'manifest' },
      ],
    });
  });

  it('asks, with the report that it is about', async () => {
    const world = await scene(['fail'], { gate: gate('ask') });
    world.run();
    const report = world.ledger.steps.get('s1/lint')?.results[1]?.outputs.out?.hash;
    expect(report).toBeDefined();
    expect(world.decision('s1/lint')).toMatchObject({
      do: 'stop',
      why: { code: 'gate-asks', stopped: 'limit', verdict: 'fail', iterations: 2, round: 2, report },
    });
  });

  describe('and a person who decides', () => {
    const decided = (
      world: World,
      decision: CheckpointDecided['decision'],
      more: Partial<CheckpointDecided> = {},
    ): CheckpointDecided => ({
      type: 'checkpoint_decided',
      id: 'C1',
      question: 'gate',
      unit: 's1',
      phase: 'lint',
      place: 'gate',
      shown: questionsIn(world)[0]?.shown ?? {},
      decision,
      by: 'ann',
      host: 'here',
      channel: 'terminal',
      note: 'too long',
      ...more,
    });
    const asking = async () => {
      const world = await scene(['fail'], { gate: gate('ask') });
      world.run();
      return world;
    };

    it('goes on where it is accepted', async () => {
      const world = await asking();
      world.fold(decided(world, 'approved'));
      expect(world.run()).toEqual(['s1/commit#1']);
      expect(world.plan()).toMatchObject({
        finished: true,
        notices: [{ code: 'gate-accepted', unit: 's1', phase: 'lint', round: 2, by: 'person' }],
      });
    });

    it('stops where it is rejected, and nothing is to be done again', async () => {
      const world = await asking();
      world.fold(decided(world, 'rejected'));
      expect(world.decision('s1/lint')).toMatchObject({
        do: 'stop',
        why: { code: 'checkpoint-rejected', id: 'C1', note: 'too long' },
      });
    });

    it('is asked again when what was rejected has been done again', async () => {
      const world = await asking();
      world.fold(decided(world, 'rejected', { redo: 'repair' }));
      expect(world.decision('s1/repair')).toMatchObject({ do: 'run', why: { code: 'rejected' } });
      expect(world.run()).toContain('s1/repair#2@2');
      expect(world.decisions()).toMatchObject({ 's1/lint': 'stop gate-asks', 's1/commit': 'wait for lint' });
    });

    it('is asked again about another report', async () => {
      const world = await asking();
      world.fold(decided(world, 'approved', { shown: { 'lint.out': hashBytes('what was shown') } }));
      expect(world.decisions()).toMatchObject({ 's1/lint': 'stop gate-asks' });
    });

    it('is asked again when the report is made anew with other bytes', async () => {
      const world = await asking();
      world.fold(decided(world, 'approved'));
      world.makers.set('s1/lint', () => ({ out: 'another report' }));
      world.setFact('out/s1.lint', { kind: 'missing' });
      expect(world.run()).toEqual(['s1/lint#3@2']);
      expect(world.decisions()).toMatchObject({ 's1/lint': 'stop gate-asks' });
    });

    it('is not asked again when it is made anew with the same', async () => {
      const world = await asking();
      world.fold(decided(world, 'approved'));
      world.setFact('out/s1.lint', { kind: 'missing' });
      expect(world.run()).toEqual(['s1/lint#3@2', 's1/commit#1']);
    });
  });

  it.each(['stop', 'ask'] as const)('never lets a bad verdict count as finished (%s)', async (then) => {
    const gated = line({
      units: ['a'],
      phases: {
        ...phase('one'),
        ...phase('two', {
          gate: gate(then, 'two', 1),
        }),
      },
    });
    const world = await World.of(gated);
    world.verdicts.set('a/two', ['fail']);
    world.run();
    expect(world.plan().finished).toBe(false);
    expect(world.plan().units.get('a')?.finished).toBe(false);
  });
});

describe('a loop that was cut off', () => {
  it('between repair and state_repair goes on with exactly state_repair and lint', async () => {
    const world = await scene(['fail', 'pass']);
    world.run('s1/repair');
    expect(world.run('s1/state_repair')).toEqual(['s1/repair#1@2']);
    world.die('s1/state_repair');
    expect(world.decisions()).toMatchObject({
      's1/plan': 'reuse',
      's1/write': 'reuse',
      's1/repair': 'reuse',
      's1/state_repair': 'run interrupted',
      's1/lint': 'wait for state_repair',
    });
    expect(world.run()).toEqual(['s1/state_repair#3@2', 's1/lint#2@2', 's1/commit#1']);
  });

  it.each([
    ['s1/plan', 0],
    ['s1/write', 1],
    ['s1/state_repair', 2],
    ['s1/lint', 3],
    ['s1/repair', 4],
  ])('before %s runs what is left and nothing else', async (name, done) => {
    const whole = (await scene(['fail', 'pass'])).run();
    const world = await scene(['fail', 'pass']);
    expect(world.run(name)).toEqual(whole.slice(0, done));
    const left = whole.slice(done);
    world.die(name);
    const ran = world.run();
    expect(ran.map((attempt) => attempt.replace(/#.*/, ''))).toEqual(
      left.map((attempt) => attempt.replace(/#.*/, '')),
    );
    expect(world.plan().finished).toBe(true);
  });
});

describe('inside a loop', () => {
  it('a phase with the inputs of the round before is not run again', async () => {
    const world = await scene(['fail', 'pass']);
    world.makers.set('s1/repair', () => ({ out: 'mended' }));
    world.makers.set('s1/write', () => ({ out: 'mended' }));
    // Nothing was fixed: the patch stays as it is, and so does the report; the rounds are soon used up.
    world.verdicts.set('s1/lint', ['fail']);
    expect(world.run()).toEqual([
      's1/plan#1',
      's1/write#1',
      's1/state_repair#1',
      's1/lint#1',
      's1/repair#1@2',
      's1/repair#2@3',
    ]);
    expect(world.decisions()).toMatchObject({ 's1/state_repair': 'reuse', 's1/lint': 'stop gate-limit' });
  });

  it('the same bytes from a rerun above reuse every round', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.setFact('out/s1.write', { kind: 'missing' });
    expect(world.run()).toEqual(['s1/write#2']);
    expect(world.plan().finished).toBe(true);
  });

  it('other bytes from a rerun above run every round again', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.makers.set('s1/write', () => ({ out: 'another text' }));
    world.setFact('out/s1.write', { kind: 'missing' });
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

  it('a missing output of the newest round runs that round and not the ones before', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.setFact('out/s1.state_repair', { kind: 'missing' });
    expect(world.run()).toEqual(['s1/state_repair#3@2']);
  });

  it('the outputs of an older round come from the store', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.setFact('out/s1.repair', { kind: 'missing' });
    const decision = world.decision('s1/repair');
    const inputs = decision.do === 'run' ? decision.made.inputs : undefined;
    expect(inputs?.get('report')).toMatchObject({ superseded: true });
    expect(inputs?.get('prose')).toMatchObject({ superseded: false });
  });

  it('a round that is good earlier than before leaves the later ones out', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.verdicts.set('s1/lint', ['pass']);
    world.makers.set('s1/write', () => ({ out: 'a better text' }));
    world.setFact('out/s1.write', { kind: 'missing' });
    expect(world.run()).toEqual(['s1/write#2', 's1/state_repair#3', 's1/lint#3', 's1/commit#2']);
    expect(world.decisions()).toMatchObject({ 's1/repair': 'skip' });
    expect(world.plan().finished).toBe(true);
  });

  it('a round whose files lie under those of another is put back', async () => {
    // The mender looks at the report alone: with the same report its round stands, whatever the first one was made of.
    const phases = {
      ...phase('write'),
      ...phase('mend', { when: 'gate-failed', needs: ['write'], inputs: { report: 'lint.out' } }),
      ...phase('lint', {
        needs: ['mend'],
        inputs: { it: ['mend.out', 'write.out'] },
        gate: gate('stop', 'mend'),
      }),
    };
    const world = await World.of(line({ units: ['a'], phases }));
    world.verdicts.set('a/lint', ['fail', 'pass']);
    world.makers.set('a/lint', ({ iteration: round }) => ({ out: `report ${round}` }));
    world.run();
    world.makers.set('a/write', () => ({ out: 'another text' }));
    world.setFact('out/a.write', { kind: 'missing' });
    expect(world.run()).toEqual(['a/write#2', 'a/lint#3']);
    expect(world.decisions()).toEqual({ 'a/write': 'reuse', 'a/mend': 'reuse', 'a/lint': 'restore out' });
    const report2 = world.ledger.steps.get('a/lint')?.results[1]?.outputs ?? {};
    world.fold({
      type: 'outputs_restored',
      unit: 'a',
      phase: 'lint',
      attempt: 2,
      round: 2,
      outputs: report2,
    });
    expect(world.plan().finished).toBe(true);
  });
});

describe('a guard inside a loop', () => {
  it('names a changed prompt in a round that is over, when the next has not come to it', async () => {
    const world = await scene(['fail', 'pass']);
    world.run('s1/repair');
    world.run('s1/state_repair');
    await world.change({ 'state_repair.md': 'Mend it otherwise.' });
    expect(refused(world.plan().refusals)).toEqual(['prompt-changed s1/state_repair']);
  });

  it('names a changed prompt of a later round when an earlier one runs again', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.setFact('out/s1.write', { kind: 'missing' });
    await world.change({ 'repair.md': 'Mend it otherwise.' });
    expect(refused(world.plan().refusals)).toEqual(['prompt-changed s1/repair']);
  });

  it('names an edit of a later round when an earlier one runs again', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.setFact('out/s1.write', { kind: 'missing' });
    world.edit('out/s1.repair', 'mine');
    expect(refused(world.plan().refusals)).toEqual(['output-edited s1/repair']);
  });

  it('names the mender too when the prompt of the gate itself changed', async () => {
    const world = await scene(['fail', 'pass'], { prompt: { system: 'system.md', phase: 'plan.md' } });
    world.run();
    await world.change({ 'system.md': 'You write well.' });
    expect(refused(world.plan().refusals)).toEqual(
      ['plan', 'write', 'repair', 'state_repair', 'lint'].map((name) => `prompt-changed s1/${name}`),
    );
  });

  it('does not mind what became of a round that is no longer needed', async () => {
    const world = await scene(['fail', 'pass']);
    world.run();
    world.verdicts.set('s1/lint', ['pass']);
    world.makers.set('s1/write', () => ({ out: 'a better text' }));
    world.setFact('out/s1.write', { kind: 'missing' });
    world.run();
    await world.change({ 'repair.md': 'Mend it otherwise.' });
    world.edit('out/s1.repair', 'mine');
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });
});
