import { formatTime } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { costNames } from '../../model/calls.ts';
import type { Executor } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Assignment, ExecutorReport, Made, Revision } from '../assignment.ts';
import type { ExecutorContent, ExecutorHost } from '../executor-host.ts';
import type { TaskInputs } from '../input-file.ts';
import type { PhaseOutputs, PhaseTask, TaskFile } from '../task.ts';
import { runFunction } from './function.ts';
import { putValues } from './put-values.ts';
import { isAmount } from './result-file.ts';
import { readRetryTime } from './retry-time.ts';
import { keepInScratch, makeScratch } from './scratch.ts';
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
  // Members, not methods: whoever takes a task apart may still call them.
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

  /** Worked out when it is asked for: a function that calls nobody has no use for it. */
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
