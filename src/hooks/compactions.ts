import { formatTime, parseTime } from '../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { HookCall } from './call.ts';
import { compactionIn, compactionNumber, factsOf, type KnownCompaction } from './facts.ts';
import { inboxFolder, inboxNames, ownInbox, requireRoom } from './inbox.ts';
import type { RunLook } from './run-look.ts';
import { createSmall, readSmall } from './small-file.ts';
import type { Disk, World } from './world.ts';

/* The checkpoint files `cx-NNN.json`, which a compaction leaves behind, and which of them agents were shown. */

/** A compaction, from a file or from the document. */
export interface Compaction extends KnownCompaction {
  readonly number: number;
  /** Undefined for what is known from the document alone. */
  readonly file: CheckpointFile | undefined;
}

export interface CheckpointFile {
  readonly session: string;
  readonly heads: JsonValue | undefined;
}

/** In the order of their numbers. An empty or torn file has no facts, and counts as shown to no agent. */
export function compactionsOf(disk: Disk, look: RunLook): Compaction[] {
  const names = inboxNames(disk, look);
  const found = new Map<number, Compaction>();
  for (const name of names) {
    const compaction = readCheckpoint(disk, look, name);
    if (compaction !== undefined) found.set(compaction.number, compaction);
  }
  for (const known of factsOf(look.state).compactions) {
    const number = compactionNumber(known.id) ?? 0;
    found.set(number, { ...known, number, file: found.get(number)?.file });
  }
  const all = [...found.values()].sort((a, b) => a.number - b.number);
  // There are many notes, so they are read only if there is a compaction that one of them could be about.
  if (all.every(({ isAcknowledged }) => isAcknowledged)) return all;
  const shown = newestShown(disk, look, names);
  return all.map((one) => (one.number <= shown ? { ...one, isAcknowledged: true } : one));
}

/** Leaves a checkpoint, unless the newest of this session has the same facts. Returns its id. */
export function leaveCheckpoint(
  world: World,
  look: RunLook,
  call: HookCall,
  fill: number | undefined,
): string | undefined {
  const { env } = world;
  const compactions = compactionsOf(env.disk, look);
  const own = compactions.filter(({ file }) => file?.session === call.session).at(-1);
  if (own !== undefined && saysAll(world, look, own)) return undefined;
  requireRoom(env.disk, look);
  let number = nextNumber(env.disk, look, compactions);
  for (let tries = 0; tries < triesMax; tries++, number++) {
    const id = `CX-${String(number).padStart(3, '0')}`;
    const checkpoint = checkpointOf(world, look, call, fill, id);
    if (createSmall(env, ownInbox(env.disk, look), `${id.toLowerCase()}.json`, checkpoint)) return id;
  }
  throw new Error(`no free number for a checkpoint after ${number - 1}`);
}

const debounceMs = 10_000;
const triesMax = 20;
const checkpointName = /^cx-(\d{3,9})\.json$/;
const noteName = /^\d{1,16}-[a-z0-9]+\.json$/;

/** Some agents call twice for one compaction; and one that follows at once on another has nothing new to lose. */
function saysAll({ env }: World, look: RunLook, { timestamp, file, isAcknowledged }: Compaction): boolean {
  const at = parseTime(timestamp);
  if (at !== undefined && Math.abs(env.clock.now() - at) < debounceMs) return true;
  return !isAcknowledged && look.isCurrent && isSameHeads(file?.heads, headsOf(look));
}

function checkpointOf(
  { env }: World,
  look: RunLook,
  { agent, session, trigger }: HookCall,
  fill: number | undefined,
  id: string,
): JsonObject {
  const { phase, gate, iteration } = factsOf(look.state);
  return {
    id,
    timestamp: formatTime(env.clock.now()),
    trigger: trigger ?? 'auto',
    estimated_fill_before: fill ?? null,
    active_phase: phase ?? null,
    active_gate: gate ?? null,
    active_gate_iteration: iteration ?? null,
    session,
    agent,
    run: look.state.run,
    heads: headsOf(look),
    recovery_state: look.state.brief.recovery_state as unknown as JsonObject,
  };
}

/** A number is taken by a file that cannot be read, too. */
function nextNumber(disk: Disk, look: RunLook, compactions: readonly Compaction[]): number {
  const numbers = inboxNames(disk, look).map((name) => Number(checkpointName.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers, ...compactions.map(({ number }) => number)) + 1;
}

function readCheckpoint(disk: Disk, look: RunLook, name: string): Compaction | undefined {
  const digits = checkpointName.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const value = readSmall(disk, `${inboxFolder(look)}/${name}`);
  const [known] = value === undefined ? [] : compactionIn(value);
  if (value === undefined || known === undefined || compactionNumber(known.id) !== Number(digits))
    return undefined;
  const session = typeof value.session === 'string' ? value.session : '';
  // Only the engine records who was shown it: the file is written before any agent is.
  return { ...known, isAcknowledged: false, number: Number(digits), file: { session, heads: value.heads } };
}

/** The newest compaction that was shown to an agent according to a note in the inbox. */
function newestShown(disk: Disk, look: RunLook, names: readonly string[]): number {
  let newest = 0;
  for (const name of names) {
    if (!noteName.test(name)) continue;
    const note = readSmall(disk, `${inboxFolder(look)}/${name}`);
    if (note?.kind !== 'reoriented' || typeof note.upTo !== 'string') continue;
    newest = Math.max(newest, compactionNumber(note.upTo) ?? 0);
  }
  return newest;
}

/** By actor: how long its journal was. */
function headsOf({ state }: RunLook): JsonObject {
  const entries = [...state.heads].map(([actor, { epoch, length }]) => [actor, { epoch, length }] as const);
  return Object.fromEntries(entries);
}

function isSameHeads(left: JsonValue | undefined, right: JsonObject): boolean {
  if (!isJsonObject(left)) return false;
  const actors = Object.keys(right);
  return (
    actors.length === Object.keys(left).length &&
    actors.every((actor) => {
      const [one, other] = [left[actor], right[actor]];
      return (
        isJsonObject(one) && isJsonObject(other) && one.epoch === other.epoch && one.length === other.length
      );
    })
  );
}
