import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../text/help/help.ts';
import { type Value, valueFor } from './values.ts';

/** The table of commands as a shell needs it: every name that can be typed, and what may follow it. */
export interface Completion {
  readonly commands: readonly CompletedCommand[];
  /** What can be typed where the command will stand. */
  readonly options: readonly CompletedOption[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Those of every command too. */
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

export interface CompletedOption {
  /** `-C` and `--dir`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Undefined: nothing follows it. */
  readonly value: Value | undefined;
}

export interface CompletedArgument {
  readonly value: Value;
  /** It stands for all that follow, too. */
  readonly isMany: boolean;
}

export function completionOf(commands: readonly CommandSpec[], globals: readonly OptionSpec[]): Completion {
  return {
    commands: commands.map((command) => ({
      name: command.name,
      summary: command.summary,
      options: [...command.options, ...globals, help].map((option) => optionOf(command.name, option)),
      arguments: command.arguments.map((argument) => argumentOf(command.name, argument)),
    })),
    options: [...globals, help, version].map((option) => optionOf('', option)),
  };
}

/** The names of an option and what its value is called, as the table writes them. */
export function partsOfFlags(flags: string): { names: string[]; value: string | undefined } {
  const [, short, long = '', value] =
    /^(?:(-[A-Za-z]), )?(--[a-z-]+)(?: ([<[][^\]>]+[\]>]))?$/.exec(flags) ?? [];
  // The table is ours: what cannot be read in it is a slip there.
  if (long === '') throw new Error(`flags that completion cannot read: ${flags}`);
  return { names: short === undefined ? [long] : [short, long], value: value?.replace(/^\[(.*)\]$/, '<$1>') };
}

/** They are no options of the parser: the door answers them. */
const help: OptionSpec = { flags: '-h, --help', summary: 'say more about it' };
const version: OptionSpec = { flags: '-V, --version', summary: 'the version of pawl' };

const text: Value = { kind: 'text' };

function optionOf(command: string, { flags, summary }: OptionSpec): CompletedOption {
  const { names, value } = partsOfFlags(flags);
  const long = names.at(-1) ?? '';
  return {
    names,
    summary,
    value: value === undefined ? undefined : (valueFor(command, long, value) ?? text),
  };
}

function argumentOf(command: string, { name }: ArgumentSpec): CompletedArgument {
  return { value: valueFor(command, name) ?? text, isMany: name.includes('...') };
}
