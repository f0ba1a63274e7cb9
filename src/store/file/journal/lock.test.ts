import { describe, expect, it } from 'vitest';
import { claimOptions, testHost } from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import type { Disk } from '../../../disk/disk.ts';
import type { Lock } from '../../locks.ts';
import { type TakeLock, takeLock } from './lock.ts';

describe('a turn', () => {
  it('is had by one process at a time, and the others are told who has it', async () => {
    const disk = new MemoryDisk();
    const turn = await taken(disk, 1);
    expect(await takeLock(options(disk, 2))).toMatchObject({
      ok: false,
      failure: { reason: 'run-held', run: 'the-run', holder: { pid: 1, alive: 'alive' } },
    });
    turn.release();
    await taken(disk, 2);
  });

  it('goes to exactly one of many that ask at once', async () => {
    const disk = new MemoryDisk();
    const asked = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((pid) => takeLock(options(disk, pid))));
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of asked) if (!answer.ok) expect(answer.failure.reason).toBe('run-held');
  });

  it('of a process that died is over', async () => {
    const disk = new MemoryDisk();
    await taken(disk, 1);
    await taken(disk, 2, { host: testHost(2, new Set([1])) });
  });

  it('of a process that nobody can see is over only for whoever says so', async () => {
    const disk = new MemoryDisk();
    await taken(disk, 1, { host: testHost(1, new Set(), 'elsewhere') });
    expect(await takeLock(options(disk, 2))).toMatchObject({
      ok: false,
      failure: { holder: { host: 'elsewhere', alive: 'unknown' } },
    });
    await taken(disk, 2, { takeover: true });
  });
});

describe('turns, one after the other,', () => {
  it('are taken by all who come at once, and never by two at a time', async () => {
    const disk = new MemoryDisk();
    let having = 0;
    let most = 0;
    const come = async (pid: number) => {
      for (;;) {
        const turn = await takeLock(options(disk, pid));
        if (turn.ok) {
          having += 1;
          most = Math.max(most, having);
          await new Promise(setImmediate);
          expect(turn.value.isHeld()).toBe(true);
          having -= 1;
          turn.value.release();
          return;
        }
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, nth) => come(nth + 1)));
    expect(most).toBe(1);
  });

  it('leave no more than two files behind', async () => {
    const disk = new MemoryDisk();
    for (let pid = 1; pid <= 20; pid++) (await taken(disk, pid)).release();
    expect(disk.list(folder)).toEqual(['000019.jsonl', '000020.jsonl']);
  });
});

describe('whoever fell asleep before it had made its file', () => {
  // It has seen who had the last turn, and makes the file of the next when that may be swept away long since.
  const slept = Array.from({ length: 7 }, (_, turns) => [
    { turns, isHeld: false },
    { turns, isHeld: true },
  ]).flat();

  it.each(slept)(
    'has no turn beside another: $turns turns later, the last one held: $isHeld',
    async (given) => {
      const disk = new MemoryDisk();
      (await taken(disk, 1)).release();
      const sleeper = sleeping(disk);
      const waking = takeLock(options(sleeper.disk, 2));
      await sleeper.fallenAsleep;
      let last: Lock | undefined;
      for (let nth = 1; nth <= given.turns; nth++) {
        last?.release();
        last = await taken(disk, 2 + nth);
      }
      if (!given.isHeld) last?.release();
      sleeper.wake();
      const woken = await waking;
      expect(woken.ok).toBe(given.turns === 0);
      if (woken.ok) expect(woken.value.isHeld()).toBe(true);
      if (given.isHeld && given.turns > 0) expect(last?.isHeld()).toBe(true);
      // What it left behind stops no later owner, and never lets two have the lock.
      const isTaken = woken.ok || given.isHeld;
      expect((await takeLock(options(disk, 99))).ok).toBe(!isTaken);
    },
  );
});

describe('whoever was displaced', () => {
  it('is told so, and lets nobody in by ending its turn', async () => {
    const disk = new MemoryDisk();
    const first = await taken(disk, 1);
    const second = await taken(disk, 2, { takeover: true });
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
    first.release();
    expect(await takeLock(options(disk, 3))).toMatchObject({ ok: false, failure: { holder: { pid: 2 } } });
    expect(second.isHeld()).toBe(true);
  });

  it('lets nobody in either when its own file is swept away', async () => {
    const disk = new MemoryDisk();
    const first = await taken(disk, 1);
    (await taken(disk, 2, { takeover: true })).release();
    (await taken(disk, 3)).release();
    const last = await taken(disk, 4);
    first.release();
    expect(await takeLock(options(disk, 5))).toMatchObject({ ok: false, failure: { holder: { pid: 4 } } });
    expect(last.isHeld()).toBe(true);
  });
});

const folder = '/run/events/runner';

/** A disk whose first sync takes until the test wakes its caller. */
function sleeping(disk: MemoryDisk): { disk: Disk; fallenAsleep: Promise<void>; wake(): void } {
  let wake = () => {};
  let fallAsleep = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const fallenAsleep = new Promise<void>((resolve) => {
    fallAsleep = resolve;
  });
  const create = (path: string) => {
    const file = disk.create(path);
    const sync = async () => {
      await file.sync();
      fallAsleep();
      await woken;
    };
    return { ...file, sync };
  };
  const handed = [
    'stat',
    'read',
    'readRange',
    'list',
    'append',
    'makeFolder',
    'rename',
    'link',
    'remove',
  ] as const;
  const through = Object.fromEntries(handed.map((name) => [name, disk[name].bind(disk)]));
  const view = { ...through, create, syncFolder: (path: string) => disk.syncFolder(path) };
  return { disk: view as unknown as Disk, fallenAsleep, wake: () => wake() };
}

async function taken(disk: MemoryDisk, pid: number, given: Partial<TakeLock> = {}): Promise<Lock> {
  const turn = await takeLock(options(disk, pid, given));
  if (!turn.ok) throw new Error(`no turn for ${pid}: ${JSON.stringify(turn.failure)}`);
  return turn.value;
}

function options(disk: Disk, pid: number, given: Partial<TakeLock> = {}): TakeLock {
  return { ...claimOptions(disk), host: testHost(pid), takeover: false, ...given };
}
