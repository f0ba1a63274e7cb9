import { unreachable } from '../base/result.ts';
import type { ModelCall } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import type { Assignment, ExecutorReport } from './executors/assignment.ts';
import { callCommand } from './executors/call-command.ts';
import { callFunction } from './executors/call-function.ts';
import type { ExecutorHost } from './executors/host.ts';
import type { TaskInputs } from './executors/input-file.ts';
import { keepInScratch, openInputs, promptFile } from './executors/scratch.ts';
import { redactorFor } from './redaction.ts';

/**
 * Runs the executor of an assignment, whichever it is. It knows what the assignment says and does what the host lets it
 * do, and nothing else: the run, its ledger and its journal belong to the coordinator.
 */
export function execute(assignment: Assignment, host: ExecutorHost): Promise<ExecutorReport> {
  const { phase, prompt } = assignment;
  const { executor } = phase;
  // What a model is sent lies in a folder that has to be made otherwise.
  if (prompt !== undefined && !asksModel(phase))
    keepInScratch(
      host,
      'prompt.md',
      redactorFor(assignment.redaction, host.process.variables).redactValues(promptFile(prompt)),
    );
  const inputs = openInputs(assignment, host);
  if (!inputs.ok) return Promise.resolve({ outcome: inputs, costs: [], logs: [] });
  switch (executor.kind) {
    case 'command':
      return callCommand(assignment, host, executor, inputs.value);
    case 'function':
    case 'inline':
      return callFunction(assignment, host, executor, inputs.value);
    case 'model':
      return askModel(assignment, host, executor, inputs.value);
    case 'task':
      throw new Error(`${phase.name} is claimed from outside and never started`);
    default:
      return unreachable(executor);
  }
}

/** What speaks with models is loaded by those who ask one. */
async function askModel(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  inputs: TaskInputs,
): Promise<ExecutorReport> {
  const { callModel } = await import('./models/call.ts');
  return await callModel(assignment, host, executor, inputs);
}
