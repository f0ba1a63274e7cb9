import { expect, test, vi } from 'vitest';
import type * as pinPath from '../../src/store/file/journal/pin-path.ts';
import { liveUninterrupted } from './explore.ts';
import { liveWithRival, rivalCalls } from './rivals.ts';

// A test of the tests: a reader that does not cut the tail which a later pin has made void.
vi.mock('../../src/store/file/journal/pin-path.ts', async (original) => {
  const real = await original<typeof pinPath>();
  const tracePins: typeof real.tracePins = (...given) => {
    const path = real.tracePins(...given);
    return { ...path, steps: path.steps.map((step) => ({ ...step, limit: undefined })) };
  };
  return { ...real, tracePins };
});

test('what a displaced process wrote after it was displaced is found out when it counts', async () => {
  const baseline = await liveUninterrupted({ durability: 'power', seed: 1 });
  const lives = rivalCalls(baseline).map((call) => () => liveWithRival(baseline, call));
  await expect(oneAfterTheOther(lives)).rejects.toThrow(/chain-broken|is not in the journal/);
});

async function oneAfterTheOther(lives: readonly (() => Promise<void>)[]): Promise<void> {
  for (const live of lives) await live();
}
