import { type ParseArgsConfig, parseArgs } from 'node:util';
import { fail, ok, type Result } from '../base/result.ts';
import { nearest } from '../engine/show/nearest.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import type { Call } from './call.ts';
import { commands, globalOptions } from './commands.ts';

/** Reads a command line by the table of commands. It prints nothing and never exits. */
export function parseCall(argv: readonly string[]): Result<Call, CallProblem> {
  const commandIndex = findCommand(argv);
  if (!commandIndex.ok) return commandIndex;
  const name = argv[commandIndex.value] ?? '';
  const spec = commands.find((candidate) => candidate.name === name);
  if (spec === undefined) return fail({ reason: 'unknown-command', name, near: nearCommands(name) });
  const words = argv.filter((_, at) => at !== commandIndex.value);
  const read = readWords(words, [...globalOptions, ...spec.options], spec.name);
  if (!read.ok) return read;
  const problem = checkArguments(spec, read.value.arguments);
  if (problem !== undefined) return fail(problem);
  const takesPath = spec.arguments[0]?.name === '[path]';
  return ok({ command: spec.name, ...read.value, ...(takesPath && { path: read.value.arguments[0] }) });
}

/** Finds the command: the first word that is no option. Before it only global options may stand. */
function findCommand(argv: readonly string[]): Result<number, CallProblem> {
  const options = optionsOf(globalOptions);
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'positional') return ok(token.index);
    if (token.kind === 'option' && !options.has(token.name)) {
      const command = argv.find((word) => commands.some(({ name }) => name === word));
      return fail(unknownOption(token, argv, options, command));
    }
  }
  return fail({ reason: 'missing-argument', command: '', argument: 'a command' });
}

function readWords(
  words: readonly string[],
  specs: readonly OptionSpec[],
  command: string,
): Result<Omit<Call, 'command' | 'path'>, CallProblem> {
  const options = optionsOf(specs);
  const values = defaultsOf(options);
  const typed: string[] = [];
  const attached = new Set<string>();
  /** The option whose values the following words are: `--output a=b c=d`, or the id after `--resume`. */
  let open: Option | undefined;
  for (const token of tokensOf(words, options)) {
    if (token.kind === 'positional') {
      if (open === undefined) typed.push(token.value);
      else setValue(values, open, token.value);
      if (!open?.isVariadic) open = undefined;
      continue;
    }
    open = undefined;
    if (token.kind === 'option-terminator') continue;
    const option = options.get(token.name);
    if (option === undefined || (option.takes === 'nothing' && token.value !== undefined))
      return fail(unknownOption(token, words, options, command));
    if (option.takes === 'value' && token.value === undefined)
      return fail({ reason: 'missing-value', option: option.flags, command });
    setValue(values, option, token.value ?? !option.isNegative);
    if (token.value !== undefined && token.inlineValue) attached.add(option.long);
    if (option.takes === 'optional' ? token.value === undefined : option.isVariadic) open = option;
  }
  const isAttached = attached.has('--resume');
  return ok({
    arguments: typed,
    options: values,
    ...(isAttached && { attached: new Set(['--resume']) }),
  });
}

interface Option {
  /** As the table has them: `-j, --jobs <n>`. */
  readonly flags: string;
  readonly long: string;
  /** In camel case; of `--no-color` it is `color`. */
  readonly name: string;
  readonly isNegative: boolean;
  readonly takes: 'nothing' | 'value' | 'optional';
  /** It may be given several times, and its value is a list. */
  readonly isList: boolean;
  /** Several values may follow it at once. */
  readonly isVariadic: boolean;
}

/** Options by each spelling without its dashes: `C` and `dir`. */
function optionsOf(specs: readonly OptionSpec[]): Map<string, Option> {
  const options = new Map<string, Option>();
  for (const { flags, isRepeatable } of specs) {
    const [, short, long = '', , opening, dots] = flagsPattern.exec(flags) ?? [];
    const isNegative = long.startsWith('--no-');
    const option: Option = {
      flags,
      long,
      name: long
        .slice(isNegative ? 5 : 2)
        .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      isNegative,
      takes: opening === undefined ? 'nothing' : opening === '<' ? 'value' : 'optional',
      isList: isRepeatable === true || dots !== undefined,
      isVariadic: dots !== undefined,
    };
    for (const typed of [short?.slice(1), long.slice(2)]) if (typed) options.set(typed, option);
  }
  return options;
}

const flagsPattern = /^(?:(-[A-Za-z]), )?(--[a-z-]+)( ([<[])[a-z,=]+(\.\.\.)?[>\]])?$/;

/** An option that can only be turned off is on. */
function defaultsOf(options: ReadonlyMap<string, Option>): Record<string, unknown> {
  const names = [...options.values()];
  const isOn = ({ isNegative, name }: Option) =>
    isNegative && names.every((other) => other.isNegative || other.name !== name);
  return Object.fromEntries(names.filter(isOn).map(({ name }) => [name, true]));
}

function setValue(values: Record<string, unknown>, option: Option, value: string | boolean): void {
  const before = values[option.name];
  if (!option.isList) values[option.name] = value;
  else values[option.name] = [...(Array.isArray(before) ? before : []), value];
}

type Token = NonNullable<ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>['tokens']>[number];

/** An option with an optional value is declared as one without: `readWords` takes the word behind it as its value. */
function tokensOf(argv: readonly string[], options: ReadonlyMap<string, Option>): readonly Token[] {
  const config: NonNullable<ParseArgsConfig['options']> = {};
  for (const [typed, { takes }] of options)
    if (typed.length > 1) config[typed] = { type: takes === 'value' ? 'string' : 'boolean' };
  for (const [typed, { long }] of options) {
    const known = config[long.slice(2)];
    if (typed.length === 1 && known !== undefined) config[long.slice(2)] = { ...known, short: typed };
  }
  const parsed = parseArgs({
    args: [...argv],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return parsed.tokens;
}

function unknownOption(
  token: Extract<Token, { kind: 'option' }>,
  words: readonly string[],
  options: ReadonlyMap<string, Option>,
  command: string | undefined,
): CallProblem {
  const typed = token.rawName;
  const isInline = token.value !== undefined && token.inlineValue;
  const near = nearest(typed, new Set([...options.values()].map(({ long }) => long)), 1);
  const option = isInline ? (words[token.index] ?? typed) : typed;
  return { reason: 'unknown-option', option, command, near };
}

function checkArguments(spec: CommandSpec, typed: readonly string[]): CallProblem | undefined {
  const { name: command, arguments: taken } = spec;
  const missing = taken.filter(({ name }) => name.startsWith('<'))[typed.length];
  if (missing !== undefined)
    return { reason: 'missing-argument', command, argument: missing.name.replace('...', '') };
  const extra = taken.some(({ name }) => name.includes('...')) ? [] : typed.slice(taken.length);
  return extra.length === 0 ? undefined : { reason: 'too-many-arguments', command, extra };
}

/** The commands that an unknown word may have meant: those spelled nearly so, or what other tools call them. */
export function nearCommands(word: string, more: readonly string[] = []): readonly string[] {
  return calledElsewhere.get(word) ?? nearest(word, [...commands.map(({ name }) => name), ...more]);
}

/** By the word of another tool, our commands for the same. */
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
