import { type Runnable, runnableOf } from '../artifacts/promotion.ts';
import type { EarlierResult } from '../planner/earlier-results.ts';
import type { Attempt, Produced, ReadyStep, Reused } from './attempt.ts';
import { folderOf, type RunContext } from './context.ts';
import { type KeptOutputs, keepOutputs } from './outputs.ts';
import { wantsAnother } from './wants-another.ts';

/** A result of another run that this attempt may take, as far as its parts tell. */
export function findEarlier(
  run: Pick<RunContext, 'earlier' | 'ledger' | 'loaded'>,
  step: Pick<ReadyStep, 'unit' | 'phase' | 'iteration' | 'made'>,
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
  const produced = producedBy(run, earlier);
  if (produced === undefined) return undefined;
  const kept = await keepOutputs(run, attempt, produced);
  if (kept.ok) {
    const { source: reused, saved } = earlier;
    return { kept: kept.value, from: { reused, ...(saved && { saved }) } };
  }
  // What its check has turned down lies where the attempt itself is about to write.
  for (const { name } of attempt.phase.outputs) run.disk.remove(`${folderOf(run, attempt)}/outputs/${name}`);
  return undefined;
}

function producedBy(run: RunContext, { outputs }: EarlierResult): Produced | undefined {
  const values: Record<string, Uint8Array> = {};
  const runnables: Record<string, Runnable> = {};
  for (const [name, output] of Object.entries(outputs)) {
    const bytes = run.store.get(output.hash);
    if (bytes === undefined || bytes === 'damaged') return undefined;
    values[name] = bytes;
    runnables[name] = runnableOf(output);
  }
  return { response: undefined, outputs: { kind: 'values', values, runnables } };
}
