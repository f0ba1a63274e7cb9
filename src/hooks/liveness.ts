import { parseTime } from '../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { isRunnerGone } from '../engine/brief/standing.ts';
import type { RunLook } from './run-look.ts';
import type { World } from './world.ts';

/*
 * Whether work that a brief shows as running is still alive. The journal has who began it, and no file says that this
 * process has died since or that a lease has run out.
 */

export interface Liveness {
  /** The process that carried out the run is dead, and what it was at is not done. */
  readonly isRunnerGone: boolean;
  /** Every lease there is has run out: these. */
  readonly lapsed: readonly Lapsed[];
}

/** Every text in it comes from a file. */
export interface Lapsed {
  readonly unit: string;
  readonly phase: string;
  readonly actor: string;
  readonly until: string;
}

export function livenessOf({ env }: World, look: RunLook): Liveness {
  const { root, state, isCurrent } = look;
  if (state.status !== 'running') return { isRunnerGone: false, lapsed: [] };
  const underWay = underWayIn(state.survey as unknown as JsonObject);
  const claims = underWay.filter(({ actor }) => actor !== '');
  const now = env.clock.now();
  const isLapsed = claims.every(({ until }) => (parseTime(until) ?? Number.POSITIVE_INFINITY) <= now);
  // What is claimed goes on without the process that offered it.
  const hasRunner = claims.length === 0 || claims.length < underWay.length;
  return {
    isRunnerGone: hasRunner && isRunnerGone(env, root, state.folder),
    // Where the journals have gone on, a lease may have been renewed.
    lapsed: isCurrent && isLapsed ? claims : [],
  };
}

function underWayIn({ underWay }: JsonObject): Lapsed[] {
  const first = isJsonObject(underWay) ? underWay.first : undefined;
  if (!Array.isArray(first)) return [];
  return first.filter(isJsonObject).map(({ unit, phase, actor, until }) => {
    return { unit: textIn(unit), phase: textIn(phase), actor: textIn(actor), until: textIn(until) };
  });
}

function textIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
