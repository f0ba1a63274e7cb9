import type { JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Problem } from '../../model/failure.ts';
import { depthMax } from './convert.ts';
import { type DataDocument, parseDocument } from './document.ts';
import { indexJson } from './json-index.ts';
import { createLocate } from './places.ts';
import { placeAt } from './problems.ts';

/** Reads a JSON or YAML file: JSON by its name, which is fifty times as fast, everything else as YAML. */
export function parseDataFile(text: string, file: string): Result<DataDocument, readonly Problem[]> {
  if (!file.toLowerCase().endsWith('.json')) return parseDocument(text, file);
  let data: JsonValue;
  try {
    data = JSON.parse(text) as JsonValue;
  } catch {
    return explainJson(text, file);
  }
  if (isDeeperThan(data, depthMax)) {
    const place = placeAt(file, text, 0);
    return fail([{ code: 'yaml-too-deep', path: '', place, facts: { limit: depthMax } }]);
  }
  return ok({ data, locate: createLocate(text, file, () => indexJson(text)) });
}

/** JSON is YAML, and the YAML parser tells the place of what is wrong. */
function explainJson(text: string, file: string): Result<never, readonly Problem[]> {
  const document = parseDocument(text, file);
  if (!document.ok) return document;
  const facts = { cause: 'JSON' };
  return fail([{ code: 'yaml-syntax', path: '', place: placeAt(file, text, 0), facts }]);
}

function isDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const item of Object.values(value)) if (isDeeperThan(item, depth - 1)) return true;
  return false;
}
