import { join } from 'node:path';
import { median, runJob, settleDisk } from '../measure.mjs';

/**
 * What a cell costs in runs of many sizes beside what it costs in the one of `base` units. Sizes are tried from small to large, and one
 * that would take longer than what is left of the time is left out.
 */
export function measureGrowth(
  /** @type {string} */ folder,
  /** @type {{ sizes: readonly number[], base: number, rounds: number, secondsMax: number }} */ {
    sizes,
    base,
    rounds,
    secondsMax,
  },
) {
  const began = performance.now();
  const secondsSpent = () => (performance.now() - began) / 1000;
  /** @type {Map<number, Record<string, number>>} */
  const costs = new Map();
  let secondsPerUnit = 0;
  for (const units of sizes) {
    if (secondsSpent() + secondsPerUnit * units > secondsMax) break;
    const times = Math.max(1, Math.min(rounds, Math.round((rounds * 10_000) / units)));
    const start = secondsSpent();
    const jobs = Array.from({ length: times }, (_, round) => {
      settleDisk();
      return runJob('sittings.mjs', { folder: join(folder, `growth-${units}-${round}`), units });
    });
    secondsPerUnit = (secondsSpent() - start) / times / units;
    costs.set(units, mediansOf(jobs));
  }
  return [...costs].flatMap(([units, cost]) =>
    Object.entries(cost).map(([sitting, ms]) => {
      const floor = (costs.get(base)?.[sitting] ?? 0) * 1000;
      const figure = `${sitting}, a cell at ${units} units`;
      const ours = ms * 1000;
      if (units === base) return { figure, ours, unit: 'µs' };
      // What a small run pays once for beginning and ending is a large part of it.
      const target = units > base ? flatRatio : undefined;
      return { figure: `${figure} beside ${base}`, target, floor, ours, ratio: ours / floor, unit: 'µs' };
    }),
  );
}

/** Flat, as far as caches, folders and file systems of any size are. */
const flatRatio = 1.3;

function mediansOf(/** @type {Record<string, number>[]} */ jobs) {
  const names = Object.keys(jobs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(jobs.map((job) => job[name] ?? Number.NaN))]));
}
