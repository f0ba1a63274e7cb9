import { expect, test } from 'vitest';
import { CrashSignal } from '../memory/memory-disk.ts';
import { Explorer, liveUninterrupted, statesMin } from './explore.ts';
import { type Crash, killing, momentOf } from './moments.ts';
import { type HistoryOptions, newHistory, takeStep } from './scenario.ts';

test.each(['power', 'process'] as const)(
  'a kill at any moment breaks no promise (durability: %s)',
  { timeout: 600_000 },
  async (durability) => {
    const baseline = await liveUninterrupted({ durability, seed: 1 });
    const explorer = new Explorer(baseline, 'test/crash/kill.test.ts');
    await explorer.visitAll(baseline.moments.filter((_, index) => explorer.isDue(index)).map(killing));
    explorer.finish(statesMin.kill);
  },
);

test.each(['power', 'process'] as const)(
  'nor does a kill in the middle of a write (durability: %s)',
  { timeout: 600_000 },
  async (durability) => {
    const baseline = await liveUninterrupted({ durability, seed: 1 });
    const explorer = new Explorer(baseline, 'test/crash/kill.test.ts');
    const writes = baseline.moments.filter(
      ({ call, when }) => call.operation === 'write' && when === 'before',
    );
    for (const [index, { call }] of writes.entries()) {
      if (!explorer.isDue(index)) continue;
      const crash = await killInMiddleOf(call.number, baseline.given);
      if (explorer.isWanted(crash.name)) await explorer.visit(crash);
    }
    explorer.finish(statesMin.half);
  },
);

/** A kill leaves the first half of a write. */
async function killInMiddleOf(call: number, given: HistoryOptions): Promise<Crash> {
  const history = newHistory(given);
  history.disk.failAt(call, { kind: 'crash', when: 'during' });
  const life = async () => {
    await takeStep(history);
    history.step = 'rewrite';
    await takeStep(history);
  };
  await expect(life()).rejects.toThrow(CrashSignal);
  const moment = momentOf(history, `${call}`, `the middle of call ${call}`, []);
  return { name: `${call}.half`, moment, kind: 'kill', disk: moment.disk, describe: () => 'killed half-way' };
}

test('50,000 crash states are visited in a full sweep', () => {
  const { powerWrite, powerRewrite, twoCrashes, kill, half } = statesMin;
  expect(powerWrite + powerRewrite + twoCrashes + 2 * kill + 2 * half).toBeGreaterThanOrEqual(50_000);
});
