import { main } from '../../src/cli/main.ts';
import { testIo } from './test-io.ts';

/*
 * Calls of the command that share this process. The command reads nothing of it, but functions of a pipeline do: while
 * calls are under way the variables and the folder of this process are theirs.
 */

/** How a call of the command ended. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallHere {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** By how much the clock of the call is ahead. */
  readonly laterMs?: number | undefined;
}

let underWay = 0;
let stage = '';
let before: Pick<CallHere, 'cwd'> & { readonly variables: NodeJS.ProcessEnv } = { cwd: '', variables: {} };

/** False for what needs a process of its own, and while calls from another folder or with other variables are under way. */
export function canCallHere(call: CallHere): boolean {
  const { NODE_OPTIONS, LD_PRELOAD } = call.variables;
  if (NODE_OPTIONS !== undefined || LD_PRELOAD !== undefined) return false;
  if (call.args.some((word) => otherPrograms.has(word))) return false;
  return underWay === 0 || stageOf(call) === stage;
}

/** Commands that `bin/pawl.js` hands to other programs than `src/cli`. */
const otherPrograms: ReadonlySet<string> = new Set(['hook', 'statusline', 'mcp']);

/** Calls the command in this process. */
export async function callHere(call: CallHere): Promise<Finished> {
  const { args, cwd, variables, laterMs } = call;
  const io = testIo({ cwd, variables, laterMs, onEnter: (folder) => process.chdir(folder) });
  if (underWay === 0) {
    before = { cwd: process.cwd(), variables: { ...process.env } };
    stage = stageOf(call);
    setStage(call);
  }
  underWay += 1;
  try {
    await main(args, io);
  } finally {
    underWay -= 1;
    if (underWay === 0) setStage(before);
  }
  return { code: io.exitCode ?? 0, signal: null, ...io.printed() };
}

function stageOf({ cwd, variables }: CallHere): string {
  return JSON.stringify([cwd, variables]);
}

function setStage({ cwd, variables }: typeof before): void {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}
