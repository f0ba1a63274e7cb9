import { z } from 'zod';

/* What tools take and answer, as far as more than one of them does. A limit on everything that comes in. */

export const nameMax = 200;
const pathMax = 1_000;
const countMax = 1_000_000_000;

/** Which run a call is about. */
export const chosen = {
  run: z
    .string()
    .max(nameMax)
    .optional()
    .describe("A run's id, or the beginning of one. Default: the run of the manifest."),
  manifest: z
    .string()
    .max(pathMax)
    .optional()
    .describe(
      'Path of a manifest or of its folder, relative to the workspace. Needed only where there are several.',
    ),
} as const;

/** Which steps a call is about. */
export const selection = {
  unit: z
    .string()
    .max(pathMax)
    .optional()
    .describe(
      'Only these units: a comma list of globs such as `ch001_*` or `sc00[34]`, or numbers of counted units; `!GLOB` excludes.',
    ),
  phase: z.string().max(pathMax).optional().describe('Only these phases: a comma list.'),
  failed: z.boolean().optional().describe('Only steps that failed.'),
  outdated: z
    .boolean()
    .optional()
    .describe('Only steps that are kept as outdated, or consumed such a result.'),
} as const;

/** The number of an attempt, or of a byte. */
export const numberInput = z.int().min(0).max(countMax);

/** USD, or tokens. */
export const amountInput = z.number().min(0).max(1e12);

export const pathInput = z.string().min(1).max(pathMax);
export const nameInput = z.string().min(1).max(nameMax);
export const wordsInput = z.string().min(1).max(4_000);

export const stepInput = z
  .string()
  .max(2 * nameMax)
  .describe('A unit and a phase: `ch001_sc002/write`.');

/** Which part of a long list. */
export const part = {
  limit: z.int().min(1).max(500).default(50).describe('At most so many.'),
  offset: z.int().min(0).max(countMax).default(0).describe('How many to leave out at the beginning.'),
} as const;

/* Answers are described as far as a caller needs it: clients may show the whole description to a model, every time. */

/** Which run an answer is about. */
export const heading = z.looseObject({ run: z.string(), pipeline: z.string(), status: z.string() });

/** Facts with a stable code of their own. */
export const facts = z.array(z.looseObject({}));

/** Numbers by name. */
export const counts = z.looseObject({});

export const count = z.number();

/* Answers of the tools for tasks. */

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

/** The answer of task_next and task_start. */
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

/** The answer of tools that end or change a claim. */
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
