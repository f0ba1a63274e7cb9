import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath, median, runJob, settleDisk, timeJob, timeNode } from '../measure.mjs';
import { writeConfig } from '../workspace.mjs';

/** What it costs to find out that nothing is to be done, beside a bare program that reads and stats as much. */
export function measureNoOp(
  /** @type {string} */ folder,
  /** @type {{ units: number, rounds: number }} */ { units, rounds },
) {
  const root = join(folder, 'no-op');
  const options = { root, units, durability: 'process' };
  writeConfig(root, options);
  runJob('run.mjs', options);
  const proven = runJob('run.mjs', options);
  if (proven.kind !== 'unchanged') throw new Error(`the second run was not unchanged: ${proven.kind}`);

  const hasCommand = existsSync(commandPath);
  const times = { library: [], command: [], status: [], parsed: [], read: [] };
  settleDisk();
  for (let round = 0; round < rounds; round++) {
    times.library.push(timeJob('run.mjs', options));
    times.parsed.push(timeJob('read-floor.mjs', { ...options, parse: true }));
    if (hasCommand) times.command.push(timeNode([commandPath, 'run', root]));
    if (hasCommand) times.status.push(timeNode([commandPath, 'status'], root));
    times.read.push(timeJob('read-floor.mjs', { ...options, parse: false }));
  }
  return [
    compare('no-op beside reading and parsing the journal', 2.5, times.library, times.parsed),
    ...(hasCommand
      ? [
          compare('no-op by the command beside the same', 2.5, times.command, times.parsed),
          compare(`status of ${units} units beside the same`, undefined, times.status, times.parsed),
        ]
      : []),
    compare('no-op beside reading the journal unparsed', undefined, times.library, times.read),
  ];
}

function compare(
  /** @type {string} */ figure,
  /** @type {number | undefined} */ target,
  /** @type {number[]} */ oursMs,
  /** @type {number[]} */ floorMs,
) {
  const [ours, floor] = [median(oursMs), median(floorMs)];
  return { figure, target, floor, ours, ratio: ours / floor, unit: 'ms' };
}
