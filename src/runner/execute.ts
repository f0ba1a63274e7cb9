import { hashJson } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { fail, ok, type Result, unreachable } from '../base/result.ts';
import { makeFolderDurable, replaceFileNow } from '../disk/write.ts';
import { findCell } from '../ledger/ledger.ts';
import { type Feedback, feedbackHash } from '../ledger/questions.ts';
import { modelName } from '../model/calls.ts';
import type { Executor } from '../model/definition.ts';
import type { Cost } from '../model/event.ts';
import type { AttemptFailure } from '../model/failure.ts';
import { definitionIn } from '../planner/compare.ts';
import type { Account, Attempt, Produced } from './assignment.ts';
import { folderOf, inWorkspace, type RunContext, record } from './context.ts';
import { runCommand } from './executors/command.ts';
import { commandEnvironment, environmentName, redact, secretValues } from './executors/environment.ts';
import { runFunction } from './executors/function.ts';
import { feedbackFiles, handover } from './handover.ts';
import { promptFile, turnsFile } from './prompt.ts';
import { redactorOf } from './redaction.ts';
import { type Revision, readRevision, revisionFailure } from './revise.ts';
import type { PhaseTask, TaskFile } from './task.ts';

/** Runs the attempt's executor, whichever it is. */
export function execute(
  run: RunContext,
  attempt: Attempt,
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const { executor } = attempt.phase;
  const { prompt } = attempt;
  // What a model is sent lies in a folder that has to be made otherwise.
  if (prompt !== undefined && executor.kind !== 'model')
    keepInFolder(run, attempt, 'prompt.md', redactorOf(run).redactValues(promptFile(prompt)));
  switch (executor.kind) {
    case 'command':
      return callCommand(run, attempt, executor);
    case 'function':
    case 'inline':
      return callFunction(run, attempt, executor, account.costs);
    case 'model':
      return askModel(run, attempt, executor, account);
    case 'agent':
      throw new Error(`${attempt.phase.name} is claimed from outside and never started`);
    default:
      return unreachable(executor);
  }
}

/** What speaks with models is loaded by those who ask one. */
async function askModel(
  run: RunContext,
  attempt: Attempt,
  executor: Executor & { kind: 'model' },
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const { call } = attempt;
  if (call === undefined) throw new Error(`${attempt.phase.name} was not prepared`);
  const { key, schema, files } = call;
  if (run.loaded.pipeline.durability === 'power') await makeFolderDurable(run.disk, folderOf(run, attempt));
  keepInFolder(run, attempt, 'prompt.md', turnsFile(call.system, call.turns));
  const sent = {
    model: modelName(executor),
    parameters: executor.parameters,
    ...(schema !== undefined && { schema }),
    ...(files.length > 0 && {
      files: files.map(({ name, mediaType, hash }) => ({ name, mediaType, hash })),
    }),
    key,
  };
  keepInFolder(run, attempt, 'call.json', `${JSON.stringify(sent, null, 2)}\n`);
  const { callModel } = await import('./models/call.ts');
  return await callModel(run, attempt, executor, call, account);
}

