import type { JsonObject } from '../../base/json.ts';
import { fail, type Result } from '../../base/result.ts';
import type { Executor } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { commandRedactor, redactFile } from '../redaction.ts';
import type { Assignment, ExecutorReport } from './assignment.ts';
import { putFiles } from './collect.ts';
import { runCommand } from './command.ts';
import { commandEnvironment, environmentName } from './environment.ts';
import type { ExecutorHost } from './host.ts';
import type { TaskInputs } from './input-file.ts';
import {
  pauseExitCode,
  type ResultFile,
  readResultFile,
  readRevision,
  resultName,
  reviseName,
} from './result-file.ts';
import { keepInScratch, makeScratch } from './scratch.ts';
import { type TaskFacts, taskFacts, workKey } from './task-facts.ts';

const logs = ['stdout.log', 'stderr.log'];

/** An attempt of a phase that is a program. */
export async function callCommand(
  assignment: Assignment,
  host: ExecutorHost,
  executor: Executor & { kind: 'command' },
  taken: TaskInputs,
): Promise<ExecutorReport> {
  const { unit, phase, attempt, attempts } = assignment;
  const folder = makeScratch(host);
  const outputFolder = makeScratch(host, 'outputs');
  const outputs = Object.fromEntries(
    phase.outputs.map((output) => [output.name, `${outputFolder}/${output.name}`]),
  );
  const inputs = inputPaths(taken, host);
  const task = taskEnvironment(assignment, host, inputs, outputs, taken.state?.path);
  const { boot, host: machine } = host.machine.self;
  const ended = await runCommand(host, {
    argv: executor.argv.map((item) => fillIn(item, assignment, inputs, outputs)),
    env: commandEnvironment(executor.env, task, host.process.variables),
    cwd: host.workspace,
    folder,
    timeoutMs: phase.timeoutMs,
    signal: host.interrupt,
    stop: host.stop,
    beforeStart: (pid) =>
      host.recordProcess({ pid, started: host.machine.startedAt(pid) ?? '', boot, host: machine }),
  });
  const redactor = commandRedactor(executor.env, host.process.variables);
  if (redactor !== undefined) for (const name of logs) redactFile(host.disk, `${folder}/${name}`, redactor);
  const revision = host.interrupt.aborted ? undefined : readRevision(host.disk, `${folder}/${reviseName}`);
  const reported = readResultFile(host, `${attempts}/${unit.id}/${phase.name}/${attempt}`);
  const costs = reported.ok && reported.value.cost !== undefined ? [reported.value.cost] : [];
  const about = { costs, logs };
  if (revision !== undefined)
    return { ...about, outcome: fail({ reason: 'revision-requested', message: revision.reason }), revision };
  if (ended.ok) {
    const outcome = reported.ok ? await putFiles(host, 'outputs', phase.outputs) : reported;
    return { ...about, outcome };
  }
  const message = redactor?.redactValues(ended.failure.message) ?? ended.failure.message;
  return { ...about, ...notEnded(host, { ...ended.failure, message }, reported) };
}

/** Why the command made nothing: it asked to wait, it failed, or what it reported is not as documented. */
function notEnded(
  { interrupt }: ExecutorHost,
  failure: AttemptFailure,
  reported: Result<ResultFile, AttemptFailure>,
): Pick<ExecutorReport, 'outcome' | 'wait'> {
  const { facts, message } = failure;
  const asksToWait = failure.reason === 'command-failed' && facts?.exitCode === pauseExitCode;
  if (!asksToWait) {
    const more = reported.ok ? {} : { facts: { ...facts, reported: problemOf(reported.failure) } };
    return { outcome: fail({ ...failure, ...more }) };
  }
  if (!reported.ok) return { outcome: reported };
  const { retryAt } = reported.value;
  const wait = { reason: 'requested' as const, message: lastLine(message), retryAt };
  return { outcome: fail(failure), wait: interrupt.aborted ? undefined : wait };
}

function problemOf({ facts }: AttemptFailure): string {
  const key = facts?.key === undefined ? '' : `${facts.key}: `;
  return `${key}${facts?.problem ?? ''}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** Placeholders become whole arguments or parts of one; no shell ever sees them. */
function fillIn(
  item: string,
  { unit, phase }: Assignment,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
): string {
  return item.replaceAll(
    /\{(unit|input|output|param)(?:\.([A-Za-z0-9._-]+))?\}/g,
    (whole, kind: string, name: string | undefined) => {
      if (kind === 'unit') return name === undefined ? unit.id : String(unit.data[name] ?? '');
      if (name === undefined) return whole;
      if (kind === 'input') return inputs[name] ?? '';
      if (kind === 'output') return outputs[name] ?? whole;
      const param = phase.params[name];
      return typeof param === 'string' ? param : JSON.stringify(param ?? '');
    },
  );
}

/** How a command gets its task: in variables, and in files that they name. */
function taskEnvironment(
  assignment: Assignment,
  host: ExecutorHost,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
  state: string | undefined,
): Record<string, string> {
  const { scratch } = host;
  const facts = { ...taskFacts(assignment, host), idempotencyKey: workKey(assignment) };
  const prompt = assignment.prompt === undefined ? undefined : `${scratch}/prompt.md`;
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
    PAWL_CONTEXT: keepInScratch(host, 'context.json', contextText(assignment, facts, inputs)),
    PAWL_REVISE: `${scratch}/${reviseName}`,
    PAWL_RESULT: `${scratch}/${resultName}`,
    PAWL_TASK: keepInScratch(host, 'task.json', `${JSON.stringify(task, null, 2)}\n`),
    ...(prompt !== undefined && { PAWL_PROMPT: prompt }),
    ...(state !== undefined && { PAWL_STATE: state }),
    ...(facts.previous !== undefined && { PAWL_PREVIOUS: facts.previous }),
  };
  for (const [name, path] of Object.entries(inputs)) env[`PAWL_INPUT_${environmentName(name)}`] = path;
  for (const [name, path] of Object.entries(outputs)) env[`PAWL_OUTPUT_${environmentName(name)}`] = path;
  return env;
}

/** Everything that there is already: what earlier attempts left, what was said of it, and what is taken. */
function contextText(
  { why }: Assignment,
  { mode, previous, existing, feedback }: TaskFacts,
  inputs: Readonly<Record<string, string>>,
): string {
  return `${JSON.stringify({ why, mode, existing, feedback, previous, inputs }, null, 2)}\n`;
}

/** Paths of inputs by name. The files of every unit of a stage are listed in a file of their own. */
function inputPaths({ inputs, every }: TaskInputs, host: ExecutorHost): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const [name, file] of Object.entries(inputs)) if (file !== undefined) paths[name] = file.path;
  for (const [name, files] of Object.entries(every)) {
    const listed = files.map(({ unit, path }) => ({ unit, path }));
    paths[name] = keepInScratch(host, `input-${name}.json`, `${JSON.stringify(listed, null, 2)}\n`);
  }
  return paths;
}
