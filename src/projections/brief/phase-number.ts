import type { JsonValue } from '../../base/json.ts';
import { squash } from '../status-page/status-words.ts';

/** The number of a phase as documents write it: `3`, `"3"`, `Phase 3`, `phase-3`. Undefined for all else, a name too. */
export function readPhaseNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = /^\s*(?:phase[\s_#-]*)?(\d{1,6})\s*$/i.exec(value)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether two names are the same but for case and what stands between the words. */
export function isSameName(a: string, b: string): boolean {
  return squash(a) === squash(b);
}

/** The number of the only phase with that name, counted from 1. */
export function phaseNamed(phases: readonly string[], name: string): number | undefined {
  const index = phases.findIndex((phase) => isSameName(phase, name));
  return index < 0 || phases.slice(index + 1).some((phase) => isSameName(phase, name))
    ? undefined
    : index + 1;
}
