import type { StepName } from '../model/names.ts';
import { stepName } from '../model/names.ts';
import type { Change, PolicySource } from '../model/reason.ts';
import type { PlanContext } from './context.ts';
import type { StepOf } from './opening.ts';
import { type Plan, rerunChanges, type StepPlan } from './plan.ts';
import { policyOf } from './policy.ts';

/** Steps that run again only because a policy says so. */
export interface PolicyReruns {
  /** In the order of the plan; with the steps that depend on them. */
  readonly steps: readonly (StepOf & { readonly source: PolicySource })[];
  /** What changed for them. */
  readonly changes: readonly Change[];
}

/**
 * What policies would run again. A step that never ran, or whose output is missing or corrupted, is no part of it.
 * `answered`: steps that what was asked for re-runs or keeps already.
 */
export function policyReruns(
  context: PlanContext,
  plan: Plan,
  answered: ReadonlySet<string>,
): PolicyReruns | undefined {
  const steps = new Map<StepName, StepOf & { readonly source: PolicySource }>();
  const changes: Change[] = [];
  const unitSources = new Map<string, PolicySource>();
  for (const { unit, cells } of plan.units.values())
    for (const step of cells) {
      const { phase } = step;
      if (answered.has(stepName(unit, phase))) continue;
      const own = rerunChanges(step.decision);
      const source = own.length > 0 ? sourceOf(context, own) : inheritedSource(step, steps, unitSources);
      if (source === undefined) continue;
      steps.set(stepName(unit, phase), { unit, phase, source });
      if (unitSources.get(unit) !== 'default') unitSources.set(unit, source);
      changes.push(...own);
    }
  return changes.length === 0 ? undefined : { steps: [...steps.values()], changes };
}

/** One change that only a default re-runs the step for is enough: the manifest does not ask for that. */
function sourceOf(context: PlanContext, changes: readonly Change[]): PolicySource {
  return changes.every((change) => policyOf(context, change).source === 'manifest') ? 'manifest' : 'default';
}

/** Of a step with a result that waits for one that runs again. */
function inheritedSource(
  { unit, decision }: StepPlan,
  steps: ReadonlyMap<StepName, { readonly source: PolicySource }>,
  unitSources: ReadonlyMap<string, PolicySource>,
): PolicySource | undefined {
  if (decision.do !== 'wait' || decision.had === undefined) return undefined;
  const sources = decision.for.map(
    (need) =>
      (steps.get(stepName(unit, need)) ?? steps.get(need as StepName))?.source ?? unitSources.get(need),
  );
  return sources.includes('default') ? 'default' : sources.find((source) => source !== undefined);
}
