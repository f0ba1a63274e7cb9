import { test } from 'vitest';
import { Explorer, liveUninterrupted, statesMin } from './explore.ts';
import { lossesAt } from './moments.ts';

test('a power loss at any moment of a rerun breaks no promise', { timeout: 600_000 }, async () => {
  const baseline = await liveUninterrupted({ durability: 'power', seed: 2 });
  const explorer = new Explorer(baseline, 'test/crash/power-rewrite.test.ts');
  for (const [index, moment] of baseline.moments.entries()) {
    if (moment.step === 'rewrite' && explorer.isDue(index)) await explorer.visitAll(lossesAt(moment, index));
  }
  explorer.finish(statesMin.powerRewrite);
});
