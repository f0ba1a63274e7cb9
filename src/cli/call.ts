import type { OptionSpec } from '../report/help/help.ts';
import { commands, globalOptions } from './commands.ts';

/** What was typed: a command of the table, its arguments and options. */
export interface Call {
  readonly command: string;
  readonly arguments: readonly string[];
  /** By name in camel case: `rerunFrom`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The options whose value was typed in the same word: `--resume=ID`. */
  readonly attached?: ReadonlySet<string>;
}

/** The value of an option that takes one. */
export function textOption(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be given several times. */
export function listOption(call: Call, name: string): string[] {
  const value = call.options[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function flagOption(call: Call, name: string): boolean {
  return call.options[name] === true;
}

/**
 * A call as nearly all of them are typed: a command, then arguments and options in full, each value in a word of its
 * own. Undefined for any other, right or wrong: those are for the parser, which takes longer to load than such a call.
 */
export function plainCall([command = '', ...words]: readonly string[]): Call | undefined {
  const spec = commands.find(({ name }) => name === command);
  if (spec === undefined) return undefined;
  const specs = [...globalOptions, ...spec.options];
  const known = plainOptions(specs);
  const options: Record<string, unknown> = {};
  for (const { flags } of specs) {
    // What can only be turned off is on.
    const off = /^--no-([a-z]+)$/.exec(flags)?.[1];
    if (off !== undefined && specs.every((other) => other.flags !== `--${off}`)) options[off] = true;
  }
  const typed: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) {
      typed.push(word);
      continue;
    }
    const option = known.get(word);
    const value = option?.takesValue ? words[++at] : '';
    // A value that begins like an option may be meant as one.
    if (option === undefined || value === undefined || value.startsWith('-')) return undefined;
    options[option.name] = option.takesValue ? value : true;
  }
  const needed = spec.arguments.filter(({ name }) => name.startsWith('<')).length;
  const isRight = typed.length >= needed && typed.length <= spec.arguments.length;
  return isRight ? { command, arguments: typed, options } : undefined;
}

interface PlainOption {
  readonly name: string;
  readonly takesValue: boolean;
}

/** By what is typed: `-C` and `--dir`. Without those that take several values, or take something back. */
function plainOptions(specs: readonly OptionSpec[]): Map<string, PlainOption> {
  const options = new Map<string, PlainOption>();
  for (const { flags, isRepeatable } of specs) {
    if (isRepeatable) continue;
    const [, short, long = '', value] = plainFlags.exec(flags) ?? [];
    const name = long.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    for (const typed of [short, long])
      if (typed) options.set(typed, { name, takesValue: value !== undefined });
  }
  return options;
}

const plainFlags = /^(?:(-[A-Za-z]), )?(--(?!no-)[a-z-]+)(?: (<[a-z]+>))?$/;
