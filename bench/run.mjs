// Measures the engine beside the least that its work can cost, and prints one table; `--docs` puts it into
// docs/reference/speed.md. Ends with 1 when a figure is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureGrowth } from './figures/growth.mjs';
import { measureHooks } from './figures/hooks.mjs';
import { measureNoOp } from './figures/no-op.mjs';
import { measurePng } from './figures/png.mjs';
import { measureStartUp } from './figures/start-up.mjs';
import { measureSteps } from './figures/steps.mjs';
import { measureTasks } from './figures/tasks.mjs';
import { writePage } from './page.mjs';
import { formatTable, isMet } from './table.mjs';

const isQuick = process.argv.includes('--quick');
const asJson = process.argv.includes('--json');
const sizes = isQuick
  ? {
      units: 1000,
      rounds: 1,
      processes: 5,
      starts: 10,
      growth: { sizes: [100, 1000], base: 100 },
      growthSecondsMax: 30,
      tasks: { many: 1000, few: 100 },
    }
  : {
      units: 10_000,
      rounds: 4,
      processes: 9,
      starts: 20,
      growth: { sizes: [100, 1000, 10_000, 50_000], base: 1000 },
      growthSecondsMax: 300,
      tasks: { many: 10_000, few: 100 },
    };

// One folder for everything, removed at the end: some file systems are slow to make files for minutes after many
// were removed, and the next contender would pay for it.
const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'));
process.env.XDG_STATE_HOME = join(folder, 'state');
try {
  const figures = [];
  const add = (/** @type {string} */ name, /** @type {() => import('./table.mjs').Figure[]} */ measure) => {
    process.stderr.write(`${name} …\n`);
    figures.push(...measure());
  };
  add('steps', () => measureSteps(folder, { units: sizes.units, rounds: sizes.rounds }));
  add('no-op', () => measureNoOp(folder, { units: sizes.units, rounds: sizes.processes }));
  add('growth', () => {
    const { rounds, growth, growthSecondsMax } = sizes;
    return measureGrowth(folder, { ...growth, rounds, secondsMax: growthSecondsMax });
  });
  add('png', () => measurePng({ rounds: sizes.starts }));
  add('start-up', () => measureStartUp({ rounds: sizes.starts }));
  add('hooks', () => measureHooks(folder, { rounds: sizes.starts }));
  add('tasks', () => measureTasks(folder, { ...sizes.tasks, rounds: sizes.starts }));
  const shown = asJson
    ? JSON.stringify(
        figures.map((figure) => ({ ...figure, met: isMet(figure) })),
        null,
        2,
      )
    : formatTable(figures);
  process.stdout.write(`${shown}\n`);
  if (process.argv.includes('--docs')) writePage(figures);
  if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
