import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath, median, settleDisk, timeNode, weighNode } from '../measure.mjs';

/**
 * What a loop of agents waits for: `next` in a graph of many tasks beside the bare start of the command, and how
 * `status` grows with the graph. Nothing while there is no command.
 */
export function measureTasks(
  /** @type {string} */ folder,
  /** @type {{ many: number, few: number, rounds: number }} */ { many, few, rounds },
) {
  if (!existsSync(commandPath)) return [];
  const [small, large] = [few, many].map((tasks) => join(folder, `tasks-${tasks}`));
  const synced = join(folder, `tasks-${many}-power`);
  writeGraph(small, few, 'process');
  writeGraph(large, many, 'process');
  writeGraph(synced, many, 'power');
  return [
    ...measureNext({ small, large, synced, few, many, rounds }),
    ...measureStatus(folder, many, rounds),
  ];
}

/** The contenders take turns; whatever slows one slows the others. */
function measureNext(
  /** @type {{ small: string, large: string, synced: string, few: number, many: number, rounds: number }} */ {
    small,
    large,
    synced,
    few,
    many,
    rounds,
  },
) {
  const next = ['next', '--actor', 'bench', '--json'];
  const times = { bare: [], small: [], large: [], synced: [] };
  settleDisk();
  for (let round = 0; round < rounds; round++) {
    times.bare.push(timeNode([commandPath, '--version']));
    times.large.push(timeNode([commandPath, ...next], large));
    times.synced.push(timeNode([commandPath, ...next], synced));
    times.small.push(timeNode([commandPath, ...next], small));
  }
  const floor = median(times.bare);
  const beside = (
    /** @type {string} */ figure,
    /** @type {number[]} */ ms,
    /** @type {number | undefined} */ target,
  ) => {
    const ours = median(ms);
    return {
      figure: `next, ${figure}, beside the bare start`,
      target,
      floor,
      ours,
      ratio: ours / floor,
      unit: 'ms',
    };
  };
  return [
    beside(`${many} tasks, durability power`, times.synced, undefined),
    beside(`${many} tasks, durability process`, times.large, undefined),
    beside(`${few} tasks, durability process`, times.small, 2.5),
  ];
}

/** What one more task costs: starting and loading, which is the same for any graph, drops out of the difference. */
function measureStatus(
  /** @type {string} */ folder,
  /** @type {number} */ many,
  /** @type {number} */ rounds,
) {
  const sizes = [many / 100, many / 10, many];
  const roots = sizes.map((tasks) => join(folder, `status-${tasks}`));
  for (const [at, root] of roots.entries()) writeGraph(root, sizes[at] ?? 0, 'process');
  /** @type {number[][]} */
  const times = [[], [], []];
  /** @type {number[]} */
  const peaks = [];
  for (let round = 0; round < rounds; round++) {
    for (const [at, root] of roots.entries()) {
      const { ms, megabytes } = weighNode([commandPath, 'status', '--json'], root);
      times[at]?.push(ms);
      if (at === 2) peaks.push(megabytes);
    }
  }
  const perTask = (/** @type {number} */ at) =>
    ((median(times[at] ?? []) - median(times[at - 1] ?? [])) / ((sizes[at] ?? 0) - (sizes[at - 1] ?? 0))) *
    1000;
  const [floor, ours] = [perTask(1), perTask(2)];
  const figure = `status, a task more up to ${many} beside up to ${many / 10}`;
  return [
    { figure, target: 1.3, floor, ours, ratio: ours / floor, unit: 'µs' },
    { figure: `status, peak memory, ${many} tasks`, target: 250, ours: median(peaks), unit: 'MB' },
  ];
}

/** A run whose tasks can be claimed: one half at once, each of the other half after one of the first. */
function writeGraph(
  /** @type {string} */ root,
  /** @type {number} */ count,
  /** @type {string} */ durability,
) {
  mkdirSync(root, { recursive: true });
  const idOf = (/** @type {number} */ at) => `T${String(at).padStart(5, '0')}`;
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: idOf(at),
    title: `Task ${at}`,
    dependencies: at % 10 < 5 ? [] : [idOf(at - 5)],
    priority: at % 3,
    area_paths: [`src/module${at}.ts`],
    acceptance_criteria: ['it works', 'it is tested'],
  }));
  writeFileSync(join(root, 'tasks.json'), JSON.stringify({ tasks }));
  writeFileSync(
    join(root, 'pawl.yaml'),
    `pawl: 1
pipeline: graph
durability: ${durability}
inputs: { graph: tasks.json }
units: { from: graph.tasks, needs: dependencies, priority: priority, touches: [area_paths] }
phases:
  implement: { run: { task: executor } }
`,
  );
  timeNode([commandPath, 'run'], root, [75]);
}
