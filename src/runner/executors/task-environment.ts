import type { JsonObject } from '../../base/json.ts';
import type { Attempt } from '../attempt.ts';
import { keepInFolder } from '../attempt-folder.ts';
import { folderOf, type RunContext } from '../context.ts';
import { environmentName } from './environment.ts';
import { resultName } from './result-file.ts';
import { taskFacts, workKey } from './task-facts.ts';

/** What a command is told of its task: in variables, and in files that these name. */
export function taskEnvironment(
  run: RunContext,
  attempt: Attempt,
  outputs: Readonly<Record<string, string>>,
): Record<string, string> {
  const facts = { ...taskFacts(run, attempt), idempotencyKey: workKey(run, attempt) };
  const inputs = inputPaths(run, attempt);
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
    PAWL_RESULT: `${folderOf(run, attempt)}/${resultName}`,
    PAWL_TASK: keepInFolder(run, attempt, 'task.json', `${JSON.stringify(task, null, 2)}\n`),
    ...(prompt !== undefined && { PAWL_PROMPT: prompt }),
    ...(state !== undefined && { PAWL_STATE: state }),
    ...(facts.previous !== undefined && { PAWL_PREVIOUS: facts.previous }),
  };
  for (const [name, path] of Object.entries(inputs)) env[`PAWL_INPUT_${environmentName(name)}`] = path;
  for (const [name, path] of Object.entries(outputs)) env[`PAWL_OUTPUT_${environmentName(name)}`] = path;
  return env;
}

/** Where a command says that an earlier phase has to be done again. */
export const reviseName = 'revise.json';

/** Everything that there is already: what earlier attempts left, what was said of it, and what is taken. */
function contextText(run: RunContext, attempt: Attempt, inputs: Readonly<Record<string, string>>): string {
  const { mode, previous, existing, feedback } = taskFacts(run, attempt);
  const context = { why: attempt.why, mode, existing, feedback, previous, inputs };
  return `${JSON.stringify(context, null, 2)}\n`;
}

/** Paths of inputs by name. The files of every unit of a stage are listed in a file of their own. */
export function inputPaths(run: RunContext, attempt: Attempt): Record<string, string> {
  const { inputs, every } = attempt.taken;
  const paths: Record<string, string> = {};
  for (const [name, file] of Object.entries(inputs)) if (file !== undefined) paths[name] = file.path;
  for (const [name, files] of Object.entries(every)) {
    const listed = files.map(({ unit, path }) => ({ unit, path }));
    paths[name] = keepInFolder(run, attempt, `input-${name}.json`, `${JSON.stringify(listed, null, 2)}\n`);
  }
  return paths;
}
