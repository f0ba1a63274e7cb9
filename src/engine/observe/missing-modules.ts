import type { EventBody } from '../../model/event.ts';
import type { Problem } from '../../model/failure.ts';
import { namedModules } from '../../pipeline/modules.ts';
import { nearest, suggestion } from '../../pipeline/text/problems.ts';
import type { Plan } from '../../planner/plan.ts';
import type { Workspace } from '../open/workspace.ts';

type Ground = Pick<Workspace, 'env' | 'root' | 'loaded'>;

/**
 * Modules that a run would miss: nothing is loaded to find out. Each is told once, where it is named first. Of a run that
 * was begun only what is still to do can miss anything.
 */
export function missingModules(
  ground: Ground,
  plan: Plan | undefined,
  wanted: readonly EventBody[] = [],
): Problem[] {
  const { pipeline, locate } = ground.loaded;
  const gone = namedModules(pipeline).filter(
    ({ module, mayBeMade }) => !mayBeMade && !isModule(ground, module),
  );
  // Nearly always none is: then nobody has to go through the plan.
  if (gone.length === 0) return [];
  const toDo = plan && phasesToDo(plan, wanted);
  const missing = gone.filter(({ phase }) => toDo?.has(phase) ?? true);
  return missing
    .filter(({ module }, at) => missing.findIndex((other) => other.module === module) === at)
    .map(({ module, path }) => ({
      code: 'file-unreadable',
      path,
      place: locate(path),
      facts: { found: module, cause: 'ENOENT', ...suggestion(nearFiles(ground, module)) },
    }));
}

/** Also through links. */
export function isModule({ env, root }: Pick<Ground, 'env' | 'root'>, module: string): boolean {
  const real = env.disk.realpath(`${root}/${module}`);
  return real !== undefined && env.disk.stat(real)?.kind === 'file';
}

function nearFiles({ env, root }: Ground, module: string): string[] {
  const folder = module.slice(0, module.lastIndexOf('/') + 1);
  const names = env.disk.list(`${root}/${folder}`.replace(/\/$/, '')) ?? [];
  return nearest(module.slice(folder.length), names).map((name) => `${folder}${name}`);
}

function phasesToDo(plan: Plan, wanted: readonly EventBody[]): Set<string> {
  const phases = new Set<string>();
  for (const event of wanted)
    if (event.type === 'results_superseded')
      for (const step of event.steps) phases.add(step.slice(step.lastIndexOf('/') + 1));
  for (const { cells: steps } of plan.units.values())
    for (const { phase, decision } of steps)
      if (decision.do === 'run' || decision.do === 'wait') phases.add(phase);
  return phases;
}
