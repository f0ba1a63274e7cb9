import { fail, ok, type Result } from '../../base/result.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import { isForOthers, roleOf } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import type { Notice, Refusal } from '../../model/reason.ts';
import { handOut, type Offer } from '../../planner/hand-out.ts';
import { stillRefused } from '../../planner/open-guards.ts';
import { noOverrides } from '../../planner/overrides.ts';
import { planAfterStart } from '../../planner/run.ts';
import { record } from '../../runner/context.ts';
import { keepAdopted } from '../observe/adopted-bytes.ts';
import {
  adoptFacts,
  eventsForOverrides,
  planRunFromDisk,
  planWith,
  type RunPlan,
} from '../observe/plan-from-disk.ts';
import type { HandedTask, NextAnswer } from '../observe/task-answers.ts';
import { countTasks, listClaims, sharedViews, taskViews } from '../observe/task-views.ts';
import type { LockedClaims } from '../open/claim-lock.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading } from '../open/find-run.ts';
import { findRunOwner, shownFindings } from '../open/open-run.ts';
import { isSameButForCode, keepSources } from '../open/revision.ts';
import { type ClaimChange, openClaimSession, withClaimLock } from './claim-session.ts';
import { claimTask } from './claim-task.ts';
import { whyNone, whyNot } from './no-task.ts';
import type { NextRequest } from './requests.ts';

export type { NextRequest } from './requests.ts';

/** Claims the next task that can be worked on: of any number of callers each one is given to exactly one. */
export async function nextTask(env: Environment, request: NextRequest): Promise<Result<NextAnswer, Failure>> {
  const visited = await openClaimSession(env, request, { needsList: true });
  if (!visited.ok) return visited;
  const known = checkRequest(visited.value.workspace.loaded.pipeline.stages, request);
  if (!known.ok) return known;
  return await withClaimLock(visited.value, async (desk) => {
    const seen = await lookAtDesk(desk);
    if (!seen.ok) return seen;
    return await claim(desk, seen.value, request);
  });
}

function checkRequest(
  stages: readonly Offer['stage'][],
  { role, unit }: NextRequest,
): Result<undefined, Failure> {
  const roles = new Set<string>();
  for (const { executor } of stages.flatMap(({ phases }) => phases.filter(isForOthers)))
    roles.add(executor.role);
  if (role !== undefined && !roles.has(role))
    return fail({ reason: 'usage', problem: { code: 'unknown-role', name: role, valid: [...roles] } });
  const isListed = stages.some(({ units }) => units.some(({ id }) => id === unit));
  if (unit !== undefined && !isListed)
    return fail({ reason: 'usage', problem: { code: 'unknown-unit', name: unit, near: [] } });
  return ok(undefined);
}

/**
 * The plan as of now. A guard that refuses refuses here too, except for an edited output: what depends on that is not
 * offered, and everything else is handed out. What the manifest takes in by itself is recorded.
 */
async function lookAtDesk({ workspace, opened, hold }: LockedClaims): Promise<Result<RunPlan, Failure>> {
  const options = { deep: false, restore: false };
  const seen = await planRunFromDisk(workspace, { ...opened, ledger: hold.ledger }, options);
  const wanted = eventsForOverrides(seen, noOverrides, ({ guard }) => guard !== 'output-edited');
  if (!wanted.ok) return wanted;
  if (wanted.value.length === 0) return ok(seen);
  // An edit that is meant may be taken in beside a runner; what changes its ground may not.
  const isBeside = wanted.value.every(({ type }) => type === 'artifact_adopted');
  const runner = isBeside ? undefined : findRunOwner(workspace.env, opened);
  // Agents may edit what another phase runs as code. The runner goes on by what it has recorded, and the next one sees it.
  const isCode = wanted.value.every(({ type }) => type === 'revision_recorded');
  if (runner !== undefined && isCode && isSameButForCode(workspace, hold.ledger)) return ok(seen);
  if (runner !== undefined) return fail({ reason: 'run-held', run: opened.id, holder: runner });
  await keepSources(workspace, hold.store);
  await keepAdopted({ ...hold, facts: seen.facts }, wanted.value);
  await record(hold, ...wanted.value);
  adoptFacts(seen.facts, wanted.value);
  return ok(planWith(seen, []));
}

