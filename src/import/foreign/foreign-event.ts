import { formatTime, parseTime } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isTime } from '../../store/records/line.ts';

/** An event in the log of another tool. What its name means is said by the pipeline, not here. */
export interface ForeignEvent {
  /** In lower case with underscores, however it was spelled. */
  readonly name: string;
  readonly actor: string;
  /** As in the journal; where the line says nothing that can be read, the time of the one before it in its file. */
  readonly at: string;
  /** As written. */
  readonly fields: JsonObject;
  readonly file: string;
  readonly line: number;
}

/** What an event is called; undefined for an object that is none. */
export function foreignName(fields: JsonObject): string | undefined {
  const name = firstText(fields, ['event_type', 'eventType', 'type', 'event', 'name']);
  return name && spellName(name.slice(0, nameCharsMax));
}

/** Who did it, as far as the event itself says. */
export function foreignActor(fields: JsonObject): string | undefined {
  const actor = firstText(fields, ['actor', 'actor_id', 'actorId', 'agent', 'agent_id', 'agentId']);
  return actor?.slice(0, nameCharsMax);
}

/** When it happened; undefined where it says nothing that can be read. */
export function foreignTime(fields: JsonObject): string | undefined {
  for (const key of ['timestamp', 'time', 'at', 'ts']) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (isTime(value) && parseTime(value) !== undefined) return value;
    const ms = readTime(value);
    const at = ms === undefined ? undefined : formatTime(ms);
    if (isTime(at)) return at;
  }
  return undefined;
}

const nameCharsMax = 128;

/** `TaskStarted`, `task-started` and `TASK_STARTED` are all `task_started`. */
function spellName(text: string): string {
  if (spelledPattern.test(text)) return text;
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[-_\s]+/g, '_')
    .toLowerCase();
}

const spelledPattern = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

function firstText(fields: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '') return text;
  }
  return undefined;
}

function readTime(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return msOfEpoch(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (epochPattern.test(text)) return msOfEpoch(Number(text));
  const parts = isoPattern.exec(text);
  if (parts === null) return undefined;
  const [, day, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = parts;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  return parseTime(`${day}T${minute}:${second}.${ms}${spellZone(zone)}`);
}

/** A time without a zone is taken as UTC: what it meant is not known, and it must be the same on every machine. */
const isoPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Seconds, or thousandths, millionths or billionths of them. */
const epochPattern = /^(?:\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})$/;

function spellZone(zone: string): string {
  if (/^[zu]/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** The size of the number shows its unit of time: the ranges do not overlap between 1973 and 5138. */
function msOfEpoch(value: number): number | undefined {
  if (!(value >= 1e8 && value < 1e20)) return undefined;
  let ms = value < 1e11 ? value * 1000 : value;
  while (ms >= 1e14) ms /= 1000;
  return Math.floor(ms);
}
