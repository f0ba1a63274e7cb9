import type { GraphAnswer, TaskView } from '../../engine/observe/task-answers.ts';

/** More boxes than this are no picture any more, and a file that nothing opens. */
const tasksDrawnMax = 10_000;

/** The stages as they are drawn: of very many tasks, only unfinished ones, in the order of their list. */
export function drawnStages(
  { stages }: Pick<GraphAnswer, 'stages'>,
  tasksMax = tasksDrawnMax,
): { readonly stages: GraphAnswer['stages']; readonly leftOut: number } {
  const all = stages.flatMap(({ tasks }) => tasks);
  if (all.length <= tasksMax) return { stages, leftOut: 0 };
  const kept = new Set<TaskView>();
  for (const task of [...all.filter(isTelling), ...all]) if (kept.size < tasksMax) kept.add(task);
  return {
    stages: stages.map((stage) => ({ ...stage, tasks: stage.tasks.filter((task) => kept.has(task)) })),
    leftOut: all.length - kept.size,
  };
}

/** Of most tasks there is nothing to tell: they are done, or their time has not come. */
function isTelling({ state, inDoubt, runnable, asks }: TaskView): boolean {
  return inDoubt || runnable || asks !== undefined || (state !== 'done' && state !== 'pending');
}
