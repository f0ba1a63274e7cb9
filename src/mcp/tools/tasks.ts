import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../../base/result.ts';
import type { TaskAnswer } from '../../engine/observe/task-answers.ts';
import type { Environment } from '../../engine/open/environment.ts';
import { completeTask } from '../../engine/tasks/complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../../engine/tasks/end.ts';
import { nextTask } from '../../engine/tasks/next.ts';
import type { Cost } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { nextText, taskText } from '../../text/tasks.ts';
import { type Outcome, toToolAnswer } from '../answer.ts';
import type { McpTrouble } from '../problems.ts';
import { type Chosen, insideRoot, type Session, targetIn } from '../session.ts';
import {
  amountInput,
  chosen,
  nameInput,
  nextOutput,
  numberInput,
  pathInput,
  taskOutput,
  wordsInput,
} from '../shapes.ts';
import { type Caller, type Connection, offer } from '../tool.ts';

/** Claims work, renews and ends claims. */
export function offerTasks(connection: Connection): void {
  offerNext(connection);
  offerStart(connection);
  offerHeartbeat(connection);
  offerRelease(connection);
  offerComplete(connection);
  offerFail(connection);
  offerBlock(connection);
  offerUnblock(connection);
}

const actor = nameInput
  .optional()
  .describe(
    'Who works: lower-case letters, digits, `-`, `_`, `.`. Default: a name of this connection, which task_next tells.',
  );
const unit = nameInput.describe(
  'The id of a task: `T001`; or `T001/verify` where several of its phases are claimed.',
);
const attempt = numberInput
  .optional()
  .describe(
    'The number that task_next gave: with it, work that is no longer yours is never taken for yours.',
  );
const claim = { ...chosen, unit, actor, attempt };

const spent = {
  cost_usd: amountInput.optional().describe('What the work has cost in USD; budgets count it.'),
  tokens: amountInput.optional().describe('How many tokens it has used.'),
};

/** The cost that an agent reports. */
function costOf({
  cost_usd: usd,
  tokens,
}: {
  readonly cost_usd?: number | undefined;
  readonly tokens?: number | undefined;
}): Cost | undefined {
  if (usd === undefined && tokens === undefined) return undefined;
  return { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { outputTokens: tokens }) };
}

function offerNext(connection: Connection): void {
  offer(connection, {
    name: 'task_next',
    title: 'Claim the next task',
    description:
      'Claims the next task that can be worked on, and says all that is needed for it: prompt, inputs, outputs to make, files, and until when the claim holds. Each task is given to exactly one caller. Says why when there is none.',
    effect: 'claims',
    input: z.strictObject({
      ...chosen,
      actor,
      role: nameInput.optional().describe('Only tasks for this role.'),
    }),
    output: nextOutput,
    async answer({ role, ...request }, caller) {
      const wanted = requestOf(request, caller);
      if (!wanted.ok) return wanted;
      const next = await nextTask(caller.session.env, { ...wanted.value, role });
      return next.ok ? ok(toToolAnswer(next.value, nextText)) : next;
    },
  });
}

function offerStart(connection: Connection): void {
  offer(connection, {
    name: 'task_start',
    title: 'Claim a task by name',
    description:
      'Claims one task and no other, or hands out again what this actor has claimed already: so a session that lost its memory gets its task back.',
    effect: 'claims',
    input: z.strictObject({ ...chosen, unit, actor }),
    output: nextOutput,
    async answer({ unit, ...request }, caller) {
      const wanted = requestOf(request, caller);
      if (!wanted.ok) return wanted;
      const next = await nextTask(caller.session.env, { ...wanted.value, unit });
      return next.ok ? ok(toToolAnswer(next.value, nextText)) : next;
    },
  });
}

function offerHeartbeat(connection: Connection): void {
  offer(connection, {
    name: 'task_heartbeat',
    title: 'Still at it',
    description:
      'Renews the claim on a task. Without it the lease runs out, and the task may be given to another.',
    effect: 'claims',
    input: z.strictObject(claim),
    output: taskOutput,
    answer: (request, caller) => end(request, caller, heartbeat),
  });
}

function offerRelease(connection: Connection): void {
  offer(connection, {
    name: 'task_release',
    title: 'Give a task back',
    description:
      'Gives a claimed task back undone: others can claim it at once. It does not count as a failed attempt.',
    effect: 'claims',
    input: z.strictObject(claim),
    output: taskOutput,
    answer: (request, caller) => end(request, caller, releaseTask),
  });
}

