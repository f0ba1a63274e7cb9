import { join, relative } from 'node:path';
import { byCodeUnit } from '../../../base/json.ts';
import type { Disk } from '../../../disk/disk.ts';
import type { StoredEvent } from '../../../model/event.ts';
import type { Finding } from '../../../model/failure.ts';
import { isSafeName } from '../../../model/names.ts';
import { sortFindings } from '../../findings.ts';
import type { JournalNews, JournalReading } from '../../journal.ts';
import { type Position, type Positions, positionOf } from '../../position.ts';
import { type ActorReading, readActor } from './read-actor.ts';
import { listSegments, sumBytesBefore } from './segment.ts';

export interface ReadOptions {
  /** Start behind these places where they still hold. An actor that is not among them is read from its start. */
  readonly from?: Positions | undefined;
  /** Findings name files relative to this folder. */
  readonly base?: string | undefined;
}

/**
 * Reads the journal of a run (`docs/formats/journal.md`). Holds a piece of a file per actor, and of the segment that
 * it is in a checksum per event: a long history costs time, and of memory no more than its largest segment does.
 */
export function readJournal(disk: Disk, eventsFolder: string, options: ReadOptions = {}): JournalReading {
  const { from, base = eventsFolder } = options;
  const nameOf = (path: string) => relative(base, path).replaceAll('\\', '/');
  const started = from && startReading(disk, eventsFolder, nameOf, from);
  const { findings, readings } = started ?? mustStart(startReading(disk, eventsFolder, nameOf, undefined));
  const merged = mergeReadings(readings);
  return {
    continues: started !== undefined,
    // A caller that stops half-way ends this generator and not the one below, so that `finish` still reaches the end.
    *events() {
      for (let next = merged.next(); !next.done; next = merged.next()) yield next.value;
    },
    finish() {
      for (const _ of merged);
      const actors = readings.map(({ actor, head }) => [actor, { ...head }] as const);
      return { findings: sortFindings(findings), actors: new Map(actors) };
    },
  };
}

/**
 * The first usable event of a type of one actor. Of other actors nothing is read, however long they have been at work,
 * and of this one nothing behind the event.
 */
export function readFirst<T extends StoredEvent['type']>(
  disk: Disk,
  eventsFolder: string,
  actor: string,
  type: T,
): Extract<StoredEvent, { type: T }> | undefined {
  const source = { disk, eventsFolder, actor, findings: [], nameOf: (path: string) => path };
  for (const event of readActor(source, undefined)?.events ?? [])
    if (event.type === type) return event as Extract<StoredEvent, { type: T }>;
  return undefined;
}

/** The same positions, with what lies before them: for files that are read by a later process. */
export function withBytesBefore(disk: Disk, eventsFolder: string, positions: Positions): Positions {
  const known = [...positions].map(([actor, position]) => {
    const segments = listSegments(disk, join(eventsFolder, actor));
    return [actor, { ...position, before: sumBytesBefore(disk, segments, position.epoch) }] as const;
  });
  return new Map(known);
}

/**
 * What has been written behind these places, by all actors or by all but one. They come in the order of this look, which
 * may differ from the order that a reading from the start gives.
 */
export function readNews(disk: Disk, eventsFolder: string, from: Positions, except?: string): JournalNews {
  const findings: Finding[] = [];
  const readings: PrimedReading[] = [];
  for (const actor of listActors(disk, eventsFolder)) {
    if (actor === except) continue;
    const source = { disk, eventsFolder, actor, findings, nameOf: (path: string) => path };
    const reading = readActor(source, from.get(actor));
    // A place that no longer holds is left to the next opening of the run: here its events would be folded twice.
    if (reading !== undefined) readings.push({ ...reading, next: reading.events.next() });
  }
  const events = [...mergeReadings(readings)];
  return {
    events,
    actors: new Map(readings.map(({ actor, head }) => [actor, positionOf(head)])),
    heads: new Map(readings.map(({ actor, head }) => [actor, { ...head }])),
  };
}

/** A reading that has been asked for its first event. */
interface PrimedReading extends ActorReading {
  next: IteratorResult<StoredEvent>;
}

interface Started {
  readonly findings: Finding[];
  readonly readings: PrimedReading[];
}

/** Undefined when `from` does not hold. */
function startReading(
  disk: Disk,
  eventsFolder: string,
  nameOf: (path: string) => string,
  from: Positions | undefined,
): Started | undefined {
  const findings: Finding[] = [];
  const readings: PrimedReading[] = [];
  const actors = listActors(disk, eventsFolder);
  for (const [actor, position] of from ?? [])
    if (position.epoch > 0 && !actors.includes(actor)) return undefined;
  for (const actor of actors) {
    const reading = readActor({ disk, eventsFolder, actor, findings, nameOf }, from?.get(actor));
    if (reading === undefined) return undefined;
    readings.push({ ...reading, next: reading.events.next() });
  }
  return from !== undefined && hasLateEvent(readings, from) ? undefined : { findings, readings };
}

function mustStart(started: Started | undefined): Started {
  if (started === undefined) throw new Error('a journal can always be read from its start');
  return started;
}

function listActors(disk: Disk, eventsFolder: string): string[] {
  const names = disk.list(eventsFolder) ?? [];
  return names.filter((name) => isSafeName(name) && disk.stat(join(eventsFolder, name))?.kind === 'folder');
}

/**
 * An actor whose clock is behind may add an event that belongs before what others have written. Going on from the
 * positions would put it after: another order than a reading from the start gives, and perhaps another ledger.
 */
function hasLateEvent(readings: readonly PrimedReading[], from: Positions): boolean {
  const last = [...from].reduce<Key>(
    (max, [actor, position]) => later(max, keyOf(actor, position)),
    firstKey,
  );
  return readings.some(({ actor, head, next }) => !next.done && compareKeys(keyOf(actor, head), last) < 0);
}

function* mergeReadings(readings: readonly PrimedReading[]): Generator<StoredEvent> {
  const open = readings.filter((reading) => !reading.next.done);
  while (open.length > 0) {
    const earliest = open.length === 1 ? open[0] : open.reduce(earlier);
    if (earliest === undefined || earliest.next.done) return;
    yield earliest.next.value;
    earliest.next = earliest.events.next();
    if (earliest.next.done) open.splice(open.indexOf(earliest), 1);
  }
}

/** Where an event stands among all. The head's time, for that never goes back within an actor. */
interface Key {
  readonly at: string;
  readonly actor: string;
  readonly seq: number;
}

const firstKey: Key = { at: '', actor: '', seq: 0 };

function keyOf(actor: string, { at, seq }: Position): Key {
  return { at, actor, seq };
}

function compareKeys(a: Key, b: Key): number {
  return byCodeUnit(a.at, b.at) || byCodeUnit(a.actor, b.actor) || a.seq - b.seq;
}

function later(a: Key, b: Key): Key {
  return compareKeys(a, b) < 0 ? b : a;
}

function earlier(a: PrimedReading, b: PrimedReading): PrimedReading {
  return compareKeys(keyOf(a.actor, a.head), keyOf(b.actor, b.head)) <= 0 ? a : b;
}
