import { exitCodeRows } from '../catalogue/exit-codes.ts';
import { wrapped } from '../style/table.ts';

/** A command as data: help is printed from it, and the parser is built from it. */
export interface CommandSpec {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  /** What a reader should know before using it. */
  readonly details?: readonly string[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples?: readonly Example[];
}

export interface ArgumentSpec {
  /** `[path]` may be left out, `<cell>` may not, `<targets...>` are many. */
  readonly name: string;
  readonly summary: string;
}

export interface OptionSpec {
  /** `--run <id>`, `-C, --dir <path>`. */
  readonly flags: string;
  readonly summary: string;
  /** It may be given several times. */
  readonly isRepeatable?: true;
}

export interface Example {
  readonly line: string;
  readonly summary: string;
}

/** `pawl --help`: every command with one line. */
export function helpText(
  version: string,
  commands: readonly CommandSpec[],
  globals: readonly OptionSpec[],
  columns = lineLengthMax,
): string {
  const lines = [`pawl ${version}: ${purpose}`, '', 'usage: pawl <command> [arguments] [options]'];
  for (const group of new Set(commands.map((command) => command.group))) {
    const rows = commands
      .filter((command) => command.group === group)
      .map(({ name, summary }) => [name, summary] as const);
    lines.push('', group, ...twoColumns(rows, commandWidth));
  }
  lines.push('', 'options for all commands', ...twoColumns(globals.map(optionRow), optionWidth));
  lines.push('', ...exitCodeWords(Math.min(columns, lineLengthMax)), 'pawl help <command> says more.');
  return lines.join('\n');
}

/** `pawl help <command>`. */
export function commandHelpText(
  command: CommandSpec,
  globals: readonly OptionSpec[],
  columns = lineLengthMax,
): string {
  const words = ['usage: pawl', command.name, ...command.arguments.map(({ name }) => name), '[options]'];
  const lines = [`pawl ${command.name}: ${command.summary}`, '', words.join(' ')];
  if (command.details !== undefined)
    lines.push('', ...wrapped(command.details.join(' '), Math.min(columns, lineLengthMax)));
  if (command.arguments.length > 0) {
    const rows = command.arguments.map(({ name, summary }) => [name, summary] as const);
    lines.push('', 'arguments', ...twoColumns(rows, optionWidth));
  }
  if (command.options.length > 0)
    lines.push('', 'options', ...twoColumns(command.options.map(optionRow), optionWidth));
  lines.push('', 'options for all commands', ...twoColumns(globals.map(optionRow), optionWidth));
  if (command.examples !== undefined) {
    lines.push('', 'examples');
    for (const { line, summary } of command.examples) lines.push(`  ${line}`, `      ${summary}`);
  }
  return lines.join('\n');
}

const purpose = 'runs work that goes through phases; stop it at any instant, go on at any time';
const lineLengthMax = 110;
const noBreak = '\u00a0';
const commandWidth = 11;
const optionWidth = 32;

function exitCodeWords(width: number): string[] {
  const title = 'exit codes: ';
  const items = exitCodeRows.map(({ code, short }) => `${code} ${short}`.replaceAll(' ', noBreak));
  const lines = wrapped(items.join(', '), width - title.length);
  return lines.map(
    (line, at) => (at === 0 ? title : ' '.repeat(title.length)) + line.replaceAll(noBreak, ' '),
  );
}

function optionRow({ flags, summary }: OptionSpec): readonly [string, string] {
  return [flags.startsWith('-') && !flags.startsWith('--') ? flags : `    ${flags}`, summary];
}

/** Two columns; what is too long for the first gets a line of its own. */
function twoColumns(rows: readonly (readonly [string, string])[], width: number): string[] {
  return rows.flatMap(([left, right]) =>
    left.length > width
      ? [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]
      : [`  ${left.padEnd(width)}  ${right}`],
  );
}
