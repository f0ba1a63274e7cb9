import { isJsonObject } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Gate } from '../model/definition.ts';
import type { Judgement } from '../model/event.ts';
import { isLetThrough } from '../model/result-event.ts';

/** What a report says, and what the gate makes of it. */
export interface ReadReport {
  readonly verdict: string;
  readonly judged: Judgement;
}

/** A report that a gate cannot judge by. */
export interface UnreadableReport {
  /** The keys that lead to nothing; absent: it is no JSON at all. */
  readonly path: string;
  /** Why it is no JSON: data, shown as such. */
  readonly detail: string;
}

/**
 * Reads what a gate judges by. Where only a score decides, the gate says `pass` or `fail` itself. Values that
 * are only kept for the history are left out if they have the wrong type.
 */
export function readReport(gate: Gate, report: Uint8Array): Result<ReadReport, UnreadableReport> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(report));
  } catch (error) {
    return fail({ path: (gate.path ?? gate.score ?? []).join('.'), detail: String(error) });
  }
  const said = gate.path && textOf(valueAt(value, gate.path));
  if (gate.path !== undefined && said === undefined) return fail({ path: gate.path.join('.'), detail: '' });
  const score = gate.score && numberOf(valueAt(value, gate.score));
  if (gate.bar !== undefined && score === undefined)
    return fail({ path: (gate.score ?? []).join('.'), detail: '' });
  const scores = gate.scores && numbersOf(valueAt(value, gate.scores));
  const defects = gate.defects && textsOf(valueAt(value, gate.defects));
  const passed = isLetThrough(gate, { verdict: said, score });
  return ok({
    verdict: said ?? (passed ? 'pass' : 'fail'),
    judged: {
      passed,
      ...(score !== undefined && { score }),
      ...(scores !== undefined && { scores }),
      ...(defects !== undefined && { defects }),
    },
  });
}

const scoresMax = 64;
const defectsMax = 32;
const defectLengthMax = 500;

function valueAt(report: unknown, path: readonly string[]): unknown {
  let value = report;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

function textOf(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : undefined;
}

/** JSON reads `1e999`, and cannot write what it became. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function numbersOf(value: unknown): Record<string, number> | undefined {
  if (!isJsonObject(value)) return undefined;
  const numbers = Object.entries(value).filter(([, number]) => numberOf(number) !== undefined);
  return Object.fromEntries(numbers.slice(0, scoresMax)) as Record<string, number>;
}

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return texts.slice(0, defectsMax).map((text) => text.slice(0, defectLengthMax));
}
