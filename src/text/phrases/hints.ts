import type { RunHeading } from '../../engine/open/find-run.ts';
import { plain } from '../style/plain.ts';

/** Commands that look, continue, or take part: none of them deletes anything. */
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
  | 'history'
  | 'show'
  | 'verify'
  | 'adopt'
  | 'repair'
  | 'gc'
  | 'next'
  | 'start'
  | 'complete'
  | 'unblock'
  | 'doctor'
  | 'help';

/** A complete command line to type next. Nothing that deletes anything is ever written out. */
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

/**
 * The command that resumes this run: one that another run has replaced is never chosen without its id. `narrowing`: the
 * options that narrowed the call before.
 */
export function resumeHint(
  { workspace, run, replacedBy }: RunHeading,
  narrowing: readonly string[] = [],
): string {
  const ofRun = replacedBy === undefined ? [] : ['--resume', run];
  return hint('run', workspace, undefined, ...ofRun, ...continued(narrowing));
}

/** What failed or was outdated runs by itself once that is on record, and would not be found by these options any more. */
export function continued(narrowing: readonly string[]): string[] {
  return narrowing.filter((word) => word !== '--failed' && word !== '--outdated');
}

const takesPath: ReadonlySet<SafeCommand> = new Set([
  'run',
  'resume',
  'plan',
  'status',
  'runs',
  'verify',
  'repair',
  'gc',
  'next',
  'doctor',
]);
const takesFolder: ReadonlySet<SafeCommand> = new Set([
  'why',
  'logs',
  'inspect',
  'brief',
  'cost',
  'prompt',
  'diff',
  'checkpoints',
  'history',
  'show',
  'adopt',
  'start',
  'complete',
  'unblock',
]);

/** As a shell reads one word. */
export function quoted(text: string): string {
  const shown = plain(text);
  return /^[\w./:@%+,=-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** Claims a task. The shell fills in the user's name, because an actor is never guessed. */
export function nextHint(path: string | undefined): string {
  return `${hint('next', path)} --actor "$USER"`;
}

/** Steps that were given up do not run again by themselves. */
export function againHint(
  { unit, phase }: { readonly unit: string; readonly phase: string },
  path: string | undefined,
): string {
  return hint('run', path, undefined, '--rerun-from', phase, '--unit', unit);
}

export function unblockHint(unit: string, path: string | undefined): string {
  return `${hint('unblock', path, unit)} --actor "$USER"`;
}

/** A reason that is true of every repair: the damage was shown before. */
export const repairReason = 'continue with what is readable';
