import { hostname, userInfo } from 'node:os';
import type { Decider } from '../../model/event.ts';
import { stepName } from '../../model/names.ts';

/** Who is at this process, and where: recorded with every decision. */
export function whoIsHere(): { readonly by: string; readonly host: string } {
  return { by: userName(), host: hostname() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Whose decisions are recorded by a program that names no one. */
export function scriptDecider(): Decider {
  return { ...whoIsHere(), channel: 'script' };
}

/**
 * The variables that coding agents set in every shell they start, by exact name: a client may give its shell a terminal,
 * so a terminal alone does not prove that a person types. `CURSOR_TRACE_ID` is missing on purpose, because terminals in
 * which people type have it too.
 */
export const agentMarkers: readonly AgentMarker[] = [
  { variable: 'CLAUDECODE', client: 'Claude Code' },
  { variable: 'AI_AGENT', client: 'a coding agent' },
  { variable: 'CODEX_THREAD_ID', client: 'Codex' },
  { variable: 'CODEX_CI', client: 'Codex' },
  { variable: 'GEMINI_CLI', client: 'Gemini CLI' },
  { variable: 'OPENCODE', client: 'opencode' },
  { variable: 'COPILOT_CLI', client: 'Copilot CLI' },
  { variable: 'CURSOR_AGENT', client: 'Cursor' },
  { variable: 'CURSOR_EXTENSION_HOST_ROLE', value: 'agent-exec', client: 'Cursor' },
];

export interface AgentMarker {
  readonly variable: string;
  /** The only value that counts. Undefined: every value but the empty one. */
  readonly value?: string;
  readonly client: string;
}

/** The coding agent below which this process runs, if any. */
export function agentHere(env: NodeJS.ProcessEnv): AgentMarker | undefined {
  return agentMarkers.find(({ variable, value }) =>
    value === undefined ? Boolean(env[variable]) : env[variable] === value,
  );
}

/** A CI job: `CI` is the variable that every service sets. Nobody sits at its terminal. */
export function isCi(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.CI) && env.CI !== 'false' && env.CI !== '0';
}

/** The cell that this process was started for, if any: a phase decides nothing about its own run. */
export function callingStep(env: NodeJS.ProcessEnv): string | undefined {
  const { PAWL_UNIT: unit, PAWL_PHASE: phase } = env;
  return unit === undefined || phase === undefined ? undefined : stepName(unit, phase);
}
