import { fail, ok, type Result } from '../../base/result.ts';
import { type Turn, takeTurn } from '../../journal/turn.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Failure } from '../../model/failure.ts';
import { isSafeName } from '../../model/names.ts';
import { isTerminal } from '../../model/status.ts';
import { enterListed } from '../enter.ts';
import type { Environment } from '../environment.ts';
import { needRun } from '../find-run.ts';
import { type Hold, takeInNews, visitRun, whileHeld } from '../hold.ts';
import { type OpenedRun, openRun, runnerActor, unacceptedDamage } from '../open-run.ts';
import type { Target } from '../requests.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** What somebody who works on a run from outside is asked for. */
export interface ActorRequest extends Target {
  /** Whose journal is written. */
  readonly actor: string;
}

/** A run that somebody comes to with something to say. */
export interface Visit {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
  readonly actor: string;
}

/** What came of it, and what must still be so when all that others wrote meanwhile is known. */
export interface Deed<T> {
  readonly answer: T;
  readonly stands: (ledger: Ledger) => boolean;
  readonly lost: Failure;
}

/** A visitor at the desk: nobody else claims or completes anything of this run meanwhile. */
export interface Desk {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
  readonly hold: Hold;
}

/** Opens the run that a visitor means; one that cannot be gone on with is told now. */
export async function visit(env: Environment, request: ActorRequest): Promise<Result<Visit, Failure>> {
  const { actor } = request;
  if (!isSafeName(actor) || actor === runnerActor)
    return fail({ reason: 'usage', problem: { code: 'bad-actor', name: actor } });
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = needRun(workspace.value, request);
  if (!found.ok) return found;
  const opened = found.value;
  if (opened.isToldOnly) return fail({ reason: 'told-only', run: opened.id });
  if (isTerminal(opened.status))
    return fail({ reason: 'run-terminal', run: opened.id, status: opened.status });
  const findings = unacceptedDamage(opened);
  if (findings.length > 0) return fail({ reason: 'journal-damaged', run: opened.id, findings });
  const placed = await enterListed(workspace.value, opened);
  return placed.ok ? ok({ workspace: placed.value, opened, actor }) : placed;
}

/**
 * Does something that changes who has which work. One visitor at a time: each sees all that those before it have
 * written. The fold is the second line: of two claims that got the same number all the same, the first one counts.
 */
export async function atDesk<T>(
  { workspace, opened, actor }: Visit,
  act: (desk: Desk) => Promise<Result<Deed<T>, Failure>>,
): Promise<Result<T, Failure>> {
  const turn = await waitForDesk(workspace, opened);
  if (!turn.ok) return turn;
  try {
    const held = visitRun(workspace, opened, actor);
    if (!held.ok) return held;
    const hold = held.value;
    return await whileHeld(workspace, hold, async () => {
      const done = await act({ workspace, opened, hold });
      if (!done.ok) return done;
      const { answer, stands, lost } = done.value;
      return stands(ledgerNow(workspace, hold, turn.value)) ? ok(answer) : fail(lost);
    });
  } finally {
    turn.value.end();
  }
}

/**
 * Asked before anything is acknowledged. The runner may have written beside us, which is taken in. Whoever was
 * displaced has written beside its successor: then only a reading from the start says whose word counts.
 */
function ledgerNow({ env, root }: Workspace, hold: Hold, turn: Turn): Ledger {
  takeInNews(hold);
  return turn.isHeld()
    ? hold.ledger
    : openRun(env, root, hold, { whole: true, pipeline: hold.loaded.pipeline }).ledger;
}

/** A turn is a matter of milliseconds: it is waited for. Whoever is stuck in one is told of by name. */
export async function waitForDesk(
  { env, root }: Workspace,
  { id, folder }: Pick<OpenedRun, 'id' | 'folder'>,
): Promise<Result<Turn, Failure>> {
  const { disk, host, clock, ids } = env;
  const options = {
    disk,
    host,
    clock,
    ids,
    eventsFolder: `${root}/${folder}`,
    actor: deskName,
    durable: false,
    run: id,
    takeover: false,
  };
  const deadline = clock.monotonicMs() + waitMsMax;
  for (let tries = 0; ; tries++) {
    const turn = await takeTurn(options);
    if (turn.ok || clock.monotonicMs() >= deadline) return turn;
    await clock.sleep(Math.min(pauseMsMax, tries + 1), neverStops);
  }
}

const deskName = 'desk';
const waitMsMax = 60_000;
const pauseMsMax = 25;
const neverStops = new AbortController().signal;
