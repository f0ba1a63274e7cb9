import type { Hash } from '../../../base/hash.ts';
import { type Ledger, promotedResult, type Step } from '../../../ledger/ledger.ts';

/**
 * What the finished units of a run have come to: the outputs of their last phase, by path. Told from the journal alone,
 * so that it holds for runs of any manifest. The units of a stage all have the same phases, and no phase is of two
 * stages: a unit is finished that has come as far as any unit of its stage.
 */
export function finalOutputs(ledger: Ledger): Map<string, Hash> {
  const order = new Map(
    Object.keys(ledger.revisions.get(ledger.revision)?.phases ?? {}).map((phase, at) => [phase, at]),
  );
  const isLater = (phase: string, other: string) => (order.get(phase) ?? -1) > (order.get(other) ?? -1);
  const lastOf = new Map<Set<string>, string>();
  const stages = stagesOf(ledger);
  for (const { phase } of standingSteps(ledger)) {
    const stage = stages.get(phase);
    const last = stage && lastOf.get(stage);
    if (stage !== undefined && (last === undefined || isLater(phase, last))) lastOf.set(stage, phase);
  }
  const outputs = new Map<string, Hash>();
  for (const step of standingSteps(ledger)) {
    const stage = stages.get(step.phase);
    if (stage === undefined || lastOf.get(stage) !== step.phase) continue;
    for (const { path, hash } of Object.values(promotedResult(step)?.outputs ?? {})) outputs.set(path, hash);
  }
  return outputs;
}

function* standingSteps(ledger: Ledger): Generator<Step> {
  for (const step of ledger.steps.values()) if (promotedResult(step) !== undefined) yield step;
}

/** By phase: all phases of its stage that any unit has come to. */
function stagesOf(ledger: Ledger): Map<string, Set<string>> {
  const stages = new Map<string, Set<string>>();
  for (const steps of ledger.steps.byUnit.values()) {
    const stage =
      steps.map(({ phase }) => stages.get(phase)).find((known) => known !== undefined) ?? new Set();
    for (const { phase } of steps) {
      const other = stages.get(phase);
      if (other === stage) continue;
      for (const joined of other ?? [phase]) {
        stage.add(joined);
        stages.set(joined, stage);
      }
    }
  }
  return stages;
}
