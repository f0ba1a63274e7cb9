// One run from start to end, proven again, and another that is stopped half-way and gone on with.
import { join } from 'node:path';
import { runWorkload } from '../engine.mjs';
import { phaseNames } from '../workload.mjs';

const { folder, units } = JSON.parse(process.argv[2] ?? '');
const options = { units, durability: 'process', artifactBytes: 256 };
const cells = units * phaseNames.length;

// What is loaded and compiled once must not make a small run look dear.
await runWorkload(join(folder, 'warm'), { ...options, units: 200 });

const first = await runWorkload(join(folder, 'whole'), options);
const noOp = await runWorkload(join(folder, 'whole'), options);
if (noOp.kind !== 'unchanged') throw new Error(`the second run was not unchanged: ${noOp.kind}`);
await runWorkload(join(folder, 'halves'), { ...options, stopAfter: cells / 2 });
const resumed = await runWorkload(join(folder, 'halves'), options);
if (resumed.kind !== 'resumed') throw new Error(`the second half was not resumed: ${resumed.kind}`);

console.log(
  JSON.stringify({
    'first run': first.ms / cells,
    'no-op': noOp.ms / cells,
    'resume at half': resumed.ms / resumed.ran.succeeded,
  }),
);
