import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { type OpenedRun, openRun } from '../../src/engine/open/open-run.ts';
import { completeTask } from '../../src/engine/tasks/complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../../src/engine/tasks/end.ts';
import { nextTask } from '../../src/engine/tasks/next.ts';
import { findStep } from '../../src/ledger/ledger.ts';
import { definePipeline } from '../../src/pipeline/define.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../fixtures/memory.ts';
import type { MemoryDisk } from '../memory/memory-disk.ts';
import { ledgerAsData } from './tasks-ledger.ts';

/*
 * Two branches of one run, each worked on by people of its own, and merged as git does it: what only one of them has is
 * taken, and where both have a file, one of the two.
 */

const leaseMs = 10 * 60_000;

const definition: CodePipeline = {
  pawl: 1,
  pipeline: 'crew',
  layout: { run: 'runs/{id}' },
  stages: [
    {
      name: 'tasks',
      units: ['t1', 't2', 't3'],
      phases: {
        implement: {
          run: { task: 'executor', lease: '10m' },
          outputs: { notes: { path: '{run}/notes/{unit}.md', optional: true } },
        },
      },
    },
    {
      name: 'end',
      units: ['end'],
      phases: { close: { run: () => ({ text: 'closed' }), outputs: { text: 'closed.txt' } } },
    },
  ],
};

const target = { path: root, pipeline: definePipeline(definition) };
let base: TestEnvironment;

beforeEach(async () => {
  base = memoryEnvironment();
  await run(base, definition);
});

/** The same run on a disk of its own. The clock is the same for all. */
function branch(from = base): TestEnvironment {
  return nextProcess({ ...from, disk: from.disk.kill() });
}

const claim = async (env: TestEnvironment, actor: string, unit: string) => {
  env.clock.advance(1_000);
  return demand(await nextTask(env, { ...target, actor, unit })).task;
};
const speak =
  (act: typeof completeTask | typeof failTask) =>
  async (env: TestEnvironment, actor: string, unit: string, attempt?: number) => {
    env.clock.advance(1_000);
    return await act(nextProcess(env), { ...target, actor, unit, attempt, reason: 'no idea' });
  };
const complete = speak(completeTask);
const stepOf = (env: TestEnvironment, unit: string) => {
  const [opened] = openings(env);
  return opened && findStep(opened.ledger, unit, 'implement');
};