async function callFunction(
  run: RunContext,
  attempt: Attempt,
  executor: Executor & { kind: 'function' | 'inline' },
  costs: Cost[],
): Promise<Result<Produced, AttemptFailure>> {
  const task = new FunctionTask(run, attempt, costs);
  const returned = await runFunction(run, executor, task, attempt.phase.timeoutMs);
  if (task.revision !== undefined && !run.interrupt.aborted)
    return fail(revisionFailure(run, attempt, task.revision));
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

async function callCommand(
  run: RunContext,
  attempt: Attempt,
  executor: Executor & { kind: 'command' },
): Promise<Result<Produced, AttemptFailure>> {
  const folder = makeFolder(run, attempt, '');
  const outputFolder = makeFolder(run, attempt, '/outputs');
  const outputs = Object.fromEntries(
    attempt.phase.outputs.map((output) => [output.name, `${outputFolder}/${output.name}`]),
  );
  const at = { unit: attempt.unit.id, phase: attempt.phase.name, attempt: attempt.number };
  const { self } = run.host;
  const ended = await runCommand(run, {
    argv: executor.argv.map((item) => fillIn(item, attempt, filesOf(run, attempt), outputs)),
    env: commandEnvironment(executor.env, taskEnvironment(run, attempt, outputs), process.env),
    cwd: run.root,
    folder,
    timeoutMs: attempt.phase.timeoutMs,
    signal: run.interrupt,
    beforeStart: (pid) =>
      record(run, {
        type: 'process_started',
        ...at,
        pid,
        started: run.host.startedAt(pid) ?? '',
        boot: self.boot,
        host: self.host,
      }),
  });
  const secrets = secretValues(executor.env, process.env);
  redactLogs(run, folder, secrets);
  const revision = run.interrupt.aborted ? undefined : readRevision(run, `${folder}/${reviseName}`);
  if (revision !== undefined) return fail(revisionFailure(run, attempt, revision));
  if (ended.ok) return ok({ response: undefined, outputs: { kind: 'folder', folder: outputFolder } });
  return fail({ ...ended.failure, message: redact(ended.failure.message, secrets) });
}

const logBytesMax = 16 * 1024 * 1024;

/** The command wrote its logs itself; what it should not have said is taken out before anybody else looks. */
function redactLogs(run: RunContext, folder: string, secrets: ReadonlyMap<string, string>): void {
  if (secrets.size === 0) return;
  for (const name of ['stdout.log', 'stderr.log']) {
    const path = `${folder}/${name}`;
    if ((run.disk.stat(path)?.size ?? 0) > logBytesMax) continue;
    const text = Buffer.from(run.disk.read(path) ?? []).toString('utf8');
    const redacted = redact(text, secrets);
    if (redacted !== text) replaceFileNow(run.disk, path, Buffer.from(redacted));
  }
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
  // Members, not methods: whoever takes a task apart may still call them.
  readonly folder: () => string;
  readonly respond: (text: string) => void;
  readonly cost: (cost: Cost) => void;
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
    this.cost = (cost) => costs.push(cost);
    this.revise = (phase, reason) => {
      this.revision = { phase, reason };
    };
  }

  /** Worked out when it is asked for: a function that calls nobody has no use for it. */
  get idempotencyKey(): string {
    return idempotencyKey(this.#run, this.#attempt);
  }
}

type TaskFacts = Pick<
  PhaseTask,
  | 'run'
  | 'unit'
  | 'phase'
  | 'attempt'
  | 'iteration'
  | 'params'
  | 'mode'
  | 'previous'
  | 'existing'
  | 'feedback'
>;

function taskFacts(run: RunContext, attempt: Attempt): TaskFacts {
  const { unit, phase, iteration, number } = attempt;
  const { mode, previous, existing, feedback } = handover(run, attempt);
  return {
    run: run.ledger.run?.run ?? '',
    unit: { ...(unit.index !== undefined && { index: unit.index }), ...unit.data, id: unit.id },
    phase: phase.name,
    attempt: number,
    iteration,
    params: phase.params,
    mode,
    previous: previous === undefined ? undefined : inWorkspace(run, previous),
    existing: mode === 'fresh' ? existing : absolutePaths(run, existing),
    feedback: feedback.length === 0 ? noFeedback : feedback.map((said) => withFiles(run, attempt, said)),
  };
}

const noFeedback: PhaseTask['feedback'] = [];

/** The same for every attempt at the same work with the same inputs, in this run. */
function idempotencyKey(run: RunContext, { unit, phase, iteration, made, prompt }: Attempt): string {
  const inputs = Object.fromEntries([...made.inputs].map(([name, { output }]) => [name, output.hash]));
  const statics = run.loaded.statics.get(phase.name);
  const cell = findCell(run.ledger, unit.id, phase.name);
  const feedback = cell && feedbackHash(cell);
  const parts: JsonValue = {
    run: run.ledger.run?.run ?? '',
    cell: `${unit.id}/${phase.name}`,
    iteration,
    definition: statics === undefined ? '' : definitionIn(statics, iteration),
    unitData: run.loaded.unitData.get(unit.id) ?? '',
    inputs,
    preState: made.preState?.hash ?? '',
    prompt: prompt?.hash ?? '',
    ...(feedback !== undefined && { feedback }),
  };
  return hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32);
}

