import { formatTime, parseTime } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import { type RecoveryFields, readRecovery } from '../engine/brief/document-facts.ts';
import { documentStaleness, type StalenessLevel } from '../engine/brief/staleness.ts';
import { isOwnHash, readStateOf } from '../engine/brief/state-file.ts';
import { readSaid } from './context.ts';
import { factsOf } from './facts.ts';
import { livenessOf } from './liveness.ts';
import type { RunLook } from './run-look.ts';
import type { Disk, World } from './world.ts';

/** How far the document can be trusted, and whether it is still what Pawl wrote. */
export interface DocumentLook {
  readonly level: StalenessLevel;
  readonly document: 'ours' | 'edited' | 'missing' | 'unreadable';
}

/**
 * What `pawl brief --check` would say of the document on disk, for one session. As long as no journal grows, its newest
 * event is known. When one has grown, its newest event is unknown here, so an event of now and of the same phase is
 * assumed.
 */
export async function stalenessOf(world: World, look: RunLook, session: string): Promise<DocumentLook> {
  const { env } = world;
  const { state, isCurrent, root } = look;
  const written = state.isSection ? undefined : asWritten(env.disk, look);
  const found =
    written === 'newest' ? writtenFields(look) : await readRecovery(env.disk, `${root}/${state.path}`);
  if (found === 'no-document') return { level: 'CRITICAL', document: 'missing' };
  if (found === 'unreadable-document') return { level: 'CRITICAL', document: 'unreadable' };
  const { updatedAt = '', phase = null, phaseName = null } = factsOf(state);
  const now = env.clock.now();
  const newest = {
    at: isCurrent ? updatedAt : formatTime(now),
    phase,
    phaseName,
    phaseSince: textOr(state.phaseSince),
    sessionSince: later(textOr(state.sessionSince), readSaid(env.disk, root, session)?.since ?? ''),
  };
  const status = isCurrent ? statusNow(world, look) : undefined;
  const { level } = documentStaleness(found, { newest, status, now });
  return { level, document: written !== undefined || state.isSection ? 'ours' : 'edited' };
}

/** The owner of the run's lock may have died since, and no file says so. */
function statusNow(world: World, look: RunLook): string {
  const { isRunnerGone, lapsed } = livenessOf(world, look);
  return isRunnerGone || lapsed.length > 0 ? 'interrupted' : look.state.status;
}

function writtenFields({ state }: RunLook): RecoveryFields {
  const { updatedAt, phase = null } = factsOf(state);
  return { updatedAt, phase, status: state.brief.recovery_state.workflow_status };
}

/**
 * Known by its bytes: then nothing of it has to be read again. `before`: a crash has left the one before. Undefined: it
 * is not what was written.
 */
function asWritten(disk: Disk, { root, state }: RunLook): 'newest' | 'before' | undefined {
  const found = hashOf(disk, `${root}/${state.path}`);
  if (found === undefined) return undefined;
  if (found === state.hash) return 'newest';
  if (isOwnHash(state, found)) return 'before';
  // It is written right after the state: a reader in between has seen the state before.
  const again = readStateOf(disk, root, state.folder);
  return again !== undefined && isOwnHash(again, found) ? 'before' : undefined;
}

function hashOf(disk: Disk, path: string): string | undefined {
  try {
    const bytes = disk.read(path, documentBytesMax);
    return bytes && hashBytes(bytes);
  } catch {
    // What cannot be read, or is too large to be ours, is not what was written.
    return undefined;
  }
}

const documentBytesMax = 1024 * 1024;

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function later(one: string, other: string): string {
  return (parseTime(one) ?? 0) > (parseTime(other) ?? 0) ? one : other;
}
