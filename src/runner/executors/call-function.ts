import { formatTime } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { costNames } from '../../ledger/spent.ts';
import type { Executor } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt, Produced } from '../attempt.ts';
import { keepInFolder, makeFolder } from '../attempt-folder.ts';
import type { RunContext } from '../context.ts';
import { type Revision, revisionFailure } from '../revise.ts';
import type { PhaseTask, TaskFile } from '../task.ts';
import { runFunction } from './function.ts';
import { readRetryTime, requestedPause } from './requested-pause.ts';
import { isAmount } from './result-file.ts';
import { taskFacts, workKey } from './task-facts.ts';

/** An attempt of a phase that is a function of this process. */
export async function callFunction(
  run: RunContext,
  attempt: Attempt,
  executor: Executor & { kind: 'function' | 'inline' },
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const task = new FunctionTask(run, attempt, account.costs);
  const returned = await runFunction(run, executor, task, attempt.phase.timeoutMs);
  if (task.revision !== undefined && !run.interrupt.aborted)
    return fail(revisionFailure(run, attempt, task.revision));
  if (task.wait !== undefined && !run.interrupt.aborted) {
    account.pause = requestedPause(run, attempt, task.wait.until, task.wait.why);
    return fail({ reason: 'function-threw', message: task.wait.why });
  }
  if (!returned.ok) return returned;
  const values: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(returned.value)) {
    if (value === undefined) continue;
    const bytes = toBytes(value);
    if (typeof bytes === 'string')
      return fail({ reason: 'function-threw', message: `output ${name}: ${bytes}` });
    values[name] = bytes;
  }
  return ok({ response: task.response, outputs: { kind: 'values', values } });
}

/** What a phase written as a function is called with. */
class FunctionTask implements PhaseTask {
  readonly #run: RunContext;
  readonly #attempt: Attempt;
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

  constructor(run: RunContext, attempt: Attempt, costs: Cost[]) {
    const facts = taskFacts(run, attempt);
    this.#run = run;
    this.#attempt = attempt;
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
    this.prompt = attempt.prompt;
    this.inputs = attempt.taken.inputs;
    this.every = attempt.taken.every;
    this.state = attempt.taken.state;
    this.signal = run.interrupt;
    this.folder = () => makeFolder(run, attempt, '');
    this.respond = (text) => {
      this.response = text;
      keepInFolder(run, attempt, 'response.txt', text);
    };
    this.cost = (cost) => {
      costs.push(checkedCost(cost));
    };
    this.pause = (until, why = '') => {
      this.wait = { until: timeOf(until, run.clock.now()), why: String(why) };
    };
    this.revise = (phase, reason) => {
      this.revision = { phase, reason };
    };
  }

  /** Worked out when it is asked for: a function that calls nobody has no use for it. */
  get idempotencyKey(): string {
    return workKey(this.#run, this.#attempt);
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
