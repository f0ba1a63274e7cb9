import { parseTime } from '../../base/clock.ts';
import { ok, type Result } from '../../base/result.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { recordedProgress } from '../../runner/recorded-progress.ts';
import type { Board } from '../observe/board.ts';
import type { Environment } from '../open/environment.ts';
import { needRun } from '../open/find-run.ts';
import type { Progress, SelectionRequest, Target } from '../open/requests.ts';
import { openWorkspace } from '../open/workspace.ts';
import { RunFollower } from './follower.ts';
import type { StatusAnswer } from './status.ts';
import { showStatus } from './status.ts';

/** Looks on while another process works on a run. */
export interface StatusWatcher {
  /** At first, and whenever units appear that were not known before. */
  begun(board: Board, running: readonly WatchedStep[]): void;
  /** `agoMs`: how long ago it happened. */
  progress(progress: Progress, agoMs: number): void;
  recorded(run: string, events: readonly StoredEvent[]): void;
}

export interface WatchedStep {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  /** For how long. */
  readonly ms: number;
}

export interface WatchStatusRequest extends Target, SelectionRequest {
  readonly watcher: StatusWatcher;
  /** Fires: stop watching. */
  readonly stop: AbortSignal;
}

/** Follows a run through its journal until no process works on it, or the watcher stops; then says where it stands. */
export async function watchStatus(
  env: Environment,
  { watcher, stop, ...target }: WatchStatusRequest,
): Promise<Result<StatusAnswer, Failure>> {
  let run = target.run;
  for (;;) {
    const followed = await followOnce(env, { ...target, run }, watcher, stop);
    if (!followed.ok) return followed;
    if (followed.value.why === 'ended') return await showStatus(env, { ...target, run: followed.value.run });
    run = followed.value.run;
  }
}

interface Followed {
  readonly run: string;
  readonly why: 'ended' | 'new-units';
}

/** Reads the manifest and the run once, and from then on only what is appended to the run's event files. */
async function followOnce(
  env: Environment,
  target: Target & SelectionRequest,
  watcher: StatusWatcher,
  stop: AbortSignal,
): Promise<Result<Followed, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const { id: run, ledger } = opened.value;
  const follower = new RunFollower(env, workspace.value.root, opened.value);
  if (!follower.isWorkedOn()) return ok({ run, why: 'ended' });
  // After the run was opened, so that nothing is missed; what is seen twice changes nothing.
  const status = await showStatus(env, { ...target, run });
  if (!status.ok) return status;
  const { heading, phases, units, extent, narrowed } = status.value;
  const board: Board = { heading, kind: 'watched', phases, units, extent };
  const ago = (at: string) => Math.max(0, env.clock.now() - (parseTime(at) ?? env.clock.now()));
  watcher.begun(board, runningOf(board, ledger, ago));
  const shown = new Set(
    units.flatMap(({ unit, cells: steps }) => steps.map(({ phase }) => stepName(unit, phase))),
  );
  const isShown = ({ unit, phase }: StepOf) => shown.has(stepName(unit, phase));
  for await (const { events, isWorkedOn } of follower.news(stop)) {
    if (events.length > 0) watcher.recorded(run, events);
    for (const event of events)
      for (const progress of recordedProgress(event))
        if (!isOfStep(progress) || isShown(progress)) watcher.progress(progress, ago(event.at));
    if (!isWorkedOn) break;
    const isNew = events.some((event) => event.type === 'attempt_started' && !isShown(event));
    if (isNew && narrowed !== true) return ok({ run, why: 'new-units' });
  }
  return ok({ run, why: 'ended' });
}

interface StepOf {
  readonly unit: string;
  readonly phase: string;
}

function isOfStep(progress: Progress): progress is Progress & StepOf {
  return 'unit' in progress && 'phase' in progress;
}

function runningOf({ units }: Board, ledger: Ledger, ago: (at: string) => number): WatchedStep[] {
  return units.flatMap(({ unit, cells: steps }) =>
    steps.flatMap(({ phase }) => {
      const running = findStep(ledger, unit, phase)?.running;
      if (running === undefined) return [];
      return [{ unit, phase, attempt: running.attempt, iteration: running.round, ms: ago(running.at) }];
    }),
  );
}
