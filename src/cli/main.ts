import { readFileSync } from 'node:fs';
import { takeStartFolder } from '../base/start-folder.ts';
import type { CommandIo, OutputStream } from './command-io.ts';
import type { Started } from './start-in.ts';

export { processIo } from './process-io.ts';

/*
 * Every call starts here. Help and the version are answered with next to nothing loaded; everything else is behind one
 * import, so that a command loads only what it needs.
 */

/** Answers one call of the command, and sets the exit code. */
export async function main(typed: readonly string[], io: CommandIo): Promise<void> {
  if (typed[0] === '__complete') {
    const { completeWords } = await import('./complete.ts');
    return completeWords(typed.slice(1), io);
  }
  const { folder, rest } = takeStartFolder(typed);
  const started = folder === undefined ? undefined : await start(io, folder, rest);
  const argv = started?.argv ?? rest;
  const [first] = argv;
  if (first === '--version' || first === '-V' || first === '-v') return await print(io, version());
  if (first === undefined && !started?.isMissing) {
    const { hasManifest } = await import('./commands/alone.ts');
    const { welcomeText } = await import('../text/help/welcome.ts');
    const { placeOf } = await import('./place.ts');
    if (!(await hasManifest(placeOf(io, started)))) return await print(io, welcomeText(version()));
  }
  if (first === 'help' || asksForHelp(argv)) {
    const text = await help(argv, io.stdout);
    if (text !== undefined) return await print(io, text);
  }
  const { runProgram } = await import('./program.ts');
  await runProgram({ io, typed, argv, started });
}

/** `-C` is for every command, so it is read before the command is known. */
async function start(io: CommandIo, folder: string, argv: readonly string[]): Promise<Started> {
  const { startIn } = await import('./start-in.ts');
  return startIn(io, folder, argv);
}

/** Undefined for an unknown command: the parser reports it, with commands that may have been meant. */
async function help(argv: readonly string[], stdout: OutputStream): Promise<string | undefined> {
  const { commands, globalOptions } = await import('./commands.ts');
  const { commandHelpText, helpText } = await import('../text/help/help.ts');
  const columns = stdout.isTTY ? stdout.columns || undefined : undefined;
  const words = argv.filter((word) => !word.startsWith('-'));
  const name = words[0] === 'help' ? words[1] : words[0];
  if (name === undefined) return helpText(version(), commands, globalOptions, columns);
  if (words[0] === 'help' && name === 'exit-codes')
    return (await import('../text/help/exit-code-help.ts')).exitCodeHelpText();
  const command = commands.find((candidate) => candidate.name === name);
  return command === undefined ? undefined : commandHelpText(command, globalOptions, columns);
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.includes('--help') || words.includes('-h');
}

function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

async function print({ stdout }: CommandIo, text: string): Promise<void> {
  stdout.off('error', ignore).on('error', ignore);
  if (!stdout.isTTY) return void stdout.write(`${text}\n`);
  const { screenText } = await import('../text/style/screen.ts');
  stdout.write(`${screenText(text, stdout.columns)}\n`);
}

/** A reader such as `head` closes the pipe early, which is no error. */
function ignore(): void {}
