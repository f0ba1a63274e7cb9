import type { Phase, Pipeline } from '../model/definition.ts';
import { asksModel, moduleOf } from '../model/executor.ts';

/** A module of the workspace that a pipeline names: it does a phase, checks an output or answers for a model. */
export interface NamedModule {
  readonly module: string;
  readonly phase: string;
  /** Where the manifest names it. */
  readonly path: string;
  /** The phase, or the output of a phase. */
  readonly usedBy: string;
  /** What is done before may put it there, though it can be no output. */
  readonly mayBeMade: boolean;
}

/** Every use of a module, in the order of the phases. */
export function namedModules(pipeline: Pipeline): NamedModule[] {
  const named: NamedModule[] = [];
  let mayBeMade = false;
  pipeline.stages.forEach(({ phases }, at) => {
    const above = pipeline.manifest.stages === undefined ? 'phases' : `stages[${at}].phases`;
    for (const phase of phases) {
      // A model gets only a prompt. Other executors may do more than the manifest says.
      const mayMake = !asksModel(phase);
      for (const { module, path, usedBy, isAfter } of usesOf(pipeline, phase, `${above}.${phase.name}`))
        named.push({
          module,
          path,
          phase: phase.name,
          usedBy,
          mayBeMade: mayBeMade || (isAfter && mayMake),
        });
      mayBeMade ||= mayMake;
    }
  });
  return named;
}

interface Use extends Omit<NamedModule, 'phase' | 'mayBeMade'> {
  /** Of what the phase has made, and not to make it. */
  readonly isAfter: boolean;
}

function* usesOf({ models: { providers } }: Pipeline, phase: Phase, at: string): Generator<Use> {
  const module = moduleOf(phase);
  if (module !== undefined) yield { module, path: `${at}.run.function`, usedBy: phase.name, isAfter: false };
  if (asksModel(phase)) {
    const { provider } = phase.executor;
    const api = providers.find(({ name }) => name === provider)?.api;
    if (api?.kind === 'function')
      yield {
        module: api.module,
        path: `models.providers.${provider}.function`,
        usedBy: phase.name,
        isAfter: false,
      };
  }
  for (const { name, check } of phase.outputs)
    if (check?.kind === 'function')
      yield {
        module: check.module,
        path: `${at}.outputs.${name}.check.function`,
        usedBy: `${phase.name}.${name}`,
        isAfter: true,
      };
}
