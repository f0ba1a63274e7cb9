import type { Extent } from '../../engine/observe/board.ts';
import { plain } from '../style/plain.ts';
import { unitNoun } from '../style/words.ts';

/** `from frame 4 (frames 0-3 already approved)`; with gaps also what is left. Undefined: nothing is done yet, or all. */
export function extentWords({ unitKey, doneKey, units }: Extent): string | undefined {
  const done = units.filter(({ finished }) => finished);
  const left = units.filter(({ finished, givenUp = false }) => !finished && !givenUp);
  const [next] = left;
  if (next === undefined || done.length === 0) return undefined;
  const key = unitNoun(unitKey);
  const name = next.index === undefined ? plain(next.unit) : `${key} ${next.index}`;
  const kept = `${rangeWords(key, done)} already ${plain(doneKey)}`;
  // What is done all lies before what is left: then the first of the rest says it all.
  const isGapless = units.indexOf(next) === done.length;
  return `from ${name} (${kept}${isGapless ? '' : `; to go: ${rangeWords(key, left)}`})`;
}

/** Names are longer than numbers: more of them would push what is to go out of the line. */
const [numbersMax, namesMax] = [8, 3];

/** `frames 0-3, 5`: counted units by their numbers in a row, others by their names. */
export function rangeWords(key: string, units: Extent['units']): string {
  const indexes = units.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const areCounted = indexes.length === units.length;
  const parts = areCounted ? ranges(indexes) : units.map(({ unit }) => plain(unit));
  const partsMax = areCounted ? numbersMax : namesMax;
  const shown = parts.slice(0, partsMax).join(', ');
  const rest = parts.length > partsMax ? ` and ${parts.length - partsMax} more` : '';
  if (!areCounted) return `${shown}${rest}`;
  return `${key}${units.length === 1 ? '' : 's'} ${shown}${rest}`;
}

function ranges(indexes: readonly number[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < indexes.length; ) {
    const first = indexes[at] ?? 0;
    let last = first;
    while (indexes[++at] === last + 1) last += 1;
    parts.push(first === last ? String(first) : `${first}-${last}`);
  }
  return parts;
}
