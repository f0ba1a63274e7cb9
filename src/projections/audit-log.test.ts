import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { created, failed, started, stored, succeeded } from '../../test/fixtures/events.ts';
import { CrashSignal, MemoryDisk } from '../../test/memory/memory-disk.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { AuditLog } from './audit-log.ts';
import { ProjectionTroubles } from './projection-timer.ts';

const path = '/work/runs/one/audit_log.jsonl';
const events = stored([
  created,
  started('f0/draw#1'),
  succeeded('f0/draw#1'),
  started('f1/draw#1'),
  failed('f1/draw#1'),
]);

const optionsOn = (disk: MemoryDisk, troubles = new ProjectionTroubles()) => ({
  ...{ disk, path, shown: 'audit.jsonl', unitKey: 'frame', troubles },
});

const open = (disk: MemoryDisk, journal: readonly StoredEvent[]) =>
  AuditLog.open(optionsOn(disk), journal.length, () => journal);

/** Opens and closes: then the log has what the journal has. */
function catchUp(disk: MemoryDisk, journal: readonly StoredEvent[]): string {
  open(disk, journal).close();
  return textOf(disk);
}

const bytesOf = (disk: MemoryDisk) => Buffer.from(disk.read(path) ?? []);
const textOf = (disk: MemoryDisk) => bytesOf(disk).toString();

/** A disk on which the log holds these bytes. */
function diskWith(text: string | Uint8Array): MemoryDisk {
  const disk = new MemoryDisk();
  disk.putFile(path, text);
  return disk;
}

/** The numbers of the events on lines that can be read. */
function numbers(text: string): number[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [(JSON.parse(line) as { seq: number }).seq];
    } catch {
      return [];
    }
  });
}

const whole = catchUp(new MemoryDisk(), events);

describe('an audit log', () => {
  it('has a line for every event, in the words of the layout', () => {
    const lines = whole
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(5);
    expect(lines[1]).toEqual({
      seq: 2,
      at: '2026-11-15T12:00:02.000Z',
      type: 'attempt_started',
      frame: 'f0',
      phase: 'draw',
      attempt: 1,
      revision: 1,
    });
    expect(lines[0]).toMatchObject({ seq: 1, type: 'run_created' });
    expect('frame' in lines[0]).toBe(false);
    expect(whole.endsWith('}\n')).toBe(true);
  });

  it('is added to while the run goes on', () => {
    const disk = new MemoryDisk();
    const log = open(disk, events.slice(0, 2));
    const before = textOf(disk);
    log.add([]);
    log.add(events.slice(2, 4));
    log.add(events.slice(4));
    log.close();
    expect(textOf(disk)).toBe(whole);
    expect(whole.startsWith(before)).toBe(true);
    expect(disk.openFiles).toBe(0);
  });

  it('that has it all is left as it is, without a look at the journal', () => {
    const disk = diskWith(whole);
    const before = disk.stat(path);
    AuditLog.open(optionsOn(disk), 5, () => {
      throw new Error('nobody has to read it');
    }).close();
    expect(disk.stat(path)).toEqual(before);
  });

  it('that the disk refuses for a while has every line once in the end, and says so meanwhile', () => {
    const disk = diskWith('');
    const troubles = new ProjectionTroubles();
    const log = AuditLog.open(optionsOn(disk, troubles), 0, () => []);
    const [first, second, ...others] = events;
    log.add([first as StoredEvent]);
    disk.freeBytes = 10;
    log.add([second as StoredEvent]);
    expect(troubles.list()).toEqual([{ path: 'audit.jsonl', error: 'ENOSPC' }]);
    disk.freeBytes = Number.POSITIVE_INFINITY;
    log.add(others);
    expect(troubles.list()).toEqual([]);
    log.close();
    const lines = textOf(disk).split('\n');
    expect(lines.filter((line) => whole.split('\n').includes(line))).toEqual(whole.split('\n'));
    expect(disk.openFiles).toBe(0);
  });

  it('that was deleted is written whole', () => {
    const disk = diskWith(whole);
    disk.remove(path);
    expect(catchUp(disk, events)).toBe(whole);
  });

  it('that is empty is written whole', () => {
    expect(catchUp(diskWith(''), events)).toBe(whole);
  });
});

