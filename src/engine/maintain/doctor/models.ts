import { modelName } from '../../../model/calls.ts';
import type { Models, Phase } from '../../../model/definition.ts';
import { asksModel } from '../../../model/executor.ts';
import { priceOf } from '../../../pipeline/phases/prices.ts';
import { missingProviders } from '../../../runner/models/providers.ts';
import type { Workspace } from '../../open/workspace.ts';
import { bad, type DoctorFinding, good, warning } from './finding.ts';
import type { Site } from './ground.ts';

/** Whether the models of a pipeline can be asked, what they cost is known, and pictures can be checked. */
export async function checkModels(site: Site, workspace: Workspace): Promise<DoctorFinding[]> {
  const { stages, models } = workspace.loaded.pipeline;
  const phases = stages.flatMap((stage) => stage.phases);
  return [
    ...checkProviders(site, models, phases),
    ...checkPrices(models, phases),
    ...(await checkPictures(site, phases)),
  ];
}

function checkProviders({ machine, root }: Site, models: Models, phases: readonly Phase[]): DoctorFinding[] {
  return models.providers.flatMap(({ name: provider, api }): DoctorFinding[] => {
    const asking = phases.filter((phase) => asksModel(phase) && phase.executor.provider === provider);
    // A function of the workspace needs neither package nor key; that it is there is asked with the other modules.
    if (asking.length === 0 || api.kind === 'function') return [];
    const [missing] = missingProviders(root, models, asking, machine.variables);
    const { packages = [] } = missing ?? {};
    const names = asking.map(({ name }) => name);
    const variables = variablesOf(root, models, asking);
    const unset = variables.filter((name) => !machine.variables[name]);
    const keys = { provider, phases: names };
    return [
      packages.length === 0
        ? good('provider-package', { provider })
        : bad('provider-package', { provider, phases: names, packages }),
      ...(unset.length > 0 ? [bad('provider-key', { ...keys, names: unset })] : []),
      ...(unset.length === 0 && variables.length > 0
        ? [good('provider-key', { ...keys, names: variables })]
        : []),
    ];
  });
}

/** Every variable that a provider needs: it is asked again and again, each time as if the last one were set. */
function variablesOf(root: string, models: Models, asking: readonly Phase[]): string[] {
  const pretended: NodeJS.ProcessEnv = Object.create(null);
  for (;;) {
    const [missing] = missingProviders(root, models, asking, pretended);
    if (missing?.key === undefined) return Object.keys(pretended);
    pretended[missing.key] = 'set';
  }
}

function checkPrices(models: Models, phases: readonly Phase[]): DoctorFinding[] {
  const names = new Set(phases.filter(asksModel).map(({ executor }) => modelName(executor)));
  const unpriced = [...names].filter((name) => priceOf(models, name) === undefined);
  if (unpriced.length > 0) return [warning('model-price', { models: unpriced })];
  return names.size === 0 ? [] : [good('model-price', { models: [...names] })];
}

async function checkPictures({ machine }: Site, phases: readonly Phase[]): Promise<DoctorFinding[]> {
  const outputs = phases.flatMap(({ name, outputs }) =>
    outputs.flatMap((output) => (output.check?.kind === 'image' ? [`${name}.${output.name}`] : [])),
  );
  if (outputs.length === 0) return [];
  const detail = await machine.pictureTrouble();
  return [
    detail === undefined ? good('picture-check', { outputs }) : warning('picture-check', { outputs, detail }),
  ];
}
