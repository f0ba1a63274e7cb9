import type { OutputCheck, Pipeline } from '../../../model/definition.ts';
import { runsProgram } from '../../../model/executor.ts';
import { endingVariable, handedVariable, variableIn } from '../../../model/secrets.ts';
import { namedModules } from '../../../pipeline/modules.ts';
import { commandEnvironment, findProgram } from '../../../runner/executors/environment.ts';
import { isModule } from '../../observe/missing-modules.ts';
import { requireFiles } from '../../observe/plan-from-disk.ts';
import type { Workspace } from '../../open/workspace.ts';
import { bad, type DoctorFinding, good, warning } from './finding.ts';
import type { Site } from './ground.ts';

/** Whether everything that a pipeline names is there: programs, modules, files and variables. Nothing is started. */
export async function checkNamed(site: Site, workspace: Workspace): Promise<DoctorFinding[]> {
  const { pipeline } = workspace.loaded;
  return [
    ...checkPrograms(site, pipeline),
    ...checkModules(site, pipeline),
    ...(await checkFiles(workspace)),
    ...checkVariables(site, pipeline),
  ];
}

interface ProgramUse {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly usedBy: string;
  /** A run goes on without being able to tell anybody. */
  readonly isNotifier?: boolean;
}

function checkPrograms({ machine, root }: Site, pipeline: Pipeline): DoctorFinding[] {
  // What is only known with the unit cannot be looked for.
  const uses = programsOf(pipeline).filter(({ program }) => !/\{[a-z]/.test(program));
  const look = ({ program, env }: ProgramUse) =>
    findProgram(program, root, commandEnvironment(env, {}, machine.variables));
  const mayNotRun = (use: ProgramUse) => {
    const found = look(use);
    return !found.ok && found.failure === 'command-not-executable';
  };
  const missing = uses.filter((use) => !look(use).ok);
  const found = new Set(uses.filter((use) => !missing.includes(use)).map(({ program }) => program));
  const forbidden = new Set(missing.filter(mayNotRun).map(({ program }) => program));
  const needed = new Set(missing.filter(({ isNotifier }) => !isNotifier).map(({ program }) => program));
  const users = usersOf(missing.map(({ program, usedBy }) => [program, usedBy] as const));
  return [
    ...(found.size > 0 ? [good('program', { count: found.size })] : []),
    ...[...users].map(([program, usedBy]) => {
      const facts = { program, usedBy, ...(forbidden.has(program) && { mayNotRun: true }) };
      return needed.has(program) ? bad('program', facts) : warning('program', facts);
    }),
  ];
}

function programsOf(pipeline: Pipeline): ProgramUse[] {
  const uses: ProgramUse[] = [];
  for (const { name, executor } of phasesOf(pipeline).filter(runsProgram))
    uses.push({ program: executor.argv[0] ?? '', env: executor.env, usedBy: name });
  for (const { usedBy, check } of checksOf(pipeline))
    if (check.kind === 'command') uses.push({ program: check.argv[0] ?? '', env: {}, usedBy });
  for (const notifier of pipeline.notify ?? [])
    if (notifier.kind === 'command')
      uses.push({
        program: notifier.argv[0] ?? '',
        env: notifier.env,
        usedBy: notifierName,
        isNotifier: true,
      });
  return uses;
}

/** Of those that are missing, `checkFiles` tells what a run would miss for sure. */
function checkModules({ env, root }: Site, pipeline: Pipeline): DoctorFinding[] {
  const uses = namedModules(pipeline);
  const isThere = (module: string) => isModule({ env, root }, module);
  const found = new Set(uses.map(({ module }) => module).filter(isThere));
  const later = uses.filter(({ module, mayBeMade }) => mayBeMade && !found.has(module));
  const users = usersOf(later.map(({ module, usedBy }) => [module, usedBy] as const));
  return [
    ...(found.size > 0 ? [good('module', { count: found.size })] : []),
    ...[...users].map(([module, usedBy]) => warning('module', { module, usedBy })),
  ];
}

async function checkFiles(workspace: Workspace): Promise<DoctorFinding[]> {
  const { pipeline, templates } = workspace.loaded;
  const required = await requireFiles(workspace);
  const problems =
    required.ok || required.failure.reason !== 'manifest-invalid' ? [] : required.failure.problems;
  const count = templates.size + pipeline.files.length + (pipeline.state === undefined ? 0 : 1);
  if (problems.length === 0) return count === 0 ? [] : [good('named-file', { count })];
  return problems.map((problem) => bad('named-file', { problem }));
}

function checkVariables({ machine }: Site, pipeline: Pipeline): DoctorFinding[] {
  const users = usersOf(variablesOf(pipeline));
  const missing = [...users].filter(([name]) => !machine.variables[name]?.trim());
  const count = users.size - missing.length;
  return [
    ...(count > 0 ? [good('variable', { count })] : []),
    ...missing.map(([name, usedBy]) => warning('variable', { name, usedBy })),
  ];
}

/** Names alone, for whatever they hold may be a secret. */
function* variablesOf(pipeline: Pipeline): Generator<readonly [name: string, usedBy: string]> {
  for (const { name, executor } of phasesOf(pipeline).filter(runsProgram))
    yield* named(Object.values(executor.env).map(neededVariable), name);
  for (const notifier of pipeline.notify ?? []) {
    if (notifier.kind === 'command')
      yield* named(Object.values(notifier.env).map(neededVariable), notifierName);
    if (notifier.kind === 'webhook')
      yield* named(
        [
          variableIn(notifier.url),
          ...Object.values(notifier.headers).map((one) => endingVariable(one)?.name),
        ],
        notifierName,
      );
  }
}

function neededVariable(written: string): string | undefined {
  const variable = handedVariable(written);
  return variable?.isOptional ? undefined : variable?.name;
}

function* named(
  names: readonly (string | undefined)[],
  usedBy: string,
): Generator<readonly [string, string]> {
  for (const name of names) if (name !== undefined) yield [name, usedBy];
}

const notifierName = 'notify';

function phasesOf({ stages }: Pipeline) {
  return stages.flatMap(({ phases }) => phases);
}

function checksOf(pipeline: Pipeline): { readonly usedBy: string; readonly check: OutputCheck }[] {
  return phasesOf(pipeline).flatMap(({ name, outputs }) =>
    outputs.flatMap((output) =>
      output.check === undefined ? [] : [{ usedBy: `${name}.${output.name}`, check: output.check }],
    ),
  );
}

function usersOf(uses: Iterable<readonly [name: string, usedBy: string]>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [name, usedBy] of uses) {
    const known = users.get(name) ?? [];
    if (!known.includes(usedBy)) known.push(usedBy);
    users.set(name, known);
  }
  return users;
}
