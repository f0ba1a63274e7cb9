import { formatTime } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { runFile } from '../model/run-folder.ts';
import type { HookCall } from './call.ts';
import { ownFolder } from './own-folder.ts';
import type { RunLook } from './run-look.ts';
import { createSmall } from './small-file.ts';
import type { Disk, World } from './world.ts';

/*
 * Hooks never write to the journal. They leave notes in the run's inbox, each a file that appears whole, and the engine
 * records them when it next does something. `docs/formats/brief.md` describes the files.
 */

export type Note =
  | { readonly kind: 'session-started'; readonly source: string }
  | { readonly kind: 'session-ended'; readonly reason: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'subagent-stopped';
      readonly agent_id: string;
      readonly agent_type: string;
      /** One line. */
      readonly summary?: string;
    }
  /** The brief was handed over, with all compactions up to this one. */
  | { readonly kind: 'reoriented'; readonly upTo: string }
  | { readonly kind: 'context-crossed'; readonly fill: number; readonly tier: string };

export function inboxFolder({ root, state }: RunLook): string {
  return `${root}/${runFile(state.folder, 'inbox')}`;
}

/** The inbox, to write in. Throws where it is not the run's own. */
export function ownInbox(disk: Disk, { root, state }: RunLook): string {
  return ownFolder(disk, root, runFile(state.folder, 'inbox'));
}

/** The names in the inbox; none where it is not there, not the run's own, or cannot be looked into. */
export function inboxNames(disk: Disk, look: RunLook): readonly string[] {
  try {
    return disk.list(ownInbox(disk, look)) ?? [];
  } catch {
    return [];
  }
}

/** Leaves a note. Throws where the inbox is full or cannot be written to. */
export function dropNote({ env }: World, look: RunLook, call: HookCall, note: Note): void {
  requireRoom(env.disk, look);
  const now = env.clock.now();
  const { kind, ...facts } = note;
  const { agent, session } = call;
  const file: JsonObject = {
    kind,
    agent,
    session,
    timestamp: formatTime(now),
    run: look.state.run,
    ...facts,
  };
  createSmall(env, ownInbox(env.disk, look), `${now}-${env.ids.random(10)}.json`, file);
}

/** More notes mean that the engine has read none for a long time, and would be of no use to it. */
export function requireRoom(disk: Disk, look: RunLook): void {
  const count = inboxNames(disk, look).length;
  if (count >= inboxFilesMax) throw new Error(`the inbox is full: ${count} files`);
}

const inboxFilesMax = 1000;
