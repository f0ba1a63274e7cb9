import { expect, test } from 'vitest';
import type { InspectedGate } from '../../engine/observe/inspected.ts';
import type { EndedLoop, GateStop } from '../../model/reason.ts';
import { endedWords, gateWords } from './gates.ts';

const stops: Readonly<Record<GateStop, true>> = {
  limit: true,
  plateau: true,
  regression: true,
  budget: true,
  cluster: true,
};
const reasons = Object.keys(stops) as GateStop[];

test('every way in which a loop ends has its words', () => {
  const ended: EndedLoop = { stopped: 'limit', iterations: 3, round: 3, verdict: 'fail' };
  const defect = 'no\nfeet';
  const words = reasons.flatMap((stopped) => [
    endedWords({ ...ended, stopped, ...(stopped === 'cluster' && { defect }) }),
    endedWords({ ...ended, stopped, round: 2, score: 81.5 }),
  ]);
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "still fail after 3 rounds
    still fail after 3 rounds; round 2 is the best, score 81.5
    still fail after 3 rounds, and the score gets no better
    still fail after 3 rounds, and the score gets no better; round 2 is the best, score 81.5
    still fail after 3 rounds, and the score fell
    still fail after 3 rounds, and the score fell; round 2 is the best, score 81.5
    still fail after 3 rounds, and its budget is spent
    still fail after 3 rounds, and its budget is spent; round 2 is the best, score 81.5
    still fail after 3 rounds, and the same defect comes back: no\\nfeet
    still fail after 3 rounds, and the same defect comes back; round 2 is the best, score 81.5"
  `);
  expect(endedWords({ ...ended, iterations: 1, round: 1, score: 0.5 })).toBe(
    'still fail after 1 round, score 0.5',
  );
});

test('what a gate has come to, for whoever looks back', () => {
  const rounds = (length: number): InspectedGate['rounds'] =>
    Array.from({ length }, (_, at) => ({
      round: at + 1,
      attempt: at + 1,
      verdict: 'fail',
      passed: false,
      score: at,
      scores: undefined,
      defects: [],
      cost: undefined,
      outputs: [],
    }));
  const gate: InspectedGate = {
    phase: 'lint',
    stopped: undefined,
    best: 1,
    kept: undefined,
    rounds: rounds(2),
  };
  const words = [
    gate,
    { ...gate, best: undefined, rounds: rounds(1) },
    { ...gate, stopped: 'passed', best: 2, kept: 2 },
    ...reasons.map((stopped) => ({ ...gate, stopped, kept: 1 })),
    { ...gate, stopped: 'limit', kept: 2 },
  ] satisfies readonly InspectedGate[];
  expect(words.map(gateWords).join('\n')).toMatchInlineSnapshot(`
    "lint: 2 rounds so far; round 1 is the best
    lint: 1 round so far
    lint: passed in round 2
    lint: ended after 2 rounds; round 1 is the best, and stands
    lint: ended after 2 rounds, and the score gets no better; round 1 is the best, and stands
    lint: ended after 2 rounds, and the score fell; round 1 is the best, and stands
    lint: ended after 2 rounds, and its budget is spent; round 1 is the best, and stands
    lint: ended after 2 rounds, and the same defect comes back; round 1 is the best, and stands
    lint: ended after 2 rounds; round 1 is the best; round 2 stands"
  `);
  expect(gateWords({ ...gate, stopped: 'passed', kept: 1, rounds: rounds(1) })).toBeUndefined();
});
