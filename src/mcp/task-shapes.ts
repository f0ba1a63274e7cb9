import { z } from 'zod';
import { count, counts, facts, heading } from './shapes.ts';

/* What the tools for tasks answer. */

/** Tasks by state, and how many can be claimed now. */
export const taskCounts = counts.describe('Tasks by state, and how many can be claimed now.');

const claim = z.looseObject({
  unit: z.string(),
  phase: z.string(),
  actor: z.string(),
  attempt: count,
  until: z.string(),
  live: z.boolean(),
});

const handedTask = z
  .looseObject({
    unit: z.string(),
    title: z.string().optional(),
    stage: z.string(),
    phase: z.string(),
    role: z.string(),
    attempt: count.describe('Give it back with task_complete, task_heartbeat and the others.'),
    actor: z.string(),
    leaseUntil: z.string().describe('When the claim ends unless task_heartbeat renews it.'),
    mode: z.enum(['fresh', 'continue']).describe('continue: an attempt before was cut off; see `previous`.'),
    previous: z.string().optional().describe('Folder with what that attempt left.'),
    data: z.looseObject({}).describe("The task's own fields."),
    params: z.looseObject({}),
    prompt: z.looseObject({ text: z.string(), system: z.string().optional() }).optional(),
    inputs: z.array(z.looseObject({ name: z.string(), path: z.string() })),
    outputs: z
      .array(z.looseObject({ name: z.string(), path: z.string(), optional: z.boolean() }))
      .describe('What has to be there when it is done, and where.'),
    files: z.array(z.string()).describe('Other files that have to be there.'),
    folder: z.string().describe("The attempt's own folder, for notes and drafts."),
  })
  .describe('Paths are relative to the folder of the manifest.');

/** Of task_next and task_start. */
export const nextOutput = {
  heading,
  actor: z.string(),
  task: handedTask,
  none: z.looseObject({ code: z.string() }).describe('Why there is no task.'),
  holding: z.array(claim).describe('What this actor has claimed besides.'),
  tasks: taskCounts,
  notices: facts,
  findings: facts,
};

/** Of all that end or change a claim. */
export const taskOutput = {
  heading,
  act: z.string(),
  actor: z.string(),
  unit: z.string(),
  phase: z.string(),
  attempt: count,
  leaseUntil: z.string(),
  outputs: z.array(z.looseObject({ name: z.string(), path: z.string(), hash: z.string() })),
  files: z.array(z.looseObject({ path: z.string(), hash: z.string() })),
  again: z.boolean().describe('It had been recorded before: nothing was changed.'),
  finished: z.boolean().describe('The task is done.'),
  opened: z.array(z.string()).describe('Tasks that can be claimed now and could not before.'),
  tasks: taskCounts,
};
