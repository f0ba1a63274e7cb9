import { fileURLToPath } from 'node:url';
import { fail, ok, type Result } from '../../base/result.ts';
import { functionsOf, isNotThere } from '../../checks/user-module.ts';
import { DiskError } from '../../disk/disk.ts';
import { groupSignalOf } from '../../disk/group-signal.ts';
import type { Executor } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import type { ExecutorHost } from '../executor-host.ts';
import type { PhaseFunction, PhaseOutputs, PhaseTask } from '../task.ts';
import { CallWatch } from './call-watch.ts';

/** Runs a phase that is a function of this process. It cannot be killed, only asked to end by its signal. */
export async function runFunction(
  host: ExecutorHost,
  executor: Executor & { kind: 'function' | 'inline' },
  task: PhaseTask,
  timeoutMs: number,
): Promise<Result<PhaseOutputs, AttemptFailure>> {
  const found =
    executor.kind === 'inline'
      ? inlineFunction(host, task.phase)
      : await importFunction<PhaseFunction>(host, executor);
  if (!found.ok) return found;
  const ended = await watchOf(host).wait(settle(found.value, task), timeoutMs);
  // The disk failed under a function that took an input or kept its answer: that is no fault of the phase.
  if (ended instanceof DiskError) throw ended;
  if (ended === 'timed-out') return fail({ reason: ended, message: '', facts: { timeoutMs } });
  return ended === 'interrupted' ? fail({ reason: 'command-killed', message: ended }) : ended;
}

async function settle(
  phaseFunction: PhaseFunction,
  task: PhaseTask,
): Promise<Result<PhaseOutputs, AttemptFailure> | DiskError> {
  try {
    const outputs = await phaseFunction(task);
    if (typeof outputs === 'object' && outputs !== null) return ok(outputs);
    return fail({
      reason: 'output-missing',
      message: `the function returned ${outputs === null ? 'null' : typeof outputs}`,
    });
  } catch (error) {
    if (error instanceof DiskError) return error;
    const facts = groupSignalOf(error);
    return fail({ reason: 'function-threw', message: errorText(error), ...(facts && { facts }) });
  }
}

const framesMax = 3;
// Of a bundle every file lies there. Frames of ES modules have its address in them, all others its path.
const ourFolders = [new URL('.', import.meta.url).href, fileURLToPath(new URL('.', import.meta.url))];
const ourFrame = /\/runner\/(?:worker|carry-out|executors\/[a-z-]+)\.[jt]s:/;

/** The message and the first places of the user's own code: our frames and those of Node help nobody. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  const isOurs = (line: string) =>
    line.includes('node:') || ourFolders.some((folder) => line.includes(folder)) || ourFrame.test(line);
  const own = frames.filter((line) => !isOurs(line));
  return [`${error.name}: ${error.message}`, ...own.slice(0, framesMax)].join('\n');
}

/** By the signal that interrupts: attempts that it ends together are watched together. */
const watches = new WeakMap<AbortSignal, CallWatch>();

function watchOf({ clock, interrupt }: ExecutorHost): CallWatch {
  let watch = watches.get(interrupt);
  if (watch === undefined) {
    watch = new CallWatch(clock, interrupt);
    watches.set(interrupt, watch);
  }
  return watch;
}

function inlineFunction({ functions }: ExecutorHost, phase: string): Result<PhaseFunction, AttemptFailure> {
  const inline = functions.get(phase);
  return inline === undefined
    ? fail({ reason: 'function-missing', message: '', facts: { name: phase } })
    : ok(inline);
}

const exportsMax = 12;

/** An exported function of a module of the workspace. What it takes and gives is for the caller to know. */
export async function importFunction<Called>(
  { workspace, process }: Pick<ExecutorHost, 'workspace' | 'process'>,
  { module, name }: { readonly module: string; readonly name: string },
): Promise<Result<Called, AttemptFailure>> {
  const facts = { module, name };
  const path = `${workspace}/${module}`;
  try {
    const exports = await process.importModule(path);
    const exported = exports[name];
    if (typeof exported === 'function') return ok(exported as Called);
    const valid = functionsOf(exports);
    const [meant] = nearest(name, valid);
    const told = {
      exported: valid.slice(0, exportsMax).join(', '),
      ...(meant !== undefined && { suggestion: meant }),
    };
    return fail({ reason: 'function-missing', message: '', facts: { ...facts, ...told } });
  } catch (error) {
    if (isNotThere(error, path))
      return fail({ reason: 'function-missing', message: '', facts: { ...facts, cause: 'ENOENT' } });
    const { brokenPlace } = await import('../../checks/broken-module.ts');
    const place = await brokenPlace(error, workspace, module);
    return fail({ reason: 'function-missing', message: errorText(error), facts: { ...facts, ...place } });
  }
}
