import type { RunHeading } from '../../engine/answers.ts';
import type { GraphAnswer, TaskCounts, TaskState, TaskView } from '../../engine/tasks/answers.ts';

const at = '2026-11-15T12:03:11.000Z';

export const heading: RunHeading = {
  run: '20261115-1203-orchard-x7k2',
  pipeline: 'orchard',
  identity: { pipeline: 'orchard' },
  status: 'stopped',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};

/** A task that nothing is said of but its id and state. */
export function task(unit: string, state: TaskState, more: Partial<TaskView> = {}): TaskView {
  return {
    unit,
    title: undefined,
    stage: 'tasks',
    state,
    runnable: state === 'ready',
    inDoubt: false,
    phase: state === 'done' ? undefined : 'build',
    role: undefined,
    claim: undefined,
    attempts: state === 'pending' || state === 'ready' ? 0 : 1,
    needs: [],
    priority: undefined,
    conflicts: [],
    reason: undefined,
    doneAt: state === 'done' ? at : undefined,
    ...more,
  };
}

export function claimOf(unit: string, actor: string, live = true): TaskView['claim'] {
  return { unit, phase: 'build', actor, attempt: 1, until: '2026-11-15T12:18:11.000Z', live };
}

type Stage = GraphAnswer['stages'][number];

export function stage(name: string, tasks: readonly TaskView[], more: Partial<Stage> = {}): Stage {
  return { name, phases: ['build'], isOpen: false, tasks, ...more };
}

export function graph(stages: readonly Stage[], more: Partial<GraphAnswer> = {}): GraphAnswer {
  return { heading, stages, tasks: counted(stages.flatMap(({ tasks }) => tasks)), findings: [], ...more };
}

function counted(tasks: readonly TaskView[]): TaskCounts {
  const number = (isCounted: (task: TaskView) => boolean) => tasks.filter(isCounted).length;
  const of = (state: TaskState) => number((task) => task.state === state);
  return {
    pending: of('pending'),
    ready: of('ready'),
    claimed: of('claimed'),
    in_progress: of('in_progress'),
    implemented: of('implemented'),
    done: of('done'),
    failed: of('failed'),
    blocked: of('blocked'),
    total: tasks.length,
    runnable: number(({ runnable }) => runnable),
    inDoubt: number(({ inDoubt }) => inDoubt),
  };
}

/** A dozen tasks in every state, between two stages that have one unit each and before one that is not listed yet. */
export function orchard(): GraphAnswer {
  const roles = { role: 'executor' };
  const tasks = [
    task('T001', 'done', { title: 'Set up the repository and its checks' }),
    task('T002', 'done', { title: 'Model of trees, rows and harvests', needs: ['T001'] }),
    task('T003', 'implemented', {
      title: 'Read the weather service, with a limit on everything that it may answer',
      needs: ['T001'],
      role: 'verifier',
      runnable: true,
      phase: 'verify',
    }),
    task('T004', 'in_progress', {
      title: 'Store harvests on disk',
      needs: ['T002'],
      claim: claimOf('T004', 'executor-1'),
      ...roles,
    }),
    task('T005', 'in_progress', {
      title: 'Forecast of frost',
      needs: ['T002', 'T003'],
      claim: claimOf('T005', 'executor-2', false),
      inDoubt: true,
      runnable: true,
      attempts: 2,
      ...roles,
    }),
    task('T006', 'claimed', {
      title: 'Command line: plant, prune, pick',
      needs: ['T002'],
      claim: claimOf('T006', 'executor-3'),
      ...roles,
    }),
    task('T007', 'ready', { title: 'Words for people', needs: ['T001'], ...roles }),
    task('T008', 'failed', {
      title: 'Map of the rows as a picture',
      needs: ['T002'],
      reason: 'src/map.test.ts: 2 of 14 fail',
      attempts: 3,
      runnable: true,
      ...roles,
    }),
    task('T009', 'blocked', {
      title: 'Send warnings to the phone',
      needs: ['T005'],
      reason: 'nobody has the key of the message service',
      ...roles,
    }),
    task('T010', 'pending', {
      title: 'A page with the whole season on it',
      needs: ['T004', 'T007', 'T008'],
      ...roles,
    }),
    task('T011', 'pending', { title: 'Guide for gardeners', needs: ['T006', 'T007'], ...roles }),
    task('T012', 'pending', { title: 'Release', needs: ['T009', 'T010', 'T011', 'T001'], ...roles }),
  ];
  return graph([
    stage('plan', [task('orchard', 'done', { title: 'What we want and how', stage: 'plan' })], {
      phases: ['constitution', 'prd', 'plan', 'graph'],
    }),
    stage('tasks', tasks, { phases: ['build', 'verify'] }),
    stage('cleanup', [], { phases: ['tidy', 'pull-request'], isOpen: true }),
  ]);
}

/** Pseudo-random and always the same: `count` tasks in about `layers` layers. */
export function forest(count: number, layers: number, seed = 7): GraphAnswer {
  let state = seed;
  const chance = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const width = Math.max(1, Math.floor(count / layers));
  const tasks = Array.from({ length: count }, (_, at) => {
    const depth = Math.floor(at / width);
    const needs = Array.from({ length: depth === 0 ? 0 : 1 + chance(2) }, () => {
      const far = chance(6) === 0 ? 1 + chance(depth) : 1;
      const column = Math.min(width - 1, Math.max(0, (at % width) - 1 + chance(3)));
      return nameOf((depth - far) * width + column);
    });
    const share = depth / layers;
    const now = share < 0.45 ? 'done' : share < 0.6 ? active[chance(active.length)] : 'pending';
    return task(nameOf(at), now ?? 'pending', { title: `Task number ${at + 1} of the plan`, needs });
  });
  return graph([stage('tasks', tasks)]);
}

const active: readonly TaskState[] = [
  'done',
  'done',
  'in_progress',
  'ready',
  'failed',
  'claimed',
  'implemented',
];

export function nameOf(at: number): string {
  return `T${String(at + 1).padStart(4, '0')}`;
}

/** One after the other. */
export function chain(length: number): GraphAnswer {
  const tasks = Array.from({ length }, (_, at) =>
    task(nameOf(at), at < length / 2 ? 'done' : at === length / 2 ? 'ready' : 'pending', {
      title: `Frame ${at}`,
      needs: at === 0 ? [] : [nameOf(at - 1)],
    }),
  );
  return graph([stage('frames', tasks)]);
}

/** One task that all others need, and one that needs all of them. */
export function fan(width: number): GraphAnswer {
  const middle = Array.from({ length: width }, (_, at) =>
    task(nameOf(at), at % 3 === 0 ? 'done' : 'ready', { title: `Part ${at}`, needs: ['first'] }),
  );
  const last = task('last', 'pending', { needs: middle.map(({ unit }) => unit) });
  return graph([stage('tasks', [task('first', 'done'), ...middle, last])]);
}
