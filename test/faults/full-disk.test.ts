import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ended, finalFiles, newPlace, type Place, pawl } from './place.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const disk = await mountSmallDisk('size=2m,nr_inodes=300');

describe.runIf(disk !== undefined)('a disk that is really full', { timeout: 120_000 }, () => {
  let files: Record<string, string>;

  beforeAll(async () => {
    const place = newPlace('loop');
    expect((await pawl(place, ['run', place.work])).code).toBe(0);
    files = finalFiles(place);
  }, 60_000);

  it.each([0, 12, 32, 100, 240])('with %i KiB of room', async (kib) => {
    const { first, again } = await fillAndFree(useUpRoom(kib * 1024));
    expect(first.stderr).toMatch(
      /the disk failed: there is no space left \(ENOSPC, \w+ \/.*\)\n.*free some space/,
    );
    expect(again.stderr).toMatch(/the disk failed: there is no space left/);
  });

  it.each([0, 14, 28])('with room for %i more files', async (count) => {
    const { first, again } = await fillAndFree(useUpNames(count));
    expect(first.stderr).toMatch(
      /the disk failed: there is no space left \(ENOSPC, \w+ \/.*\)\n.*free some space/,
    );
    expect(again.stderr).toMatch(/the disk failed: there is no space left/);
  });

  it('stops in the middle of the work, and keeps what was told before', async () => {
    const { first, second } = await fillAndFree(useUpRoom(300 * 1024));
    const before = succeeded(first);
    expect(before.length).toBeGreaterThan(0);
    expect(succeeded(second)).toHaveLength(8 - before.length);
  });

  /** Runs with nothing left, once more with nothing left, looks, makes room, and goes on. */
  async function fillAndFree(
    fill: (folder: string) => void,
  ): Promise<{ first: Ended; again: Ended; second: Ended }> {
    const { folder, seen, before } = disk as SmallDisk;
    for (const name of readdirSync(seen(folder))) rmSync(join(seen(folder), name), { recursive: true });
    const place = newPlace('loop', { folder, seen });
    const call = (command: string, ...more: string[]) =>
      pawl(place, [command, place.work, ...more], { before });
    fill(seen(folder));
    const first = await call('run');
    expect(first).toMatchObject({ code: 7, stdout: '' });
    const again = await call('run');
    expect(again).toMatchObject({ code: 7, stdout: '' });
    expectReadable(await call('status', '--json'));
    rmSync(join(seen(folder), 'ballast'), { recursive: true });
    const second = await call('run');
    expect(second.code).toBe(0);
    expect(finalFiles(inside(place))).toEqual(files);
    expect((await call('verify')).code).toBe(0);
    return { first, again, second };
  }
});

function inside(place: Place): Place {
  return { ...place, work: (disk as SmallDisk).seen(place.work) };
}

function useUpRoom(left: number): (folder: string) => void {
  return (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - left));
  };
}

function useUpNames(left: number): (folder: string) => void {
  return (folder) => {
    const ballast = join(folder, 'ballast');
    mkdirSync(ballast);
    const count = statfsSync(folder).ffree - left;
    for (let index = 0; index < count; index++) writeFileSync(join(ballast, String(index)), '');
  };
}

/** A run of which nothing could be recorded is none. */
function expectReadable({ code, stdout }: Ended): void {
  const answer = JSON.parse(stdout);
  if (code !== 0) expect(answer).toMatchObject({ ok: false, reason: 'no-run' });
  else expect(answer).toMatchObject({ ok: true, command: 'status', findings: [] });
}

function succeeded({ stderr }: Ended): string[] {
  return stderr.split('\n').filter((line) => line.includes(' succeeded in '));
}
