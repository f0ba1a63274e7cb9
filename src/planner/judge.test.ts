import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { JsonValue } from '../base/json.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from '../ledger/snapshot.ts';
import type { Judgement } from '../model/event.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import { planContext } from './context.ts';
import type { GateHistory } from './judge.ts';
import { planRun, stageShape, surroundings } from './run.ts';
import { gatesOf } from './unit.ts';

type Gate = NonNullable<NonNullable<PipelineDefinition['phases']>[string]['gate']>;
type Figures = Omit<Judgement, 'passed'>;

const scores = (...list: readonly number[]): Figures[] => list.map((score) => ({ score }));

/** A draft that is judged and drafted again from the report, and is then published. */
function drafted(gate: Partial<Gate>, then: Gate['then'] = 'stop'): PipelineDefinition {
  return line({
    units: ['a'],
    phases: {
      ...phase('draft', { inputs: { report: 'lint.out' } }),
      ...phase('lint', {
        inputs: { it: 'draft.out' },
        gate: { score: 'out.score', bar: 90, back_to: 'draft', iterations: 6, then, ...gate },
      }),
      ...phase('publish', { inputs: { it: 'draft.out', report: 'lint.out' } }),
    },
  });
}

async function draft(
  gate: Partial<Gate>,
  figures: readonly Figures[],
  then: Gate['then'] = 'stop',
): Promise<World> {
  const world = await World.of(drafted(gate, then));
  world.figures.set('a/lint', figures);
  return world;
}

/** Runs to the end; what is put back on the way is put back. */
function runAll(world: World): string[] {
  const ran = world.run();
  while (world.putBack().length > 0) ran.push(...world.run());
  return ran;
}

function drafts(world: World): number {
  return world.ledger.steps.get('a/draft')?.attempts ?? 0;
}

function historyOf({ loaded, ledger, facts }: World): GateHistory {
  const context = planContext(loaded, ledger, facts);
  const [stage] = loaded.pipeline.stages;
  const [unit] = stage?.units ?? [];
  if (stage === undefined || unit === undefined) throw new Error('no unit');
  const around = surroundings(
    context,
    stage,
    unit,
    undefined,
    () => [],
    planRun(loaded, ledger, facts).units,
  );
  const [history] = gatesOf(context, stageShape(context, stage), unit, around);
  if (history === undefined) throw new Error('the gate has judged nothing');
  return history;
}

function decideGate(world: World, decision: 'approved' | 'rejected'): void {
  const planned = world.decision('a/lint');
  if (planned.do !== 'stop' || planned.why.code !== 'gate-asks') throw new Error('nobody is asked');
  const { question, unit, phase: name, place, shown } = planned.why.asks;
  world.fold({
    type: 'checkpoint_decided',
    id: 'C1',
    question,
    unit,
    phase: name,
    place,
    shown,
    decision,
    by: 'ann',
    host: 'here',
    channel: 'terminal',
  });
}

describe('a bar', () => {
  it('lets a score through that reaches it', async () => {
    const world = await draft({}, scores(70, 89.9, 90));
    expect(runAll(world).at(-1)).toBe('a/publish#1');
    expect(drafts(world)).toBe(3);
    expect(world.plan()).toMatchObject({ finished: true, notices: [] });
    expect(historyOf(world)).toMatchObject({ stopped: 'passed', best: 3, kept: 3 });
  });

  it('and a verdict have both to be good', async () => {
    const gate = { verdict: 'out.status', pass: ['pass'], iterations: 4 };
    const world = await draft(gate, scores(95, 50, 90));
    world.verdicts.set('a/lint', ['fail', 'pass', 'pass']);
    runAll(world);
    expect(drafts(world)).toBe(3);
    expect(world.plan().finished).toBe(true);
  });

  it('is not reached by a report without a score', async () => {
    const world = await draft({ iterations: 1 }, [{}]);
    runAll(world);
    expect(world.decisions()).toMatchObject({ 'a/lint': 'stop gate-limit' });
  });
});

