import { listOption, textOption } from '../call.ts';
import { type Command, present } from '../command.ts';
import {
  actorOption,
  fenceOption,
  runOption,
  spentOptions,
  takeoverOption,
  taskArgument,
} from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, readTypedOutputs, taskShown } from './task-call.ts';

export const completeCommand: Command = {
  name: 'complete',
  group: 'tasks',
  summary: 'say that a claimed task is done: it is checked, and recorded',
  details: [
    'Every declared output and file has to be there and pass its check. Under a number that is no longer the newest',
    'it is refused, and what was made is kept aside.',
  ],
  arguments: [taskArgument],
  options: [
    runOption,
    actorOption,
    takeoverOption,
    fenceOption,
    { flags: '--artifact <path...>', summary: 'files that were made besides those declared' },
    { flags: '--output <name=path...>', summary: 'where an output lies that is not at its declared path' },
    { flags: '--note <text>', summary: 'what is worth knowing about it; recorded' },
    ...spentOptions,
  ],
  examples: [
    { line: 'pawl complete T001 --actor executor-1 --artifact src/a.ts', summary: 'with one more file' },
  ],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const outputs = readTypedOutputs(call);
    if (!outputs.ok) return outputs;
    const { completeTask } = await import('../../engine/tasks/complete.ts');
    const answer = await completeTask(await outsideWorkerEnvironment(face), {
      ...request.value,
      files: listOption(call, 'artifact'),
      outputs: outputs.value,
      note: textOption(call, 'note'),
    });
    return present('complete', answer, taskShown);
  },
};
