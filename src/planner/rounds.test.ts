import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '../model/definition.ts';
import { bestRound, defectKey, endingOf, type RoundFigures } from './rounds.ts';

const gate: Gate = {
  output: 'report',
  path: undefined,
  score: ['score'],
  scores: undefined,
  defects: ['defects'],
  pass: [],
  bar: 100,
  backTo: 'draft',
  iterations: 9,
  plateau: undefined,
  regression: undefined,
  budget: undefined,
  cluster: undefined,
  keep: 'last',
  // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
  then: 'stop',
};

function scored(...scores: readonly (number | undefined)[]): RoundFigures[] {
  return scores.map((score, at) => ({ round: at + 1, score, defects: undefined }));
}

function found(...rounds: readonly (readonly string[])[]): RoundFigures[] {
  return rounds.map((defects, at) => ({ round: at + 1, score: undefined, defects }));
}

describe('a loop', () => {
  it('goes on while there are rounds left and nothing else is said', () => {
    expect(endingOf(gate, scored(1, 1, 1, 0))).toBeUndefined();
    expect(endingOf({ ...gate, iterations: 4 }, scored(1, 1, 1, 0))).toEqual({ stopped: 'limit' });
  });

  it.each([
    [[5], undefined],
    [[5, 6, 7, 8], undefined],
    [[5, 5], undefined],
    [[5, 5, 5], 'plateau'],
    [[5, 4, 3], 'plateau'],
    [[5, 4, 6], undefined],
    [[5, 4, 6, 6, 6], 'plateau'],
    [[5, 4, 6, 5, 7, 1, 1], 'plateau'],
    // A round without a score is no better, and no best.
    [[undefined, undefined, undefined], undefined],
    [[undefined, 5, undefined], undefined],
    [[undefined, 5, undefined, undefined], 'plateau'],
  ])('over %j with a plateau of 2: %s', (scores, stopped) => {
    expect(endingOf({ ...gate, plateau: 2 }, scored(...scores))?.stopped).toBe(stopped);
  });

  it.each([
    [[80], undefined],
    [[80, 70], undefined],
    [[80, 69], 'regression'],
    [[80, 75, 72], undefined],
    [[80, 90, 79], 'regression'],
    [[80, undefined], undefined],
    [[undefined, 10], undefined],
  ])('over %j with a regression of 10: %s', (scores, stopped) => {
    expect(endingOf({ ...gate, regression: 10 }, scored(...scores))?.stopped).toBe(stopped);
  });

  it('does not take the noise of fractions for a fall', () => {
    expect(endingOf({ ...gate, regression: 0.1 }, scored(0.8, 0.7))).toBeUndefined();
    expect(endingOf({ ...gate, regression: 0.1 }, scored(0.8, 0.699))).toEqual({ stopped: 'regression' });
    expect(endingOf({ ...gate, regression: 0 }, scored(0.8, 0.8))).toBeUndefined();
    expect(endingOf({ ...gate, regression: 0 }, scored(0.8, 0.79))).toEqual({ stopped: 'regression' });
  });

  it('ends for what says most of what was made', () => {
    const all = { ...gate, iterations: 3, plateau: 2, regression: 1, cluster: 3 };
    const figures = scored(5, 5, 1).map((round) => ({ ...round, defects: ['same'] }));
    const order = [
      all,
      { ...all, cluster: undefined },
      { ...all, cluster: undefined, regression: undefined },
    ];
    expect(order.map((one) => endingOf(one, figures)?.stopped)).toEqual(['cluster', 'regression', 'plateau']);
    expect(endingOf({ ...gate, iterations: 3 }, figures)).toEqual({ stopped: 'limit' });
  });
});

describe('a defect that comes back', () => {
  const three = { ...gate, cluster: 3 };

  it('ends the loop when it was found in so many rounds, one after the other or not', () => {
    expect(endingOf(three, found(['a'], ['a']))).toBeUndefined();
    expect(endingOf(three, found(['a'], ['b', 'a'], ['a']))).toEqual({ stopped: 'cluster', defect: 'a' });
    expect(endingOf(three, found(['a'], ['a'], ['b']))).toBeUndefined();
    expect(endingOf(three, found(['a'], ['a'], ['b'], ['c', 'a']))).toEqual({
      stopped: 'cluster',
      defect: 'a',
    });
  });

  it('counts once in a round, however often it is listed', () => {
    expect(endingOf(three, found(['a', 'a', 'A '], ['a', 'a']))).toBeUndefined();
  });

  it('is told in the words of the newest report', () => {
    const rounds = found(['Line 1: too long'], ['line 22:  TOO long'], ['other', 'Line 333: too long']);
    expect(endingOf(three, rounds)).toEqual({ stopped: 'cluster', defect: 'Line 333: too long' });
  });

  it.each([
    ['Line 12: too long', ' line 7:\tToo  long ', true],
    ['3 tests fail', '11 tests fail', true],
    ['ﬁle missing', 'FILE missing', true],
    ['test ٣', 'test 4', true],
    ['too long', 'too short', false],
    ['', ' ', true],
    // Without a letter there is nothing but the number.
    ['404', '500', false],
    ['404', '404 ', true],
  ])('is the same: %j and %j: %s', (one, other, isSame) => {
    expect(defectKey(one) === defectKey(other)).toBe(isSame);
  });
});

describe('the best round', () => {
  it('is the first of those with the highest score', () => {
    expect(bestRound(scored(1, 3, 2, 3))?.round).toBe(2);
    expect(bestRound(scored(undefined, -5, undefined))?.round).toBe(2);
    expect(bestRound(scored(undefined, undefined))).toBeUndefined();
    expect(bestRound([])).toBeUndefined();
  });

  it('is never below another, and no earlier one is as good', () => {
    const scores = fc.array(fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }), { maxLength: 8 });
    fc.assert(
      fc.property(scores, (listed) => {
        const rounds = scored(...listed);
        const best = bestRound(rounds);
        for (const { round, score } of rounds) {
          if (score === undefined) continue;
          if (best?.score === undefined) throw new Error('no best among scores');
          expect(score).toBeLessThanOrEqual(best.score);
          if (round < best.round) expect(score).toBeLessThan(best.score);
        }
      }),
    );
  });

  it('of a loop that ended by a plateau came that many rounds ago', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 4 }), (listed, plateau) => {
        const rounds = scored(...listed);
        const isOver = endingOf({ ...gate, plateau }, rounds)?.stopped === 'plateau';
        const recent = rounds.slice(-plateau).map(({ score = 0 }) => score);
        const before = rounds.slice(0, -plateau).map(({ score = 0 }) => score);
        expect(isOver).toBe(before.length > 0 && Math.max(...recent) <= Math.max(...before));
      }),
    );
  });
});
