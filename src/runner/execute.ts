import { type Result, unreachable } from '../base/result.ts';
import type { ModelCall } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { Account, Attempt, Produced } from './attempt.ts';
import { keepInFolder } from './attempt-folder.ts';
import type { RunContext } from './context.ts';
import { callCommand } from './executors/call-command.ts';
import { callFunction } from './executors/call-function.ts';
import { promptFile } from './prompt.ts';
import { redactorOf } from './redaction.ts';

/** Runs the attempt's executor, whichever it is. */
export function execute(
  run: RunContext,
  attempt: Attempt,
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const { executor } = attempt.phase;
  const { prompt } = attempt;
  // What a model is sent lies in a folder that has to be made otherwise.
  if (prompt !== undefined && !asksModel(attempt.phase))
    keepInFolder(run, attempt, 'prompt.md', redactorOf(run).redactValues(promptFile(prompt)));
  switch (executor.kind) {
    case 'command':
      return callCommand(run, attempt, executor, account);
    case 'function':
    case 'inline':
      return callFunction(run, attempt, executor, account);
    case 'model':
      return askModel(run, attempt, executor, account);
    case 'task':
      throw new Error(`${attempt.phase.name} is claimed from outside and never started`);
    default:
      return unreachable(executor);
  }
}

/** What speaks with models is loaded by those who ask one. */
async function askModel(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const { call } = attempt;
  if (call === undefined) throw new Error(`${attempt.phase.name} was not prepared`);
  const { callModel } = await import('./models/call.ts');
  return await callModel(run, attempt, executor, call, account);
}
