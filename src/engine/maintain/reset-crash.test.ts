import { beforeAll, describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  demand,
  root,
  run,
  TestClock,
  type TestEnvironment,
  testHost,
} from '../../../test/fixtures/memory.ts';
import type { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { isVisited, sampled } from '../../../test/support/sample.ts';
import { hashBytes } from '../../base/hash.ts';
import { DiskError } from '../../disk/disk.ts';
import { isTerminal } from '../../model/status.ts';
import { allRuns } from '../open/find-run.ts';
import { openWorkspace } from '../open/workspace.ts';
import { resetRuns } from './reset.ts';

/*
 * A reset that ends at any moment: killed, with the power, or by a disk that fails. Then each run can be gone on with and
 * has all its outputs, or is over for good; every output is in the workspace or in the archive; and the next reset comes
 * to the same end.
 */

describe.each([{}, { run: 'runs/{id}' }])('a reset of runs in a layout of %j', (layout) => {
  const scene = letters({ units: ['ann'], layout });
  const outputs = ['out/ann.draft', 'out/ann.json', 'out/ann.letter'];
  const hashes = new Map<string, string>();
  const moments: { disk: MemoryDisk; number: number; where: string }[] = [];
  let start: MemoryDisk;
  let end: string[];

  beforeAll(async () => {
    await run(scene.env, scene.definition);
    scene.env.clock.advance(60_000);
    await run(scene.env, scene.definition, { fresh: true });
    start = scene.env.disk.crash(() => 'keep');
    for (const path of outputs) hashes.set(path, hashBytes(start.read(`${root}/${path}`) ?? ''));
    const disk = start.kill();
    disk.watch(({ number = 0, operation, path }, when) =>
      moments.push({ disk: disk.kill(), number, where: `${when} ${operation} ${path}` }),
    );
    expect(demand(await resetRuns(processOn(disk, 2), scene.target)).archived).toHaveLength(2);
    end = shape(disk);
    expect(disk.list(`${root}/out`)).toEqual([]);
  });

  function processOn(disk: MemoryDisk, pid: number): TestEnvironment {
    const clock = new TestClock();
    clock.ms = scene.env.clock.ms;
    const host = testHost(pid);
    for (let dead = 1; dead < pid; dead++) host.dead.add(dead);
    return { ...scene.env, disk, host, clock };
  }

  /** Which files lie where; not how often somebody took hold of a run. */
  function shape(disk: MemoryDisk, folder = root): string[] {
    return (disk.list(folder) ?? []).flatMap((name) => {
      const path = `${folder}/${name}`;
      if (name === 'turns' || /^\d{6}\.jsonl$|^reserve$/.test(name) || name.startsWith('.pawl-')) return [];
      return disk.stat(path)?.kind === 'folder' ? shape(disk, path) : [path];
    });
  }

  async function demandSound(env: TestEnvironment): Promise<void> {
    const { disk } = env;
    const isThere = (path: string, hash: string) => hashBytes(disk.read(path) ?? '') === hash;
    const archives = (disk.list(`${root}/.pawl/archive`) ?? []).map(
      (id) => `${root}/.pawl/archive/${id}/files`,
    );
    for (const [path, hash] of hashes)
      expect([root, ...archives].some((at) => isThere(`${at}/${path}`, hash))).toBe(true);
    const workspace = demand(await openWorkspace(env, scene.target));
    for (const { ledger, status, findings } of allRuns(workspace)) {
      expect(findings.filter(({ weight }) => weight === 'loud')).toEqual([]);
      if (ledger.run === undefined || isTerminal(status)) continue;
      for (const [path, hash] of hashes) expect(isThere(`${root}/${path}`, hash)).toBe(true);
    }
  }

  async function liveOn(disk: MemoryDisk, where: string): Promise<void> {
    const env = processOn(disk, 3);
    try {
      await demandSound(env);
      const { next } = demand(await resetRuns(env, scene.target));
      expect(next).toEqual([]);
      expect(shape(disk)).toEqual(end);
    } catch (error) {
      throw new Error(`ended ${where}`, { cause: error });
    }
  }

  it('that is killed at any call is finished by the next', { timeout: 120_000 }, async () => {
    const states = new Map(moments.map((moment) => [moment.disk.fingerprint(), moment]));
    expect(states.size).toBeGreaterThan(40);
    for (const { disk, where } of sampled([...states.values()])) await liveOn(disk.kill(), where);
  });

  it.runIf(Object.keys(layout).length === 0)(
    'whose disk fails at any call says so, and is finished by the next',
    { timeout: 120_000 },
    async () => {
      const last = moments.at(-1)?.number ?? 0;
      for (let call = 1; call <= last; call++) {
        if (!isVisited(call)) continue;
        const disk = start.kill();
        disk.failAt(call, { kind: 'error', code: 'ENOSPC' });
        await resetRuns(processOn(disk, 2), scene.target).then(
          (result) => expect(result.ok || result.failure.reason === 'disk-failed').toBe(true),
          (error: unknown) => expect(error).toBeInstanceOf(DiskError),
        );
        await liveOn(disk.kill(), `with a failed call ${call}`);
      }
    },
  );
});
