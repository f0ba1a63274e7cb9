import { fail, ok, type Result } from '../../base/result.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { isSafeName } from '../../model/names.ts';
import type { Lock } from '../../store/locks.ts';
import { type LockedClaims, takeClaimLock } from '../open/claim-lock.ts';
import type { Environment } from '../open/environment.ts';
import { type Hold, openVisitorRun, releaseAfter, takeInNews } from '../open/hold.ts';
import { type OpenedRun, openRun } from '../open/open-run.ts';
import { finishPromotions } from '../open/recover.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { isReservedActor } from '../open/run-files.ts';
import { openRunForWriting } from '../open/with-run-lock.ts';
import type { Workspace } from '../open/workspace.ts';
import type { ActorRequest } from './requests.ts';

/** A run that somebody comes to with something to say. */
export interface ClaimSession {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
  readonly actor: string;
  readonly takeover: boolean;
}

/** Result of a claim, completion or release, plus the condition to re-check after merging concurrent events. */
export interface ClaimChange<T> {
  readonly answer: T;
  readonly stands: (ledger: Ledger) => boolean;
  readonly lost: Failure;
}

/**
 * Opens the run that a visitor means; one that cannot be gone on with is told now. Whoever wants a task needs the list as
 * it is now; whoever has one is not held up by what somebody has done to the list.
 */
export async function openClaimSession(
  env: Environment,
  request: ActorRequest,
  { needsList = false }: { readonly needsList?: boolean } = {},
): Promise<Result<ClaimSession, Failure>> {
  const { actor, takeover = false } = request;
  if (!isSafeName(actor) || isReservedActor(actor))
    return fail({ reason: 'usage', problem: { code: 'bad-actor', name: actor } });
  const come = await openRunForWriting(env, request);
  if (!come.ok) return come;
  const { workspace, opened } = come.value;
  const placed = await resolvePipelineForRun(workspace, opened);
  if (needsList && placed.listTrouble !== undefined) {
    const { path, pipeline, run } = request;
    const planned = await (await import('../show/plan.ts')).planPipeline(env, { path, pipeline, run });
    if (!planned.ok) return planned;
  }
  return ok({ workspace: placed, opened, actor, takeover });
}

/**
 * Does something that changes who has which work. One visitor at a time: each sees all that those before it have
 * written. The fold is the second line: of two claims that got the same number all the same, the first one counts.
 */
export async function withClaimLock<T>(
  { workspace, opened, actor, takeover }: ClaimSession,
  act: (desk: LockedClaims) => Promise<Result<ClaimChange<T>, Failure>>,
): Promise<Result<T, Failure>> {
  const turn = await takeClaimLock(workspace, opened, { takeover });
  if (!turn.ok) return turn;
  try {
    const held = openVisitorRun(workspace, opened, actor);
    if (!held.ok) return held;
    const hold = held.value;
    finishPromotions({ ...hold, observe: () => undefined }, isForVisitors(hold));
    return await releaseAfter(workspace, hold, async () => {
      const done = await act({ workspace, opened, hold });
      if (!done.ok) return done;
      const { answer, stands, lost } = done.value;
      return stands(ledgerNow(workspace, hold, turn.value)) ? ok(answer) : fail(lost);
    });
  } finally {
    turn.value.release();
  }
}

/** Somebody may have died between the record of a completion and the files: nobody else would put them there. */
function isForVisitors({ loaded }: Hold): (phase: string) => boolean {
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases);
  const names = new Set(phases.filter(isForOthers).map(({ name }) => name));
  return (phase) => names.has(phase);
}

/**
 * Asked before anything is acknowledged. The runner may have written beside us, which is taken in. Whoever was
 * displaced has written beside its successor: then only a reading from the start says whose word counts.
 */
function ledgerNow({ env, root }: Workspace, hold: Hold, turn: Lock): Ledger {
  takeInNews(hold);
  return turn.isHeld()
    ? hold.ledger
    : openRun(env, root, hold, { whole: true, pipeline: hold.loaded.pipeline }).ledger;
}
