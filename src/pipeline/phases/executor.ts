import type { Executor } from '../../model/definition.ts';
import { assignedNames, interpreterOf, programIndex, textRunnerOf } from '../code/program-text.ts';
import { checkName, type LoadContext } from '../context.ts';
import { resolveDuration } from '../durations.ts';
import { usePath } from '../paths.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';

type Run = NonNullable<ManifestPhase['run']>;

/** What `{…}` in an argument may name, besides `{unit}`. */
export interface PlaceholderNames {
  /**
   * Fields that every unit has; undefined while there is no unit, because then they are unknown. Called only
   * if needed, because there may be very many units.
   */
  unitFields(): readonly string[] | undefined;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly params: readonly string[];
}

/** Reads what a phase runs. */
export function resolveExecutor(
  context: LoadContext,
  phase: string,
  run: Run | undefined,
  names: PlaceholderNames,
  at: string,
): Executor {
  if (run === undefined) {
    context.problems.add('missing-key', at, { expected: ['run', 'model'] });
    return { kind: 'inline', name: phase };
  }
  if ('command' in run) {
    checkArgv(context, run.command, placeholders(run.command, names), `${at}.command`);
    return { kind: 'command', argv: run.command, env: resolveEnv(context, run.env ?? {}, `${at}.env`) };
  }
  if ('function' in run) return resolveFunction(context, run.function, `${at}.function`);
  if ('task' in run || 'agent' in run) return resolveTask(context, run, at);
  if (!context.functions.has(phase)) {
    context.problems.add(
      'unknown-key',
      `${at}.inline`,
      { found: 'inline', valid: ['function', 'command', 'task'] },
      'key',
    );
  }
  return { kind: 'inline', name: run.inline };
}

type TaskRun = Extract<Run, { task: string } | { agent: string }>;

/** True if the phase is claimed from outside, in either spelling. */
export function isTask(run: Run | undefined): run is TaskRun {
  return run !== undefined && ('task' in run || 'agent' in run);
}

function resolveTask(context: LoadContext, run: TaskRun, at: string): Executor {
  const leaseMs = resolveDuration(context, run.lease, leaseMsDefault, leaseMsMin, `${at}.lease`);
  const task = { kind: 'task', leaseMs, files: run.files } as const;
  if ('task' in run) {
    checkName(context, run.task, `${at}.task`);
    return { ...task, role: run.task };
  }
  checkName(context, run.agent, `${at}.agent`);
  return { ...task, role: run.agent, isOldSpelling: true };
}

const leaseMsDefault = 15 * 60_000;
const leaseMsMin = 1000;

/** Checks a program's arguments: every placeholder is known, and none says what is run. */
export function checkArgv(
  context: LoadContext,
  argv: readonly string[],
  valid: readonly string[],
  at: string,
): void {
  const { problems } = context;
  const program = programIndex(argv);
  argv.forEach((argument, index) => {
    const path = `${at}[${index}]`;
    const found = [...argument.matchAll(placeholderPattern)].map(([placeholder]) => placeholder);
    for (const placeholder of found) {
      if (valid.includes(placeholder)) continue;
      const facts = { found: placeholder, valid, ...suggestion(nearest(placeholder, valid)) };
      problems.add('pattern-unknown-field', path, facts);
    }
    const interpreter =
      found.length > 0 ? (interpreterOf(argv, index) ?? textRunnerOf(argv, index)) : undefined;
    if (interpreter !== undefined)
      problems.add('shell-with-template', path, { found: found[0] ?? '', program: interpreter });
    const variable = assignedNames(argv, index).find((name) => forbiddenEnv.test(name));
    if (variable !== undefined) problems.add('env-forbidden', path, { found: variable });
  });
  const [field] = /^\{unit\}$|\{unit\.[a-zA-Z0-9._-]+\}/.exec(argv[program] ?? '') ?? [];
  if (field !== undefined) problems.add('program-from-unit', `${at}[${program}]`, { found: field });
}

/** `{ print }` and `{}` are texts; `{unit}` and `{input.prose}` are placeholders. */
const placeholderPattern = /\{[a-z]+(?:\.[a-zA-Z0-9._-]+)?\}/g;

function placeholders(argv: readonly string[], names: PlaceholderNames): string[] {
  return [
    '{unit}',
    ...unitPlaceholders(argv, names),
    ...names.inputs.map((name) => `{input.${name}}`),
    ...names.outputs.map((name) => `{output.${name}}`),
    ...names.params.map((name) => `{param.${name}}`),
  ];
}

function unitPlaceholders(argv: readonly string[], names: PlaceholderNames): readonly string[] {
  const written = argv
    .flatMap((argument) => argument.match(placeholderPattern) ?? [])
    .filter((placeholder) => placeholder.startsWith('{unit.'));
  if (written.length === 0) return [];
  return names.unitFields()?.map((name) => `{unit.${name}}`) ?? written;
}

/** Variables that make a program run something that the manifest does not show, and those that Pawl sets itself. */
const forbiddenEnv =
  /^(NODE_OPTIONS|BASH_ENV|ENV|PERL5OPT|RUBYOPT|PYTHONSTARTUP|GIT_SSH_COMMAND|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|(LD|DYLD|PAWL)_.*)$/i;

/** Reads what a manifest adds to the environment of a program. */
export function resolveEnv(
  context: LoadContext,
  env: Readonly<Record<string, string | number>>,
  at: string,
): Record<string, string> {
  const resolved: [string, string][] = [];
  for (const [name, value] of Object.entries(env)) {
    if (forbiddenEnv.test(name))
      context.problems.add('env-forbidden', `${at}.${name}`, { found: name }, 'key');
    resolved.push([name, String(value)]);
  }
  return Object.fromEntries(resolved);
}

/** Reads `./module.js#name`. */
export function resolveFunction(
  context: LoadContext,
  written: string,
  at: string,
): Executor & { kind: 'function' } {
  const hash = written.lastIndexOf('#');
  const name = written.slice(hash + 1);
  if (hash <= 0 || !/^[A-Za-z_$][\w$]*$/.test(name)) {
    context.problems.add('wrong-type', at, { expected: './module.js#name', found: written });
    return { kind: 'function', module: written, name };
  }
  return {
    kind: 'function',
    module: usePath(context.reader, context.problems, written.slice(0, hash), at),
    name,
  };
}
