import { test } from 'vitest';
import { type Random, seededRandom } from '../memory/random.ts';
import { type Baseline, Explorer, liveUninterrupted, statesMin } from './explore.ts';
import { type Crash, killing, powerLosses } from './moments.ts';

/** How many first crashes, moments of the life after each, and second crashes at each of those moments. */
const firsts = 30;
const seconds = 16;
const statesMax = 6;

test('a crash while a run recovers from another breaks no promise', { timeout: 600_000 }, async () => {
  const baseline = await liveUninterrupted({ durability: 'power', seed: 3 });
  const explorer = new Explorer(baseline, 'test/crash/two-crashes.test.ts');
  const random = seededRandom(baseline.given.seed);
  for (const [index, first] of firstCrashes(baseline, random).entries()) {
    // Drawn in any case, so that a replay of one draws the same.
    const draws = Array.from({ length: seconds }, () => random.below(1_000_000));
    // Every third first crash is a kill: a third of all has to hold some of them.
    if (!explorer.isWanted(first.name) || !explorer.isDue(index + Math.floor(index / 3))) continue;
    const moments = await explorer.momentsAfter(first);
    for (const draw of draws) {
      const moment = moments[draw % moments.length];
      if (moment !== undefined) await explorer.visitAll([...powerLosses(moment, statesMax), killing(moment)]);
    }
  }
  explorer.finish(statesMin.twoCrashes);
});

function firstCrashes({ moments }: Baseline, random: Random): Crash[] {
  return Array.from({ length: firsts }, (_, index) => {
    const moment = drawn(moments, random);
    // A killed process leaves everything unsynced to the second crash.
    return index % 3 === 0 ? killing(moment) : drawn([...powerLosses(moment, 64)], random);
  });
}

function drawn<T>(list: readonly T[], random: Random): T {
  const one = list[random.below(list.length)];
  if (one === undefined) throw new Error('nothing to draw from');
  return one;
}
