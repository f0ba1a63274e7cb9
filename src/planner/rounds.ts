import type { Gate } from '../model/definition.ts';
import type { GateStop } from '../model/reason.ts';

/** What a gate's report says of one round. */
export interface RoundFigures {
  readonly round: number;
  readonly score: number | undefined;
  readonly defects: readonly string[] | undefined;
}

/** What was counted before the first round that is recorded. */
export interface RoundsBefore {
  readonly rounds: number;
  readonly defects: readonly { readonly defect: string; readonly count: number }[];
}

const noneBefore: RoundsBefore = { rounds: 0, defects: [] };

/** Why a loop ends without a pass. */
export interface Ending {
  readonly stopped: GateStop;
  /** Of a cluster: the defect, as the newest report says it. */
  readonly defect?: string;
}

/**
 * Whether a loop ends after these rounds, none of which has passed. Of several reasons the one counts that says most of
 * what was made: a defect that comes back, then a score that falls, then one that stands still, then the number of rounds.
 */
export function endingOf(
  gate: Gate,
  rounds: readonly RoundFigures[],
  before: RoundsBefore = noneBefore,
): Ending | undefined {
  const defect = clusteredDefect(gate.cluster, rounds, before);
  if (defect !== undefined) return { stopped: 'cluster', defect };
  if (isRegression(gate.regression, rounds)) return { stopped: 'regression' };
  if (isPlateau(gate.plateau, rounds)) return { stopped: 'plateau' };
  return rounds.length + before.rounds >= gate.iterations ? { stopped: 'limit' } : undefined;
}

/** The round with the highest score; of equal ones the earlier, for the later has gained nothing. Without a score: none. */
export function bestRound<T extends RoundFigures>(rounds: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const figures of rounds)
    if (figures.score !== undefined && (best?.score === undefined || figures.score > best.score))
      best = figures;
  return best;
}

/**
 * Two defects are the same if their words are. White space, case and numbers say where and how often a defect
 * was found, not what it is: "Line 12: too long" and "line 7: Too long" are one defect. One without any
 * letter is compared as it is.
 */
export function defectKey(defect: string): string {
  const words = defect.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return /\p{L}/u.test(words) ? words.replace(/\p{Nd}+/gu, '0') : words;
}

/** The first defect of the newest round that was found in so many rounds, which need not follow one another. */
function clusteredDefect(
  cluster: number | undefined,
  rounds: readonly RoundFigures[],
  before: RoundsBefore,
): string | undefined {
  const last = rounds.at(-1)?.defects;
  if (cluster === undefined || last === undefined) return undefined;
  if (rounds.length < cluster && before.defects.length === 0) return undefined;
  const found = new Map(before.defects.map(({ defect, count }) => [defectKey(defect), count]));
  for (const { defects = [] } of rounds)
    for (const key of new Set(defects.map(defectKey))) found.set(key, (found.get(key) ?? 0) + 1);
  return last.find((defect) => (found.get(defectKey(defect)) ?? 0) >= cluster);
}

function isRegression(regression: number | undefined, rounds: readonly RoundFigures[]): boolean {
  const score = rounds.at(-1)?.score;
  const best = regression === undefined ? undefined : bestRound(rounds)?.score;
  if (regression === undefined || score === undefined || best === undefined) return false;
  // Differences of fractions are not exact: from 0.8 to 0.7 is no more than 0.1.
  return best - score - regression > scoreTolerance * Math.max(1, Math.abs(best));
}

const scoreTolerance = 1e-9;

function isPlateau(plateau: number | undefined, rounds: readonly RoundFigures[]): boolean {
  const best = plateau === undefined ? undefined : bestRound(rounds);
  if (plateau === undefined || best === undefined) return false;
  return rounds.length - 1 - rounds.indexOf(best) >= plateau;
}
