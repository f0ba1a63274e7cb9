import { isJsonObject } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Gate } from '../model/definition.ts';

/** What a gate's report says. The failure is why it says nothing: data, shown as such. */
export function readVerdict(gate: Gate, report: Uint8Array): Result<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(report));
  } catch (error) {
    return fail(String(error));
  }
  for (const key of gate.path) value = isJsonObject(value) ? value[key] : undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return ok(String(value));
  return fail('');
}
