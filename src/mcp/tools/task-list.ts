import { z } from 'zod';
import { ok } from '../../base/result.ts';
import type { TaskView } from '../../engine/observe/task-answers.ts';
import { showGraph } from '../../engine/show/graph.ts';
import { noteOf, taskCounts, taskMark } from '../../text/graph/task-words.ts';
import { plain } from '../../text/style/plain.ts';
import { plainStyle } from '../../text/style/style.ts';
import type { Outcome } from '../answer.ts';
import { cut, few } from '../parts.ts';
import { targetIn } from '../session.ts';
import { chosen, count, facts, heading, part, taskCounts as shownCounts } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';

const states = [
  'pending',
  'ready',
  'claimed',
  'in_progress',
  'implemented',
  'done',
  'failed',
  'blocked',
] as const satisfies readonly TaskView['state'][];

/** The tasks of a run, for an agent that assigns or oversees the work. */
export function offerTaskList(connection: Connection): void {
  offer(connection, {
    name: 'task_list',
    title: 'List tasks',
    description:
      'Tasks with their state, what they need, who has them and why they are stuck. Claims nothing: that is task_next.',
    effect: 'looks',
    input: z.strictObject({
      ...chosen,
      states: z.array(z.enum(states)).max(states.length).optional().describe('Only tasks in these states.'),
      ...part,
    }),
    output: {
      heading,
      list: z.array(z.looseObject({ unit: z.string(), state: z.enum(states), runnable: z.boolean() })),
      total: count,
      tasks: shownCounts,
      findings: facts,
    },
    async answer({ states: wanted, offset, limit, ...request }, { session }): Promise<Outcome> {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const graph = await showGraph(session.env, target.value);
      if (!graph.ok) return graph;
      const { heading, stages, tasks, findings } = graph.value;
      const all = stages.flatMap((stage) => stage.tasks);
      const { items, total } = cut(
        all.filter(({ state }) => wanted?.includes(state) ?? true),
        offset,
        limit,
      );
      return ok({
        text: [...items.map(taskLine), taskCounts(tasks, plainStyle).join(', ')].join('\n'),
        document: { ok: true, heading, list: items, total, tasks, findings: few(findings) },
      });
    },
  });
}

function taskLine(task: TaskView): string {
  const title = task.title === undefined ? '' : ` ${plain(task.title)}`;
  const note = noteOf(task);
  return `${taskMark(task, plainStyle)} ${plain(task.unit)}${title}${note === undefined ? '' : ` (${note})`}`;
}
