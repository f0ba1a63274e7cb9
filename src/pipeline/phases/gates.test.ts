import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';

/* What a gate reads beside its verdict; what is wrong with a gate otherwise is in `problems.test.ts`. */

const top = 'pawl: 1\npipeline: p\nunits: [u]\nphases:\n';
const gate = (keys: string, verdict = 'report.verdict') =>
  `${top}  a: { run: { command: [x] }, outputs: { report: r.json, other: o.json }, gate: { verdict: ${verdict}, pass: [ok], back_to: a, iterations: 2, ${keys} } }\n`;

describe('what else a gate reads', () => {
  it('stands in the same report', async () => {
    const { pipeline } = await loadText(
      gate('score: report.composite, scores: report.detail.scores, defects: report.reasons'),
    );
    expect(pipeline.stages[0]?.phases[0]?.gate).toMatchObject({
      output: 'report',
      path: ['verdict'],
      score: ['composite'],
      scores: ['detail', 'scores'],
      defects: ['reasons'],
    });
  });

  it('is nothing where nothing is said', async () => {
    const { pipeline } = await loadText(gate('then: stop'));
    expect(pipeline.stages[0]?.phases[0]?.gate).toMatchObject({
      score: undefined,
      scores: undefined,
      defects: undefined,
    });
  });

  it.each(['score', 'scores', 'defects'])('is not in another: %s', async (key) => {
    for (const written of ['other.x', 'report', 'report.', 'reportx.y', 'x']) {
      expect(await problemsOf(gate(`${key}: ${written}`))).toMatchObject([
        {
          code: 'wrong-type',
          path: `phases.a.gate.${key}`,
          place: { line: 5 },
          facts: { expected: 'report.KEY', found: written },
        },
      ]);
    }
  });

  it('is not asked of a report that is not there', async () => {
    expect(await codesOf(gate('score: reprot.composite', 'reprot.verdict'))).toEqual([
      'gate-unknown-output phases.a.gate.verdict',
    ]);
  });
});

describe('a gate with a score', () => {
  const scored = (keys: string, iterations = 5) =>
    `${top}  a: { run: { command: [x] }, outputs: { report: r.json }, gate: { back_to: a, iterations: ${iterations}, ${keys} } }\n`;
  const withScore = 'score: report.n, bar: 80';

  it('needs no verdict where it has a bar', async () => {
    const { pipeline } = await loadText(
      scored(
        `${withScore}, defects: report.d, plateau: 2, regression: 0.5, budget: 5, cluster: 3, keep: best`,
      ),
    );
    expect(pipeline.stages[0]?.phases[0]?.gate).toEqual({
      output: 'report',
      path: undefined,
      pass: [],
      score: ['n'],
      scores: undefined,
      defects: ['d'],
      bar: 80,
      backTo: 'a',
      iterations: 5,
      plateau: 2,
      regression: 0.5,
      budget: 5,
      cluster: 3,
      keep: 'best',
      // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
      then: 'stop',
    });
  });

  it('keeps the last round where nothing is said', async () => {
    const { pipeline } = await loadText(scored('verdict: report.s, pass: [ok]'));
    expect(pipeline.stages[0]?.phases[0]?.gate).toMatchObject({
      bar: undefined,
      keep: 'last',
      plateau: undefined,
    });
  });

  it.each([
    ['', ['missing-key phases.a.gate']],
    ['score: report.n', ['missing-key phases.a.gate']],
    ['bar: 80', ['gate-needs-key phases.a.gate.bar']],
    ['verdict: report.s', ['gate-needs-key phases.a.gate.verdict']],
    ['verdict: report.s, bar: 1, score: report.n', ['gate-needs-key phases.a.gate.verdict']],
    [`${withScore}, pass: [ok]`, ['gate-needs-key phases.a.gate.pass']],
    ['verdict: report.s, pass: [ok], keep: best', ['gate-needs-key phases.a.gate.keep']],
    ['verdict: report.s, pass: [ok], keep: last', []],
    ['verdict: report.s, pass: [ok], plateau: 2', ['gate-needs-key phases.a.gate.plateau']],
    ['verdict: report.s, pass: [ok], regression: 2', ['gate-needs-key phases.a.gate.regression']],
    [`${withScore}, cluster: 3`, ['gate-needs-key phases.a.gate.cluster']],
    ['verdict: report.s, pass: [ok], budget: 2', []],
    ['bar: 80, score: reprot.n', ['gate-unknown-output phases.a.gate.score']],
    ['bar: 80, score: report', ['wrong-type phases.a.gate.score']],
    [`${withScore}, plateau: 5`, ['out-of-range phases.a.gate.plateau']],
    [`${withScore}, plateau: 4`, []],
    [`${withScore}, defects: report.d, cluster: 6`, ['out-of-range phases.a.gate.cluster']],
    [`${withScore}, defects: report.d, cluster: 5`, []],
    [`${withScore}, defects: report.d, cluster: 1`, ['out-of-range phases.a.gate.cluster']],
    [`${withScore}, regression: -1`, ['out-of-range phases.a.gate.regression']],
    [`${withScore}, budget: 0`, ['out-of-range phases.a.gate.budget']],
    [`${withScore}, keep: first`, ['not-one-of phases.a.gate.keep']],
    ['score: report.n, bar: high', ['wrong-type phases.a.gate.bar']],
  ])('with %j: %j', async (keys, problems) => {
    expect(await codesOf(scored(keys))).toEqual(problems);
  });

  it('has a report that every attempt writes', async () => {
    const optional = scored(withScore).replace('report: r.json', 'report: { path: r.json, optional: true }');
    expect(await codesOf(optional)).toEqual(['wrong-type phases.a.gate.score']);
  });

  it('is the same phase whatever may be spent on it', async () => {
    const definitionOf = async (keys: string) => (await loadText(scored(keys))).statics.get('a')?.definition;
    expect(await definitionOf(`${withScore}, budget: 5`)).toBe(await definitionOf(withScore));
    expect(await definitionOf(`${withScore}, plateau: 2`)).toBe(await definitionOf(withScore));
  });
});
