// The floor and the engine in one process, so that both see the same machine.
import { join } from 'node:path';
import { runWorkload } from '../engine.mjs';
import { readJournalFiles, writeSteps } from '../floor.mjs';
import { settleDisk } from '../measure.mjs';
import { phaseNames } from '../workload.mjs';

const { folder, units, durability, floorSteps } = JSON.parse(process.argv[2] ?? '');
const steps = units * phaseNames.length;
const root = join(folder, 'engine');

const floorMs = writeSteps(join(folder, 'floor'), { steps: floorSteps, durability });
settleDisk();
const { ms, ran } = await runWorkload(root, { units, durability });

if (ran.succeeded !== steps) throw new Error(`${ran.succeeded} of ${steps} cells succeeded`);
const peakMegabytes = process.resourceUsage().maxRSS / 1024;
const journalBytes = readJournalFiles(root).reduce((sum, bytes) => sum + bytes.length, 0) / steps;
console.log(JSON.stringify({ floorMs, stepMs: ms / steps, peakMegabytes, journalBytes }));
