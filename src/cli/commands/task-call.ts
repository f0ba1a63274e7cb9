import { fail, ok, type Result, unreachable } from '../../base/result.ts';
import type { NextAnswer, TaskAnswer } from '../../engine/observe/task-answers.ts';
import type { Environment } from '../../engine/open/environment.ts';
import type { TaskRequest } from '../../engine/tasks/end.ts';
import type { Cost } from '../../model/event.ts';
import type { CallProblem } from '../../text/catalogue/call-problems.ts';
import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import { actorOf, type Call, flagOption, listOption, targetOf, textOption } from '../call.ts';
import { type Outcome, type Presentation, present } from '../command.ts';
import type { Face } from '../face.ts';

/* What the commands for tasks have in common. */

export const taskShown: Presentation<TaskAnswer> = {
  loadText: async () => (await import('../../text/tasks.ts')).taskText,
};

export async function outsideWorkerEnvironment(face: Face): Promise<Environment> {
  const { visitorEnvironment } = await import('../../engine/open/environment.ts');
  return visitorEnvironment(face.place);
}

/** `next`, and `start` with the unit that it names. */
export async function claimNext(call: Call, face: Face, unit: string | undefined): Promise<Outcome> {
  const actor = actorOf(call, face.io.process.variables);
  if (!actor.ok) return actor;
  const { nextTask } = await import('../../engine/tasks/next.ts');
  const answer = await nextTask(await outsideWorkerEnvironment(face), {
    ...targetOf(call),
    actor: actor.value,
    role: textOption(call, 'role'),
    takeover: flagOption(call, 'takeover'),
    unit,
  });
  return present('next', answer, {
    loadText: async () => (await import('../../text/tasks.ts')).nextText,
    loadFacts: async () => nextFacts,
    exitCode: exitCodeOfNext,
  });
}

function nextFacts(answer: NextAnswer): object {
  const { none } = answer;
  const isDone = none === undefined || none.code === 'all-done';
  return isDone ? answer : { reason: none.code, next: [], ...answer };
}

/** A loop of an agent goes by it: 0 with a task or when all is done, 75 try again later, 3 a person, 1 stuck. */
function exitCodeOfNext({ none }: NextAnswer): number {
  switch (none?.code) {
    case undefined:
    case 'all-done':
      return exitCodes.done;
    case 'nothing-now':
    case 'for-the-runner':
    case 'other-role':
      return exitCodes.paused;
    case 'asks-person':
      return exitCodes.waitsForPerson;
    case 'stuck':
      return exitCodes.phaseFailed;
    default:
      return unreachable(none);
  }
}

/** What every report about a claimed task says. */
export function readTaskRequest(
  call: Call,
  face: Face,
): Result<TaskRequest & { readonly cost: Cost | undefined }, CallProblem> {
  const actor = actorOf(call, face.io.process.variables);
  if (!actor.ok) return actor;
  const number = textOption(call, 'number');
  if (number !== undefined && !/^\d{1,9}$/.test(number))
    return fail({
      reason: 'bad-value',
      option: '--number',
      found: number,
      expected: 'the number of a claim',
    });
  const cost = readCost(call);
  if (!cost.ok) return cost;
  return ok({
    ...targetOf(call),
    actor: actor.value,
    unit: call.arguments[0] ?? '',
    attempt: number === undefined ? undefined : Number(number),
    takeover: flagOption(call, 'takeover'),
    cost: cost.value,
  });
}

/** The reason without which `fail` and `block` are refused. */
export function requireReason(call: Call): Result<string, CallProblem> {
  const reason = textOption(call, 'reason');
  if (reason === undefined || reason === '')
    return fail({ reason: 'missing-value', command: call.command, option: '--reason' });
  return ok(reason);
}

/** `--cost 0.25 --tokens 1800`: the cost of the work. */
function readCost(call: Call): Result<Cost | undefined, CallProblem> {
  const cost: { usd?: number; outputTokens?: number } = {};
  for (const [option, name, expected] of [
    ['cost', 'usd', 'an amount of USD, such as 0.25'],
    ['tokens', 'outputTokens', 'a number of tokens'],
  ] as const) {
    const found = textOption(call, option);
    if (found === undefined) continue;
    const amount = option === 'cost' ? /^\d{1,12}(?:\.\d{1,12})?$/ : /^\d{1,12}$/;
    if (!amount.test(found)) return fail({ reason: 'bad-value', option: `--${option}`, found, expected });
    cost[name] = Number(found);
  }
  return ok(Object.keys(cost).length > 0 ? cost : undefined);
}

/** `--output report=notes/report.json`, any number of times. */
export function readTypedOutputs(call: Call): Result<Record<string, string>, CallProblem> {
  const outputs: [string, string][] = [];
  for (const pair of listOption(call, 'output')) {
    const equals = pair.indexOf('=');
    if (equals < 1 || equals === pair.length - 1)
      return fail({ reason: 'bad-value', option: '--output', found: pair, expected: 'NAME=PATH' });
    outputs.push([pair.slice(0, equals), pair.slice(equals + 1)]);
  }
  return ok(Object.fromEntries(outputs));
}
