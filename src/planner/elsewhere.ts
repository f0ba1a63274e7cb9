import { findStep, type StepResult } from '../ledger/ledger.ts';
import type { InputSpec, Phase } from '../model/definition.ts';
import { type ConsumedArtifact, comparedResult, type Decision } from './plan.ts';
import type { Walk } from './walk.ts';

type Elsewhere = InputSpec & { readonly kind: 'elsewhere' };

/** What a phase takes from other units, by the name that it is recorded under: `NAME`, or `NAME/UNIT` of many. */
export function takeElsewhere(
  walk: Walk,
  input: Elsewhere,
): { readonly key: string; readonly consumed: ConsumedArtifact }[] {
  return makers(walk, input).flatMap((unit) => {
    const decision = decisionOn(walk, unit, input.from.phase);
    const result = decision && comparedResult(decision);
    const output = result?.outputs[input.from.output];
    if (result === undefined || output === undefined) return [];
    const superseded = findStep(walk.context.ledger, unit, input.from.phase)?.promoted !== result.attempt;
    const ref = `${unit}/${input.from.phase}#${result.attempt} ${output.hash}`;
    return [
      {
        key: input.of === 'every' ? `${input.name}/${unit}` : input.name,
        consumed: { ref, output, superseded },
      },
    ];
  });
}

/** Units that this phase waits for. A result that stands whatever they make waits for none of them. */
export function pendingElsewhere(
  walk: Walk,
  phase: Phase,
  result: StepResult | undefined,
): readonly string[] {
  let pending: Set<string> | undefined;
  for (const input of phase.inputs) {
    if (input.kind !== 'elsewhere' || (result !== undefined && input.onChange === 'keep')) continue;
    for (const unit of makers(walk, input)) {
      if (!isPending(walk, unit, input)) continue;
      pending ??= new Set();
      pending.add(unit);
    }
  }
  return pending === undefined ? none : [...pending];
}

/** Inputs whose change is told and makes nothing run. */
export function toldInputs(phase: Phase): string[] {
  return phase.inputs.flatMap((input) =>
    input.kind === 'elsewhere' && input.onChange === 'keep' ? [input.name] : [],
  );
}

const none: readonly never[] = [];

/** The units that make an input. */
function makers({ context, before }: Walk, input: Elsewhere): readonly string[] {
  if (input.of === 'previous') return before === undefined ? none : [before.id];
  return context.makersOf(input.from.phase);
}

/**
 * A unit that was given up will never make it. The unit before has to be finished, or only to get its outputs put back: a
 * gate may still send it back, and then whoever took its first round would have been paid for in vain.
 */
function isPending(walk: Walk, unit: string, { of, from }: Elsewhere): boolean {
  const plan = walk.units.get(unit);
  if (plan?.ended === true) return false;
  if (of === 'previous') return plan?.isMade !== true;
  const decision = decisionOn(walk, unit, from.phase);
  if (decision === undefined) return true;
  return decision.do !== 'skip' && comparedResult(decision) === undefined;
}

function decisionOn({ units }: Walk, unit: string, phase: string): Decision | undefined {
  return units.get(unit)?.cells.find((step) => step.phase === phase)?.decision;
}
