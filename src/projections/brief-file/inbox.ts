import { formatTime } from '../../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { plain } from '../../base/plain.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { firstLine, numberIn } from '../../ledger/notes.ts';
import type { CompactionSeen, EventBody } from '../../model/event.ts';
import { runFile } from '../../model/run-folder.ts';
import { earlierCompactionIds } from '../brief/history.ts';
import { readTime } from '../brief/read-time.ts';

/*
 * Hooks have no time to open a run: they leave small files, and the next owner of the lock records them. A file is known
 * by its number, or changes nothing if it is recorded twice, so a crash in between does no harm.
 */

export interface Inbox {
  readonly events: readonly EventBody[];
  /** Absolute paths of what has done its work once the events are on record. */
  readonly taken: readonly string[];
}

/** Relative to the workspace. */
function inboxFolder(folder: string): string {
  return runFile(folder, 'inbox');
}

/** What has come since. What is empty, torn or strange is left where it is. */
export function readInbox(
  disk: Disk,
  root: string,
  folder: string,
  ledger: Ledger,
  done: ReadonlySet<string>,
): Inbox {
  const path = `${root}/${inboxFolder(folder)}`;
  const names = listed(disk, path);
  const { compactions } = ledger.notes;
  // By name: the run's folder may have been moved since.
  const known = new Set(compactions.map(({ file }) => file.slice(file.lastIndexOf('/') + 1)));
  const ids = new Set([...compactions.map(({ id }) => id), ...earlierCompactionIds(ledger)]);
  const events: EventBody[] = [];
  const taken: string[] = [];
  for (const name of names.filter((one) => checkpointName.test(one))) {
    const file = `${inboxFolder(folder)}/${name}`;
    const seen = known.has(name) ? undefined : readNote(disk, `${path}/${name}`);
    if (seen === undefined) continue;
    const own = `CX-${checkpointName.exec(name)?.[1] ?? ''}`;
    // A document that was taken over may have a compaction of that number already.
    const id = ids.has(own) ? nextCompactionId(ids) : own;
    const [event] = compaction(seen, id, file);
    if (event === undefined) continue;
    ids.add(id);
    events.push(event);
  }
  for (const name of names.filter((one) => noteName.test(one))) {
    const note = done.has(`${path}/${name}`) ? undefined : readNote(disk, `${path}/${name}`);
    const event = note && eventOf(note);
    if (event === undefined) continue;
    events.push(event);
    taken.push(`${path}/${name}`);
  }
  return { events, taken };
}

const checkpointName = /^cx-(\d{3,9})\.json$/;
const noteName = /^\d{10,16}-[A-Za-z0-9_-]{1,64}\.json$/;
const filesMax = 2_000;

function nextCompactionId(ids: ReadonlySet<string>): string {
  const highest = [...ids].reduce((most, id) => Math.max(most, numberIn(id)), 0);
  return `CX-${String(highest + 1).padStart(3, '0')}`;
}

const noteBytesMax = 64 * 1024;
const wordLengthMax = 120;

function listed(disk: Disk, path: string): string[] {
  try {
    return (disk.list(path) ?? []).slice(0, filesMax);
  } catch (error) {
    if (error instanceof DiskError) return [];
    throw error;
  }
}

function readNote(disk: Disk, path: string): JsonObject | undefined {
  try {
    const bytes = disk.read(path, noteBytesMax);
    const value: JsonValue | undefined = bytes && JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function compaction(note: JsonObject, id: string, file: string): CompactionSeen[] {
  const { timestamp, trigger, estimated_fill_before: fill, active_phase: phase } = note;
  const { active_gate: gate, active_gate_iteration: round, session } = note;
  const seenMs = readTime(timestamp);
  // Without a time it was not written by a hook, or not all of it.
  if (seenMs === undefined) return [];
  return [
    {
      type: 'compaction_seen',
      id,
      seenAt: formatTime(seenMs),
      trigger: trigger === 'manual' ? 'manual' : 'auto',
      ...(isNumber(fill) && fill >= 0 && { fill }),
      ...(isCount(phase) && { phase }),
      ...(typeof gate === 'string' && { gate: word(gate) }),
      ...(isCount(round) && { round: round }),
      file,
      ...(typeof session === 'string' && { session: word(session) }),
    },
  ];
}

/** Undefined for a note that says nothing known. */
function eventOf(note: JsonObject): EventBody | undefined {
  const { kind } = note;
  const agent = word(note.agent);
  const session = word(note.session);
  const seenAt = word(note.timestamp);
  switch (kind) {
    case 'session-started':
      return { type: 'session_seen', agent, session, what: 'started', seenAt, ...how(note.source) };
    case 'session-ended':
      return { type: 'session_seen', agent, session, what: 'ended', seenAt, ...how(note.reason) };
    case 'stopped':
      return { type: 'session_seen', agent, session, what: 'stopped', seenAt };
    case 'subagent-stopped':
      return subagent(note, agent, session, seenAt);
    case 'reoriented': {
      const upTo = typeof note.upTo === 'string' ? { upTo: word(note.upTo) } : {};
      return { type: 'brief_delivered', session, ...upTo };
    }
    case 'context-crossed':
      return isNumber(note.fill) && note.fill >= 0
        ? { type: 'context_crossed', session, fill: note.fill, tier: word(note.tier) }
        : undefined;
    default:
      return undefined;
  }
}

function subagent(note: JsonObject, agent: string, session: string, seenAt: string): EventBody {
  const { summary, agent_type: type, agent_id: id } = note;
  const name = [type, id]
    .filter((one) => typeof one === 'string' && one !== '')
    .map(word)
    .join('-');
  if (typeof summary !== 'string' || summary.trim() === '')
    return { type: 'session_seen', agent, session, what: 'stopped', seenAt, ...how(name) };
  return { type: 'summary_recorded', agent: name || agent, summary: withStatus(plain(firstLine(summary))) };
}

/** `FAILED: …` already has a status; a line without one is done. */
function withStatus(line: string): string {
  return /^[A-Z]{2,16}[.:!]/.test(line) ? line : `DONE. ${line}`;
}

function how(value: JsonValue | undefined): { how?: string } {
  return typeof value === 'string' && value !== '' ? { how: word(value) } : {};
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Input of a hook is data from outside. */
function word(value: JsonValue | undefined): string {
  return typeof value === 'string' ? plain(value.slice(0, wordLengthMax)) : '';
}
