import { test } from 'vitest';
import { Explorer, liveUninterrupted, statesMin } from './explore.ts';
import { powerLosses } from './moments.ts';

/** At one moment. */
const statesMax = 88;

test('a power loss at any moment of a new run breaks no promise', { timeout: 600_000 }, async () => {
  const baseline = await liveUninterrupted({ durability: 'power', seed: 1 });
  const explorer = new Explorer(baseline, 'test/crash/power-write.test.ts');
  // The later ones first: more was promised by then, and who kept that has kept less as well.
  for (const moment of baseline.moments.toReversed()) {
    if (moment.step === 'write') await explorer.visitAll(powerLosses(moment, statesMax));
  }
  explorer.finish(statesMin.powerWrite);
});
