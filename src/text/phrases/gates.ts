import { unreachable } from '../../base/result.ts';
import type { InspectedAttempt, InspectedGate, InspectedUnit } from '../../engine/observe/inspected.ts';
import type { EndedLoop, GateStop } from '../../model/reason.ts';
import { scoreWords } from '../style/figures.ts';
import { clip, plain } from '../style/plain.ts';
import { count } from '../style/words.ts';

/** How a gate's loop ended without a pass, and which round of it stands: as it follows the name of a step. */
export function endedWords({ verdict, iterations, stopped, defect, round, score }: EndedLoop): string {
  const scored = score === undefined ? '' : `, score ${scoreWords(score)}`;
  const kept = round === iterations ? '' : `; round ${round} is the best${scored}`;
  const own = round === iterations ? scored : '';
  return `still ${plain(verdict)} after ${count(iterations, 'round')}${own}${stoppedWords(stopped, defect)}${kept}`;
}

/** A unit's gate in hindsight. Undefined if its first round passed, because that needs no words. */
export function gateWords({ phase, rounds, stopped, best, kept }: InspectedGate): string | undefined {
  if (stopped === 'passed')
    return rounds.length === 1 ? undefined : `${plain(phase)}: passed in round ${rounds.length}`;
  const far = count(rounds.length, 'round');
  const words =
    stopped === undefined ? `${far} so far` : `ended after ${far}${stoppedWords(stopped, undefined)}`;
  return [`${plain(phase)}: ${words}`, ...roundsWords(rounds.length, best, kept)].join('; ');
}

function roundsWords(rounds: number, best: number | undefined, kept: number | undefined): string[] {
  if (rounds === 1 || best === undefined) return [];
  if (best === kept) return [`round ${best} is the best, and stands`];
  return [`round ${best} is the best`, ...(kept === undefined ? [] : [`round ${kept} stands`])];
}

/** The attempt by which the best of several rounds was judged. */
export function isBest({ gates }: InspectedUnit, { phase, attempt }: InspectedAttempt): boolean {
  return gates.some(
    (gate) =>
      gate.phase === phase &&
      gate.rounds.length > 1 &&
      gate.rounds.some(({ round, attempt: judged }) => round === gate.best && judged === attempt),
  );
}

/** How the loop ended in which this attempt was the judge of a round. */
export function stoppedOf(
  { gates }: InspectedUnit,
  { phase, attempt }: InspectedAttempt,
): string | undefined {
  const gate = gates.find((one) => one.phase === phase);
  return gate?.rounds.some((round) => round.attempt === attempt) ? gate.stopped : undefined;
}

function stoppedWords(stopped: GateStop, defect: string | undefined): string {
  switch (stopped) {
    case 'limit':
      return '';
    case 'plateau':
      return ', and the score gets no better';
    case 'regression':
      return ', and the score fell';
    case 'budget':
      return ', and its budget is spent';
    case 'cluster':
      return `, and the same defect comes back${defect === undefined ? '' : `: ${clip(plain(defect), 120, '...')}`}`;
    default:
      return unreachable(stopped);
  }
}
