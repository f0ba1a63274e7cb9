import { beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, gallery } from '../../../../test/fixtures/gallery.ts';
import {
  demand,
  memoryEnvironment,
  root,
  run,
  TestClock,
  type TestEnvironment,
  testHost,
} from '../../../../test/fixtures/memory.ts';
import { CrashSignal, type MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { isVisited, sampled, visitedMin } from '../../../../test/support/sample.ts';
import { hashBytes } from '../../../base/hash.ts';
import { DiskError } from '../../../disk/disk.ts';
import { allRuns } from '../../open/find-run.ts';
import { openWorkspace } from '../../open/workspace.ts';
import { verifyRun } from '../../show/verify.ts';
import { collectGarbage } from './collect.ts';

/*
 * A collection that ends at any moment: killed, in the middle of a write, or with the power. What it keeps is whole, what
 * it was about to remove looks neither complete nor resumable, and the next collection comes to the same end.
 */

const day = 86_400_000;

interface Scene {
  readonly env: TestEnvironment;
  /** Everything on it is durable. */
  readonly disk: MemoryDisk;
  readonly arts: readonly Gallery[];
  /** Runs that stay, and the gallery that each is of. */
  readonly kept: ReadonlyMap<string, Gallery>;
}

/** Of one identity two old runs and a new one, of another one that was stopped; the first lies beside all others. */
async function prepare(where: 'run' | 'shared'): Promise<Scene> {
  const env: TestEnvironment = { ...memoryEnvironment(), clock: new TestClock() };
  const blaze = gallery(where, where === 'shared' ? { layout: { ledger: 'ledgers/{unit}.json' } } : {});
  const ember = gallery('run', { pipeline: 'other', identity: { character: 'ember' } });
  const live = async (art: Gallery, seed: string, days: number) => {
    art.seed = seed;
    const { heading } = await run(env, art.definition, { fresh: true });
    env.clock.advance(days * day);
    return heading.run;
  };
  await live(blaze, 'one', 1);
  await live(blaze, 'two', 1);
  ember.failing = 'look';
  const stopped = await live(ember, 'three', 40);
  blaze.isGood = true;
  const newest = await live(blaze, 'four', 1);
  const kept = new Map([
    [stopped, ember],
    [newest, blaze],
  ]);
  return { env, disk: env.disk.crash(() => 'keep'), arts: [blaze, ember], kept };
}

/** The next process, on a copy of the disk; whoever was there before is dead. */
function processOn({ env }: Scene, disk: MemoryDisk, pid: number): TestEnvironment {
  const clock = new TestClock();
  clock.ms = env.clock.ms;
  const host = testHost(pid);
  for (let dead = 1; dead < pid; dead++) host.dead.add(dead);
  let count = 0;
  const ids = {
    random: (length: number) => `${pid}${String(count++).padStart(length - 1, '0')}`.slice(0, length),
  };
  return { ...env, disk, host, clock, ids };
}

const collect = (scene: Scene, env: TestEnvironment, keep: 'approved' | undefined) =>
  collectGarbage(env, { ...(scene.arts[0] as Gallery).target, olderThanMs: 30 * day, keep, delete: true });

/** What people see in the end: not how often somebody took a turn, nor how often a run was marked. */
function shape(disk: MemoryDisk, folder = root): string[] {
  return (disk.list(folder) ?? []).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'turns' || /^00000[2-9]\.jsonl$/.test(name)) return [];
    if (disk.stat(path)?.kind === 'folder') return [`${path}/`, ...shape(disk, path)];
    return [`${path} ${hashBytes(disk.read(path) ?? '')}`];
  });
}