function taskEnvironment(
  run: RunContext,
  attempt: Attempt,
  outputs: Readonly<Record<string, string>>,
): Record<string, string> {
  const facts = { ...taskFacts(run, attempt), idempotencyKey: idempotencyKey(run, attempt) };
  const inputs = filesOf(run, attempt);
  const prompt = attempt.prompt === undefined ? undefined : `${folderOf(run, attempt)}/prompt.md`;
  const state = attempt.taken.state?.path;
  const optional = {
    ...(prompt !== undefined && { prompt }),
    ...(state !== undefined && { state }),
    ...(facts.previous !== undefined && { previous: facts.previous }),
  };
  const task: JsonObject = { ...(facts as unknown as JsonObject), inputs, outputs, ...optional };
  const env: Record<string, string> = {
    PAWL_RUN: facts.run,
    PAWL_UNIT: facts.unit.id,
    PAWL_PHASE: facts.phase,
    PAWL_ATTEMPT: String(facts.attempt),
    PAWL_ITERATION: String(facts.iteration),
    PAWL_MODE: facts.mode,
    PAWL_IDEMPOTENCY_KEY: facts.idempotencyKey,
    PAWL_CONTEXT: keepInFolder(run, attempt, 'context.json', contextText(run, attempt, inputs)),
    PAWL_REVISE: `${folderOf(run, attempt)}/${reviseName}`,
    PAWL_TASK: keepInFolder(run, attempt, 'task.json', `${JSON.stringify(task, null, 2)}\n`),
  };
  for (const [name, path] of Object.entries(inputs)) env[`PAWL_INPUT_${environmentName(name)}`] = path;
  for (const [name, path] of Object.entries(outputs)) env[`PAWL_OUTPUT_${environmentName(name)}`] = path;
  for (const [name, path] of Object.entries(optional)) env[`PAWL_${environmentName(name)}`] = path;
  return env;
}

/** Where a command says that an earlier phase has to be done again. */
const reviseName = 'revise.json';

/** Everything that there is already: what earlier attempts left, what was said of it, and what is taken. */
function contextText(run: RunContext, attempt: Attempt, inputs: Readonly<Record<string, string>>): string {
  const { mode, previous, existing, feedback } = taskFacts(run, attempt);
  const context = { why: attempt.why, mode, existing, feedback, previous, inputs };
  return `${JSON.stringify(context, null, 2)}\n`;
}

/** Words about a file are of little use without the file, and that has been done anew since. */
function withFiles(run: RunContext, attempt: Attempt, said: Feedback): PhaseTask['feedback'][number] {
  const { from, kind, text, by, at } = said;
  return { from, kind, text, by, at, files: feedbackFiles(run, folderOf(run, attempt), said) };
}

function absolutePaths(run: RunContext, paths: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, inWorkspace(run, path)]));
}

/** Placeholders become whole arguments or parts of one; no shell ever sees them. */
function fillIn(
  item: string,
  attempt: Attempt,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
): string {
  return item.replaceAll(
    /\{(unit|input|output|param)(?:\.([A-Za-z0-9._-]+))?\}/g,
    (whole, kind: string, name: string | undefined) => {
      if (kind === 'unit')
        return name === undefined ? attempt.unit.id : String(attempt.unit.data[name] ?? '');
      if (name === undefined) return whole;
      if (kind === 'input') return inputs[name] ?? '';
      if (kind === 'output') return outputs[name] ?? whole;
      const param = attempt.phase.params[name];
      return typeof param === 'string' ? param : JSON.stringify(param ?? '');
    },
  );
}

/** Paths of inputs by name. The files of every unit of a stage are listed in a file of their own. */
function filesOf(run: RunContext, attempt: Attempt): Record<string, string> {
  const { inputs, every } = attempt.taken;
  const paths: Record<string, string> = {};
  for (const [name, file] of Object.entries(inputs)) if (file !== undefined) paths[name] = file.path;
  for (const [name, files] of Object.entries(every)) {
    const listed = files.map(({ unit, path }) => ({ unit, path }));
    paths[name] = keepInFolder(run, attempt, `input-${name}.json`, `${JSON.stringify(listed, null, 2)}\n`);
  }
  return paths;
}

function makeFolder(run: RunContext, attempt: Attempt, below: string): string {
  const folder = `${folderOf(run, attempt)}${below}`;
  run.disk.makeFolder(folder);
  return folder;
}

/** Keeps a text in the attempt's own folder. */
export function keepInFolder(run: RunContext, attempt: Attempt, name: string, text: string): string {
  const path = `${makeFolder(run, attempt, '')}/${name}`;
  replaceFileNow(run.disk, path, new TextEncoder().encode(text));
  return path;
}

/** A text is why it cannot be written: functions return what they like, and JSON cannot hold all of it. */
function toBytes(value: string | Uint8Array | JsonValue): Uint8Array | string {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  try {
    const text: string | undefined = JSON.stringify(value, null, 2);
    return text === undefined ? `${typeof value} is no JSON value` : Buffer.from(`${text}\n`, 'utf8');
  } catch (error) {
    return String(error);
  }
}
