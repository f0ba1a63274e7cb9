import { fileURLToPath } from 'node:url';
import { formatTime } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { functionsOf, isNotThere } from '../../checks/user-module.ts';
import { DiskError } from '../../disk/disk.ts';
import { groupSignalOf } from '../../disk/group-signal.ts';
import { costNames } from '../../model/calls.ts';
import type { Executor } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import type { Assignment, ExecutorReport, Made, Revision } from './assignment.ts';
import { CallWatch } from './call-watch.ts';
import { putValues } from './collect.ts';
import type { ExecutorContent, ExecutorHost } from './host.ts';
import type { TaskInputs } from './input-file.ts';
import { isAmount, readRetryTime } from './result-file.ts';
import { keepInScratch, makeScratch } from './scratch.ts';
import type { PhaseFunction, PhaseOutputs, PhaseTask, TaskFile } from './task.ts';
import { taskFacts, workKey } from './task-facts.ts';

/** An attempt of a phase that is a function of this process. */
export async function callFunction(
  assignment: Assignment,
  host: ExecutorHost,
  executor: Executor & { kind: 'function' | 'inline' },
  inputs: TaskInputs,
): Promise<ExecutorReport> {
  const costs: Cost[] = [];
  const task = new FunctionTask(assignment, host, inputs, costs);
  const returned = await runFunction(host, executor, task, assignment.phase.timeoutMs);
  const { revision, wait } = task;
  const logs = task.response === undefined ? none : responseLogs;
  if (revision !== undefined && !host.interrupt.aborted) {
    const outcome = fail({ reason: 'revision-requested' as const, message: revision.reason });
    return { outcome, costs, logs, revision };
  }
  if (wait !== undefined && !host.interrupt.aborted) {
    const { until: retryAt, why: message } = wait;
    const outcome = fail({ reason: 'function-threw' as const, message });
    return { outcome, costs, logs, wait: { reason: 'requested', message, retryAt } };
  }
  const outcome = returned.ok
    ? makeOutputs(assignment, host.content, returned.value, task.response)
    : returned;
  return { outcome, costs, logs };
}

const none: readonly string[] = [];
const responseLogs: readonly string[] = ['response.txt'];

function makeOutputs(
  { phase }: Assignment,
  content: ExecutorContent,
  returned: PhaseOutputs,
  response: string | undefined,
): Result<Made, AttemptFailure> {
  const values: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(returned)) {
    if (value === undefined) continue;
    const bytes = toBytes(value);
    if (typeof bytes === 'string')
      return fail({ reason: 'function-threw', message: `output ${name}: ${bytes}` });
    values[name] = bytes;
  }
  const outputs = putValues(content, phase.outputs, values);
  if (!outputs.ok) return outputs;
  return ok({
    outputs: outputs.value,
    ...(response !== undefined && { response: content.put(Buffer.from(response)) }),
  });
}

/** What a phase written as a function is called with. */
class FunctionTask implements PhaseTask {
  readonly #assignment: Assignment;
  readonly run: string;
  readonly unit: PhaseTask['unit'];
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  readonly params: JsonObject;
  readonly mode: PhaseTask['mode'];
  readonly previous: string | undefined;
  readonly existing: PhaseTask['existing'];
  readonly feedback: PhaseTask['feedback'];
  readonly prompt: PhaseTask['prompt'];
  readonly inputs: PhaseTask['inputs'];
  readonly every: PhaseTask['every'];
  readonly state: TaskFile | undefined;
  readonly signal: AbortSignal;
  response: string | undefined;
  revision: Revision | undefined;
  wait: { readonly until: number | undefined; readonly why: string } | undefined;
  // Members, not methods, so that they can be called after destructuring.
  readonly folder: () => string;
  readonly respond: (text: string) => void;
  readonly cost: (cost: Cost) => void;
  readonly pause: PhaseTask['pause'];
  readonly revise: (phase: string, reason: string) => void;

  constructor(
    assignment: Assignment,
    host: ExecutorHost,
    { inputs, every, state }: TaskInputs,
    costs: Cost[],
  ) {
    const facts = taskFacts(assignment, host);
    this.#assignment = assignment;
    this.run = facts.run;
    this.unit = facts.unit;
    this.phase = facts.phase;
    this.attempt = facts.attempt;
    this.iteration = facts.iteration;
    this.params = facts.params;
    this.mode = facts.mode;
    this.previous = facts.previous;
    this.existing = facts.existing;
    this.feedback = facts.feedback;
    this.prompt = assignment.prompt;
    this.inputs = inputs;
    this.every = every;
    this.state = state;
    this.signal = host.interrupt;
    this.folder = () => makeScratch(host);
    this.respond = (text) => {
      this.response = text;
      keepInScratch(host, 'response.txt', text);
    };
    this.cost = (cost) => {
      costs.push(checkedCost(cost));
    };
    this.pause = (until, why = '') => {
      this.wait = { until: timeOf(until, host.clock.now()), why: String(why) };
    };
    this.revise = (phase, reason) => {
      this.revision = { phase, reason };
    };
  }

  /** Computed on demand, because most functions never ask for it. */
  get idempotencyKey(): string {
    return workKey(this.#assignment);
  }
}

/** What is no cost would be counted wrong, or make the journal unreadable. */
function checkedCost(cost: Cost): Cost {
  if (typeof cost !== 'object' || cost === null)
    throw new TypeError('task.cost: pass an object, such as { usd: 0.02 }');
  const checked: { -readonly [Name in keyof Cost]: Cost[Name] } = {};
  for (const name of costNames) {
    const value: unknown = cost[name];
    if (value === undefined) continue;
    if (!isAmount(value)) throw new TypeError(`task.cost: ${name} must be a number from 0 to 1e12`);
    checked[name] = value;
  }
  return checked;
}

/** Milliseconds since 1970; undefined: no time was named. */
function timeOf(until: Date | number | string | undefined, now: number): number | undefined {
  const ms = until instanceof Date ? until.getTime() : until;
  const isTime = typeof ms === 'number' && Math.abs(ms) <= dateMsMax;
  const read = readRetryTime(isTime ? formatTime(ms) : ms, now);
  if (!read.ok) throw new TypeError(`task.pause: ${read.failure}`);
  return read.value;
}

/** No date of JavaScript lies further from 1970. */
const dateMsMax = 8.64e15;

/** A text is why it cannot be written: functions return what they like, and JSON cannot hold all of it. */
function toBytes(value: string | Uint8Array | JsonValue): Uint8Array | string {
  // A copy: it is staged, checked and kept one after the other, and the function may use its buffer again.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  try {
    const text: string | undefined = JSON.stringify(value, null, 2);
    return text === undefined ? `${typeof value} is no JSON value` : Buffer.from(`${text}\n`, 'utf8');
  } catch (error) {
    return String(error);
  }
}

/** Runs a phase that is a function of this process. It cannot be killed, only asked to end by its signal. */
async function runFunction(
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
const ourFrame = /\/runner\/(?:run-plan|execute|attempts\/run-attempt|executors\/[a-z-]+)\.[jt]s:/;

/** The message and the first places of the user's own code: without our frames and those of Node. */
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
