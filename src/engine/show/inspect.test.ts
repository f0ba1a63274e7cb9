import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { inspectRun } from './inspect.ts';

/** Ann's letter is good in its second round; Bob's cannot be sealed. */
async function begun() {
  const world = letters();
  world.work.draft = ({ unit, cost }) => {
    cost({ usd: 0.25 });
    return { text: `Dear ${unit.id}` };
  };
  world.work.read = ({ unit, iteration: round }) => ({
    report: { status: unit.id === 'bob' || round > 1 ? 'pass' : 'fail' },
  });
  world.work.seal = ({ unit }) => {
    if (unit.id === 'bob') throw new Error('no wax');
    return { letter: 'sealed' };
  };
  await run(world.env, world.definition);
  return world;
}

describe('a run', () => {
  it('is told by unit, with every attempt that was made', async () => {
    const { env, target } = await begun();
    const answer = demand(await inspectRun(env, target));
    expect(answer.units).toMatchObject([
      { unit: 'ann', stage: 'main', status: 'succeeded', attemptsMost: 2, verdict: 'pass' },
      { unit: 'bob', stage: 'main', status: 'failed', attemptsMost: 1, verdict: 'pass' },
    ]);
    const told = answer.units.map(({ attempts }) =>
      attempts.map(
        ({ phase, attempt, iteration: round, outcome }) => `${phase}#${attempt}@${round} ${outcome}`,
      ),
    );
    expect(told).toEqual([
      [
        'draft#1@1 succeeded',
        'read#1@1 succeeded',
        'mend#1@2 succeeded',
        'read#2@2 succeeded',
        'seal#1@1 succeeded',
      ],
      ['draft#1@1 succeeded', 'read#1@1 succeeded', 'seal#1@1 failed'],
    ]);
    expect(answer.units[1]?.attempts[2]).toMatchObject({ failure: 'function-threw' });
    expect(answer.totals).toMatchObject({
      units: 2,
      unitsFinished: 1,
      attempts: 8,
      failed: 1,
      sentBack: 1,
      cost: { usd: 0.5 },
    });
  });

  it('remembers what its snapshot does not: results that were made again', async () => {
    const { env, definition, target, work } = await begun();
    work.seal = () => ({ letter: 'sealed at last' });
    await run(env, definition, { rerunFrom: 'draft', unit: 'ann' });
    const [ann] = demand(await inspectRun(nextProcess(env), target)).units;
    const drafts = ann?.attempts.filter(({ phase }) => phase === 'draft') ?? [];
    expect(drafts.map(({ attempt, superseded }) => [attempt, superseded])).toEqual([
      [1, 'rerun-requested'],
      [2, undefined],
    ]);
  });

  it('has scores where its gate reads them', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    work.read = ({ iteration: round }) => ({
      report: {
        status: round > 1 ? 'pass' : 'fail',
        of10: 10 - round,
        parts: { wit: 1 },
        bad: ['dull'],
      },
    });
    const { read } = definition.phases ?? {};
    const gate = { ...read?.gate, score: 'report.of10', scores: 'report.parts', defects: 'report.bad' };
    const scored = {
      ...definition,
      phases: { ...definition.phases, read: { ...read, gate } },
    } as typeof definition;
    await run(env, scored);
    const pipeline = definePipeline(scored);
    const [ann] = demand(await inspectRun(env, { ...target, pipeline })).units;
    expect(ann).toMatchObject({ score: 8, bestScore: 9, verdict: 'pass' });
    expect(ann?.attempts[1]).toMatchObject({
      passed: false,
      score: 9,
      scores: { wit: 1 },
      defects: ['dull'],
    });
  });

  it('tells what its gate made of each round, which was the best, and why it ended', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] }, 'accept');
    work.mend = ({ inputs, iteration: round, cost }) => {
      cost({ usd: 0.5 });
      return { text: `${inputs.text?.text()}, mended ${round}` };
    };
    work.read = ({ iteration: round }) => ({
      report: { status: 'fail', of10: [5, 8, 2][round - 1] ?? 0, parts: { wit: 1 }, bad: ['dull'] },
    });
    const { read } = definition.phases ?? {};
    const gate = {
      ...read?.gate,
      iterations: 4,
      score: 'report.of10',
      scores: 'report.parts',
      defects: 'report.bad',
      regression: 5,
      keep: 'best',
    };
    const scored = {
      ...definition,
      phases: { ...definition.phases, read: { ...read, gate } },
    } as typeof definition;
    await run(env, scored);
    const [ann] = demand(await inspectRun(env, { ...target, pipeline: definePipeline(scored) })).units;
    expect(ann).toMatchObject({ status: 'succeeded', score: 8, bestScore: 8 });
    expect(ann?.gates).toMatchObject([
      {
        phase: 'read',
        stopped: 'regression',
        best: 2,
        kept: 2,
        rounds: [
          { round: 1, attempt: 1, verdict: 'fail', passed: false, score: 5, cost: undefined },
          { round: 2, score: 8, scores: { wit: 1 }, defects: ['dull'], cost: { usd: 0.5 } },
          { round: 3, score: 2, cost: { usd: 0.5 } },
        ],
      },
    ]);
    const made = ann?.attempts.filter(({ phase, iteration: round }) => phase !== 'seal' && round === 2) ?? [];
    expect(ann?.gates[0]?.rounds[1]?.outputs).toEqual(
      made.flatMap(({ phase, outputs }) => outputs.map(({ name, hash }) => ({ phase, output: name, hash }))),
    );
    const outdone = ann?.attempts.filter(({ superseded }) => superseded === 'outdone') ?? [];
    expect(outdone.map(({ phase, attempt }) => `${phase}#${attempt}`)).toEqual(['mend#2', 'read#3']);
    const textAt = (path: string) => new TextDecoder().decode(env.disk.read(`${root}/${path}`));
    expect(textAt('out/ann.letter')).toBe('Dear ann, mended 2. Sealed.');
    expect(textAt('out/ann.mend')).toBe('Dear ann, mended 2');
  });

  it('tells of units that the pipeline does not list any more', async () => {
    const { env, definition, target } = await begun();
    const pipeline = definePipeline({ ...definition, units: ['ann'] });
    const { units } = demand(await inspectRun(env, { ...target, pipeline }));
    expect(units.map(({ unit, stage, status }) => [unit, stage, status])).toEqual([
      ['ann', 'main', 'succeeded'],
      ['bob', undefined, undefined],
    ]);
    expect(units[1]?.attempts).toHaveLength(3);
  });

  it('that was never started cannot be inspected', async () => {
    const { env, target } = letters();
    expect(failureOf(await inspectRun(env, target))).toEqual({ reason: 'no-run', workspace: '.' });
  });
});

