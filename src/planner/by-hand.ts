import type { Step, StepResult } from '../ledger/ledger.ts';
import type { InputSpec, OutputSpec, Phase } from '../model/definition.ts';
import type { RunReason } from '../model/reason.ts';
import { type PlanContext, phaseAt, roundOf, type Walk } from './context.ts';
import { lookAtOutputs, type OutputTrouble, refusalsOf } from './fixed-parts.ts';
import type { Decision } from './plan.ts';
import { feedbackSince } from './questions.ts';

/* Results that no attempt has made: a person put the files there. */

/** What a person put there stands by itself while it is there: nothing before it is asked. */
export function decideByHand(walk: Walk, phase: Phase, step: Step, result: StepResult): Decision | undefined {
  const refusals = refusalsOf(walk, phase, step, result);
  if (refusals.length > 0) return { do: 'refuse', refusals, result };
  const { reason, unpromoted } = lookAtOutputs(walk, step, result);
  if (reason !== undefined || missingByHand(phase, result) !== undefined) return undefined;
  if (feedbackSince(step, result) !== undefined) return undefined;
  return unpromoted.length > 0 ? { do: 'restore', result, outputs: unpromoted } : { do: 'reuse', result };
}

/** A result is whole or none: of several files that were taken in together a crash may have left some out. */
function missingByHand({ outputs }: Phase, result: StepResult): OutputSpec | undefined {
  return outputs.find(({ name, optional }) => !optional && result.outputs[name] === undefined);
}

/** Of several files that were adopted together a crash may have left some out. */
export function missingFound(phase: Phase, result: StepResult): RunReason | undefined {
  const missing = missingByHand(phase, result);
  return missing && { code: 'output-missing', output: missing.name, path: missing.path };
}

/** Why it runs after all. */
export function lostByHand(phase: Phase, result: StepResult, { reason }: OutputTrouble): RunReason {
  if (reason !== undefined) return reason;
  const missing = missingByHand(phase, result);
  return { code: 'output-missing', output: missing?.name ?? '', path: missing?.path ?? '' };
}

/** Everything that would take what this phase makes was put there by hand. */
export function isUnneeded(walk: Walk, at: number): boolean {
  if (!walk.steps.some((step) => step?.results[0]?.byHand)) return false;
  const { phases } = walk.shape.stage;
  const name = phaseAt(walk.shape, at).name;
  if (isTakenElsewhere(walk.context, name)) return false;
  let isTaken = false;
  for (let later = at + 1; later < phases.length; later++) {
    const phase = phaseAt(walk.shape, later);
    if (!takesFrom(phase, name)) continue;
    isTaken = true;
    const step = walk.steps[later];
    const result = step?.results[roundOf(walk, later) - 1];
    const stands = step && result?.byHand && decideByHand(walk, phase, step, result) !== undefined;
    if (!stands && !isUnneeded(walk, later)) return false;
  }
  return isTaken;
}

function takesFrom({ needs, inputs }: Phase, name: string): boolean {
  const takes = (input: InputSpec) =>
    input.kind === 'artifact' && input.from.some(({ phase }) => phase === name);
  return needs.includes(name) || inputs.some(takes);
}

/** Whether other units have what they need is not asked here: what they may take is made. */
function isTakenElsewhere({ loaded }: PlanContext, name: string): boolean {
  return loaded.pipeline.stages.some(({ phases }) =>
    phases.some(({ inputs }) =>
      inputs.some((input) => input.kind === 'elsewhere' && input.from.phase === name),
    ),
  );
}
