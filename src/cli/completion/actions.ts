import type { Completion } from './model.ts';
import type { Value } from './values.ts';

/*
 * What a script does at a place, as one line that it can switch on: `words text svg`, `ask cell`, `file`. Every script
 * goes the same way: it looks at the words before the cursor, finds the action, and carries it out.
 */

/** By action, where it is to be done: `run --unit`. Every option that takes a value is there. */
export function optionActions({
  commands,
  options: ofAll,
}: Completion): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  // Before the command: it is empty there.
  for (const { names, value } of ofAll)
    for (const flag of value === undefined ? [] : names) add(places, value, ` ${bare(flag)}`);
  for (const { name, options } of commands)
    for (const { names, value } of options)
      for (const flag of value === undefined ? [] : names) add(places, value, `${bare(name)} ${bare(flag)}`);
  return places;
}

/** The same for arguments, by their number: `why 1`; `adopt *` for any number. */
export function argumentActions({ commands }: Completion): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const command of commands)
    for (const [at, { value, isMany }] of command.arguments.entries())
      add(places, value, `${bare(command.name)} ${isMany ? '*' : at + 1}`);
  return places;
}

/** A word that every shell reads as itself, wherever it stands. The tables have no others. */
export function bare(word: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$|^--?[A-Za-z][A-Za-z-]*$/.test(word))
    throw new Error(`no word for a completion script: ${word}`);
  return word;
}

function add(places: Map<string, string[]>, value: Value | undefined, place: string): void {
  if (value === undefined) return;
  const action = actionOf(value);
  const known = places.get(action);
  if (known === undefined) places.set(action, [place]);
  else known.push(place);
}

function actionOf(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `words ${value.words.map(bare).join(' ')}`;
    case 'asked':
      return `ask ${value.of}`;
    default:
      return value.kind;
  }
}
