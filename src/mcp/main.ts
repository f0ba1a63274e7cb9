import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { fail, ok, type Result } from '../base/result.ts';
import { takeStartFolder } from '../base/start-folder.ts';
import { type Environment, systemEnvironment } from '../engine/open/environment.ts';
import { agentHere, whoIsHere } from '../engine/open/person.ts';
import { exitCodes, exitCodesOfSignals } from '../text/catalogue/exit-codes.ts';
import { plain, plainLines } from '../text/style/plain.ts';
import { catchDiskErrors, describeTrouble, type McpTrouble } from './problems.ts';
import { buildServer } from './server.ts';
import { openSession } from './session.ts';
import { Turns } from './tool.ts';
import { messageLines, takeStdout } from './wire.ts';

/**
 * `pawl mcp [path] [--actor NAME] [-C FOLDER]`, without the word `mcp`: serves the workspace to one client, until it closes its end or a signal comes.
 * Ends the process when all that was begun is done.
 */
export async function serveMcp(argv: readonly string[]): Promise<void> {
  const out = takeStdout();
  process.on('uncaughtException', (error) => {
    // After a bug nothing that this process does can be trusted; what is on record stands, and clients start another.
    printBug(error);
    process.exit(exitCodes.bug);
  });
  const session = await catchDiskErrors(async () => {
    const { folder, rest } = takeStartFolder(argv);
    const call = parseCall(rest);
    if (!call.ok) return call;
    const { path, actor } = call.value;
    const agent = (actor ?? process.env.PAWL_ACTOR) || agentHere(process.env)?.client;
    const decider = () => ({
      ...whoIsHere(),
      channel: 'mcp' as const,
      ...(agent !== undefined && { agent }),
    });
    return openSession(...placeOf({ ...systemEnvironment(), decider }, folder, path), actor);
  });
  if (!session.ok) return refuse(session.failure);
  if (process.stdin.isTTY) process.stderr.write(`${greeting}\n`);
  const turns = new Turns();
  const parts = { session: session.value, turns, version: version(), bug: printBug };
  const transport = new StdioServerTransport(process.stdin.pipe(messageLines(out)), out);
  const handle = serveStdio(() => buildServer(parts), { transport, onerror: printError });
  const closed = whenClosed(transport);
  for (const [signal, exitCode] of exitCodesOfSignals) {
    process.on(signal, () => {
      if (process.exitCode !== undefined) process.exit();
      process.exitCode = exitCode;
      void handle.close();
    });
  }
  await closed;
  await turns.idle();
  // Something that a check of the user left running is not waited for.
  process.exit(process.exitCode ?? exitCodes.done);
}

const greeting =
  'pawl mcp speaks the Model Context Protocol on stdin and stdout: a client starts it. Ctrl-C ends it.';

/** Starts in the folder that `-C` names, or opens the manifest that it names. */
function placeOf(env: Environment, folder: string | undefined, path: string | undefined) {
  const start = resolve(env.cwd, folder ?? '.');
  if (folder !== undefined && env.disk.stat(start)?.kind !== 'folder') return [env, path ?? folder] as const;
  return [{ ...env, cwd: start }, path] as const;
}

interface McpCall {
  readonly path: string | undefined;
  readonly actor: string | undefined;
}

function parseCall(argv: readonly string[]): Result<McpCall, McpTrouble> {
  const command = 'mcp';
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        actor: { type: 'string' },
        // Mean nothing here, and are understood by every command.
        json: { type: 'boolean' },
        quiet: { type: 'boolean', short: 'q' },
        'no-color': { type: 'boolean' },
      },
    });
    const [path, ...extra] = positionals;
    if (extra.length > 0) return fail({ reason: 'too-many-arguments', command, extra });
    return ok({ path, actor: values.actor });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !code.startsWith('ERR_PARSE_ARGS')) throw error;
    const option = /'(-[^'\s]*)/.exec(message)?.[1] ?? '';
    return code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
      ? fail({ reason: 'missing-value', command, option })
      : fail({ reason: 'unknown-option', command, option, near: [] });
  }
}

/** Printed on stderr, where clients keep a log, because stdout is for the protocol. */
function refuse(trouble: McpTrouble): void {
  const { text, exitCode } = describeTrouble(trouble);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}

/** Resolves when either side has closed the connection. */
function whenClosed(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

function printError(error: Error): void {
  process.stderr.write(`pawl mcp: ${plain(error.message)}\n`);
}

function printBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`pawl mcp: a bug: ${plainLines(text).join('\n')}\n`);
}

function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
