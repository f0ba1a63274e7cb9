import type { Gate } from './definition.ts';

/** What a gate looks at. */
export interface Judged {
  readonly verdict: string | undefined;
  readonly score?: number | undefined;
}

/** Whether a gate lets a report through: by its verdict, by its score, and by both where it asks for both. */
export function isLetThrough(gate: Gate, { verdict, score }: Judged): boolean {
  if (gate.path !== undefined && !gate.pass.includes(verdict ?? '')) return false;
  return gate.bar === undefined || (score !== undefined && score >= gate.bar);
}
