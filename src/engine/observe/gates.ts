import type { Cost } from '../../model/event.ts';
import type { GateHistory } from '../../planner/judge.ts';
import { sumCosts } from './attempt-costs.ts';
import type { InspectedAttempt, InspectedGate, InspectedRound } from './inspected.ts';

/** What each gate of a unit made of each round: the judged rounds, with what the journal says of their attempts. */
export function inspectGates(
  histories: readonly GateHistory[],
  attempts: readonly InspectedAttempt[],
): InspectedGate[] {
  return histories.map(({ phase, loop, rounds, stopped, best, kept }) => ({
    phase,
    stopped,
    best,
    kept,
    rounds: rounds.map(({ round, attempts: numbers }): InspectedRound => {
      const made = loop.flatMap((name) => attemptOf(attempts, name, numbers.get(name)) ?? []);
      const judged = attemptOf(attempts, phase, numbers.get(phase));
      return {
        round,
        attempt: numbers.get(phase) ?? 0,
        verdict: judged?.verdict,
        passed: judged?.passed,
        score: judged?.score,
        scores: judged?.scores,
        defects: judged?.defects ?? [],
        cost: spentIn(attempts, loop, round),
        outputs: made.flatMap((attempt) =>
          attempt.outputs.map(({ name, hash }) => ({ phase: attempt.phase, output: name, hash })),
        ),
      };
    }),
  }));
}

/** The attempts of a unit, where those of rounds that an earlier one has outdone are called so. */
export function markOutdone(
  histories: readonly GateHistory[],
  attempts: readonly InspectedAttempt[],
): readonly InspectedAttempt[] {
  const cut = histories.filter(({ kept, rounds }) => kept !== undefined && kept < rounds.length);
  if (cut.length === 0) return attempts;
  return attempts.map((attempt) => {
    const { phase, iteration: round, outcome, superseded } = attempt;
    const isOutdone = cut.some(({ loop, kept = 0 }) => loop.includes(phase) && round > kept);
    return isOutdone && outcome === 'succeeded' && superseded === undefined
      ? { ...attempt, superseded: 'outdone' }
      : attempt;
  });
}

function attemptOf(
  attempts: readonly InspectedAttempt[],
  phase: string,
  number: number | undefined,
): InspectedAttempt | undefined {
  return attempts.findLast((attempt) => attempt.phase === phase && attempt.attempt === number);
}

/** Also on attempts whose results are not used any more. */
function spentIn(
  attempts: readonly InspectedAttempt[],
  loop: readonly string[],
  round: number,
): Cost | undefined {
  return sumCosts(attempts.filter(({ phase, iteration }) => iteration === round && loop.includes(phase)));
}
