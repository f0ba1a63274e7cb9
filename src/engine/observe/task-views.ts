import { findStep, type Ledger, newestResult, type Step, standingFailure } from '../../ledger/ledger.ts';
import type { Pipeline, Stage, Unit } from '../../model/definition.ts';
import { isForOthers, roleOf } from '../../model/executor.ts';
import { asksOf, type StopReason } from '../../model/reason.ts';
import { claimedUnits, conflictsOf } from '../../planner/hand-out.ts';
import { isSettled, type Plan, type StepPlan, type UnitPlan } from '../../planner/plan.ts';
import type { TaskClaim, TaskCounts, TaskState, TaskView } from './task-answers.ts';

/** Every unit as those see it who work on it, in the order of stages and units. */
export function taskViews(pipeline: Pipeline, ledger: Ledger, plan: Plan, now: string): TaskView[] {
  return pipeline.stages.flatMap((stage) => {
    const claimed = claimedUnits(stage, plan);
    return stage.units.map((unit) => viewOf(stage, unit, ledger, plan.units.get(unit.id), claimed, now));
  });
}

/** The part of the work that is claimed from outside; of a pipeline without any such, all of it. */
export function sharedViews(pipeline: Pipeline, views: readonly TaskView[]): readonly TaskView[] {
  const shared = pipeline.stages.filter(({ phases }) => phases.some(isForOthers));
  if (shared.length === 0) return views;
  const names = new Set(shared.map(({ name }) => name));
  return views.filter(({ stage }) => names.has(stage));
}

export function countTasks(views: readonly TaskView[]): TaskCounts {
  const counts: Record<TaskState, number> = {
    pending: 0,
    ready: 0,
    claimed: 0,
    in_progress: 0,
    implemented: 0,
    done: 0,
    failed: 0,
    blocked: 0,
  };
  let runnable = 0;
  let inDoubt = 0;
  for (const view of views) {
    counts[view.state] += 1;
    if (view.runnable) runnable += 1;
    if (view.inDoubt) inDoubt += 1;
  }
  return { ...counts, total: views.length, runnable, inDoubt };
}

/** Every claim on record that has not ended, also those whose lease has run out. */
export function listClaims(ledger: Ledger, now: string): TaskClaim[] {
  const claims: TaskClaim[] = [];
  for (const step of ledger.steps.values()) {
    const claim = claimOf(step, now);
    if (claim !== undefined) claims.push(claim);
  }
  return claims;
}

function claimOf({ unit, phase, running }: Step, now: string): TaskClaim | undefined {
  if (running?.claim === undefined) return undefined;
  const { actor, until } = running.claim;
  return { unit, phase, actor, attempt: running.attempt, until, live: until > now };
}

/** One unit as those see it who work on it. `claimed`: the units of its stage that somebody has. */
function viewOf(
  stage: Stage,
  unit: Unit,
  ledger: Ledger,
  plan: UnitPlan | undefined,
  claimed: readonly Unit[],
  now: string,
): TaskView {
  const current = currentStep(plan);
  const step = current && findStep(ledger, unit.id, current.phase);
  const phase = stage.phases.find(({ name }) => name === current?.phase);
  const claim = step && claimOf(step, now);
  const conflicts = current?.decision.do === 'run' ? conflictsOf(unit, claimed) : [];
  const blocked = plan?.finished ? undefined : ledger.blocked.find((one) => one.unit === unit.id);
  const state = blocked === undefined ? stateOf(plan, current, step) : 'blocked';
  const asks = current?.decision.do === 'stop' ? asksOf(current.decision.why) : undefined;
  return {
    unit: unit.id,
    title: unit.title,
    stage: stage.name,
    state,
    runnable: current?.decision.do === 'run' && conflicts.length === 0,
    inDoubt: step?.running !== undefined && current?.decision.do !== 'claimed' && claim?.live !== true,
    phase: current?.phase,
    role: phase && roleOf(phase),
    claim,
    attempts: step?.attempts ?? 0,
    needs: unit.needs,
    priority: unit.priority,
    conflicts,
    reason: blocked?.reason ?? (step?.failure?.message || step?.failure?.reason),
    ...(asks && { asks: { id: asks.id, name: asks.name } }),
    doneAt: plan?.finished ? doneAt(ledger, unit.id, plan) : undefined,
  };
}

/** The first phase that is not done. */
function currentStep(plan: UnitPlan | undefined): StepPlan | undefined {
  return plan?.cells.find(({ decision }) => !isSettled(decision));
}

function stateOf(
  plan: UnitPlan | undefined,
  current: StepPlan | undefined,
  step: Step | undefined,
): TaskState {
  if (plan?.finished) return 'done';
  if (current === undefined) return 'pending';
  const { decision } = current;
  if (decision.do === 'claimed') return decision.running.claim.begun ? 'in_progress' : 'claimed';
  if (decision.do === 'stop') return stoppedAs(decision.why);
  if (decision.do === 'refuse') return 'blocked';
  if (step?.running !== undefined) return 'in_progress';
  if (decision.do === 'run' && step !== undefined && standingFailure(step) !== undefined) return 'failed';
  if (plan?.cells.some((one) => one.decision.do === 'reuse')) return 'implemented';
  return decision.do === 'run' ? 'ready' : 'pending';
}

/** What only a person can settle waits; what has used up its attempts or rounds has failed. */
function stoppedAs(why: StopReason): TaskState {
  // It goes on by itself, or when a person lets it be started again.
  if (why.code === 'paused' || why.code === 'interruptions-used-up') return 'pending';
  if (asksOf(why) === undefined || why.code === 'attempts-used-up') return 'failed';
  return asksOf(why)?.place.startsWith('before') ? 'pending' : 'implemented';
}

function doneAt(ledger: Ledger, unit: string, plan: UnitPlan): string | undefined {
  let latest: string | undefined;
  for (const { phase } of plan.cells) {
    const step = findStep(ledger, unit, phase);
    const at = step && newestResult(step)?.at;
    if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  }
  return latest;
}
