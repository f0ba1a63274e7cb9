import { hostname, userInfo } from 'node:os';
import { cellName } from '../model/names.ts';

/** Who is at this process, and where: recorded with every decision. */
export function whoIsHere(): { readonly by: string; readonly host: string } {
  return { by: userName(), host: hostname() };
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The cell that this process was started for, if any: a phase decides nothing about its own run. */
export function callingCell(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PAWL_UNIT: unit, PAWL_PHASE: phase } = env;
  return unit === undefined || phase === undefined ? undefined : cellName(unit, phase);
}
