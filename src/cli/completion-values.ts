import { exampleNames } from '../engine/examples/examples.ts';

/*
 * What a shell can offer for each argument, and for each option that takes a value. The table of commands describes them
 * for people; a test compares the two.
 */

/** What a shell offers at one place of a command line. */
export type Value =
  /** One of a few words. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Words that only the workspace knows, so they are looked up at each press of Tab. */
  | { readonly kind: 'asked'; readonly of: AskedKind }
  /** The name of a command. */
  | { readonly kind: 'command' }
  /** A workspace or its manifest: completed as a file; words of the rest of the line come from it. */
  | { readonly kind: 'workspace' }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  /** Free text: nothing is offered. */
  | { readonly kind: 'text' };

/** Kinds of words that only the workspace knows, or for `reason` only the explanations. */
export const askedKinds = [
  /** `unit/phase`. */
  'cell',
  'unit',
  'phase',
  'run',
  /** An open question: `C1`. */
  'question',
  /** A task that can be claimed. */
  'task',
  /** A task that is claimed. */
  'claim',
  /** A task that is blocked. */
  'blocked',
  /** What `pawl explain` explains. */
  'reason',
] as const;
export type AskedKind = (typeof askedKinds)[number];

/**
 * The value of a name of the table: of `--run`, or of an argument as it is written there. The most special entry counts:
 * first that of the command, then that of the option, then that of the value's own name. Undefined: there is no entry.
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
  ['completion <shell>', words('bash', 'zsh', 'fish')],
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
