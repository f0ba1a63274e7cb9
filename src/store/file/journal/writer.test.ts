import { describe, expect, test } from 'vitest';
import {
  claim,
  eventsFolder,
  readAll,
  recordingDisk,
  startMs,
  succeeded,
  testClock,
  testHost,
  units,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { DiskError } from '../../../disk/disk.ts';
import { lineBytesMax } from '../../../disk/line-reader.ts';
import type { EventBody } from '../../../model/event.ts';
import { JournalFenced } from '../../errors.ts';
import { readJournal } from './read.ts';

const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;

describe('a journal writer', () => {
  test('gives every event its number, time and place, and they can be read again', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    const first = await writer.append([succeeded('a'), succeeded('b')]);
    const second = await writer.append([{ type: 'run_ended', status: 'completed' }]);
    expect([...first, ...second].map(({ seq, at, actor, epoch }) => ({ seq, at, actor, epoch }))).toEqual([
      { seq: 1, at: '2026-11-15T12:00:00.000Z', actor: 'runner', epoch: 1 },
      { seq: 2, at: '2026-11-15T12:00:00.000Z', actor: 'runner', epoch: 1 },
      { seq: 3, at: '2026-11-15T12:00:00.000Z', actor: 'runner', epoch: 1 },
    ]);
    const read = readAll(disk);
    expect(read.events).toEqual([...first, ...second]);
    expect(read.codes).toEqual([]);
    expect(read.actors.get('runner')).toMatchObject({ ...writer.position, closed: false });
    expect(writer).toMatchObject({ fencingNumber: 1, lastSeq: 3, sizeBytes: disk.stat(segment(1))?.size });
  });

  test('writes a known text', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([{ type: 'run_resumed', boot: 'b' }]);
    await writer.close();
    const text = Buffer.from(disk.read(segment(1)) ?? []).toString();
    expect(
      text.replaceAll(/"sum":"[\w-]{12}"/g, '"sum":"*"').replaceAll(/"prev":"[\w-]{12}"/g, '"prev":"*"'),
    ).toBe(
      '{"pawl":"journal","version":2,"actor":"runner","epoch":1,' +
        '"holder":{"pid":1,"started":"t1","boot":"boot","host":"here"},"opened":"2026-11-15T12:00:00.000Z","sum":"*"}\n' +
        '{"seq":1,"at":"2026-11-15T12:00:00.000Z","type":"run_resumed","boot":"b","prev":"","sum":"*"}\n' +
        '{"closed":{"at":"2026-11-15T12:00:00.000Z","seq":1},"prev":"*","sum":"*"}\n',
    );
  });

  test('commits what comes together with one write and one sync', async () => {
    const log: string[] = [];
    const { writer } = await claim(recordingDisk(new MemoryDisk(), log));
    log.length = 0;
    await Promise.all(Array.from({ length: 20 }, (_, index) => writer.append([succeeded(`u${index}`)])));
    expect(log).toEqual(['write 20', 'synced', 'stat 000002.jsonl', 'stat 000001.jsonl']);
  });

  test('commits what comes during a sync with the next one, in the order of asking', async () => {
    const log: string[] = [];
    const disk = new MemoryDisk();
    const late: Promise<unknown>[] = [];
    const recording = recordingDisk(disk, log);
    const { writer } = await claim(recording, {
      beforeCommit: async () => {
        if (late.length === 0) for (const unit of ['b', 'c']) late.push(writer.append([succeeded(unit)]));
      },
    });
    log.length = 0;
    await writer.append([succeeded('a')]);
    await Promise.all(late);
    expect(log.filter((call) => !call.startsWith('stat '))).toEqual([
      'write 1',
      'synced',
      'write 2',
      'synced',
    ]);
    expect(units(readAll(disk).events)).toEqual(['a', 'b', 'c']);
  });

  test('answers only after bytes, record, sync and fence', async () => {
    const log: string[] = [];
    const { writer } = await claim(recordingDisk(new MemoryDisk(), log), {
      beforeCommit: async () => {
        await Promise.resolve();
        log.push('bytes');
      },
    });
    log.length = 0;
    await writer.append([succeeded('a')]).then(() => log.push('answered'));
    expect(log).toEqual(['bytes', 'write 1', 'synced', 'stat 000002.jsonl', 'stat 000001.jsonl', 'answered']);
  });

  test('does not sync where only a kill is to be survived', async () => {
    const log: string[] = [];
    const { writer } = await claim(recordingDisk(new MemoryDisk(), log), { durable: false });
    log.length = 0;
    await writer.append([succeeded('a')]);
    await writer.close();
    expect(log).toEqual(['write 1', 'stat 000002.jsonl', 'stat 000001.jsonl', 'write 1']);
  });

  test('answers for nothing once its file was removed', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk, { durable: false });
    await writer.append([succeeded('a')]);
    disk.remove(segment(1));
    await expect(writer.append([succeeded('b')])).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('keeps what an event said when it was given', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    const event = { type: 'override_used', guard: 'gc', flag: 'f', facts: { n: 1 } } satisfies EventBody;
    const appended = writer.append([event]);
    event.facts.n = 2;
    await appended;
    expect(readAll(disk).events).toMatchObject([{ facts: { n: 1 } }]);
  });

  test('never lets time go back', async () => {
    const disk = new MemoryDisk();
    const clock = testClock();
    const { writer } = await claim(disk, { clock });
    await writer.append([succeeded('a')]);
    clock.ms = startMs - 3_600_000;
    await writer.append([succeeded('b')]);
    clock.ms = startMs + 5;
    await writer.append([succeeded('c')]);
    await writer.close();
    const times = readAll(disk).events.map(({ at }) => Date.parse(at) - startMs);
    expect(times).toEqual([0, 0, 5]);
  });

  test('is later than everything there was, of any actor', async () => {
    const disk = new MemoryDisk();
    const ahead = await claim(disk, { actor: 'person', clock: testClock(startMs + 60_000) });
    await ahead.writer.append([succeeded('first')]);
    const { writer } = await claim(disk, { clock: testClock(startMs - 60_000) });
    await writer.append([succeeded('second')]);
    const { events } = readAll(disk);
    expect(units(events)).toEqual(['first', 'second']);
    expect(events.map(({ at }) => Date.parse(at) - startMs)).toEqual([60_000, 60_001]);
  });

  test('refuses an event that could not be read again, and goes on', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    const huge = succeeded('a', 'ü'.repeat(lineBytesMax / 2));
    await expect(writer.append([huge])).rejects.toThrow('event too large: attempt_succeeded');
    await expect(writer.append([{ ...succeeded('a'), ms: Number.NaN }])).rejects.toThrow('malformed event');
    const [stored] = await writer.append([succeeded('b', 'x'.repeat(lineBytesMax - 1000))]);
    if (stored === undefined) throw new Error('nothing stored');
    await expect(writer.append([stored])).rejects.toThrow('malformed event');
    expect(readAll(disk)).toMatchObject({ codes: [], events: [{ unit: 'b', seq: 1 }] });
  });

  test('ends with the first trouble of the disk, and stays ended with the same error', async () => {
    for (const operation of ['write', 'sync', 'stat'] as const) {
      const disk = new MemoryDisk();
      const { writer } = await claim(disk);
      await writer.append([succeeded('a')]);
      let failures = 0;
      disk.failWhen((call) => {
        if (call.operation !== operation) return undefined;
        failures++;
        return { kind: 'error', code: 'EIO' };
      });
      const failing = [writer.append([succeeded('b')]), writer.append([succeeded('c')])];
      const errors = await Promise.all(failing.map((append) => append.catch((error: unknown) => error)));
      expect(errors[0]).toBeInstanceOf(DiskError);
      expect(errors[0]).toMatchObject({ code: 'EIO', operation });
      expect(await writer.append([succeeded('d')]).catch((error: unknown) => error)).toBe(errors[0]);
      expect(errors[1]).toBe(errors[0]);
      expect(failures, 'nothing is tried again').toBe(1);
      await writer.close();
      expect(writer.lastSeq).toBe(1);
      expect(disk.openFiles).toBe(0);
    }
  });

  test('writes no record when the bytes that it speaks of cannot be made durable', async () => {
    const disk = new MemoryDisk();
    const error = new DiskError('EIO', 'sync', '/store');
    const { writer } = await claim(disk, { beforeCommit: () => Promise.reject(error) });
    const size = disk.stat(segment(1))?.size;
    await expect(writer.append([succeeded('a')])).rejects.toBe(error);
    expect(disk.stat(segment(1))?.size).toBe(size);
  });

  test('is answered with the holder when it was fenced out', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a')]);
    await claim(disk, { takeover: true, host: testHost(2) });
    const error = await old.writer.append([succeeded('lost')]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JournalFenced);
    expect(error).toMatchObject({
      actor: 'runner',
      epoch: 1,
      owner: { pid: 2, host: 'here', alive: 'alive' },
    });
    expect(units(readAll(disk).events)).toEqual(['a']);
  });

  test('waits for its appends and says that it is done', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    const appended = writer.append([succeeded('a')]);
    const closed = writer.close();
    expect(writer.close()).toBe(closed);
    await Promise.all([appended, closed]);
    await expect(writer.append([succeeded('b')])).rejects.toThrow('closed');
    const { actors, codes, events } = readAll(disk);
    expect(actors.get('runner')).toEqual({
      ...writer.position,
      owner: testHost(1).self,
      opened: '2026-11-15T12:00:00.000Z',
      closed: true,
    });
    expect({ codes, units: units(events), open: disk.openFiles }).toEqual({
      codes: [],
      units: ['a'],
      open: 0,
    });
  });

  test('goes on in a segment of its own when one is full', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk, { segmentBytesMax: 1000 });
    const names = Array.from({ length: 12 }, (_, index) => `u${index}`);
    for (const unit of names) await writer.append([succeeded(unit)]);
    await writer.close();
    expect(writer.fencingNumber).toBeGreaterThan(2);
    const { events, codes, actors } = readAll(disk);
    expect(units(events)).toEqual(names);
    expect(codes).toEqual([]);
    expect(actors.get('runner')).toMatchObject({ ...writer.position, seq: 12, closed: true });
    expect(disk.openFiles).toBe(0);
  });

  test('is fenced out when somebody else has the segment it would go on in', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk, { segmentBytesMax: 1 });
    const next = await claim(disk, { takeover: true, host: testHost(2) });
    await expect(old.writer.append([succeeded('lost')])).rejects.toBeInstanceOf(JournalFenced);
    await next.writer.append([succeeded('a')]);
    expect(readAll(disk)).toMatchObject({ codes: [], events: [{ unit: 'a' }] });
  });

  test('gives back its reserve on a full disk, so that one last commit fits', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([succeeded('a')]);
    const reserve = `${eventsFolder}/runner/reserve`;
    expect(disk.stat(reserve)?.size).toBe(65536);
    // A write that takes a part and then finds the disk full, until something is removed.
    disk.failWhen(({ operation }) => {
      if (operation !== 'write' || disk.stat(reserve) === undefined) return undefined;
      disk.freeBytes = disk.freeBytes === Number.POSITIVE_INFINITY ? 20 : disk.freeBytes;
      return undefined;
    });
    disk.failWhen(({ operation }) => {
      if (operation === 'create') disk.freeBytes = 10_000;
      return undefined;
    });
    await writer.append([succeeded('b'), succeeded('c')]);
    await expect(writer.append([succeeded('d')])).rejects.toMatchObject({ code: 'ENOSPC' });
    await writer.close();
    const { events, codes } = readAll(disk.kill());
    expect(units(events)).toEqual(['a', 'b', 'c']);
    expect(codes).toEqual([]);
  });

  test('ends on a full disk that has no reserve left', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    disk.remove(`${eventsFolder}/runner/reserve`);
    disk.freeBytes = 5;
    await expect(writer.append([succeeded('a')])).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readAll(disk)).toMatchObject({ codes: ['torn-tail quiet runner/000001.jsonl:2'], events: [] });
  });

  test('leaves a position from which the next reading can start', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([succeeded('a')]);
    const from = new Map([['runner', writer.position]]);
    await writer.append([succeeded('b')]);
    const journal = readJournal(disk, eventsFolder, { from });
    expect(journal.continues).toBe(true);
    expect(units([...journal.events()])).toEqual(['b']);
  });
});