async function demandSound(scene: Scene, env: TestEnvironment): Promise<void> {
  for (const [id, art] of scene.kept) {
    const { findings } = demand(await verifyRun(env, { ...art.target, run: id }));
    expect(findings.filter(({ weight }) => weight === 'loud')).toEqual([]);
  }
  for (const art of scene.arts) {
    const workspace = demand(await openWorkspace(env, art.target));
    for (const { ledger, status, findings } of allRuns(workspace)) {
      expect(findings.filter(({ weight }) => weight === 'loud')).toEqual([]);
      const id = ledger.run?.run;
      if (id === undefined || status === 'cancelled' || ledger.run?.pipeline !== art.definition.pipeline)
        continue;
      // Only what is whole may look as if it were, but for what a run that came later has put in its place.
      const verified = demand(await verifyRun(env, { ...art.target, run: id }));
      const codes = verified.findings.filter(({ weight }) => weight === 'loud').map(({ code }) => code);
      expect(codes.filter((code) => code !== 'output-of-other-run')).toEqual([]);
    }
  }
}

const cases = [
  ['run', undefined],
  ['run', 'approved'],
  ['shared', undefined],
  ['shared', 'approved'],
] as const;

describe.each(cases)('a collection (files of the %s, keep: %s)', (where, keep) => {
  let scene: Scene;
  let end: string[];
  const moments: { disk: MemoryDisk; number: number; where: string }[] = [];

  beforeAll(async () => {
    scene = await prepare(where);
    const disk = scene.disk.kill();
    disk.watch(({ number = 0, operation, path }, when) =>
      moments.push({ disk: disk.kill(), number, where: `${when} ${operation} ${path}` }),
    );
    const env = processOn(scene, disk, 2);
    const answer = demand(await collect(scene, env, keep));
    expect(answer.runs).toHaveLength(2);
    expect(answer.kept).toHaveLength(2);
    end = shape(disk);
    await demandSound(scene, env);
  });

  async function liveOn(disk: MemoryDisk, where_: string): Promise<void> {
    const env = processOn(scene, disk, 3);
    try {
      await demandSound(scene, env);
      demand(await collect(scene, env, keep));
      expect(shape(disk)).toEqual(end);
    } catch (error) {
      throw new Error(`ended ${where_}`, { cause: error });
    }
  }

  it('that is killed at any call is finished by the next', { timeout: 120_000 }, async () => {
    const states = new Map(moments.map((moment) => [moment.disk.fingerprint(), moment]));
    expect(states.size).toBeGreaterThan(40);
    for (const moment of sampled([...states.values()])) await liveOn(moment.disk.kill(), moment.where);
  });

  it('that is killed in the middle of any write is finished by the next', { timeout: 120_000 }, async () => {
    const writes = moments.filter(({ where: at }) => at.startsWith('before write'));
    expect(writes.length).toBeGreaterThan(5);
    for (const { number } of sampled(writes)) {
      const disk = scene.disk.kill();
      disk.failAt(number, { kind: 'crash', when: 'during' });
      await expect(collect(scene, processOn(scene, disk, 2), keep)).rejects.toThrow(CrashSignal);
      await liveOn(disk.kill(), `in the middle of call ${number}`);
    }
  });

  it.runIf(where === 'run')(
    'whose disk fails at any call says so, and is finished by the next',
    { timeout: 120_000 },
    async () => {
      const last = moments.at(-1)?.number ?? 0;
      for (let call = 1; call <= last; call++) {
        if (!isVisited(call)) continue;
        const disk = scene.disk.kill();
        disk.failAt(call, { kind: 'error', code: 'EIO' });
        await collect(scene, processOn(scene, disk, 2), keep).then(
          // Some of it only saves time or room: then nothing is lost but that.
          (result) => expect(result.ok || result.failure.reason === 'disk-failed').toBe(true),
          (error: unknown) => expect(error).toBeInstanceOf(DiskError),
        );
        await liveOn(disk.kill(), `with a failed call ${call}`);
      }
    },
  );

  it('that ends with the power is finished by the next', { timeout: 240_000 }, async () => {
    const seen = new Set<string>();
    for (const moment of sampled(moments)) {
      for (const { disk, describe: how } of moment.disk.crashStates(6)) {
        const fingerprint = disk.fingerprint();
        if (seen.has(fingerprint)) continue;
        seen.add(fingerprint);
        await liveOn(disk, `${moment.where}: ${how()}`);
      }
    }
    expect(seen.size).toBeGreaterThan(visitedMin(60));
  });
});
