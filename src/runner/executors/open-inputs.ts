import { fail, ok, type Result } from '../../base/result.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { AssignedInput, Assignment } from '../assignment.ts';
import type { ExecutorHost } from '../executor-host.ts';
import { InputFile, TaskInputs, UnitInputFile } from '../input-file.ts';
import { keepBelowScratch } from './scratch.ts';

/**
 * The inputs of an attempt: those that the host has as files, or else copies. A copy's bytes come from the content store,
 * and its file is made in the scratch folder when somebody asks for its path.
 */
export function openInputs(assignment: Assignment, host: ExecutorHost): Result<TaskInputs, AttemptFailure> {
  if (host.inputs !== undefined) return ok(host.inputs);
  const opened = new TaskInputs();
  for (const input of assignment.inputs) {
    const file = openCopy(host, input);
    if (!file.ok) return file;
    opened.inputs[input.name] = file.value;
  }
  for (const [name, listed] of Object.entries(assignment.every)) {
    const files: UnitInputFile[] = [];
    for (const input of listed) {
      const file = openCopy(host, input);
      if (!file.ok) return file;
      files.push(new UnitInputFile(input.unit, file.value));
    }
    opened.every[name] = files;
  }
  if (assignment.state === undefined) return ok(opened);
  const state = openCopy(host, assignment.state);
  if (!state.ok) return state;
  opened.state = state.value;
  return ok(opened);
}

function openCopy(host: ExecutorHost, input: AssignedInput): Result<InputFile, AttemptFailure> {
  const { name, path, hash } = input;
  const bytes = hash && host.content.get(hash);
  if (bytes === undefined)
    return fail({ reason: 'input-unavailable', message: '', facts: { input: name, path } });
  return ok(new InputFile(host.disk, input, () => keepBelowScratch(host, `inputs/${name}`, bytes), bytes));
}
