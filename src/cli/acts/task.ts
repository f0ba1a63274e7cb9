import { fail, ok, type Result } from '../../base/result.ts';
import type { TaskAnswer } from '../../engine/observe/task-answers.ts';
import type { Environment } from '../../engine/open/environment.ts';
import type { TaskRequest } from '../../engine/tasks/end.ts';
import type { Cost } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import type { CallProblem } from '../../text/catalogue/call-problems.ts';
import { type Act, targetOf } from '../act.ts';
import { actorOf } from '../actor.ts';
import { type Call, flagOption, listOption, textOption } from '../call.ts';

/** What somebody says of a task: `complete`, `fail`, `block`, `unblock`, `heartbeat`, `release`. */
export const act: Act = async (call, face) => {
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
  const { visitorEnvironment } = await import('../../engine/open/environment.ts');
  const request: TaskRequest = {
    ...targetOf(call),
    actor: actor.value,
    unit: call.arguments[0] ?? '',
    attempt: number === undefined ? undefined : Number(number),
    takeover: flagOption(call, 'takeover'),
  };
  const cost = costIn(call);
  if (!cost.ok) return cost;
  const command = call.command as 'complete' | 'fail' | 'block' | 'unblock' | 'heartbeat' | 'release';
  const answer = await say(visitorEnvironment(face.place), command, { ...request, cost: cost.value }, call);
  return answer.ok ? ok({ command, answer: answer.value }) : answer;
};

async function say(
  env: Environment,
  command: string,
  request: TaskRequest & { readonly cost: Cost | undefined },
  call: Call,
): Promise<Result<TaskAnswer, Failure | CallProblem>> {
  if (command === 'complete') {
    const outputs = outputsIn(call);
    if (!outputs.ok) return outputs;
    const { completeTask } = await import('../../engine/tasks/complete.ts');
    const files = listOption(call, 'artifact');
    return await completeTask(env, {
      ...request,
      files,
      outputs: outputs.value,
      note: textOption(call, 'note'),
    });
  }
  const { blockTask, failTask, heartbeat, releaseTask, unblockTask } = await import(
    '../../engine/tasks/end.ts'
  );
  if (command === 'heartbeat') return await heartbeat(env, request);
  if (command === 'release') return await releaseTask(env, request);
  if (command === 'unblock') return await unblockTask(env, { ...request, note: textOption(call, 'note') });
  const reason = textOption(call, 'reason');
  if (reason === undefined || reason === '')
    return fail({ reason: 'missing-value', command, option: '--reason' });
  return command === 'fail'
    ? await failTask(env, { ...request, reason, revise: textOption(call, 'revise') })
    : await blockTask(env, { ...request, reason });
}

/** `--cost 0.25 --tokens 1800`: what the work has cost. */
function costIn(call: Call): Result<Cost | undefined, CallProblem> {
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
function outputsIn(call: Call): Result<Record<string, string>, CallProblem> {
  const outputs: [string, string][] = [];
  for (const pair of listOption(call, 'output')) {
    const equals = pair.indexOf('=');
    if (equals < 1 || equals === pair.length - 1)
      return fail({ reason: 'bad-value', option: '--output', found: pair, expected: 'NAME=PATH' });
    outputs.push([pair.slice(0, equals), pair.slice(equals + 1)]);
  }
  return ok(Object.fromEntries(outputs));
}
