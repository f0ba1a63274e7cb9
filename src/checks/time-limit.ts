import { type Context, createContext, Script } from 'node:vm';

/**
 * Runs a function and ends it when its time is up: the one way to stop a pattern that backtracks for ever, in this
 * thread. The script is only there because a time limit is an option of scripts; it isolates nothing.
 */
export function runWithTimeLimit<T>(timeoutMs: number, run: () => T): { value: T } | 'timed-out' {
  context ??= createContext(Object.create(null));
  let value: { value: T } | undefined;
  context.run = () => {
    value = { value: run() };
  };
  try {
    script.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    if (isTimeout(error)) return 'timed-out';
    throw error;
  } finally {
    context.run = undefined;
  }
  if (value === undefined) throw new Error('the script did not run');
  return value;
}

const script = new Script('run()');
let context: Context | undefined;

/** The error may belong to the context of the script, so it is no instance of our `Error`. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
