import { findStep } from '../ledger/ledger.ts';
import type { OutputRecord } from '../model/event.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import type { Decision, UnitPlan } from '../planner/plan.ts';
import { type RunContext, record } from './context.ts';
import { makeRoom, place, stagedName, stagingFolder } from './outputs.ts';
import { runnableOf, stage } from './promotion.ts';
import { recordedProgress } from './recorded-progress.ts';

/** Puts outputs that are proven by the content store back where they belong. True: the plan has to be made anew. */
export async function restoreOutputs(run: RunContext, plans: Iterable<UnitPlan>): Promise<boolean> {
  let changed = false;
  for (const { cells: steps } of plans) {
    for (const { unit, phase, decision } of steps) {
      if (decision.do !== 'restore') continue;
      const at = { unit, phase, attempt: decision.result.attempt };
      if (await restoreStep(run, at, decision)) changed = true;
    }
  }
  return changed;
}

async function restoreStep(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  { result, outputs }: Decision & { do: 'restore' },
): Promise<boolean> {
  const restored: Record<string, OutputRecord> = {};
  for (const output of outputs) {
    const record = result.outputs[output];
    if (record === undefined) continue;
    const bytes = run.store.get(record.hash);
    if (bytes === undefined || bytes === 'damaged') {
      // Not to be had any more: the next plan sees it as missing and runs the phase again.
      run.facts.lost.add(record.hash);
      if (findStep(run.ledger, at.unit, at.phase)?.promoted === at.attempt)
        run.facts.outputs.set(record.path, { kind: 'missing' });
      continue;
    }
    const runnable = runnableOf(record);
    const staged = stage(run.disk, stagingFolder(run), stagedName(at, output), bytes, runnable);
    const path = declaredPath(run, at, output) ?? record.path;
    run.files.stage(path, staged, record.hash);
    restored[output] = { path, hash: record.hash, size: staged.size, ...runnable };
  }
  if (Object.keys(restored).length === 0) return outputs.length > 0;
  const { round } = result;
  const recorded = await record(run, {
    type: 'outputs_restored',
    ...at,
    ...(round > 1 && { round }),
    outputs: restored,
  });
  const shown = recorded.flatMap(recordedProgress);
  for (const output in restored) {
    const { path } = restored[output] as OutputRecord;
    makeRoom(run, path, restored[output], findStep(run.ledger, at.unit, at.phase)?.former ?? []);
    place(run, stagedName(at, output), path);
    run.files.place(path);
    run.facts.outputs.delete(path);
    for (const one of shown) if (one.type === 'output-restored' && one.path === path) run.observe(one);
  }
  return true;
}

/** Where the output belongs now; the manifest may have changed since it was made. */
function declaredPath(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  output: string,
): string | undefined {
  for (const { units, phases } of run.loaded.pipeline.stages) {
    const spec = phases.find(({ name }) => name === at.phase)?.outputs.find(({ name }) => name === output);
    const unit = spec && units.find(({ id }) => id === at.unit);
    if (spec !== undefined && unit !== undefined) return expandPattern(spec.path, unit, at.attempt);
  }
  return undefined;
}
