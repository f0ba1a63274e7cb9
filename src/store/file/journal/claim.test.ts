import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  claim,
  claimOptions,
  eventsFolder,
  readAll,
  recordingDisk,
  startMs,
  succeeded,
  testClock,
  testHost,
  units,
  write,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { checksum } from '../../../base/hash.ts';
import { nodeDisk } from '../../../disk/node-disk.ts';
import { type ClaimOptions, claimJournal } from './claim.ts';

const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;

async function failureOf(disk: MemoryDisk, given: Partial<ClaimOptions>) {
  const result = await claimJournal(claimOptions(disk, given));
  return result.ok ? undefined : result.failure;
}

describe('a claim', () => {
  test('of a fresh actor starts at the first epoch', async () => {
    const disk = new MemoryDisk();
    const { writer, events, continues, findings, actors } = await claim(disk);
    expect({ events, continues, findings }).toEqual({ events: [], continues: false, findings: [] });
    expect(actors.get('runner')).toMatchObject({ epoch: 1, seq: 0, sum: '' });
    expect(writer.position).toMatchObject({ epoch: 1, seq: 0, sum: '', length: disk.stat(segment(1))?.size });
  });

  test('is refused while the holder lives, and names it', async () => {
    const disk = new MemoryDisk();
    await claim(disk);
    expect(await failureOf(disk, { host: testHost(2) })).toEqual({
      reason: 'run-held',
      run: 'the-run',
      holder: { pid: 1, host: 'here', since: '2026-11-15T12:00:00.000Z', alive: 'alive' },
    });
    expect(disk.stat(segment(2))).toBeUndefined();
  });

  test('is refused in doubt, unless a takeover was asked for', async () => {
    const disk = new MemoryDisk();
    await claim(disk);
    const host = testHost(2, new Set(), 'elsewhere');
    expect(await failureOf(disk, { host })).toMatchObject({ holder: { pid: 1, alive: 'unknown' } });
    expect((await claim(disk, { host, takeover: true })).writer.fencingNumber).toBe(2);
  });

  test('is refused where the header cannot be read, unless a takeover was asked for', async () => {
    const disk = new MemoryDisk();
    disk.putFile(segment(1), 'noise\n');
    expect(await failureOf(disk, {})).toMatchObject({
      reason: 'run-held',
      holder: { pid: 0, alive: 'unknown' },
    });
    expect((await claim(disk, { takeover: true })).writer.fencingNumber).toBe(2);
  });

  test('replaces a dead holder and goes on with its numbers', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a'), succeeded('b')]);
    const { writer, events } = await claim(disk, { host: testHost(2, new Set([1])) });
    expect(units(events)).toEqual(['a', 'b']);
    expect(await writer.append([succeeded('c')])).toMatchObject([{ seq: 3, epoch: 2 }]);
    expect(readAll(disk)).toMatchObject({ codes: [], events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
  });

  test('follows a holder that let go, although it lives', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const { writer } = await claim(disk, { host: testHost(2) });
    expect(await writer.append([succeeded('b')])).toMatchObject([{ seq: 2, epoch: 2 }]);
    expect(readAll(disk).codes).toEqual([]);
  });

  test('passes over one that died before its pin', async () => {
    for (const operation of ['append', 'write', 'sync'] as const) {
      const disk = new MemoryDisk();
      await write(disk, [succeeded('a')]);
      disk.failWhen((call) =>
        call.path === segment(2) && call.operation === operation
          ? { kind: 'crash', when: 'during' }
          : undefined,
      );
      await expect(claim(disk, { host: testHost(2) })).rejects.toThrow('died');
      const after = disk.kill();
      const { writer } = await claim(after, { host: testHost(3, new Set([2])) });
      expect(await writer.append([succeeded('b')])).toMatchObject([{ seq: 2, epoch: 3 }]);
      const { events, codes } = readAll(after);
      expect(units(events)).toEqual(['a', 'b']);
      expect(codes.filter((code) => code.includes('loud'))).toEqual([]);
    }
  });

  test('is refused while another one is under way', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const first = claimJournal(claimOptions(disk, { host: testHost(2) }));
    const second = claimJournal(claimOptions(disk, { host: testHost(3) }));
    const results = await Promise.all([first, second]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test.each([
    ['before its pin', segment(1), ['void-after-pin quiet runner/000002.jsonl:2']],
    ['with its pin', segment(2), []],
  ])('that is displaced %s does not hold the actor', async (_, syncedWhenDisplaced, codes) => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const slow = recordingDisk(disk, []);
    const { append } = slow;
    slow.append = (path) => {
      const file = append(path);
      const sync = async () => {
        if (path === syncedWhenDisplaced) await claim(disk, { host: testHost(3), takeover: true });
        await file.sync();
      };
      return { ...file, sync };
    };
    const result = await claimJournal(claimOptions(slow, { host: testHost(2) }));
    expect(result).toMatchObject({ ok: false, failure: { reason: 'run-held', holder: { pid: 3 } } });
    expect(readAll(disk)).toMatchObject({ events: [{ unit: 'a' }], codes });
  });

  test('reads the earlier segment only when it has the next one, and syncs it before it is pinned', async () => {
    const log: string[] = [];
    const disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a')]);
    await claim(recordingDisk(disk, log), { host: testHost(2), takeover: true });
    const linked = log.indexOf('link 000002.jsonl');
    expect(log[linked + 1]).toBe('synced runner');
    const rest = log.slice(linked + 2);
    const last = (call: string) => rest.lastIndexOf(call);
    expect(rest).toContain('read 000001.jsonl');
    expect(
      rest.slice(last('read 000001.jsonl') + 1).filter((call) => !call.startsWith('stat 000001')),
    ).toEqual(['synced', 'write 1', 'synced', 'stat 000003.jsonl', 'stat reserve']);
  });

  test('makes what a zombie writes void, and refuses it', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a')]);
    const next = await claim(disk, { host: testHost(2), takeover: true });
    await next.writer.append([succeeded('b')]);
    await expect(old.writer.append([succeeded('lost')])).rejects.toThrow('taken over');
    await old.writer.close();
    await next.writer.append([succeeded('c')]);
    const { events, codes } = readAll(disk);
    expect(events.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
    ]);
    expect(codes).toEqual(['void-after-pin quiet runner/000001.jsonl:3']);
  });

  test('makes void what a zombie writes that had written nothing before', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk);
    const next = await claim(disk, { host: testHost(2), takeover: true });
    await old.writer.close();
    await next.writer.append([succeeded('a')]);
    const { events, codes } = readAll(disk);
    expect(units(events)).toEqual(['a']);
    expect(codes).toEqual(['void-after-pin quiet runner/000001.jsonl:2']);
  });

  test('reads only what came after the positions it was given', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const { actors } = readAll(disk);
    await write(disk, [succeeded('b')]);
    await write(disk, [succeeded('person')], { actor: 'person', clock: testClock(startMs + 60_000) });
    const { events, continues } = await claim(disk, { from: actors });
    expect(continues).toBe(true);
    expect(units(events)).toEqual(['b', 'person']);
  });

  test('of a newer format is refused, even by a takeover', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const header =
      '{"pawl":"journal","version":3,"writer":"0.9.0","actor":"runner","epoch":2,"holder":{"pid":1,"started":"","boot":"","host":""},"opened":""';
    disk.putFile(segment(2), `${header},"sum":"${checksum(header)}"}\n{"other":1}\n`);
    expect(await failureOf(disk, { takeover: true, base: '/run' })).toEqual({
      reason: 'journal-damaged',
      run: 'the-run',
      findings: [
        {
          code: 'newer-format',
          file: 'events/runner/000002.jsonl',
          line: 1,
          detail: '0.9.0',
          weight: 'loud',
        },
      ],
    });
    expect(disk.stat(segment(3))).toBeUndefined();
  });

  test('leaves every byte that was there', async () => {
    const disk = new MemoryDisk();
    const old = await claim(disk);
    await old.writer.append([succeeded('a')]);
    const torn = Buffer.concat([disk.read(segment(1)) ?? Buffer.alloc(0), Buffer.from('{"seq":2,"at')]);
    disk.putFile(segment(1), torn);
    await write(disk, [succeeded('b')]);
    expect(Buffer.from(disk.read(segment(1)) ?? [])).toEqual(torn);
    expect(readAll(disk)).toMatchObject({
      events: [{ unit: 'a' }, { unit: 'b' }],
      codes: [],
    });
  });

  test('is had by one of many that come at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-claim-'));
    try {
      for (let round = 0; round < 10; round++) {
        const place = join(folder, String(round));
        const claims = Array.from({ length: 8 }, (_, index) =>
          claimJournal(
            claimOptions(nodeDisk, {
              eventsFolder: place,
              host: testHost(index + 1, new Set(), `host${index}`),
            }),
          ),
        );
        const results = await Promise.all(claims);
        const won = results.flatMap((result) => (result.ok ? [result.value] : []));
        expect(won).toHaveLength(1);
        await won[0]?.writer.append([succeeded('a')]);
        await won[0]?.writer.close();
        expect(readAll(nodeDisk, place)).toMatchObject({ codes: [], events: [{ unit: 'a' }] });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('needs a name that is safe as a folder', async () => {
    await expect(claim(new MemoryDisk(), { actor: '../runner' })).rejects.toThrow('not an actor');
  });
});
