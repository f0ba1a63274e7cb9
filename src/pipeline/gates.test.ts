import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../test/fixtures/manifests.ts';

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
