import type { OutdatedPart } from '../../model/reason.ts';
import { changeName } from '../../model/refusal.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, list } from '../style/words.ts';

/** `templates/write.md and code.write changed`: what a result is outdated by. */
export function changedWords(names: readonly string[]): string {
  return `${list([...new Set(names)].map(plain), namesMax)} changed`;
}

const namesMax = 4;

export function outdatedWords(parts: readonly OutdatedPart[]): string {
  return `outdated (kept): ${changedWords(parts.flatMap(changeName))}`;
}

/** `, 3 outdated (kept)`: what follows the steps that are done. */
export function andOutdated(number: number | undefined): string {
  return number === undefined || number === 0 ? '' : `, ${number} outdated (kept)`;
}

/** One line for each step whose result is outdated, with the changes by name. */
export function outdatedLines(
  steps: readonly { readonly name: string; readonly changes: readonly string[] }[],
  { paint, symbols }: Style,
): string[] {
  const byChange = new Map<string, string[]>();
  for (const { name, changes } of steps) {
    const words = changedWords(changes);
    const names = byChange.get(words);
    if (names === undefined) byChange.set(words, [name]);
    else names.push(name);
  }
  const lines = [...byChange].slice(0, linesMax).map(([words, names]) => {
    const shown = list(names.map(plain), stepsMax);
    return `${paint.yellow(symbols.outdated)} outdated (kept): ${shown}: ${words}`;
  });
  const rest = byChange.size - lines.length;
  return rest > 0 ? [...lines, `${symbols.more} and ${count(rest, 'more kind')} of outdated results`] : lines;
}

const linesMax = 10;
const stepsMax = 5;