describe('lines that a crash left out', () => {
  it('are added once', () => {
    const [first = ''] = whole.split('\n');
    const disk = diskWith(`${first}\n`);
    expect(catchUp(disk, events)).toBe(whole);
    expect(catchUp(disk, events)).toBe(whole);
  });

  it('are added wherever it was cut, and what stood there stays', () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const text = catchUp(diskWith(whole.slice(0, cut)), events);
      expect(text.startsWith(whole.slice(0, cut))).toBe(true);
      expect(numbers(text), `cut at ${cut}`).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('are added after a tail of zeros', () => {
    const [first = '', second = ''] = whole.split('\n');
    const torn = Buffer.concat([Buffer.from(`${first}\n${second.slice(0, 9)}`), Buffer.alloc(300)]);
    const text = catchUp(diskWith(torn), events);
    expect(Buffer.from(text).subarray(0, torn.length)).toEqual(torn);
    expect(numbers(text)).toEqual([1, 2, 3, 4, 5]);
  });

  it('are added after half a character', () => {
    const torn = Buffer.concat([Buffer.from(whole.slice(0, 40)), Buffer.from([0xe2, 0x82])]);
    const disk = diskWith(torn);
    open(disk, events).close();
    expect(bytesOf(disk).subarray(0, torn.length)).toEqual(torn);
    expect(numbers(textOf(disk))).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a line that cannot be read', () => {
  it('in the middle is left as it is, and nothing is added for it', () => {
    const lines = whole.split('\n');
    const damaged = [...lines.slice(0, 2), '{"seq":3,"at', ...lines.slice(3)].join('\n');
    expect(catchUp(diskWith(damaged), events)).toBe(damaged);
  });

  it('at the end is passed over', () => {
    for (const line of ['somebody wrote here', '{}', '{"seq":"9"}', 'null', '7', '']) {
      const text = catchUp(diskWith(`${whole}${line}\n`), events);
      expect(text).toBe(`${whole}${line}\n`);
    }
  });

  it('is all there is: then everything is added behind it', () => {
    expect(catchUp(diskWith('notes\nmore notes'), events)).toBe(`notes\nmore notes\n${whole}`);
  });
});

describe('a line of any length', () => {
  const note = (length: number): EventBody => ({
    type: 'override_used',
    guard: 'gc',
    flag: '--x',
    reason: 'x'.repeat(length),
    facts: {},
  });

  it.each([1000, 70_000, 1_100_000, 3_900_000])('is found at the end: %i', (length) => {
    const journal = stored([created, note(length)]);
    const text = catchUp(new MemoryDisk(), journal);
    expect(catchUp(diskWith(text), journal)).toBe(text);
    const more = stored([created, note(length), started('f0/draw#1')]);
    expect(numbers(catchUp(diskWith(text), more))).toEqual([1, 2, 3]);
  });

  it('is found behind another that was cut off', () => {
    const journal = stored([created, note(3_000_000), note(3_000_000)]);
    const text = catchUp(new MemoryDisk(), journal);
    expect(numbers(catchUp(diskWith(text.slice(0, -9)), journal))).toEqual([1, 2, 3]);
  });
});

it('only ever grows, and has every event once, wherever its writers die', () => {
  const life = fc.record({
    adds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    dieAt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    when: fc.constantFrom('before', 'during', 'after'),
    /** Bytes at the end that a power cut takes away. */
    lost: fc.option(fc.nat(400), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(life, { maxLength: 6 }), (lives) => {
      const journal: StoredEvent[] = [];
      let disk = new MemoryDisk();
      for (const { adds, dieAt, when, lost } of lives) {
        const before = bytesOf(disk);
        if (dieAt !== undefined) disk.failAt(disk.calls + dieAt, { kind: 'crash', when });
        try {
          const log = open(disk, journal);
          for (const count of adds) {
            const more = Array.from({ length: count }, (_, at) =>
              started(`f${at}/draw#${journal.length + 1}`),
            );
            const events = stored(more, journal.length + 1);
            // As in the runner: an event is in the journal before anybody else hears of it.
            journal.push(...events);
            log.add(events);
          }
          log.close();
        } catch (error) {
          if (!(error instanceof CrashSignal)) throw error;
        }
        disk = disk.kill();
        const after = bytesOf(disk);
        expect(after.subarray(0, before.length)).toEqual(before);
        if (lost !== undefined && after.length > 0)
          disk.putFile(path, after.subarray(0, Math.max(0, after.length - lost)));
      }
      const before = textOf(disk);
      const text = catchUp(disk, journal);
      expect(text.startsWith(before)).toBe(true);
      expect(numbers(text)).toEqual(journal.map(({ seq }) => seq));
      expect(catchUp(disk, journal)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

it('that the disk refuses to its end goes on later from what it took', () => {
  const disk = new MemoryDisk();
  const troubles = new ProjectionTroubles();
  const log = AuditLog.open(optionsOn(disk, troubles), 2, () => events.slice(0, 2));
  disk.freeBytes = 30;
  log.add(events.slice(2));
  log.close();
  expect(troubles.list()).toEqual([{ path: 'audit.jsonl', error: 'ENOSPC' }]);
  const before = textOf(disk);
  disk.freeBytes = Number.POSITIVE_INFINITY;
  const text = catchUp(disk, events);
  expect(text.startsWith(before)).toBe(true);
  expect(numbers(text)).toEqual([1, 2, 3, 4, 5]);
});
