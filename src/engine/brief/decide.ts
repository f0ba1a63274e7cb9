import { fail, ok, type Result } from '../../base/result.ts';
import { nextDecisionId } from '../../ledger/notes.ts';
import type { EventBody } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { isSafeName } from '../../model/names.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import { record } from '../../runner/context.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading } from '../open/find-run.ts';
import type { Target } from '../open/requests.ts';
import { isReservedActor, peopleActor } from '../open/run-files.ts';
import { withRunLock } from '../open/with-run-lock.ts';
import type { DecisionAnswer, SummaryAnswer } from './answers.ts';

export interface DecisionRequest extends Target {
  /** Whose journal it is written into; undefined: a person's. */
  readonly actor?: string | undefined;
  readonly decision: string;
  readonly because?: string | undefined;
  /** Phases by number or name, units, files. */
  readonly affects?: readonly string[] | undefined;
  /** `UNIT/PHASE` of the gate in whose round it was made, and the round. */
  readonly gate?: string | undefined;
  readonly iteration?: number | undefined;
}

/** Records a decision under a number of its own. Later agents see it in the brief. */
export async function recordDecision(
  env: Environment,
  request: DecisionRequest,
): Promise<Result<DecisionAnswer, Failure>> {
  const { actor = peopleActor, decision, because, affects = [], gate, iteration: round } = request;
  const problem = actorProblem(request.actor);
  if (problem !== undefined) return fail(problem);
  return await withRunLock(env, request, actor, async ({ workspace, opened, hold }) => {
    const id = nextDecisionId(hold.ledger.decisions);
    const event: EventBody = {
      type: 'decision_recorded',
      id,
      decision: decision.slice(0, textLengthMax),
      ...(because !== undefined && { because: because.slice(0, textLengthMax) }),
      ...(affects.length > 0 && { affects: affects.slice(0, affectsMax) }),
      ...(gate !== undefined && { gate }),
      ...(round !== undefined && { round: round }),
    };
    await record(hold, event);
    const heading = createRunHeading(workspace, { ...opened, ledger: hold.ledger });
    return ok({ heading, id, decision: event.decision, actor, applied: false });
  });
}

/** What was decided has been done. Said again, it stays so. */
export async function applyDecision(
  env: Environment,
  request: Target & { readonly actor?: string | undefined; readonly id: string },
): Promise<Result<DecisionAnswer, Failure>> {
  const { actor = peopleActor, id } = request;
  const problem = actorProblem(request.actor);
  if (problem !== undefined) return fail(problem);
  return await withRunLock(env, request, actor, async ({ workspace, opened, hold }) => {
    const known = hold.ledger.decisions.find((one) => one.id.toLowerCase() === id.toLowerCase());
    if (known === undefined) {
      const near = nearest(
        id,
        hold.ledger.decisions.map((one) => one.id),
      );
      return fail({ reason: 'decision-not-found', id, near });
    }
    if (known.applied !== true) await record(hold, { type: 'decision_applied', id: known.id });
    const heading = createRunHeading(workspace, { ...opened, ledger: hold.ledger });
    return ok({ heading, id: known.id, decision: known.decision, actor, applied: true });
  });
}

/** One line that an agent leaves behind. */
export async function recordSummary(
  env: Environment,
  request: Target & { readonly agent: string; readonly summary: string },
): Promise<Result<SummaryAnswer, Failure>> {
  const { agent, summary } = request;
  const problem = actorProblem(agent);
  if (problem !== undefined) return fail(problem);
  return await withRunLock(env, request, agent, async ({ workspace, opened, hold }) => {
    await record(hold, { type: 'summary_recorded', agent, summary: summary.slice(0, textLengthMax) });
    const heading = createRunHeading(workspace, { ...opened, ledger: hold.ledger });
    const told = hold.ledger.notes.summaries.findLast((one) => one.agent === agent)?.summary ?? summary;
    return ok({ heading, agent, summary: told });
  });
}

const textLengthMax = 4_000;
const affectsMax = 100;

function actorProblem(actor: string | undefined): Failure | undefined {
  if (actor === undefined || (isSafeName(actor) && !isReservedActor(actor))) return undefined;
  return { reason: 'usage', problem: { code: 'bad-actor', name: actor } };
}