describe('a loop that has ended', () => {
  it.each([
    ['limit', { iterations: 2 }, scores(10, 20), 2],
    ['plateau', { plateau: 2 }, scores(50, 50, 49), 3],
    ['regression', { regression: 5 }, scores(50, 60, 54), 3],
    [
      'cluster',
      { defects: 'out.defects', cluster: 2 },
      [
        { score: 1, defects: ['no feet'] },
        { score: 2, defects: ['No  feet'] },
      ],
      2,
    ],
  ] as const)('by %s says so, with its round and its score', async (stopped, gate, figures, rounds) => {
    const world = await draft(gate, figures);
    runAll(world);
    expect(drafts(world)).toBe(rounds);
    const score = figures.at(-1)?.score;
    expect(world.decision('a/lint')).toMatchObject({
      do: 'stop',
      why: {
        code: stopped === 'cluster' ? 'gate-asks' : 'gate-limit',
        stopped,
        iterations: rounds,
        round: rounds,
        score,
        ...(stopped === 'cluster' && { defect: 'No  feet' }),
      },
    });
    expect(world.decisions()).toMatchObject({ 'a/publish': 'wait for lint' });
    expect(world.run()).toEqual([]);
  });

  it('is accepted where the manifest says so, and tells why it ended', async () => {
    const world = await draft({ plateau: 1 }, scores(50, 40), 'accept');
    expect(runAll(world).at(-1)).toBe('a/publish#1');
    expect(world.plan()).toMatchObject({
      finished: true,
      notices: [
        { code: 'gate-accepted', by: 'manifest', stopped: 'plateau', iterations: 2, round: 2, score: 40 },
      ],
    });
  });

  it('by a cluster asks a person whatever the manifest says', async () => {
    for (const then of ['stop', 'accept', 'ask'] as const) {
      const gate = { defects: 'out.defects', cluster: 2, then };
      const world = await draft(gate, [{ score: 1, defects: ['same'] }]);
      runAll(world);
      expect(world.decisions()).toMatchObject({ 'a/lint': 'stop gate-asks' });
      decideGate(world, 'approved');
      expect(runAll(world)).toEqual(['a/publish#1']);
    }
  });
});

describe('a budget', () => {
  const costly = async (gate: Partial<Gate>, usd = 1) => {
    const world = await draft(gate, scores(10));
    world.costs.set('a/draft', usd);
    world.costs.set('a/lint', usd / 4);
    return world;
  };

  it('that is spent lets no further round begin', async () => {
    const world = await costly({ budget: 2.5 });
    runAll(world);
    expect(drafts(world)).toBe(2);
    expect(world.decision('a/lint')).toMatchObject({
      why: { code: 'gate-limit', stopped: 'budget', iterations: 2, round: 2 },
    });
    expect(historyOf(world)).toMatchObject({ stopped: 'budget', kept: 2 });
    expect(world.run()).toEqual([]);
  });

  it('lets a round end that was begun', async () => {
    const world = await costly({ budget: 2.3 });
    world.run('a/publish');
    expect(drafts(world)).toBe(2);
    const halfway = await costly({ budget: 2.25 });
    halfway.run('a/lint');
    halfway.run('a/draft');
    halfway.run('a/lint');
    // The draft of round 2 has used it up; its judgement is still made.
    expect(halfway.decision('a/lint')).toMatchObject({ do: 'run' });
    expect(halfway.run()).toEqual(['a/lint#2@2']);
    expect(halfway.decisions()).toMatchObject({ 'a/lint': 'stop gate-limit' });
  });

  it('is not asked of the first round', async () => {
    const world = await costly({ budget: 0.5 });
    expect(world.run()).toEqual(['a/draft#1', 'a/lint#1']);
  });

  it('that is spent exactly is spent, also in fractions', async () => {
    const world = await draft({ budget: 0.8 }, scores(10));
    world.costs.set('a/draft', 0.7);
    world.costs.set('a/lint', 0.1);
    runAll(world);
    expect(drafts(world)).toBe(1);
  });

  it('counts what was spent on results that are not used any more', async () => {
    const world = await costly({ budget: 2.25 });
    world.run('a/lint');
    world.override({ rerun: { from: 'draft', units: undefined } });
    runAll(world);
    expect(drafts(world)).toBe(2);
    expect(world.decision('a/lint')).toMatchObject({ why: { stopped: 'budget', iterations: 1 } });
  });

  it('does not take a good round away because a file of it was lost', async () => {
    const world = await costly({ budget: 2.5 });
    world.figures.set('a/lint', scores(10, 95));
    runAll(world);
    expect(world.plan().finished).toBe(true);
    world.setFact('out/a.draft', { kind: 'missing' });
    expect(world.run()).toEqual(['a/draft#3@2']);
    expect(world.plan().finished).toBe(true);
  });

  it('may be raised at any time: it goes on where it stood', async () => {
    const world = await costly({ budget: 2.5 });
    runAll(world);
    await world.change({}, drafted({ budget: 3.5 }));
    expect(world.plan().refusals).toEqual([]);
    expect(world.run()).toEqual(['a/draft#3@3', 'a/lint#3@3']);
  });
});

