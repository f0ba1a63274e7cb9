import { join } from 'node:path';
import { median, runJob, settleDisk } from '../measure.mjs';
import { phaseNames } from '../workload.mjs';

/** What a step costs beside a bare loop that writes the same files; the journal's size and the peak of memory. */
export function measureSteps(
  /** @type {string} */ folder,
  /** @type {{ units: number, rounds: number }} */ { units, rounds },
) {
  /** @type {StepsJob[]} */
  const power = [];
  /** @type {StepsJob[]} */
  const process = [];
  const steps = units * phaseNames.length;
  for (let round = 0; round < rounds; round++) {
    // A sync takes many times as long as the rest of a step: fewer of them say as much.
    for (const [results, durability, floorSteps] of [
      [power, 'power', Math.min(steps, 1000)],
      [process, 'process', steps],
    ]) {
      settleDisk();
      const place = join(folder, `steps-${durability}-${round}`);
      const options = { folder: place, units, durability, floorSteps, engineFirst: round % 2 === 1 };
      results.push(runJob('steps.mjs', options));
    }
  }
  const usual = (/** @type {'journalBytes' | 'peakMegabytes'} */ key) =>
    median([...power, ...process].map((job) => job[key]));
  return [
    stepFigure('step, durability power', 0.5, power),
    stepFigure('step, durability process', 2.5, process),
    { figure: 'journal per step', target: 600, ours: usual('journalBytes'), unit: 'B' },
    { figure: 'peak memory', target: 250, ours: usual('peakMegabytes'), unit: 'MB' },
  ];
}

function stepFigure(
  /** @type {string} */ figure,
  /** @type {number} */ target,
  /** @type {StepsJob[]} */ jobs,
) {
  const floor = median(jobs.map((job) => job.floorMs)) * 1000;
  const ours = median(jobs.map((job) => job.stepMs)) * 1000;
  // Round by round, for a file system is slower in some rounds than in others, and then for both.
  const ratio = median(jobs.map((job) => job.stepMs / job.floorMs));
  return { figure, target, floor, ours, ratio, unit: 'µs' };
}

/**
 * What `jobs/steps.mjs` answers.
 * @typedef {{ floorMs: number, stepMs: number, peakMegabytes: number, journalBytes: number }} StepsJob
 */
