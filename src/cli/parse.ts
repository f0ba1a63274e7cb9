import { Command, CommanderError } from 'commander';
import { fail, ok, type Result } from '../base/result.ts';
import type { CallProblem } from '../report/troubles/call-problems.ts';
import type { Call } from './call.ts';
import { commands, globalOptions } from './commands.ts';
import { nearCommands } from './near-command.ts';

/** Reads a command line with a parser that is built from the table. It prints nothing and never exits. */
export function parseCall(argv: readonly string[]): Result<Call, CallProblem> {
  let call: Call | undefined;
  const program = buildParser((command, options) => {
    call = { command: command.name(), arguments: command.args, options };
  });
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return fail(readError(error, argv));
    throw error;
  }
  if (call === undefined) return fail({ reason: 'missing-argument', command: '', argument: 'a command' });
  const attached = new Set(argv.flatMap((word) => /^(--resume)=/.exec(word)?.[1] ?? []));
  return checkArguments(attached.size === 0 ? call : { ...call, attached });
}

function buildParser(found: (command: Command, options: Readonly<Record<string, unknown>>) => void): Command {
  const program = quiet(new Command('pawl'));
  for (const { flags, summary } of globalOptions) program.option(flags, summary);
  for (const spec of commands) {
    const command = quiet(program.command(spec.name));
    for (const { name, summary } of spec.arguments) command.argument(name, summary);
    for (const { flags, summary, isRepeatable } of spec.options) {
      if (isRepeatable) command.option(flags, summary, (value, before: string[] = []) => [...before, value]);
      else command.option(flags, summary);
    }
    command.action(() => found(command, command.optsWithGlobals()));
  }
  return program;
}

/** Help and words are ours: the library parses and nothing else. */
function quiet(command: Command): Command {
  const silent = () => undefined;
  return command
    .helpOption(false)
    .helpCommand(false)
    .allowExcessArguments(true)
    .exitOverride()
    .configureOutput({ writeOut: silent, writeErr: silent, outputError: silent });
}

function checkArguments(call: Call): Result<Call, CallProblem> {
  const spec = commands.find(({ name }) => name === call.command);
  const isVariadic = spec?.arguments.some(({ name }) => name.includes('...')) ?? false;
  const extra = isVariadic ? [] : call.arguments.slice(spec?.arguments.length ?? 0);
  return extra.length === 0 ? ok(call) : fail({ reason: 'too-many-arguments', command: call.command, extra });
}

/** The library says what is wrong in sentences; its code and the quoted word are what counts. */
function readError(error: CommanderError, argv: readonly string[]): CallProblem {
  const quoted = /'(.*?)'/.exec(error.message)?.[1] ?? '';
  const near = /\(Did you mean (?:one of )?(.*)\?\)/.exec(error.message)?.[1]?.split(', ') ?? [];
  const command = argv.find((word) => commands.some(({ name }) => name === word));
  switch (error.code) {
    case 'commander.unknownCommand':
      return { reason: 'unknown-command', name: quoted, near: nearCommands(quoted) };
    case 'commander.unknownOption':
      return { reason: 'unknown-option', option: quoted, command, near };
    case 'commander.optionMissingArgument':
      return { reason: 'missing-value', option: quoted, command };
    case 'commander.missingArgument':
      return { reason: 'missing-argument', command: command ?? '', argument: `<${quoted}>` };
    case 'commander.help':
      return { reason: 'missing-argument', command: '', argument: 'a command' };
    default:
      // Nothing else is configured: a new kind of error is a bug here, not a slip of the caller.
      throw error;
  }
}