describe('the best round', () => {
  it('stands when it was accepted, and is what later phases take', async () => {
    const world = await draft({ iterations: 4, keep: 'best' }, scores(10, 80, 60, 80), 'accept');
    world.run();
    expect(world.decisions()).toMatchObject({ 'a/draft': 'restore out', 'a/lint': 'restore out' });
    expect(world.putBack()).toEqual(['a/draft#2', 'a/lint#2']);
    expect(world.plan()).toMatchObject({
      finished: true,
      notices: [{ code: 'gate-accepted', stopped: 'limit', iterations: 4, round: 2, score: 80 }],
    });
    const second = world.ledger.steps.get('a/draft')?.results[1]?.outputs.out?.hash;
    const { inputs } = world.ledger.steps.get('a/publish')?.results[0] ?? {};
    expect(inputs?.it).toBe(`draft#2 ${second}`);
    expect(inputs?.report?.startsWith('lint#2 ')).toBe(true);
    expect(
      world
        .plan()
        .units.get('a')
        ?.cells.map(({ iteration: round }) => round),
    ).toEqual([2, 2, 1]);
    expect(historyOf(world)).toMatchObject({ stopped: 'limit', best: 2, kept: 2 });
    expect(world.run()).toEqual([]);
  });

  it('is what a person is asked about, once it lies there', async () => {
    const world = await draft({ iterations: 3, keep: 'best' }, scores(80, 20, 30), 'ask');
    world.run();
    expect(world.decisions()).toEqual({
      'a/draft': 'restore out',
      'a/lint': 'restore out',
      'a/publish': 'wait for lint',
    });
    expect(world.putBack()).toEqual(['a/draft#1', 'a/lint#1']);
    const report = world.ledger.steps.get('a/lint')?.results[0]?.outputs.out?.hash;
    expect(world.decision('a/lint')).toMatchObject({
      why: {
        code: 'gate-asks',
        round: 1,
        score: 80,
        iterations: 3,
        report,
        asks: { shown: { 'lint.out': report } },
      },
    });
    decideGate(world, 'approved');
    expect(runAll(world)).toEqual(['a/publish#1']);
    expect(world.ledger.steps.get('a/publish')?.results[0]?.inputs?.it).toMatch(/^draft#1 /);
    expect(world.plan().finished).toBe(true);
  });

  it('is the last one where no round has a score', async () => {
    const world = await draft({ iterations: 2, keep: 'best' }, [{}], 'accept');
    runAll(world);
    expect(world.plan().notices).toMatchObject([{ code: 'gate-accepted', round: 2 }]);
  });

  it('is not looked for where a round has passed', async () => {
    const gate = { verdict: 'out.status', pass: ['pass'], bar: 10 };
    const world = await draft({ ...gate, keep: 'best' }, scores(80, 20));
    world.verdicts.set('a/lint', ['fail', 'pass']);
    runAll(world);
    expect(historyOf(world)).toMatchObject({ stopped: 'passed', best: 1, kept: 2 });
    expect(world.plan().finished).toBe(true);
  });

  it('leaves what was made after it guarded', async () => {
    const world = await draft({ iterations: 3, keep: 'best' }, scores(80, 20, 30), 'accept');
    world.run();
    // Nothing was restored yet: the file is of the last round, and was edited.
    world.edit('out/a.draft', 'mine');
    expect(world.plan().refusals).toMatchObject([{ guard: 'output-edited', phase: 'draft' }]);
  });

  it('gives way to the next one when more rounds are granted', async () => {
    const world = await draft({ iterations: 3, budget: 3, keep: 'best' }, scores(80, 20, 85, 86));
    world.costs.set('a/draft', 1.5);
    runAll(world);
    expect(world.decision('a/lint')).toMatchObject({ why: { stopped: 'budget', round: 1, iterations: 2 } });
    await world.change({}, drafted({ iterations: 3, budget: 30, keep: 'best' }));
    expect(runAll(world)).toEqual(['a/draft#3@3', 'a/lint#3@3']);
    // Drafted again from the report of the round before, not of the one that lay there meanwhile.
    expect(world.ledger.steps.get('a/draft')?.results[2]?.inputs?.report).toMatch(/^lint#2 /);
    expect(world.decision('a/lint')).toMatchObject({ why: { stopped: 'limit', round: 3, score: 85 } });
  });
});

describe('what a gate has judged', () => {
  const asking = async () => {
    const world = await draft({ iterations: 1 }, scores(50), 'ask');
    runAll(world);
    decideGate(world, 'approved');
    return world;
  };

  it('is judged anew when it changes, and what a person said of the old report does not count', async () => {
    const world = await asking();
    runAll(world);
    expect(world.plan().finished).toBe(true);
    world.edit('out/a.draft', 'mine');
    expect(world.override({ forceResume: { reason: 'mine' } })).toEqual([]);
    expect(world.run()).toEqual(['a/lint#2']);
    expect(world.decisions()).toMatchObject({ 'a/lint': 'stop gate-asks', 'a/publish': 'wait for lint' });
  });

  it('by a report that was edited is judged by what it says now', async () => {
    const world = await asking();
    const edited = (score: number) =>
      world.setFact('out/a.lint', {
        kind: 'edited',
        now: { path: 'out/a.lint', hash: `sha256:${score}`, size: 1 },
        verdict: 'fail',
        judged: { passed: score >= 90, score },
      });
    edited(60);
    world.override({ forceResume: { reason: 'mine' } });
    expect(world.decision('a/lint')).toMatchObject({ why: { code: 'gate-asks', score: 60 } });
    edited(95);
    world.override({ forceResume: { reason: 'mine' } });
    expect(world.run()).toEqual(['a/publish#1']);
    expect(world.plan().finished).toBe(true);
  });
});

describe('whatever the gate and whatever the reports', () => {
  const arbitraryGate: fc.Arbitrary<Partial<Gate>> = fc.integer({ min: 1, max: 5 }).chain((iterations) =>
    fc.record(
      {
        iterations: fc.constant(iterations),
        plateau: fc.integer({ min: 1, max: Math.max(1, iterations - 1) }),
        regression: fc.integer({ min: 0, max: 5 }),
        budget: fc.integer({ min: 1, max: 8 }),
        cluster: fc.integer({ min: 2, max: Math.max(2, iterations) }),
        keep: fc.constantFrom('last', 'best'),
        // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
        then: fc.constantFrom('stop', 'accept', 'ask'),
      },
      { requiredKeys: ['iterations'] },
    ),
  );
  const arbitraryFigures = fc.array(
    fc.record(
      { score: fc.integer({ min: 80, max: 91 }), defects: fc.array(fc.constantFrom('a', 'b 1', 'b 2')) },
      { requiredKeys: ['score'] },
    ),
    { minLength: 1, maxLength: 5 },
  );
  const settled = ({ iterations = 1, plateau, cluster, ...rest }: Partial<Gate>): Partial<Gate> => ({
    ...rest,
    iterations,
    defects: 'out.defects',
    ...(plateau !== undefined && plateau < iterations && { plateau }),
    ...(cluster !== undefined && cluster <= iterations && { cluster }),
  });
  const play = async (gate: Partial<Gate>, figures: readonly Figures[]) => {
    const world = await draft(settled(gate), figures);
    world.costs.set('a/draft', 1);
    return world;
  };
  const check = (law: (world: World, gate: Partial<Gate>, figures: readonly Figures[]) => void) =>
    fc.assert(
      fc.asyncProperty(arbitraryGate, arbitraryFigures, async (gate, figures) =>
        law(await play(gate, figures), settled(gate), figures),
      ),
    );

  it('there are never more rounds than were granted, and none is begun that is not paid for', () =>
    check((world, { iterations = 1, budget = Number.POSITIVE_INFINITY }) => {
      runAll(world);
      expect(drafts(world)).toBeLessThanOrEqual(iterations);
      // Each costs one: before the last began there was something left, unless it was the first.
      expect(drafts(world) === 1 || drafts(world) - 1 < budget).toBe(true);
    }));

  it('the round that stands is the best, or the last, and its results are what was taken', () =>
    check((world, { keep }) => {
      runAll(world);
      const { best, kept, rounds, stopped } = historyOf(world);
      expect(kept).toBe(stopped !== 'passed' && keep === 'best' ? best : rounds.length);
      const taken = world.ledger.steps.get('a/publish')?.results[0]?.inputs?.it;
      if (taken !== undefined)
        expect(taken.split(' ')[0]).toBe(`draft#${rounds[(kept ?? 0) - 1]?.attempts.get('draft')}`);
      expect(world.ledger.steps.get('a/draft')?.promoted).toBe(
        world.ledger.steps.get('a/draft')?.results[(kept ?? 0) - 1]?.attempt,
      );
    }));

  it('the same ledger gives the same plan, also through a snapshot, and nothing is left to do', () =>
    check((world) => {
      runAll(world);
      const plan = world.plan();
      expect(world.plan()).toEqual(plan);
      const parts = JSON.parse(JSON.stringify([...ledgerToSnapshot(world.ledger)])) as JsonValue[];
      const ledger = ledgerFromSnapshot(parts);
      if (ledger === undefined) throw new Error('no ledger in the snapshot');
      expect(planRun(world.loaded, ledger, world.facts)).toEqual(plan);
      expect(runAll(world)).toEqual([]);
    }));

  it('a loop that was cut off anywhere comes to the same end', () =>
    fc.assert(
      fc.asyncProperty(
        arbitraryGate,
        arbitraryFigures,
        fc.array(fc.constantFrom('a/draft', 'a/lint', 'a/publish'), { maxLength: 6 }),
        async (gate, figures, cuts) => {
          const whole = await play(gate, figures);
          runAll(whole);
          const world = await play(gate, figures);
          for (const cut of cuts) {
            world.run(cut);
            const next = world
              .plan()
              .units.get('a')
              ?.cells.find(({ decision }) => decision.do === 'run');
            if (next !== undefined) world.die(`a/${next.phase}`);
          }
          runAll(world);
          const end = ({ stopped, best, kept, rounds }: GateHistory) => [stopped, best, kept, rounds.length];
          expect(end(historyOf(world))).toEqual(end(historyOf(whole)));
          expect(world.decisions()).toEqual(whole.decisions());
        },
      ),
    ));

  it('nothing is finished that has not passed, unless it was accepted', () =>
    check((world) => {
      runAll(world);
      const { finished, notices } = world.plan();
      if (!finished) return;
      const isAccepted = notices.some(({ code }) => code === 'gate-accepted');
      expect(historyOf(world).stopped === 'passed').toBe(!isAccepted);
    }));
});
