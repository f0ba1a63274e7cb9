import { briefFolders, isFounded, isKnownHere } from '../engine/brief/standing.ts';
import { type BriefState, isCurrent, readStateOf } from '../engine/brief/state-file.ts';
import { replacedAmong } from '../engine/open/replaced-runs.ts';
import { firstEvent } from '../engine/open/run-places.ts';
import { runFile } from '../model/run-folder.ts';
import { appendLog, messageOf } from './log.ts';
import { isRunsOwn } from './own-folder.ts';
import type { Disk, World } from './world.ts';

/** A run as a hook sees it. */
export interface RunLook {
  readonly root: string;
  readonly state: BriefState;
  /** No journal has newer events than the state. */
  readonly isCurrent: boolean;
}

/**
 * Why a run that could be resumed is not shown to the agent.
 *
 * - `stranger`: this user has not worked with it, so the author of the repository may have written anything into it.
 * - `unfounded`: its journal does not contain what its brief says.
 */
export type Doubt = 'stranger' | 'unfounded';

/** What was written last about a run of this user, even if it is out of date. */
export function lookAtRun(world: World, root: string): RunLook | undefined {
  const { look } = find(world, root);
  return look;
}

/**
 * The current state of a run that can be resumed. If the journals have newer events, the brief is regenerated; if that
 * fails or takes too long, the last one is used. A stranger's run is not touched, because regenerating its brief would
 * mark it as this user's.
 */
export async function lookClosely(world: World, root: string): Promise<RunLook | Doubt | undefined> {
  const { look, doubt, unread } = find(world, root);
  const last = look !== undefined && isResumable(look) ? look : doubt;
  const folder = look?.isCurrent === true ? undefined : (look?.state.folder ?? unread);
  const state = folder === undefined ? undefined : await refreshed(world, root, folder);
  if (state === undefined) return last;
  if (!isFounded(world.env, root, state)) return 'unfounded';
  return resumable.has(state.status) ? lookOf(world, root, state) : doubt;
}

/** Whether it can be resumed, because an agent needs to know of no other run. */
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

interface Found {
  readonly look: RunLook | undefined;
  readonly doubt: Doubt | undefined;
  /** The folder of a run of this user whose brief cannot be trusted, and can be regenerated. */
  readonly unread: string | undefined;
}

/** The run whose brief was written last; of an open run and a finished one, the open one. */
function find(world: World, root: string): Found {
  const { pointed, others } = briefFolders(world.env, root);
  const first = pointed === undefined ? nothing : judge(world, root, pointed);
  if (first.unread !== undefined || (first.look !== undefined && isResumable(first.look))) return first;
  let doubt = first.doubt;
  for (const folder of others) {
    if (isSaidToBeOver(world.env.disk, root, folder)) continue;
    const next = judge(world, root, folder);
    const isOpen = next.look !== undefined && isResumable(next.look);
    if (isOpen && !isAbandoned(world, root, folder, [pointed ?? folder, ...others])) return next;
    doubt ??= next.doubt;
  }
  return { ...first, doubt };
}

/** A fresh run replaced it: an agent that continues the old one would pay again for finished work. */
function isAbandoned({ env }: World, root: string, folder: string, folders: readonly string[]): boolean {
  const run = firstEvent(env, root, folder)?.run;
  const places = folders.map((one) => ({ folder: one }));
  return run !== undefined && replacedAmong(env, root, places).has(run);
}

const nothing: Found = { look: undefined, doubt: undefined, unread: undefined };

/** A folder that cannot be read must not hide the others. */
function judge(world: World, root: string, folder: string): Found {
  try {
    return judged(world, root, folder);
  } catch (error) {
    appendLog(world.env, root, messageOf(error));
    return nothing;
  }
}

function judged(world: World, root: string, folder: string): Found {
  const { env } = world;
  const isOwn = isRunsOwn(env.disk, root, folder);
  const state = isOwn ? readStateOf(env.disk, root, folder) : undefined;
  const isMatter = state !== undefined && resumable.has(state.status);
  if (!isOwn || !isKnownHere(env, root, folder))
    return { ...nothing, doubt: isMatter ? 'stranger' : undefined };
  if (state === undefined) return { ...nothing, unread: folder };
  if (isFounded(env, root, state)) return { ...nothing, look: lookOf(world, root, state) };
  return { ...nothing, doubt: isMatter ? 'unfounded' : undefined, unread: folder };
}

function lookOf({ env }: World, root: string, state: BriefState): RunLook {
  return { root, state, isCurrent: isCurrent(env.disk, root, state) };
}

/** Reads only the beginning of the file, where the status is, because most of many runs are over. */
function isSaidToBeOver(disk: Disk, root: string, folder: string): boolean {
  try {
    const bytes = disk.readRange(`${root}/${runFile(folder, 'brief.json')}`, 0, startBytes);
    return bytes === undefined || /"status":"(?:completed|failed|cancelled)"/.test(decoder.decode(bytes));
  } catch {
    return true;
  }
}

const startBytes = 2048;
const decoder = new TextDecoder();

async function refreshed(world: World, root: string, folder: string): Promise<BriefState | undefined> {
  const { env } = world;
  const stop = new AbortController();
  const tell = (trouble: string) => appendLog(env, root, `the brief could not be made anew: ${trouble}`);
  try {
    const limit = env.clock.sleep(refreshMsMax, stop.signal).then(() => undefined);
    const made = await Promise.race([world.refresh(root, folder), limit]);
    const trouble = made === undefined ? `it took more than ${refreshMsMax} ms` : made.trouble;
    if (trouble !== undefined) tell(trouble);
    return made?.state;
  } catch (error) {
    tell(messageOf(error));
    return undefined;
  } finally {
    stop.abort();
  }
}
