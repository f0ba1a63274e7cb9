import { asksModel } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { Plan, StepPlan } from '../../planner/plan.ts';
import { insideScope } from '../../planner/scope.ts';
import type { RunContext } from '../../runner/context.ts';

/** Whoever cannot be asked is told of before anything is started; undefined: nobody has to be, or all can. */
export async function findMissing(
  { root, loaded }: Pick<RunContext, 'root' | 'loaded'>,
  variables: NodeJS.ProcessEnv,
  /** Undefined: a run that nothing was done of yet. */
  all: Plan | undefined,
): Promise<Failure | undefined> {
  const plan = all && insideScope(all);
  const asking = loaded.pipeline.stages.flatMap(({ units, phases }) =>
    phases.filter(
      (phase) =>
        asksModel(phase) &&
        (plan === undefined ||
          units.some(({ id }) => plan.units.get(id)?.cells.some((step) => isToDo(step, phase.name)))),
    ),
  );
  if (asking.length === 0) return undefined;
  const { missingProviders } = await import('../../runner/models/providers.ts');
  const missing = missingProviders(root, loaded.pipeline.models, asking, variables);
  return missing.length === 0 ? undefined : { reason: 'provider-missing', missing };
}

function isToDo({ phase, decision }: StepPlan, name: string): boolean {
  return phase === name && (decision.do === 'run' || decision.do === 'wait');
}
