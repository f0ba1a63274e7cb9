import { describe, expect, test } from 'vitest';
import {
  claim,
  readAll,
  recordingDisk,
  succeeded,
  testHost,
  units,
  write,
} from '../../../../test/fixtures/journal.ts';
import { CrashSignal, MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import type { StoredEvent } from '../../../model/event.ts';

/**
 * A life: a first owner, a second that takes over while the first goes on as a zombie, rotation, and a good end.
 * `acknowledged` is kept outside, as a judge would.
 */
async function live(disk: MemoryDisk, acknowledged: StoredEvent[], durable = true): Promise<void> {
  const tell = (events: StoredEvent[]) => acknowledged.push(...events);
  const first = await claim(disk, { host: testHost(1), durable });
  tell(await first.writer.append([succeeded('a')]));
  await Promise.all([succeeded('b'), succeeded('c')].map((event) => first.writer.append([event]).then(tell)));
  const second = await claim(disk, { host: testHost(2), takeover: true, segmentBytesMax: 900, durable });
  const zombie = first.writer.append([succeeded('zombie')]).then(tell, () => {});
  tell(await second.writer.append([succeeded('d')]));
  await zombie;
  for (const unit of ['e', 'f', 'g']) tell(await second.writer.append([succeeded(unit)]));
  await first.writer.close();
  await second.writer.close();
}

async function callsOfLife(): Promise<number> {
  const disk = new MemoryDisk();
  const acknowledged: StoredEvent[] = [];
  await live(disk, acknowledged);
  expect(units(acknowledged)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(readAll(disk)).toMatchObject({ events: acknowledged });
  return disk.calls;
}

async function checkSurvivor(
  disk: MemoryDisk,
  acknowledged: readonly StoredEvent[],
  where: string,
): Promise<void> {
  const read = readAll(disk);
  for (const event of acknowledged)
    expect(read.events[event.seq - 1], `${where}: acknowledged`).toEqual(event);
  expect(
    read.codes.filter((code) => code.includes(' loud ')),
    where,
  ).toEqual([]);
  expect(units(read.events), where).not.toContain('zombie');
  expect(
    read.events.map(({ seq }) => seq),
    where,
  ).toEqual(read.events.map((_, index) => index + 1));
  const next = await write(disk, [succeeded('next')], { host: testHost(9) });
  expect(readAll(disk).events, where).toEqual([...read.events, ...next]);
}

describe('what was acknowledged', () => {
  test('is there after a kill or a power cut at any call', async () => {
    const calls = await callsOfLife();
    for (let number = 1; number <= calls; number++) {
      // Before a call is after the one before it.
      for (const when of ['during', 'after'] as const) {
        const disk = new MemoryDisk({ seed: number });
        const acknowledged: StoredEvent[] = [];
        disk.failAt(number, { kind: 'crash', when });
        await live(disk, acknowledged).catch(rethrowUnlessCrash);
        const where = `call ${number} ${when}`;
        await checkSurvivor(disk.kill(), acknowledged, `${where}, kill`);
        for (const state of disk.crashStates(12)) {
          await checkSurvivor(state.disk, acknowledged, `${where}, power cut: ${state.describe()}`);
        }
      }
    }
  });

  test('is there after an error of the disk at any call, and a power cut after it', async () => {
    const calls = await callsOfLife();
    for (const code of ['EIO', 'ENOSPC']) {
      for (let number = 1; number <= calls; number++) {
        const disk = new MemoryDisk({ seed: number });
        const acknowledged: StoredEvent[] = [];
        disk.failAt(number, { kind: 'error', code });
        await live(disk, acknowledged).catch(() => {});
        const where = `${code} at call ${number}`;
        await checkSurvivor(disk.kill(), acknowledged, where);
        for (const state of disk.crashStates(8)) {
          await checkSurvivor(state.disk, acknowledged, `${where}, power cut: ${state.describe()}`);
        }
      }
    }
  });

  test('is there after a kill where nothing is synced', async () => {
    const calls = await callsOfLife();
    for (let number = 1; number <= calls; number++) {
      const disk = new MemoryDisk();
      const acknowledged: StoredEvent[] = [];
      disk.failAt(number, { kind: 'crash', when: 'during' });
      await live(disk, acknowledged, false).catch(rethrowUnlessCrash);
      await checkSurvivor(disk.kill(), acknowledged, `call ${number}`);
    }
  });

  test('includes what a claim found, though its writer was killed before the sync', async () => {
    const disk = new MemoryDisk();
    const log: string[] = [];
    const dying = recordingDisk(disk, log);
    const killed = new Promise<void>(() => {});
    const { append } = dying;
    dying.append = (path) => ({ ...append(path), sync: () => killed });
    const first = await claim(dying);
    void first.writer.append([succeeded('a')]);
    while (log.at(-1) !== 'write 1') await new Promise(setImmediate);

    const second = await claim(disk, { host: testHost(2), takeover: true });
    expect(units(second.events)).toEqual(['a']);
    await second.writer.append([succeeded('b')]);
    for (const state of disk.crashStates(100)) {
      const { events, codes } = readAll(state.disk);
      expect({ units: units(events), codes }, state.describe()).toEqual({ units: ['a', 'b'], codes: [] });
    }
  });
});

function rethrowUnlessCrash(error: unknown): void {
  if (!(error instanceof CrashSignal)) throw error;
}
