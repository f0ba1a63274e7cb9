import type { RunHeading } from '../../engine/answers.ts';
import { plain } from './plain.ts';

/** Commands that only look, or only go on: safe to be pasted by anybody, and by any program. */
export type SafeCommand =
  | 'run'
  | 'resume'
  | 'plan'
  | 'why'
  | 'status'
  | 'runs'
  | 'logs'
  | 'inspect'
  | 'brief'
  | 'cost'
  | 'prompt'
  | 'diff'
  | 'checkpoints'
  | 'show'
  | 'verify'
  | 'schema'
  | 'help';

/** A command line to type next. Nothing that discards or overrides anything is ever written out whole. */
export function hint(
  command: SafeCommand,
  path: string | undefined,
  argument?: string,
  ...options: readonly string[]
): string {
  const words = ['pawl', command];
  if (argument !== undefined) words.push(quoted(argument));
  words.push(...options.map(quoted));
  if (path !== undefined && path !== '' && path !== '.') {
    if (takesPath.has(command)) words.push(quoted(path));
    else if (takesFolder.has(command)) words.push('-C', quoted(path));
  }
  return words.join(' ');
}

/** The command that resumes this run: one that another run has replaced is never chosen without its id. */
export function resumeHint({ workspace, run, replacedBy }: RunHeading): string {
  return hint('run', workspace, undefined, ...(replacedBy === undefined ? [] : ['--resume', run]));
}

const takesPath: ReadonlySet<SafeCommand> = new Set(['run', 'resume', 'plan', 'status', 'runs', 'verify']);
const takesFolder: ReadonlySet<SafeCommand> = new Set([
  'why',
  'logs',
  'inspect',
  'brief',
  'cost',
  'prompt',
  'diff',
  'checkpoints',
  'show',
]);

/** As a shell reads one word. */
export function quoted(text: string): string {
  const shown = plain(text);
  return /^[\w./:@%+,=-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
