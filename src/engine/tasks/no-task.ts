import type { Stage } from '../../model/definition.ts';
import { isForOthers, roleOf } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { asksOf } from '../../model/reason.ts';
import type { HandOut } from '../../planner/hand-out.ts';
import { isSettled, type Plan, type StepPlan } from '../../planner/plan.ts';
import type { NoTask, TaskView } from '../observe/task-answers.ts';

/** Why nothing is handed out, as far as somebody can do something about it: the first that applies. */
export function whyNone(
  stages: readonly Stage[],
  views: readonly TaskView[],
  plan: Plan,
  { offers, heldBack }: HandOut,
  role: string | undefined,
): NoTask {
  if (plan.finished) return { code: 'all-done' };
  if (role !== undefined && offers.length > 0) {
    const roles = new Set(offers.map(({ phase }) => roleOf(phase) ?? ''));
    return { code: 'other-role', roles: [...roles] };
  }
  const claims = views.flatMap(({ claim }) => (claim?.live ? [claim] : []));
  if (claims.length > 0 || heldBack.size > 0) {
    const nextAt = claims.map(({ until }) => until).sort()[0];
    return { code: 'nothing-now', claimed: claims.length, nextAt, heldBack: [...heldBack.keys()] };
  }
  const asks = stepsOf(plan, ({ decision }) => decision.do === 'stop' && asksOf(decision.why) !== undefined);
  if (asks.length > 0) return { code: 'asks-person', cells: asks };
  const own = stepsOf(plan, isOwn(stages));
  if (own.length > 0 || stages.some(({ isOpen }) => isOpen)) return { code: 'for-the-runner', cells: own };
  const inState = (state: TaskView['state']) =>
    views.filter((view) => view.state === state).map(({ unit }) => unit);
  return { code: 'stuck', failed: inState('failed'), blocked: inState('blocked') };
}

/** Why a task that was asked for by name is not handed out. */
export function whyNot(
  unit: string,
  views: readonly TaskView[],
  plan: Plan,
  conflicts: readonly string[] | undefined,
): Failure {
  const view = views.find((one) => one.unit === unit);
  const not = (why: Extract<Failure, { reason: 'not-claimable' }>['why'], ...others: readonly string[]) =>
    ({ reason: 'not-claimable', unit, why, for: others }) as const;
  if (conflicts !== undefined) return not('conflict', ...conflicts);
  if (view?.claim?.live) return not('claimed', view.claim.actor);
  switch (view?.state) {
    case 'done':
      return not('done');
    case 'blocked':
      return not('blocked', ...(view.reason === undefined ? [] : [view.reason]));
    case 'failed':
      return not('failed', ...(view.reason === undefined ? [] : [view.reason]));
  }
  const step = plan.units.get(unit)?.cells.find(({ decision }) => !isSettled(decision));
  if (step?.decision.do === 'wait') return not('waits', ...step.decision.for);
  if (step?.decision.do === 'stop') return not('asks-person');
  return not('for-the-runner');
}

/** What Pawl itself does next: phases that nobody claims, and files that have to be put back. */
function isOwn(stages: readonly Stage[]): (step: StepPlan) => boolean {
  return ({ phase, decision }) =>
    decision.do === 'restore' || (decision.do === 'run' && !isListedForOthers(stages, phase));
}

function stepsOf(plan: Plan, isMeant: (step: StepPlan) => boolean): string[] {
  const names: string[] = [];
  for (const { cells: steps } of plan.units.values())
    for (const step of steps) if (isMeant(step)) names.push(stepName(step.unit, step.phase));
  return names;
}

function isListedForOthers(stages: readonly Stage[], phase: string): boolean {
  return stages.some(({ phases }) => phases.some((one) => one.name === phase && isForOthers(one)));
}
