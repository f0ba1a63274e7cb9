import { ok, type Result } from '../../base/result.ts';
import type { DecisionRecorded } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { record } from '../../runner/context.ts';
import type { Environment } from '../environment.ts';
import { headingOf } from '../find-run.ts';
import type { DecisionAnswer } from './answers.ts';
import { atDesk, visit } from './desk.ts';
import { seenAt } from './end.ts';
import type { ActorRequest } from './requests.ts';
import { countTasks, sharedViews, taskViews } from './views.ts';

export interface DecisionRequest extends ActorRequest {
  readonly decision: string;
  readonly because?: string | undefined;
  readonly affects?: readonly string[] | undefined;
}

/** Puts a decision on record, with a number of its own: whoever comes to the run later is told of it. */
export async function recordDecision(
  env: Environment,
  request: DecisionRequest,
): Promise<Result<DecisionAnswer, Failure>> {
  const visited = await visit(env, request);
  if (!visited.ok) return visited;
  return await atDesk(visited.value, async (desk) => {
    const { workspace, opened, hold } = desk;
    const { decision, because, affects = [], actor } = request;
    const id = `RD-${String(hold.ledger.decisions.length + 1).padStart(3, '0')}`;
    const event: DecisionRecorded = {
      type: 'decision_recorded',
      id,
      decision: decision.slice(0, textLengthMax),
      ...(because !== undefined && { because: because.slice(0, textLengthMax) }),
      ...(affects.length > 0 && { affects: affects.slice(0, affectsMax) }),
    };
    await record(hold, event);
    const after = await seenAt(desk);
    const { pipeline } = workspace.loaded;
    const views = taskViews(pipeline, hold.ledger, after.plan, after.facts.now);
    const heading = headingOf(workspace, { ...opened, ledger: hold.ledger });
    const tasks = countTasks(sharedViews(pipeline, views));
    const lost: Failure = { reason: 'fenced-out', run: opened.id, holder: undefined };
    const stands = () => true;
    return ok({ answer: { heading, id, decision: event.decision, actor, tasks }, stands, lost, after });
  });
}

const textLengthMax = 4_000;
const affectsMax = 100;
