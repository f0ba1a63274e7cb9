import { commands, globalOptions } from '../../src/cli/commands.ts';

type Command = (typeof commands)[number];

/** The reference of commands, from the table that the command line itself is made of. */
export function commandsPage(): string {
  return [
    '# Commands and exit codes',
    '',
    'Made from the command table (`src/cli/commands.ts`) by a test; run it with `UPDATE_DOCS=1` to write it anew.',
    'Results go to stdout, progress to stderr. Without a terminal nothing is ever asked.',
    '',
    ...table(
      'option of every command',
      globalOptions.map(({ flags, summary }) => [`\`${flags}\``, summary]),
    ),
    ...commands.flatMap(section),
    '## Exit codes',
    '',
    ...table('code', [
      ['0', 'done'],
      ['1', 'a phase failed: the run is stopped and can be resumed'],
      ['2', 'usage, or a manifest that is not valid'],
      ['3', 'a person has to decide'],
      ['4', 'refused by a guard: see [what happens when something changes](changes.md)'],
      ['5', 'which run? several match'],
      ['6', 'held by another process'],
      ['7', 'damaged data needs attention, or the disk failed'],
      ['70', 'a bug in pawl'],
      ['75', 'paused: try later'],
      ['130, 143', 'interrupted by SIGINT, SIGTERM'],
    ]),
  ].join('\n');
}

function section(command: Command): string[] {
  const parameters = command.arguments ?? [];
  const usage = ['pawl', command.name, ...parameters.map(({ name }) => name)].join(' ');
  const rows = [
    ...parameters.map(({ name, summary }) => [`\`${name}\``, summary]),
    ...(command.options ?? []).map(({ flags, summary }) => [`\`${flags}\``, summary]),
  ];
  return [
    `## ${command.name}`,
    '',
    `\`${usage}\`: ${command.summary}.`,
    '',
    ...(command.details?.length ? [command.details.join(' '), ''] : []),
    ...(rows.length > 0 ? table('', rows) : []),
  ];
}

function table(title: string, rows: readonly (readonly (string | undefined)[])[]): string[] {
  return [`| ${title} | |`, '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}
