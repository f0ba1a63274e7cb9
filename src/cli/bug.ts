import { fileURLToPath } from 'node:url';
import { exitCodes } from '../text/catalogue/exit-codes.ts';
import { plainLines } from '../text/style/plain.ts';

/** An unexpected error: whose bug it seems to be, and the stack to fix it. */
export function bugText(error: unknown): string {
  return [`pawl: ${blame(error)}; nothing that was acknowledged is lost`, ...plainLines(stackOf(error))].join(
    '\n',
  );
}

export function bugJson(error: unknown): object {
  const [message = ''] = plainLines(stackOf(error));
  return {
    ok: false,
    exitCode: exitCodes.bug,
    reason: isOurs(error) ? 'bug' : 'uncaught-error',
    message: `${blame(error)}: ${message}`,
    stack: stackOf(error),
    next: [],
  };
}

/** Code of a pipeline ended the process: its caller must not take that for an answer. */
export const endedText =
  'pawl: code that was loaded by pawl ended the process; nothing that was acknowledged is lost';

export function endedJson(): object {
  return {
    ok: false,
    exitCode: exitCodes.bug,
    reason: 'process-ended',
    message: 'code that was loaded by pawl ended the process',
    next: [],
  };
}

function blame(error: unknown): string {
  return isOurs(error) ? 'this is a bug in pawl' : 'code that was loaded by pawl let an error escape';
}

/** An error that a phase's own code throws on its own has none of our files in its stack. */
function isOurs(error: unknown): boolean {
  return !(error instanceof Error) || error.stack === undefined || error.stack.includes(ourFolder);
}

const ourFolder = fileURLToPath(new URL('..', import.meta.url));

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
