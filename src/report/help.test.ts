import { expect, test } from 'vitest';
import { type CommandSpec, commandHelpText, greetingText, helpText } from './help.ts';

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
                6 held by another, 7 damaged data or disk, 75 paused, 130 and 143 interrupted, 70 a bug in pawl
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
      pawl run                                      here"
  `);
});

test('a command without anything', () => {
  expect(commandHelpText(commands[1] as CommandSpec, [])).toMatchInlineSnapshot(`
    "pawl status: show where it stands

    usage: pawl status [options]

    options for all commands"
  `);
});

test('pawl alone says what to do next', () => {
  expect(greetingText('1.2.3', true)).toMatchInlineSnapshot(`
    "pawl 1.2.3: runs work that goes through phases; stop it at any instant, go on at any time

    There is a pawl.yaml here:
      pawl plan                         shows what a run would do here, and why
      pawl run                          does it
      pawl status                       shows where it stands

    pawl help lists all commands."
  `);
  expect(greetingText('1.2.3', false)).toMatchInlineSnapshot(`
    "pawl 1.2.3: runs work that goes through phases; stop it at any instant, go on at any time

    There is no pawl.yaml here yet:
      pawl init                         writes a small pipeline into this folder
      pawl run <path>                   runs the pawl.yaml of another folder

    pawl help lists all commands."
  `);
});