async function claim(
  desk: LockedClaims,
  seen: RunPlan,
  { actor, role, unit }: NextRequest,
): Promise<Result<ClaimChange<NextAnswer>, Failure>> {
  const { workspace, opened, hold } = desk;
  const { stages } = workspace.loaded.pipeline;
  const out = handOut(stages, seen.plan);
  const mine = unit === undefined ? undefined : ownClaim(seen, unit, actor);
  const offers = mine === undefined ? out.offers.filter((one) => isWanted(one, role, unit)) : [mine];
  const handed = await handFirst(desk, seen, offers, actor);
  if (handed !== undefined && !handed.ok) return handed;
  if (handed !== undefined && hold.ledger.ended === 'completed')
    await record(hold, { type: 'run_ended', status: 'paused' });
  const { now } = seen.facts;
  const { loaded } = workspace;
  const plan =
    handed === undefined ? seen.plan : planAfterStart({ ...seen, loaded }, seen.plan, handed.value.unit);
  const views = taskViews(loaded.pipeline, hold.ledger, plan, now);
  const edits = stillRefused(loaded, plan, noOverrides);
  const isOthersTurn = unit === undefined && views.some(({ claim }) => claim?.live);
  if (handed === undefined && edits.length > 0 && !isOthersTurn)
    return fail({ reason: 'refused', refusals: edits });
  if (handed === undefined && unit !== undefined)
    return fail(whyNot(unit, views, seen.plan, out.heldBack.get(unit)));
  const task = handed?.value;
  const answer: NextAnswer = {
    heading: createRunHeading(workspace, { ...opened, ledger: hold.ledger }),
    actor,
    task,
    none: task === undefined ? whyNone(stages, views, seen.plan, out, role) : undefined,
    holding: listClaims(hold.ledger, now).filter(
      (one) =>
        one.actor === actor && stepName(one.unit, one.phase) !== (task && stepName(task.unit, task.phase)),
    ),
    tasks: countTasks(sharedViews(loaded.pipeline, views)),
    notices: [...plan.notices, ...editNotices(edits)],
    findings: shownFindings(opened),
  };
  const stands = (ledger: Ledger) => task === undefined || isClaimOf(ledger, task);
  const lost: Failure = {
    reason: 'claim-lost',
    unit: task?.unit ?? '',
    phase: task?.phase ?? '',
    actor,
    attempt: task?.attempt,
    current: 0,
    holder: undefined,
    aside: undefined,
  };
  return ok({ answer, stands, lost });
}

function editNotices(edits: readonly Refusal[]): Notice[] {
  return edits.flatMap((edit) => {
    if (edit.guard !== 'output-edited') return [];
    const { unit, phase, path } = edit;
    return [{ code: 'edit-holds', unit, phase, path }];
  });
}

/** A task that cannot be prepared is passed over, so that it does not hold up the others; it is reported if there is no other. */
async function handFirst(
  desk: LockedClaims,
  seen: RunPlan,
  offers: readonly Offer[],
  actor: string,
): Promise<Result<HandedTask, Failure> | undefined> {
  let first: Result<HandedTask, Failure> | undefined;
  for (const offer of offers.slice(0, offersTriedMax)) {
    const handed = await claimTask(desk, seen, offer, actor);
    if (handed.ok) return handed;
    first ??= handed;
  }
  return first;
}

const offersTriedMax = 100;

function isWanted({ phase, unit }: Offer, role: string | undefined, wanted: string | undefined): boolean {
  const isRole = role === undefined || roleOf(phase) === role;
  return isRole && (wanted === undefined || wanted === unit.id);
}

function isClaimOf(ledger: Ledger, { unit, phase, attempt, actor }: HandedTask): boolean {
  const running = findStep(ledger, unit, phase)?.running;
  return running?.attempt === attempt && running.claim?.actor === actor;
}

/** What the actor has claimed already, as if it were offered again: a session that lost its memory asks for it by name. */
function ownClaim({ workspace, plan }: RunPlan, unit: string, actor: string): Offer | undefined {
  for (const stage of workspace.loaded.pipeline.stages) {
    const found = stage.units.find(({ id }) => id === unit);
    for (const step of (found && plan.units.get(unit)?.cells) ?? []) {
      const phase = stage.phases.find(({ name }) => name === step.phase);
      if (found === undefined || phase === undefined) continue;
      if (step.decision.do === 'claimed' && step.decision.running.claim.actor === actor)
        return { stage, unit: found, phase, step: step, decision: step.decision };
    }
  }
  return undefined;
}
