import { nearest } from '../engine/show/nearest.ts';
import { commands } from './commands.ts';

/** What may have been meant by a word that is no command: one that is spelled nearly so, or what others call it. */
export function nearCommands(word: string, more: readonly string[] = []): readonly string[] {
  return calledElsewhere.get(word) ?? nearest(word, [...commands.map(({ name }) => name), ...more]);
}

/** By the words that other tools have for it. */
const calledElsewhere: ReadonlyMap<string, readonly string[]> = new Map([
  ['list', ['runs', 'status']],
  ['ls', ['runs', 'status']],
  ['ps', ['runs', 'status']],
  ['continue', ['resume']],
  ['retry', ['run']],
  ['rerun', ['run']],
  ['build', ['run']],
  ['apply', ['run']],
  ['new', ['init']],
  ['create', ['init']],
  ['stop', ['cancel']],
  ['abort', ['cancel']],
  ['check', ['doctor', 'verify']],
  ['validate', ['doctor', 'plan']],
  ['clean', ['gc', 'reset']],
  ['prune', ['gc']],
  ['version', ['--version']],
]);
