import { fail, ok, type Result } from '../../base/result.ts';
import type { OutputSpec } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Made } from '../assignment.ts';
import type { ExecutorContent } from '../executor-host.ts';

/** Puts declared outputs that are in memory into the content store. What is not declared is left out. */
export function putValues(
  content: ExecutorContent,
  specs: readonly OutputSpec[],
  values: Readonly<Record<string, Uint8Array>>,
): Result<Made['outputs'], AttemptFailure> {
  const outputs: Record<string, Made['outputs'][string]> = {};
  for (const { name, optional } of specs) {
    const bytes = values[name];
    if (bytes !== undefined) outputs[name] = { hash: content.put(bytes) };
    else if (!optional) {
      const returned = Object.keys(values).join(', ');
      return fail({ reason: 'output-missing', message: '', facts: { output: name, returned } });
    }
  }
  return ok(outputs);
}
