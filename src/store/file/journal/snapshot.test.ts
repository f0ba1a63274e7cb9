import { beforeEach, describe, expect, test } from 'vitest';
import {
  claim,
  eventsFolder,
  readAll,
  succeeded,
  testHost,
  units,
  write,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { hashBytes } from '../../../base/hash.ts';
import { readJournal } from './read.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

const path = '/run/snapshot';
const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;

describe('a snapshot', () => {
  let disk: MemoryDisk;

  beforeEach(async () => {
    disk = new MemoryDisk();
    await write(disk, [succeeded('a'), succeeded('b')]);
    const { actors } = readAll(disk);
    writeSnapshot(disk, path, { positions: actors, body: [{ units: ['a', 'b'], text: 'ö\u2028' }] });
  });

  const textOf = (epoch: number) => Buffer.from(disk.read(segment(epoch)) ?? []).toString();

  /** What a fold that starts from the snapshot comes to. */
  function fold(): { continues: boolean; units: string[] } {
    const snapshot = readSnapshot(disk, path);
    const { continues, events } = readJournal(disk, eventsFolder, { from: snapshot?.positions });
    const [body] = [...(snapshot?.body ?? [])] as { units: string[] }[];
    const known = continues ? (body?.units ?? []) : [];
    return { continues, units: [...known, ...units([...events()])] };
  }

  test('gives back what was put in', () => {
    const { actors } = readAll(disk);
    const { epoch, length, seq, sum, at } = actors.get('runner') ?? {};
    const snapshot = readSnapshot(disk, path);
    expect(snapshot?.positions).toEqual(new Map([['runner', { epoch, length, seq, sum, at }]]));
    expect([...(snapshot?.body ?? [])]).toEqual([{ units: ['a', 'b'], text: 'ö\u2028' }]);
  });

  test('stands for what was before it', async () => {
    expect(fold()).toEqual({ continues: true, units: ['a', 'b'] });
    await write(disk, [succeeded('c')]);
    expect(fold()).toEqual({ continues: true, units: ['a', 'b', 'c'] });
  });

  test('of an actor that has written nothing yet holds', async () => {
    await claim(disk, { actor: 'person' });
    const { actors } = readAll(disk);
    writeSnapshot(disk, path, { positions: actors, body: [{ units: ['a', 'b'] }] });
    expect(fold()).toEqual({ continues: true, units: ['a', 'b'] });
  });

  test('that is cut or changed anywhere is not used', () => {
    const bytes = disk.read(path) ?? new Uint8Array();
    for (let index = 0; index < bytes.length; index++) {
      disk.putFile(path, bytes.subarray(0, index));
      expect(readSnapshot(disk, path)).toBeUndefined();
      const flipped = Uint8Array.from(bytes);
      flipped[index] = (bytes[index] ?? 0) ^ 0x02;
      disk.putFile(path, flipped);
      expect(readSnapshot(disk, path)).toBeUndefined();
    }
    disk.putFile(path, Buffer.concat([bytes, Buffer.from(' ')]));
    expect(readSnapshot(disk, path)).toBeUndefined();
  });

  test('of another version, or no snapshot at all, is not used', () => {
    const text = Buffer.from(disk.read(path) ?? []).toString();
    const others = [
      resealed(text, '"version":2', '"version":3'),
      // By a program that knew other events.
      resealed(text, '"knows":"sha256:', '"knows":"sha256:0'),
    ];
    for (const other of [...others, '', '\n', 'null\n', '{}\n{}', '[]\n']) {
      disk.putFile(path, other);
      expect(readSnapshot(disk, path)).toBeUndefined();
    }
    disk.putFile(path, resealed(text, '"version":2', '"version":2'));
    expect(readSnapshot(disk, path)).toBeDefined();
    disk.remove(path);
    expect(readSnapshot(disk, path)).toBeUndefined();
    disk.makeFolder(path);
    expect(readSnapshot(disk, path)).toBeUndefined();
  });

  test('ahead of its journal is not used', () => {
    const text = textOf(1);
    disk.putFile(segment(1), `${text.split('\n').slice(0, 2).join('\n')}\n`);
    expect(fold()).toEqual({ continues: false, units: ['a'] });
  });

  test('of a journal that is gone is not used', () => {
    disk.remove(segment(1));
    expect(fold()).toEqual({ continues: false, units: [] });
    disk.remove(`${eventsFolder}/runner/reserve`);
    disk.remove(`${eventsFolder}/runner`);
    expect(fold()).toEqual({ continues: false, units: [] });
  });

  test('of another journal is not used', async () => {
    const size = disk.stat(segment(1))?.size ?? 0;
    disk.remove(segment(1));
    await write(disk, [succeeded('x'), succeeded('y')], { host: testHost(1) });
    expect(disk.stat(segment(1))?.size).toBe(size);
    expect(fold()).toEqual({ continues: false, units: ['x', 'y'] });
  });

  test.each([
    ['an event', 'event', 2, false],
    ['a closing', 'closing', 1, false],
    ['an event, by a pin that is damaged', 'event', 2, true],
  ])('of %s that a later pin made void is not used', async (_, what, seq, isPinDamaged) => {
    disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a')]);
    const next = await claim(disk, { host: testHost(2), takeover: true });
    await next.writer.append([succeeded('b')]);
    if (what === 'event') await old.writer.append([succeeded('zombie')]).catch(() => {});
    else await old.writer.close();

    const length = disk.stat(segment(1))?.size ?? 0;
    const sum = /"sum":"([\w-]{12})"}\n$/.exec(textOf(1))?.[1] ?? '';
    const zombie = { epoch: 1, length, seq, sum, at: '2026-11-15T12:00:00.000Z' };
    writeSnapshot(disk, path, {
      positions: new Map([['runner', zombie]]),
      body: [{ units: ['zombie'] }],
    });
    if (isPinDamaged) disk.putFile(segment(2), textOf(2).replace('{"pin":', '{"pim":'));
    expect(fold()).toEqual({ continues: false, units: ['a', 'b'] });
  });

  test('may be large', async () => {
    const steps = Array.from({ length: 40_000 }, (_, index) => [`ch${index}`, 'x'.repeat(200)]);
    writeSnapshot(disk, path, { positions: new Map(), body: steps });
    expect(disk.stat(path)?.size).toBeGreaterThan(8_000_000);
    expect([...(readSnapshot(disk, path)?.body ?? [])]).toEqual(steps);
  });
});

/** The snapshot with another seal, which is as right as the one that was written. */
function resealed(text: string, before: string, after: string): string {
  const start = text.lastIndexOf('\n', text.length - 2) + 1;
  const { check: _, ...seal } = JSON.parse(text.slice(start).replace(before, after));
  const check = hashBytes(JSON.stringify(seal));
  return `${text.slice(0, start)}${JSON.stringify({ ...seal, check })}\n`;
}
