// The floor and the engine in one process, so that both see the same machine.
import { join } from 'node:path';
import { runWorkload } from '../engine.mjs';
import { readJournalFiles, writeSteps } from '../floor.mjs';
import { settleDisk } from '../measure.mjs';
import { phaseNames } from '../workload.mjs';

const { folder, units, durability, floorSteps, engineFirst } = JSON.parse(process.argv[2] ?? '');
const steps = units * phaseNames.length;
const root = join(folder, 'engine');

const floor = () => writeSteps(join(folder, 'floor'), { steps: floorSteps, durability });
const engine = async () => {
  // What is loaded once, when the first run is asked for, is no part of a step.
  await runWorkload(join(folder, 'loaded'), { units: 1, durability });
  const done = await runWorkload(root, { units, durability });
  // Before anything else is read here: what the measuring takes is not the engine's.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  return { ...done, peakMegabytes, journal: readJournalFiles(root) };
};
// Whoever comes second finds a file system in which tens of thousands of files were just made: so they take turns.
const before = engineFirst ? undefined : floor();
settleDisk();
const { ms, ran, journal, peakMegabytes } = await engine();
settleDisk();
const floorMs = before ?? floor();

if (ran.succeeded !== steps) throw new Error(`${ran.succeeded} of ${steps} cells succeeded`);
const journalBytes = journal.reduce((sum, bytes) => sum + bytes.length, 0) / steps;
console.log(JSON.stringify({ floorMs, stepMs: ms / steps, peakMegabytes, journalBytes }));
