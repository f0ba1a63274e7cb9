import { expect, test } from 'vitest';
import { type CommandSpec, commandHelpText, helpText } from './help.ts';

const globals = [
  { flags: '--json', summary: 'as data' },
  { flags: '-q, --quiet', summary: 'no progress' },
];

const commands: CommandSpec[] = [
  {
    name: 'run',
    group: 'work',
    summary: 'run what is not done',
    details: ['It goes on where it stopped.'],
    arguments: [{ name: '[path]', summary: 'a workspace' }],
    options: [
      { flags: '-C, --dir <path>', summary: 'elsewhere' },
      { flags: '--resume-allow-prompt-change', summary: 'allow it' },
    ],
    examples: [{ line: 'pawl run', summary: 'here' }],
  },
  { name: 'status', group: 'look', summary: 'show where it stands', arguments: [], options: [] },
];

test('all commands in short', () => {
  expect(helpText('1.2.3', commands, globals)).toMatchInlineSnapshot(`
    "pawl 1.2.3: runs work that goes through phases; stop it at any instant, go on at any time

    usage: pawl <command> [arguments] [options]

    work
      run          run what is not done

    look
      status       show where it stands

    options for all commands
          --json                        as data
      -q, --quiet                       no progress

    exit codes: 0 done, 1 a phase failed, 2 usage or manifest, 3 a person has to decide, 4 refused, 5 which run,
                6 held by another, 7 damaged data or disk, 70 a bug in pawl, 75 paused, 129 hung up,
                130 interrupted, 143 terminated
    pawl help <command> says more."
  `);
});

test('one command in full', () => {
  expect(commandHelpText(commands[0] as CommandSpec, globals)).toMatchInlineSnapshot(`
    "pawl run: run what is not done

    usage: pawl run [path] [options]

    It goes on where it stopped.

    arguments
      [path]                            a workspace

    options
      -C, --dir <path>                  elsewhere
          --resume-allow-prompt-change  allow it

    options for all commands
          --json                        as data
      -q, --quiet                       no progress

    examples
      pawl run
          here"
  `);
});

test('a command without anything', () => {
  expect(commandHelpText(commands[1] as CommandSpec, [])).toMatchInlineSnapshot(`
    "pawl status: show where it stands

    usage: pawl status [options]

    options for all commands"
  `);
});
