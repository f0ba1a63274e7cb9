import type { JsonObject } from '../../base/json.ts';
import type { Assignment } from '../assignment.ts';
import type { ExecutorHost } from '../executor-host.ts';
import type { TaskInputs } from '../input-file.ts';
import { environmentName } from './environment.ts';
import { resultName } from './result-file.ts';
import { reviseName } from './revision-file.ts';
import { keepInScratch } from './scratch.ts';
import { type TaskFacts, taskFacts, workKey } from './task-facts.ts';

/** What a command is told of its task: in variables, and in files that these name. */
export function taskEnvironment(
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
export function inputPaths({ inputs, every }: TaskInputs, host: ExecutorHost): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const [name, file] of Object.entries(inputs)) if (file !== undefined) paths[name] = file.path;
  for (const [name, files] of Object.entries(every)) {
    const listed = files.map(({ unit, path }) => ({ unit, path }));
    paths[name] = keepInScratch(host, `input-${name}.json`, `${JSON.stringify(listed, null, 2)}\n`);
  }
  return paths;
}