function offerComplete(connection: Connection): void {
  offer(connection, {
    name: 'task_complete',
    title: 'A task is done',
    description:
      'Proves and records that a claimed task is done: every declared output and file has to be there and pass its check. Otherwise it is refused, says what is missing, and the claim stays. Saying it twice records it once.',
    effect: 'records',
    input: z.strictObject({
      ...claim,
      outputs: z
        .record(nameInput, pathInput)
        .optional()
        .describe('Where outputs lie that are not at their declared path, by name.'),
      files: z.array(pathInput).max(1_000).optional().describe('Further files that were made.'),
      note: wordsInput.optional().describe('What those who come later should know.'),
      ...spent,
    }),
    output: taskOutput,
    async answer({ outputs = {}, files = [], cost_usd, tokens, ...request }, caller): Promise<Outcome> {
      const wanted = requestOf(request, caller);
      if (!wanted.ok) return wanted;
      const names = Object.keys(outputs);
      const paths = workspacePaths(caller.session, wanted.value.path, [...Object.values(outputs), ...files]);
      if (!paths.ok) return paths;
      const placed = new Map(names.map((name, at) => [name, paths.value[at] ?? '']));
      const done = await completeTask(caller.session.env, {
        ...wanted.value,
        outputs: Object.fromEntries(placed),
        files: paths.value.slice(names.length),
        byAgent: true,
        cost: costOf({ cost_usd, tokens }),
      });
      return done.ok ? ok(toToolAnswer(done.value, taskText)) : done;
    },
  });
}

function offerFail(connection: Connection): void {
  offer(connection, {
    name: 'task_fail',
    title: 'A task failed',
    description:
      'Records that the work on a claimed task was tried and did not succeed. It can be claimed again while it has attempts left.',
    effect: 'claims',
    input: z.strictObject({
      ...claim,
      reason: wordsInput.describe('What was tried, and what went wrong.'),
      ...spent,
    }),
    output: taskOutput,
    answer: ({ cost_usd, tokens, ...request }, caller) =>
      end({ ...request, cost: costOf({ cost_usd, tokens }) }, caller, failTask),
  });
}

function offerBlock(connection: Connection): void {
  offer(connection, {
    name: 'task_block',
    title: 'A task cannot go on',
    description:
      'Records that a task cannot go on before somebody does something about it, and gives back a claim that you have on it. It is handed out again after task_unblock.',
    effect: 'records',
    input: z.strictObject({
      ...chosen,
      unit,
      actor,
      reason: wordsInput.describe('What has to be done first, and by whom.'),
    }),
    output: taskOutput,
    answer: (request, caller) => end(request, caller, blockTask),
  });
}

function offerUnblock(connection: Connection): void {
  offer(connection, {
    name: 'task_unblock',
    title: 'A task can go on',
    description: 'Records that what kept a task from going on is settled.',
    effect: 'records',
    input: z.strictObject({
      ...chosen,
      unit,
      actor,
      note: wordsInput.optional().describe('How it was settled.'),
    }),
    output: taskOutput,
    answer: (request, caller) => end(request, caller, unblockTask),
  });
}

interface Asked extends Chosen {
  readonly actor?: string | undefined;
}

/** The same request with its run and its actor filled in. */
type Meant<Request> = Omit<Request, keyof Asked> & {
  readonly path: string;
  readonly run: string | undefined;
  readonly actor: string;
};

/** A request as the engine takes it, with the actor of the connection where none is named. */
export function requestOf<Request extends Asked>(
  { manifest, run, actor, ...rest }: Request,
  caller: Caller,
): Result<Meant<Request>, McpTrouble> {
  const target = targetIn(caller.session, { manifest, run });
  if (!target.ok) return target;
  return ok({ ...rest, ...target.value, actor: actor ?? caller.actor });
}

/** Records what an agent reports about a task. */
async function end<Request extends Asked>(
  request: Request,
  caller: Caller,
  record: (env: Environment, request: Meant<Request>) => Promise<Result<TaskAnswer, Failure>>,
): Promise<Outcome> {
  const wanted = requestOf(request, caller);
  if (!wanted.ok) return wanted;
  const done = await record(caller.session.env, wanted.value);
  return done.ok ? ok(toToolAnswer(done.value, taskText)) : done;
}

/** Paths as the engine takes them: from the folder of the manifest, and nowhere else. */
function workspacePaths(
  session: Session,
  manifest: string,
  paths: readonly string[],
): Result<string[], McpTrouble> {
  const folder = join(session.root, dirname(manifest));
  const inside: string[] = [];
  for (const path of paths) {
    const checked = insideRoot(session, path, folder);
    if (!checked.ok) return checked;
    inside.push(checked.value);
  }
  return ok(inside);
}
