import { exampleNames } from '../../engine/examples/examples.ts';

/*
 * What may stand where: for each option that takes a value, and each argument, what a shell can offer. The table of
 * commands has the words for people; this is the same for shells, and a test holds the two together.
 */

/** What a shell offers at one place of a command line. */
export type Value =
  /** One of a few words. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** What only the workspace knows: asked for while the person types. */
  | { readonly kind: 'asked'; readonly of: AskedKind }
  /** The name of a command. */
  | { readonly kind: 'command' }
  /** A workspace or its manifest: completed as a file, and where the rest of the line is asked about. */
  | { readonly kind: 'workspace' }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  /** Words of one's own: nothing is offered. */
  | { readonly kind: 'text' };

/** The kinds that `pawl __complete` knows. */
export const askedKinds = [
  /** `unit/phase`. */
  'cell',
  'unit',
  'phase',
  'run',
  /** An open question: `C1`. */
  'question',
  /** What can be claimed from outside. */
  'task',
  /** A task that somebody has claimed. */
  'claim',
  /** A task that somebody has blocked. */
  'blocked',
  /** What `pawl explain` explains. */
  'reason',
] as const;
export type AskedKind = (typeof askedKinds)[number];

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * What belongs to a name of the table: `--run`, or an argument as it is written there. The command decides first, then
 * the option's own name, then what its value or the argument is called. Undefined: nobody has decided about it.
 */
export function valueFor(command: string, name: string, called = name): Value | undefined {
  return values.get(`${command} ${name}`) ?? values.get(name) ?? values.get(called);
}

const words = (...some: readonly string[]): Value => ({ kind: 'words', words: some });
const asked = (of: AskedKind): Value => ({ kind: 'asked', of });
const text: Value = { kind: 'text' };
const file: Value = { kind: 'file' };
const folder: Value = { kind: 'folder' };
const workspace: Value = { kind: 'workspace' };
const command: Value = { kind: 'command' };
const agents = words('claude', 'codex', 'cursor', 'gemini', 'copilot', 'opencode');

const values: ReadonlyMap<string, Value> = new Map([
  ['init [example]', words(...exampleNames)],
  ['graph --format', words('text', 'mermaid', 'svg', 'json')],
  ['logs --attempt', words('all')],
  ['cost --by', words('phase', 'model', 'unit', 'run')],
  ['gc --keep', words('approved')],
  ['brief [action]', words('migrate')],
  ['agents [action]', words('install', 'uninstall', 'list')],
  ['agents [agent]', agents],
  ['hook <agent>', agents],
  ['completion <shell>', words(...shells)],
  ['explain [word]', asked('reason')],
  ['explain <word>', asked('reason')],
  ['complete <task>', asked('claim')],
  ['fail <task>', asked('claim')],
  ['heartbeat <task>', asked('claim')],
  ['release <task>', asked('claim')],
  ['unblock <task>', asked('blocked')],
  ['decide --applied', text],
  ['summary <agent>', text],

  ['--run', asked('run')],
  ['--resume', asked('run')],
  ['--dir', workspace],

  ['[path]', workspace],
  ['<path...>', file],
  ['<file>', file],
  ['[file]', file],
  ['<folder>', folder],
  ['[folder]', folder],
  ['<targets...>', file],
  ['[run]', asked('run')],
  ['[unit]', asked('unit')],
  ['<cell>', asked('cell')],
  ['[cell]', asked('cell')],
  ['<phase>', asked('phase')],
  ['<glob>', asked('unit')],
  ['<task>', asked('task')],
  ['<checkpoint>', asked('question')],
  ['[checkpoint]', asked('question')],
  ['[command]', command],

  ['[decision]', text],
  ['[event]', text],
  ['<duration>', text],
  ['<list>', text],
  ['<n>', text],
  ['<n,m>', text],
  ['<id,id>', text],
  ['<amount>', text],
  ['<name>', text],
  ['<name=path...>', text],
  ['<number>', text],
  ['<lines>', text],
  ['<text>', text],
  ['<usd>', text],
]);
