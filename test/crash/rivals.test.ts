import { test } from 'vitest';
import { isVisited } from '../support/sample.ts';
import { liveUninterrupted } from './explore.ts';
import { liveWithRival, rivalCalls } from './rivals.ts';

test('a process that was displaced at any moment, and goes on, breaks no promise', {
  timeout: 600_000,
}, async () => {
  const baseline = await liveUninterrupted({ durability: 'power', seed: 1 });
  for (const [index, call] of rivalCalls(baseline).entries()) {
    if (!isVisited(index)) continue;
    try {
      await liveWithRival(baseline, call);
    } catch (error) {
      throw new Error(`displaced at call ${call}: ${String(error)}`, { cause: error });
    }
  }
});
