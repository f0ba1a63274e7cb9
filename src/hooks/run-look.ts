import { type BriefState, isCurrent, readBriefState } from '../engine/brief/state-file.ts';
import type { World } from './world.ts';

/** A run as a hook sees it. */
export interface RunLook {
  readonly root: string;
  readonly state: BriefState;
  /** No journal has gone on since the state was written. */
  readonly isCurrent: boolean;
}

/** What was written last, whether it still holds or not. */
export function lookAtRun({ env }: World, root: string): RunLook | undefined {
  const state = readBriefState(env.disk, root);
  return state && { root, state, isCurrent: isCurrent(env.disk, root, state) };
}

/**
 * What holds now. Where the journals have gone on, the brief is made anew; where that fails or takes too long, what
 * was written last has to do. `asksForStatus`: `running` is believed only after a look at whoever holds the run.
 */
export async function lookClosely(
  world: World,
  root: string,
  asksForStatus: boolean,
): Promise<RunLook | undefined> {
  const last = lookAtRun(world, root);
  const isDoubtful = asksForStatus && last?.state.status === 'running';
  if (last?.isCurrent === true && !isDoubtful) return last;
  const state = await refreshed(world, root);
  return state === undefined ? last : { root, state, isCurrent: isCurrent(world.env.disk, root, state) };
}

/** Whether somebody can go on with it: only then has an agent to know of it. */
export function isResumable({ state }: RunLook): boolean {
  return resumable.has(state.status);
}

const resumable: ReadonlySet<string> = new Set([
  'running',
  'interrupted',
  'waiting_human',
  'paused',
  'stopped',
]);

const refreshMsMax = 2000;

async function refreshed(world: World, root: string): Promise<BriefState | undefined> {
  const stop = new AbortController();
  try {
    const limit = world.env.clock.sleep(refreshMsMax, stop.signal).then(() => undefined);
    return await Promise.race([world.refresh(root), limit]);
  } catch {
    // Told by what follows: the look says that it may be behind.
    return undefined;
  } finally {
    stop.abort();
  }
}
