import { formatTime, parseTime } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import { type StalenessLevel, staleness } from '../engine/brief/staleness.ts';
import { isOwnHash, readStateOf } from '../engine/brief/state-file.ts';
import { readSaid } from './context.ts';
import { factsOf } from './facts.ts';
import type { RunLook } from './run-look.ts';
import type { Disk, World } from './world.ts';

/** How far the document can be trusted, and whether it is still what Pawl wrote. */
export interface DocumentLook {
  readonly level: StalenessLevel;
  readonly document: 'ours' | 'edited' | 'missing';
}

export function stalenessOf(world: World, look: RunLook, session: string): DocumentLook {
  const level = ageOf(world, look, session);
  const document = lookAtDocument(world.env.disk, look);
  if (document === 'missing') return { level: 'CRITICAL', document };
  return { level: document === 'edited' && level === 'FRESH' ? 'STALE' : level, document };
}

/**
 * How far behind the document is, for one session. While no journal goes on, it tells of all that has happened; once one
 * has, nobody here knows of what, so that it was just now and in the same phase is assumed.
 */
export function ageOf({ env }: World, look: RunLook, session: string): StalenessLevel {
  const { state, isCurrent, root } = look;
  const { updatedAt = null, phase = null, phaseName = null } = factsOf(state);
  const now = env.clock.now();
  const { level } = staleness({
    updatedAt,
    phase,
    newest: {
      at: isCurrent ? (updatedAt ?? '') : formatTime(now),
      phase,
      phaseName,
      phaseSince: textOr(state.phaseSince),
      sessionSince: later(textOr(state.sessionSince), readSaid(env.disk, root, session)?.since ?? ''),
    },
    now,
  });
  return level;
}

/** A section of somebody else's file is known by its values, which take longer to read than a hook has time. */
function lookAtDocument(disk: Disk, { root, state }: RunLook): DocumentLook['document'] {
  const found = hashOf(disk, `${root}/${state.path}`, state.isSection);
  if (found === undefined) return 'missing';
  if (state.isSection || isOwnHash(state, found)) return 'ours';
  // It is written right after the state: whoever comes in between has read the state before.
  const again = readStateOf(disk, root, state.folder);
  return again !== undefined && isOwnHash(again, found) ? 'ours' : 'edited';
}

/** Undefined: there is none. */
function hashOf(disk: Disk, path: string, isSection: boolean): string | undefined {
  try {
    if (isSection) return disk.realpath(path);
    const bytes = disk.read(path, documentBytesMax);
    return bytes && hashBytes(bytes);
  } catch {
    // What cannot be read, or is too large to be ours, is not what was written.
    return '';
  }
}

const documentBytesMax = 1024 * 1024;

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function later(one: string, other: string): string {
  return (parseTime(one) ?? 0) > (parseTime(other) ?? 0) ? one : other;
}
