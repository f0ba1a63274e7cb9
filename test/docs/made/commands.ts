import { commands, globalOptions } from '../../../src/cli/commands.ts';
import { code, table } from './markdown.ts';

type Command = (typeof commands)[number];

/** The reference of commands, from the table that the command line itself is made of. */
export function commandsPage(): string {
  return [
    '# Commands',
    '',
    'Made from the command table (`src/cli/commands.ts`) by a test; run it with `UPDATE_DOCS=1` to write it anew.',
    'Results go to stdout, progress to stderr. Without a terminal nothing is ever asked. What a command ends with is one of',
    'the [exit codes](exit-codes.md).',
    '',
    ...rows('option of every command', globalOptions.map(optionRow)),
    ...commands.flatMap(section),
  ].join('\n');
}

function section(command: Command): string[] {
  const parameters = command.arguments ?? [];
  const usage = ['pawl', command.name, ...parameters.map(({ name }) => name)].join(' ');
  const lines = [
    ...parameters.map(({ name, summary }) => [code(name), summary] as const),
    ...(command.options ?? []).map(optionRow),
  ];
  return [
    `## ${command.name}`,
    '',
    `${code(usage)}: ${command.summary}.`,
    '',
    ...(command.details?.length ? [command.details.join(' '), ''] : []),
    ...(lines.length > 0 ? rows('', lines) : []),
  ];
}

function optionRow({ flags, summary }: (typeof globalOptions)[number]): readonly [string, string] {
  return [code(flags), summary];
}

function rows(title: string, lines: readonly (readonly [string, string])[]): string[] {
  return table([[title, ''], ...lines]);
}
