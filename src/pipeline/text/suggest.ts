import { byCodeUnit } from '../../base/json.ts';

/** Longer words than this are no names that somebody mistyped; comparing them would only cost time. */
const wordLengthMax = 64;

/**
 * The candidates that somebody who typed `word` most likely meant, nearest first. Empty when none is near: a
 * wild guess helps nobody.
 */
export function nearest(word: string, candidates: Iterable<string>, max = 3): string[] {
  if (word.length > wordLengthMax) return [];
  const typed = fold(word);
  const reach = Math.max(1, Math.floor(typed.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > reach) continue;
    const distance = editDistance(typed, fold(candidate));
    if (distance <= reach) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || byCodeUnit(a.candidate, b.candidate));
  return found.slice(0, max).map(({ candidate }) => candidate);
}

/** `backTo`, `back-to` and `back_to` are one slip of the finger apart, not three. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll('-', '_');
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counting one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
