import { formatTime, parseTime } from '../base/clock.ts';
import { type StalenessLevel, staleness } from '../engine/brief/staleness.ts';
import { readSaid } from './context.ts';
import { factsOf } from './facts.ts';
import type { RunLook } from './run-look.ts';
import type { World } from './world.ts';

/**
 * How far the document can be trusted, for one session. While no journal goes on, it tells of all that has happened;
 * once one has, nobody here knows of what, so that it was just now and in the same phase is assumed.
 */
export function stalenessOf({ env }: World, look: RunLook, session: string): StalenessLevel {
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
  return level === 'FRESH' && !isCurrent ? 'STALE' : level;
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function later(one: string, other: string): string {
  return (parseTime(one) ?? 0) > (parseTime(other) ?? 0) ? one : other;
}
