import { unreachable } from '../../base/result.ts';
import type { TaskCounts, TaskState, TaskView } from '../../engine/observe/task-answers.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, list } from '../style/words.ts';

/** In the order in which they are counted up for people. */
export const taskStateOrder: readonly TaskState[] = [
  'done',
  'implemented',
  'in_progress',
  'claimed',
  'ready',
  'failed',
  'blocked',
  'pending',
];

/** A task's state in words, as it follows a number: `3 in progress`. */
export function taskStateWords(state: TaskState): string {
  return state === 'in_progress' ? 'in progress' : state;
}

/** A task's state as one painted character. */
function taskStateMark(state: TaskState, { paint, symbols }: Style): string {
  switch (state) {
    case 'done':
      return paint.green(symbols.good);
    case 'implemented':
      return paint.cyan(symbols.good);
    case 'in_progress':
      return paint.cyan(symbols.runs);
    case 'claimed':
      return paint.cyan(symbols.ready);
    case 'ready':
      return symbols.ready;
    case 'failed':
      return paint.red(symbols.bad);
    case 'blocked':
      return paint.red(symbols.warning);
    case 'pending':
      return paint.dim(symbols.waits);
    default:
      return unreachable(state);
  }
}

/** The mark of a task: a task that waits for a person asks, and a task with an unknown result is cut off. */
export function taskMark(task: Pick<TaskView, 'state' | 'inDoubt' | 'asks'>, style: Style): string {
  if (task.inDoubt) return style.paint.yellow(style.symbols.cutOff);
  return isAsking(task) ? style.paint.yellow(style.symbols.asks) : taskStateMark(task.state, style);
}

/** A person has to decide before it goes on. What has failed or is blocked is that first. */
export function isAsking({ state, asks }: Pick<TaskView, 'state' | 'asks'>): boolean {
  return asks !== undefined && state !== 'failed' && state !== 'blocked';
}

/** `✓ 4 done`, `» 2 in progress`, …, `3 can be started now`, `1 in doubt`: all that there is any of. */
export function taskCounts(counts: TaskCounts, style: Style): string[] {
  const states = taskStateOrder
    .filter((state) => counts[state] > 0)
    .map((state) => `${taskStateMark(state, style)} ${counts[state]} ${taskStateWords(state)}`);
  return [
    ...(states.length === 0 ? ['no tasks'] : states),
    ...(counts.runnable > 0 ? [`${counts.runnable} can be started now`] : []),
    ...(counts.inDoubt > 0 ? [`${counts.inDoubt} in doubt`] : []),
  ];
}

/** The one thing that is most worth knowing of a task besides its state: who has it, why it is stuck, whom it is for. */
export function noteOf(task: TaskView): string | undefined {
  const { claim, reason, conflicts, role, attempts } = task;
  const tried = attempts > 1 ? `${count(attempts, 'attempt')}: ` : '';
  if (task.inDoubt) return claim === undefined ? 'in doubt' : `in doubt, last with ${plain(claim.actor)}`;
  if (claim?.live) return `${plain(claim.actor)}${attempts > 1 ? `, attempt ${attempts}` : ''}`;
  if (isAsking(task))
    return `waits for a person: ${plain(`${task.asks?.id ?? ''} ${task.asks?.name ?? ''}`.trim())}`;
  if (task.state === 'failed' || task.state === 'blocked')
    return reason === undefined ? undefined : `${tried}${plain(reason)}`;
  if (task.state === 'done' || task.state === 'pending') return undefined;
  if (conflicts.length > 0) return `held back by ${list(conflicts.map(plain), 3)}`;
  return role === undefined ? undefined : `for ${plain(role)}`;
}
