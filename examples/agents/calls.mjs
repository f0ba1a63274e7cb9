import { appendFileSync } from 'node:fs';

/**
 * Leaves a trace for whoever counts what was really executed: a line `unit phase attempt iteration`.
 * @param {{ unit: string, phase: string, attempt: number | string, iteration: number | string }} call
 */
export function countCall({ unit, phase, attempt, iteration }) {
  const calls = process.env.AGENTS_CALLS;
  if (calls) appendFileSync(calls, `${unit} ${phase} ${attempt} ${iteration}\n`);
}
