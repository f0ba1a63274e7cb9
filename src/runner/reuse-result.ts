import type { EarlierResult } from '../planner/earlier-results.ts';
import type { Attempt, ReadyStep, Reused } from './attempt.ts';
import { AttemptContent } from './attempt-content.ts';
import { folderOf, type RunContext } from './context.ts';
import { type KeptOutputs, keepOutputs } from './outputs.ts';
import { wantsAnother } from './wants-another.ts';

/** A result of another run that this attempt may take, as far as its parts tell. */
export function findEarlier(
  run: Pick<RunContext, 'earlier' | 'ledger' | 'loaded'>,
  step: Pick<ReadyStep, 'unit' | 'phase' | 'round' | 'made'>,
): EarlierResult | undefined {
  if (run.earlier === undefined || wantsAnother(run, step)) return undefined;
  return run.earlier.find(run.loaded, { unit: step.unit.id, phase: step.phase.name, made: step.made });
}

/**
 * Takes the result of another run: its bytes are proven by their hash, checked and promoted like those of any attempt.
 * Undefined: there is none, bytes of it are gone, or a check turns them down now; then the attempt runs.
 */
export async function takeEarlier(
  run: RunContext,
  attempt: Attempt,
): Promise<{ readonly kept: KeptOutputs; readonly from: Reused } | undefined> {
  const earlier = findEarlier(run, attempt);
  if (earlier === undefined || earlier.prompt !== attempt.prompt?.hash) return undefined;
  const content = new AttemptContent(run.store);
  const { outputs } = earlier;
  for (const { hash } of Object.values(outputs)) {
    const bytes = content.get(hash);
    if (bytes === undefined) return undefined;
    content.put(bytes, hash);
  }
  const kept = await keepOutputs(run, attempt, { outputs }, content);
  if (kept.ok) {
    const { source: reused, saved } = earlier;
    return { kept: kept.value, from: { reused, ...(saved && { saved }) } };
  }
  // What its check has turned down lies where the attempt itself is about to write.
  for (const { name } of attempt.phase.outputs) run.disk.remove(`${folderOf(run, attempt)}/outputs/${name}`);
  return undefined;
}