describe('two branches of a run', () => {
  it('on which different tasks were done are one run with both of them done', async () => {
    const [one, two] = [branch(), branch()];
    await claim(one, 'a', 't1');
    demand(await complete(one, 'a', 't1'));
    await claim(two, 'b', 't2');
    demand(await complete(two, 'b', 't2'));
    for (const merged of [merge(one, two), merge(two, one)]) {
      expect(demandOne(merged).findings).toEqual([]);
      expect([stepOf(merged, 't1')?.results[0]?.actor, stepOf(merged, 't2')?.results[0]?.actor]).toEqual([
        'a',
        'b',
      ]);
      expect((await claim(merged, 'b', 't3'))?.attempt).toBe(1);
      demand(await complete(merged, 'b', 't3'));
      expect(await run(nextProcess(merged), definition)).toMatchObject({ heading: { status: 'completed' } });
    }
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('that gave the same number twice have given it to the first: %s, and not %s', async (first, second) => {
    const [one, two] = [branch(), branch()];
    await claim(one, first, 't1');
    await claim(two, second, 't1');
    for (const merged of [merge(one, two), merge(two, one)]) {
      expect(demandOne(merged).findings).toEqual([]);
      expect(stepOf(merged, 't1')).toMatchObject({
        attempts: 1,
        results: [],
        running: { attempt: 1, claim: { actor: first } },
      });
      expect(failureOf(await complete(merged, second, 't1', 1))).toMatchObject({
        reason: 'claim-lost',
        holder: { actor: first },
      });
      demand(await complete(merged, first, 't1', 1));
      expect(stepOf(merged, 't1')?.results).toMatchObject([{ attempt: 1, actor: first }]);
      demandOne(merged);
    }
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('lose no completion: %s has claimed it first, and %s is done', async (first, second) => {
    const [one, two] = [branch(), branch()];
    await claim(one, first, 't1');
    await claim(two, second, 't1');
    demand(await complete(two, second, 't1'));
    for (const merged of [merge(one, two), merge(two, one)]) {
      expect(demandOne(merged).findings).toEqual([]);
      expect(stepOf(merged, 't1')).toMatchObject({ running: undefined, results: [{ actor: second }] });
      expect(failureOf(await complete(merged, first, 't1', 1))).toMatchObject({ reason: 'claim-lost' });
      expect(demand(await complete(merged, second, 't1', 1)).again).toBe(true);
    }
  });

  it('on which both have done the same have it done once, by whoever was done first', async () => {
    const [one, two] = [branch(), branch()];
    await claim(one, 'a', 't1');
    await claim(two, 'b', 't1');
    demand(await complete(two, 'b', 't1'));
    demand(await complete(one, 'a', 't1'));
    for (const merged of [merge(one, two), merge(two, one)]) {
      expect(stepOf(merged, 't1')?.results).toMatchObject([{ attempt: 1, actor: 'b' }]);
      demandOne(merged);
    }
  });

  it('take nothing else from a claim that came later: no lease and no end', async () => {
    const [one, two] = [branch(), branch()];
    await claim(one, 'a', 't1');
    await claim(one, 'a', 't2');
    const before = Object.fromEntries(['t1', 't2'].map((unit) => [unit, stepOf(one, unit)?.running]));
    await claim(two, 'b', 't1');
    demand(await speak(releaseTask)(two, 'b', 't1'));
    await claim(two, 'b', 't2');
    demand(await speak(heartbeat)(two, 'b', 't2'));
    demand(await speak(failTask)(two, 'b', 't2'));
    const merged = merge(one, two);
    for (const unit of ['t1', 't2']) {
      expect(stepOf(merged, unit)?.running, unit).toEqual(before[unit]);
      expect(stepOf(merged, unit)).toMatchObject({ failures: 0, failure: undefined });
    }
  });

  it('go on under numbers that neither had', async () => {
    const [one, two] = [branch(), branch()];
    for (const _ of [1, 2]) {
      await claim(one, 'a', 't1');
      demand(await speak(releaseTask)(one, 'a', 't1'));
    }
    await claim(two, 'b', 't1');
    const merged = merge(one, two);
    merged.clock.advance(leaseMs);
    expect((await claim(merged, 'c', 't1'))?.attempt).toBe(3);
  });

  it('that were merged with their lines twice say the same, and not louder', async () => {
    const one = branch();
    await claim(one, 'a', 't1');
    demand(await complete(one, 'a', 't1'));
    const expected = ledgerAsData(demandOne(one).ledger);
    const doubled = branch(one);
    for (const path of filesOf(doubled.disk, root).filter((file) => /events\/a\/\d+\.jsonl$/.test(file))) {
      const [header = '', ...lines] = textAt(doubled.disk, path).trimEnd().split('\n');
      doubled.disk.putFile(path, [header, ...lines.flatMap((line) => [line, line]), ''].join('\n'));
    }
    const opened = demandOne(doubled);
    expect(ledgerAsData(opened.ledger)).toEqual(expected);
    expect(new Set(opened.findings.map(({ code, weight }) => `${code} ${weight}`))).toEqual(
      new Set(['duplicate-event quiet']),
    );
  });
});

describe('whatever was done on two branches', () => {
  const deed = fc.record({
    do: fc.constantFrom('claim', 'complete', 'fail', 'release', 'beat', 'block', 'unblock', 'run'),
    side: fc.constantFrom(0, 1),
    actor: fc.constantFrom(0, 1),
    unit: fc.constantFrom('t1', 't2', 't3'),
    ms: fc.constantFrom(0, 1, 1_000, leaseMs),
  });

  it('comes to one ledger, whichever files were taken and whichever way they are read', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 12, maxLength: 24 }), async (deeds) => {
        const sides = [branch(), branch()] as const;
        for (const { do: act, side, actor, unit, ms } of deeds) {
          const env = nextProcess(sides[side] as TestEnvironment);
          env.clock.advance(ms);
          const request = { ...target, unit, actor: ['ab', 'cd'][side]?.charAt(actor) ?? '', reason: 'why' };
          // Pawl itself works on one branch only: a journal has one writer.
          if (act === 'run') await run({ ...env, disk: sides[0].disk }, definition);
          else await acts[act as keyof typeof acts](env, request);
        }
        const [one, two] = [demandOne(merge(...sides)), demandOne(merge(sides[1], sides[0]))];
        expect(ledgerAsData(one.ledger)).toEqual(ledgerAsData(two.ledger));
        expect([...one.findings, ...two.findings].filter(({ weight }) => weight === 'loud')).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  const acts = {
    claim: nextTask,
    complete: completeTask,
    fail: failTask,
    release: releaseTask,
    beat: heartbeat,
    block: blockTask,
    unblock: unblockTask,
  };
});

/** What both have is taken from `ours`. */
function merge(ours: TestEnvironment, theirs: TestEnvironment): TestEnvironment {
  const merged = branch(ours);
  for (const path of filesOf(theirs.disk, root))
    if (merged.disk.stat(path) === undefined) merged.disk.putFile(path, theirs.disk.read(path) ?? '');
  return merged;
}

/** The run opened in every way: they all say the same. */
function demandOne(env: TestEnvironment): OpenedRun {
  const [opened, ...others] = openings(env);
  if (opened === undefined) throw new Error('no run');
  for (const other of others) expect(ledgerAsData(other.ledger)).toEqual(ledgerAsData(opened.ledger));
  return opened;
}

/** From the start, from the snapshot, and with all folders listed the other way round. */
function openings(env: TestEnvironment): OpenedRun[] {
  const id = env.disk.list(`${root}/runs`)?.[0] ?? '';
  const turned: Disk = Object.assign(Object.create(env.disk), {
    list: (path: string) => env.disk.list(path)?.reverse(),
    stat: (path: string) => env.disk.stat(path),
    read: (path: string, maxBytes?: number) => env.disk.read(path, maxBytes),
    readRange: (path: string, from: number, length: number) => env.disk.readRange(path, from, length),
    realpath: (path: string) => env.disk.realpath(path),
  });
  return [
    { disk: env.disk, whole: true },
    { disk: env.disk, whole: false },
    { disk: turned, whole: true },
  ].map(({ disk, whole }) => openRun({ ...env, disk }, root, { id, folder: `runs/${id}` }, { whole }));
}

function filesOf(disk: MemoryDisk, folder: string): string[] {
  return (disk.list(folder) ?? []).flatMap((name) => {
    const path = `${folder}/${name}`;
    return disk.stat(path)?.kind === 'folder' ? filesOf(disk, path) : [path];
  });
}

function textAt(disk: MemoryDisk, path: string): string {
  return Buffer.from(disk.read(path) ?? []).toString();
}
