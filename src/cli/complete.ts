import { byCodeUnit } from '../base/json.ts';
import { takeStartFolder } from '../base/start-folder.ts';
import { systemEnvironment } from '../engine/open/environment.ts';
import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import type { CommandIo } from './command-io.ts';
import { commands, globalOptions } from './commands.ts';
import { type AskedKind, type Value, valueFor } from './completion-values.ts';
import { placeOf } from './place.ts';

/*
 * `pawl __complete SHELL WORD...` answers a shell at each press of Tab. The words are those behind `pawl` up to the
 * cursor, the last one as far as it is typed. It is in no help and no table. Whatever goes wrong, it prints nothing and
 * ends with 0, because a shell would print an error into the line that is being typed.
 */

/** Prints what is offered (`words`, `file`, `folder` or `nothing`), then the words, each with a tab and its description. */
export async function completeWords(argv: readonly string[], io: CommandIo): Promise<void> {
  io.stdout.off('error', ignore).on('error', ignore);
  const lines = await linesFor(argv, io).catch(() => []);
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  io.exitCode = 0;
}

async function linesFor([shell, ...typed]: readonly string[], io: CommandIo): Promise<string[]> {
  if (typed.length === 0) return [];
  const words = shell === 'bash' ? wordsOfBash(typed) : typed;
  const line = readLine(words, io.process.variables.HOME);
  const { value, prefix } = line;
  if (value === 'options') return offer(optionWords(line.options), prefix);
  switch (value.kind) {
    case 'words':
      return offer(value.words, prefix);
    case 'command':
      return offer(
        commands.map(({ name, summary }) => `${name}\t${summary}`),
        prefix,
      );
    case 'asked':
      return offer(await askedWords(io, value.of, prefix, line.target), prefix);
    case 'workspace':
    case 'file':
      return ['file'];
    case 'folder':
      return ['folder'];
    case 'text':
      return ['nothing'];
  }
}

function offer(words: readonly string[], prefix: string): string[] {
  return ['words', ...words.filter((word) => word.startsWith(prefix))];
}

/** bash splits words at `=`, and gives them as they are typed, with quotes and backslashes. */
function wordsOfBash(typed: readonly string[]): string[] {
  const current = typed.at(-1) ?? '';
  const before = typed.slice(0, -1).filter((word) => word !== '=');
  return [
    ...before.map((word) => word.replaceAll(/["'\\]/g, '')),
    current === '=' ? '' : current.replace(/^["'\\]/, ''),
  ];
}

interface LineAtCursor {
  readonly value: Value | 'options';
  /** The part of the value that is typed. */
  readonly prefix: string;
  /** The options that can stand here. */
  readonly options: readonly OptionSpec[];
  /** Options that name the workspace and the run of the line. */
  readonly target: readonly string[];
}

/** `main` answers these, so they are not in the table. */
const helpOption: OptionSpec = { flags: '-h, --help', summary: 'say more about it' };
const versionOption: OptionSpec = { flags: '-V, --version', summary: 'the version of pawl' };
const text: Value = { kind: 'text' };

function readLine(words: readonly string[], home: string | undefined): LineAtCursor {
  const target: string[] = [];
  let name = '';
  let spec: CommandSpec | undefined;
  let pending: string | undefined;
  let hasEnded = false;
  let place = 0;
  const options = () => {
    if (name === '') return [...globalOptions, helpOption, versionOption];
    return spec === undefined ? [] : [...spec.options, ...globalOptions, helpOption];
  };
  const take = (flag: string, word: string) => {
    if (flag === '-C' || flag === '--dir') target.push('-C', expandHome(word, home));
    if (flag === '--run') target.push('--run', word);
  };
  for (const word of words.slice(0, -1)) {
    if (pending !== undefined) {
      take(pending, word);
      pending = undefined;
    } else if (!hasEnded && word === '--') hasEnded = true;
    else if (!hasEnded && word.startsWith('-')) {
      const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
      if (value !== undefined) take(flag, value);
      else if (valueOfOption(name, flag, options()) !== undefined) pending = word;
    } else if (name === '') {
      name = word;
      spec = commands.find((command) => command.name === word);
    } else if (valueOfArgument(spec, place++).kind === 'workspace') target.push('-C', expandHome(word, home));
  }
  const current = words.at(-1) ?? '';
  const at = { options: options(), target, prefix: current };
  if (pending !== undefined) return { ...at, value: valueOfOption(name, pending, at.options) ?? text };
  if (!hasEnded && current.startsWith('-')) {
    const [, flag = '', value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
    if (value === undefined) return { ...at, value: 'options' };
    return { ...at, value: valueOfOption(name, flag, at.options) ?? text, prefix: value };
  }
  return { ...at, value: name === '' ? { kind: 'command' } : valueOfArgument(spec, place) };
}

function expandHome(path: string, home = ''): string {
  return path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

/** Undefined for an unknown option, and for one that takes no value. */
function valueOfOption(command: string, flag: string, options: readonly OptionSpec[]): Value | undefined {
  for (const { flags } of options) {
    const { names, value } = partsOfFlags(flags);
    if (names.includes(flag))
      return value === undefined ? undefined : (valueFor(command, names.at(-1) ?? '', value) ?? text);
  }
  return undefined;
}

function valueOfArgument(spec: CommandSpec | undefined, place: number): Value {
  const last = spec?.arguments.at(-1);
  const argument = spec?.arguments[place] ?? (last?.name.includes('...') ? last : undefined);
  return (argument && valueFor(spec?.name ?? '', argument.name)) ?? text;
}

/** The names of an option and what its value is called: `--run <id>`, `-C, --dir <path>`, `--resume [id]`. */
export function partsOfFlags(flags: string): { names: string[]; value: string | undefined } {
  const [, short, long = '', value] =
    /^(?:(-[A-Za-z]), )?(--[a-z-]+)(?: ([<[][^\]>]+[\]>]))?$/.exec(flags) ?? [];
  // The table is our own, so flags that cannot be read are a bug there.
  if (long === '') throw new Error(`flags that completion cannot read: ${flags}`);
  return { names: short === undefined ? [long] : [short, long], value: value?.replace(/^\[(.*)\]$/, '<$1>') };
}

function optionWords(options: readonly OptionSpec[]): string[] {
  return options.flatMap(({ flags, summary }) =>
    partsOfFlags(flags).names.map((name) => `${name}\t${summary}`),
  );
}

/** Words that only the workspace knows. The beginning of many words has the description `...`. */
async function askedWords(
  io: CommandIo,
  kind: AskedKind,
  prefix: string,
  target: readonly string[],
): Promise<string[]> {
  if (kind === 'reason') {
    const { reasonNames } = await import('../text/catalogue/find.ts');
    return [...reasonNames()].sort(byCodeUnit);
  }
  const { findCandidates } = await import('../engine/show/candidates.ts');
  const run = target[target.lastIndexOf('--run') + 1];
  const found = await findCandidates(systemEnvironment(placeOf(io, undefined)), {
    kind,
    prefix,
    path: takeStartFolder(target).folder,
    run: target.includes('--run') ? run : undefined,
  });
  return found.map(({ word, isBeginning }) => (isBeginning ? `${word}\t...` : word));
}

/** A shell that is no longer interested closes the pipe. */
function ignore(): void {}
