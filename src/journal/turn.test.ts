import { describe, expect, it } from 'vitest';
import { MemoryDisk } from '../disk/memory-disk.ts';
import { claimOptions, testHost } from './fixtures.ts';
import { type Turn, type TurnOptions, takeTurn } from './turn.ts';

describe('a turn', () => {
  it('is had by one process at a time, and the others are told who has it', async () => {
    const disk = new MemoryDisk();
    const turn = await taken(disk, 1);
    expect(await takeTurn(options(disk, 2))).toMatchObject({
      ok: false,
      failure: { reason: 'run-held', run: 'the-run', holder: { pid: 1, alive: 'alive' } },
    });
    turn.end();
    await taken(disk, 2);
  });

  it('goes to exactly one of many that ask at once', async () => {
    const disk = new MemoryDisk();
    const asked = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((pid) => takeTurn(options(disk, pid))));
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
    expect(await takeTurn(options(disk, 2))).toMatchObject({
      ok: false,
      failure: { holder: { host: 'elsewhere', alive: 'unknown' } },
    });
    await taken(disk, 2, { takeover: true });
  });
});

async function taken(disk: MemoryDisk, pid: number, given: Partial<TurnOptions> = {}): Promise<Turn> {
  const turn = await takeTurn(options(disk, pid, given));
  if (!turn.ok) throw new Error(`no turn for ${pid}: ${JSON.stringify(turn.failure)}`);
  return turn.value;
}

function options(disk: MemoryDisk, pid: number, given: Partial<TurnOptions> = {}): TurnOptions {
  return { ...claimOptions(disk), host: testHost(pid), takeover: false, ...given };
}
