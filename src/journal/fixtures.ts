import type { Clock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Disk, OpenFile } from '../disk/disk.ts';
import type { Host, ProcessName } from '../disk/host.ts';
import type { AttemptSucceeded, EventBody, StoredEvent } from '../model/event.ts';
import type { Finding } from '../model/failure.ts';
import { type Claim, type ClaimOptions, claimJournal } from './claim.ts';
import { type JournalEnd, readJournal } from './read.ts';

/** What the tests of this room share. Everything that varies in the world is given here. */

export const eventsFolder = '/run/events';
export const startMs = Date.parse('2026-11-15T12:00:00.000Z');

/** A machine with one process of ours; whoever is in `dead` is dead, other hosts are out of sight. */
export function testHost(pid: number, dead: ReadonlySet<number> = new Set(), host = 'here'): Host {
  return {
    self: { pid, started: `t${pid}`, boot: 'boot', host },
    isAlive: (name: ProcessName) => (name.host !== host ? 'unknown' : dead.has(name.pid) ? 'dead' : 'alive'),
    startedAt: (asked) => (dead.has(asked) ? undefined : `t${asked}`),
    ancestors: () => [],
    openedBy: () => 'unknown',
  };
}

/** A clock that stands still until it is set. */
export function testClock(ms = startMs): Clock & { ms: number } {
  const clock = { ms, now: () => clock.ms, monotonicMs: () => clock.ms, sleep: () => Promise.resolve() };
  return clock;
}

export function claimOptions(disk: Disk, given: Partial<ClaimOptions> = {}): ClaimOptions {
  return {
    disk,
    host: testHost(1),
    clock: testClock(),
    ids: systemIds,
    eventsFolder,
    actor: 'runner',
    run: 'the-run',
    durable: true,
    ...given,
  };
}

/** A claim that has to succeed. */
export async function claim(disk: Disk, given: Partial<ClaimOptions> = {}): Promise<Claim> {
  const result = await claimJournal(claimOptions(disk, given));
  if (!result.ok) throw new Error(`claim refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** Claims as a process that comes after the others, appends one batch, and lets go. */
export async function write(
  disk: Disk,
  events: readonly EventBody[],
  given: Partial<ClaimOptions> = {},
): Promise<StoredEvent[]> {
  const { writer } = await claim(disk, { takeover: true, ...given });
  const stored = await writer.append(events);
  await writer.close();
  return stored;
}

export function readAll(
  disk: Disk,
  folder = eventsFolder,
): JournalEnd & { readonly events: StoredEvent[]; readonly codes: string[] } {
  const journal = readJournal(disk, folder);
  const events = [...journal.events()];
  const end = journal.finish();
  return { ...end, events, codes: end.findings.map(codeOf) };
}

/** `torn-tail quiet runner/000001.jsonl:3` */
export function codeOf({ code, weight, file, line, lastLine }: Finding): string {
  const lines = lastLine === undefined ? line : `${line}-${lastLine}`;
  return `${code} ${weight} ${file}${lines === undefined ? '' : `:${lines}`}`;
}

export function succeeded(unit: string, message = ''): AttemptSucceeded {
  return {
    type: 'attempt_succeeded',
    unit,
    phase: 'write',
    attempt: 1,
    outputs: { prose: { path: `draft/${unit}.md`, hash: 'sha256:00', size: 4 } },
    ms: 12,
    ...(message === '' ? {} : { verdict: message }),
  };
}

export function units(events: readonly StoredEvent[]): string[] {
  return events.map((event) => ('unit' in event ? event.unit : event.type));
}

/** Passes every call on, and writes down those that order matters for. */
export function recordingDisk(disk: Disk, log: string[]): Disk {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const recorded = (file: OpenFile): OpenFile => ({
    write: (bytes) => {
      log.push(`write ${bytes.filter((byte) => byte === 0x0a).length}`);
      return file.write(bytes);
    },
    sync: async () => {
      await file.sync();
      log.push('synced');
    },
    stat: () => file.stat(),
    close: () => file.close(),
  });
  return {
    stat: (path) => {
      log.push(`stat ${nameOf(path)}`);
      return disk.stat(path);
    },
    read: (path, maxBytes) => disk.read(path, maxBytes),
    readRange: (path, offset, length) => {
      log.push(`read ${nameOf(path)}`);
      return disk.readRange(path, offset, length);
    },
    list: (path) => disk.list(path),
    realpath: (path) => disk.realpath(path),
    create: (path) => recorded(disk.create(path)),
    append: (path) => recorded(disk.append(path)),
    makeFolder: (path) => disk.makeFolder(path),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, name) => {
      disk.link(existing, name);
      log.push(`link ${nameOf(name)}`);
    },
    remove: (path) => disk.remove(path),
    syncFolder: async (path) => {
      await disk.syncFolder(path);
      log.push(`synced ${nameOf(path)}`);
    },
  };
}
