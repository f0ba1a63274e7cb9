import { isJsonObject } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Gate } from '../model/definition.ts';
import type { Judgement } from '../model/event.ts';

/** What a gate's report says. The failure is why it says nothing: data, shown as such. */
export function readVerdict(gate: Gate, report: Uint8Array): Result<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(report));
  } catch (error) {
    return fail(String(error));
  }
  const verdict = valueAt(value, gate.path);
  if (typeof verdict === 'string' || typeof verdict === 'number' || typeof verdict === 'boolean')
    return ok(String(verdict));
  return fail('');
}

const scoresMax = 64;
const defectsMax = 32;
const defectLengthMax = 500;

/** What the gate makes of a report, for whoever looks back. What is not of its kind is left out: the verdict decides. */
export function readJudgement(gate: Gate, verdict: string, report: Uint8Array): Judgement {
  const passed = gate.pass.includes(verdict);
  if (gate.score === undefined && gate.scores === undefined && gate.defects === undefined) return { passed };
  const value: unknown = JSON.parse(new TextDecoder().decode(report));
  const score = gate.score && valueAt(value, gate.score);
  const scores = gate.scores && numbersOf(valueAt(value, gate.scores));
  const defects = gate.defects && textsOf(valueAt(value, gate.defects));
  return {
    passed,
    ...(isFiniteNumber(score) && { score }),
    ...(scores !== undefined && { scores }),
    ...(defects !== undefined && { defects }),
  };
}

function valueAt(report: unknown, path: readonly string[]): unknown {
  let value = report;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

function numbersOf(value: unknown): Record<string, number> | undefined {
  if (!isJsonObject(value)) return undefined;
  const numbers = Object.entries(value).filter(([, number]) => isFiniteNumber(number));
  return Object.fromEntries(numbers.slice(0, scoresMax)) as Record<string, number>;
}

/** JSON reads `1e999`, and cannot write what it became. */
function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return texts.slice(0, defectsMax).map((text) => text.slice(0, defectLengthMax));
}
