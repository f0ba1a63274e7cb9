import type { Fate, UnsyncedEffect } from './crash.ts';
import { type Random, seededRandom } from './random.ts';

/** One way in which a power loss can go: a fate for each effect, in their order. */
export type CrashPlan = readonly Fate[];

/**
 * At most `limit` ways, the same ones again for the same seed. All there are when they are few enough. Else all
 * dropped, all kept, and then for each effect, the newest first since that is where the program is: alone dropped,
 * alone kept, all up to it kept, each kind of damage. A quarter of the limit is left for random mixtures.
 */
export function* crashPlans(
  effects: readonly UnsyncedEffect[],
  limit: number,
  seed: number,
): Generator<CrashPlan> {
  const random = seededRandom(seed);
  const choices = effects.map((effect) => fatesOf(effect, random));
  const count = choices.reduce((product, fates) => product * fates.length, 1);
  if (count <= limit) {
    for (let index = 0; index < count; index++) yield nthPlan(choices, index);
    return;
  }
  let left = limit - Math.floor(limit / 4);
  for (const plan of systematicPlans(choices)) {
    if (left-- === 0) break;
    yield plan;
  }
  for (let index = 0; index < Math.floor(limit / 4) + Math.max(left, 0); index++)
    yield randomPlan(choices, random);
}

/** What became of each effect that was not simply kept: names a plan in a failing test. */
export function describePlan(effects: readonly UnsyncedEffect[], plan: CrashPlan): string {
  const parts: string[] = [];
  effects.forEach((effect, index) => {
    const fate = plan[index] ?? 'drop';
    if (fate === 'keep') return;
    const what = effect.kind === 'write' ? `write of ${effect.size} bytes` : effect.names.join(' ');
    parts.push(
      `#${effect.sequence} ${what}: ${typeof fate === 'string' ? fate : `torn at ${fate.keptBytes}`}`,
    );
  });
  return parts.length === 0 ? 'all kept' : parts.join('; ');
}

function fatesOf(effect: UnsyncedEffect, random: Random): Fate[] {
  if (effect.kind === 'names' || effect.size === 0) return ['drop', 'keep'];
  const fates: Fate[] = ['drop', 'keep', 'zeros', 'noise'];
  if (effect.size > 1) fates.push({ keptBytes: 1 + random.below(effect.size - 1) });
  return fates;
}

function nthPlan(choices: readonly Fate[][], index: number): CrashPlan {
  let rest = index;
  return choices.map((fates) => {
    const fate = fates[rest % fates.length] ?? 'drop';
    rest = Math.floor(rest / fates.length);
    return fate;
  });
}

function* systematicPlans(choices: readonly Fate[][]): Generator<CrashPlan> {
  const all = (fate: Fate): Fate[] => choices.map(() => fate);
  yield all('drop');
  yield all('keep');
  for (let index = choices.length - 1; index >= 0; index--) {
    yield all('keep').with(index, 'drop');
    yield all('drop').with(index, 'keep');
    yield choices.map((_, other) => (other <= index ? 'keep' : 'drop'));
    for (const damage of (choices[index] ?? []).slice(2)) {
      yield all('keep').with(index, damage);
      // The bytes before it made it, those after it did not: what a cut in the middle of a flush leaves.
      yield choices.map((_, other) => (other < index ? 'keep' : other === index ? damage : 'drop'));
    }
  }
}

function randomPlan(choices: readonly Fate[][], random: Random): CrashPlan {
  // Many kept, or few, or half of them: fair coins alone would never come near the ends.
  const keepPercent = [10, 50, 90][random.below(3)] ?? 50;
  return choices.map((fates) => {
    if (random.below(100) < keepPercent) return 'keep';
    return random.below(4) === 0 ? (fates[random.below(fates.length)] ?? 'drop') : 'drop';
  });
}
