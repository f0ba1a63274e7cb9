import type { EventBody } from '../../model/event.ts';
import type { RerunAbove } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { planContext } from '../../planner/context.ts';
import { type Plan, rerunChanges } from '../../planner/plan.ts';
import { policyReruns } from '../../planner/policy.ts';
import { insideScope } from '../../planner/scope.ts';
import type { OverrideRequest } from '../open/requests.ts';
import type { RunPlan } from './plan-from-disk.ts';

/** Whose word is enough for a large re-run. */
export interface RerunConsent {
  /** A person can be asked: then a policy that the manifest states is asked about, too. */
  readonly canAsk: boolean;
  /** `--rerun-changed` was given: the user asked for it already. */
  readonly isGiven: boolean;
}

export function rerunConsent(
  request: Pick<OverrideRequest, 'rerunChanged' | 'answering'> & { readonly canAsk?: boolean | undefined },
): RerunConsent {
  // An answer to a question is about the changes that it showed, and is among what the call records.
  const isGiven = request.rerunChanged === true && request.answering === undefined;
  return { canAsk: request.canAsk ?? false, isGiven };
}

/**
 * What policies run again, where that is more than `confirm_above` allows; undefined: it is not, or it was asked for.
 * `wanted`: what the call would record before anything runs.
 */
export async function rerunAbove(
  seen: RunPlan,
  folder: string,
  wanted: readonly EventBody[],
  { canAsk, isGiven }: RerunConsent,
): Promise<RerunAbove | undefined> {
  const { workspace, ledger, facts } = seen;
  const plan = insideScope(seen.plan);
  if (isGiven || !hasPolicyRerun(plan)) return undefined;
  const found = policyReruns(planContext(workspace.loaded, ledger, facts), plan, answeredBy(wanted));
  if (found === undefined) return undefined;
  const steps = canAsk ? found.steps : found.steps.filter(({ source }) => source === 'default');
  const names = new Set<string>(steps.map(({ unit, phase }) => stepName(unit, phase)));
  const changes = found.changes.filter(({ unit, phase }) => names.has(stepName(unit, phase)));
  if (changes.length === 0) return undefined;
  const limit = workspace.loaded.pipeline.confirmAbove;
  const { plannedCalls } = await import('./planned-calls.ts');
  const usd = (await plannedCalls({ ...seen, plan: only(plan, names) }, folder))?.usd ?? 0;
  if (steps.length <= limit.steps && usd <= limit.usd) return undefined;
  return { changes, steps: steps.map(({ unit, phase }) => ({ unit, phase })), usd, limit };
}

/** Nearly every plan has none: then nothing more is looked at. */
function hasPolicyRerun({ units }: Plan): boolean {
  for (const { cells: steps } of units.values())
    for (const { decision } of steps) if (rerunChanges(decision).length > 0) return true;
  return false;
}

/** Steps that a flag re-runs or keeps. */
function answeredBy(wanted: readonly EventBody[]): Set<string> {
  const answered = new Set<string>();
  for (const event of wanted)
    if (event.type === 'results_superseded' || event.type === 'results_kept')
      for (const step of event.steps) answered.add(step);
  return answered;
}

function only(plan: Plan, names: ReadonlySet<string>): Plan {
  const units = [...plan.units].map(([id, unit]) => {
    const steps = unit.cells.filter(({ phase }) => names.has(stepName(id, phase)));
    return [id, { ...unit, cells: steps }] as const;
  });
  return { ...plan, units: new Map(units) };
}