describe('units', () => {
  it('are chosen by name, or by a pattern', async () => {
    const { env, target } = await begun();
    const chosen = async (unit: string) =>
      demand(await inspectRun(env, { ...target, unit })).units.map((found) => found.unit);
    expect(await chosen('bob')).toEqual(['bob']);
    expect(await chosen('*')).toEqual(['ann', 'bob']);
    expect(await chosen('a*')).toEqual(['ann']);
    const one = demand(await inspectRun(env, { ...target, unit: 'ann' }));
    expect(one).toMatchObject({ isNarrowed: true, totals: { units: 1, attempts: 5 } });
    expect(failureOf(await inspectRun(env, { ...target, unit: 'bbo' }))).toEqual({
      reason: 'usage',
      problem: { code: 'unknown-unit', name: 'bbo', near: ['bob'] },
    });
  });

  it('that are counted are chosen by their number', async () => {
    const env = memoryEnvironment();
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'frames',
      units: { count: 3, id: 'frame_{index:04}' },
      phases: { draw: { run: ({ unit }) => ({ out: unit.id }), outputs: { out: 'out/{unit}' } } },
    };
    await run(env, definition);
    const target = { path: root, pipeline: definePipeline(definition) };
    const two = demand(await inspectRun(env, { ...target, unit: '2' }));
    expect(two.units.map(({ unit, index }) => [unit, index])).toEqual([['frame_0002', 2]]);
    expect(failureOf(await inspectRun(env, { ...target, unit: '3' }))).toEqual({
      reason: 'usage',
      problem: { code: 'unknown-unit', name: '3', near: [] },
    });
  });
});
