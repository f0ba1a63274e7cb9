import { fail, ok, type Result } from '../../base/result.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import type { AssignedInput, Assignment } from './assignment.ts';
import type { ExecutorHost } from './host.ts';
import { InputFile, TaskInputs, UnitInputFile } from './input-file.ts';

type Scratch = Pick<ExecutorHost, 'disk' | 'scratch'>;

/** The attempt's own folder, or one below it (`outputs`), made where it is not there; absolute. */
export function makeScratch({ disk, scratch }: Scratch, below?: string): string {
  const folder = below === undefined ? scratch : `${scratch}/${below}`;
  disk.makeFolder(folder);
  return folder;
}

/** Keeps a text in the attempt's own folder. */
export function keepInScratch(host: Scratch, name: string, text: string): string {
  const path = `${makeScratch(host)}/${name}`;
  replaceFileNow(host.disk, path, new TextEncoder().encode(text));
  return path;
}

/** Keeps bytes below the attempt's own folder, in folders that are made for them. */
export function keepBelowScratch({ disk, scratch }: Scratch, name: string, bytes: Uint8Array): string {
  const path = `${scratch}/${name}`;
  disk.makeFolder(path.slice(0, path.lastIndexOf('/')));
  replaceFileNow(disk, path, bytes);
  return path;
}

/**
 * The inputs of an attempt: those that the host has as files, or else copies. A copy's bytes come from the content store,
 * and its file is made in the scratch folder when its path is first read.
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

/** What is kept on disk of a prompt: what was sent, readable. */
export function promptFile({ system, text }: RenderedPrompt): string {
  return turnsFile(system, [{ role: 'user', text }]);
}

/** The same of all that was said. */
export function turnsFile(
  system: string | undefined,
  turns: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[],
): string {
  const first = system === undefined ? '' : `<!-- system -->\n${system}\n`;
  const said = turns.map(({ role, text }) => `<!-- ${role === 'user' ? 'prompt' : 'answer'} -->\n${text}\n`);
  return `${first}${said.join('')}`;
}
