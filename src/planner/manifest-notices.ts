import type { Pipeline } from '../model/definition.ts';
import { ownFileInput } from '../model/own-file.ts';
import type { Notice } from '../model/reason.ts';
import { isFileNamed } from '../pipeline/units/fields.ts';

/** What a reader of the manifest should know: names that hide others, and old spellings. */
export function manifestNotices(pipeline: Pick<Pipeline, 'stages'>): Notice[] {
  return [...hiddenFiles(pipeline), ...oldSpellings(pipeline)];
}

/** Phases where another input or field called `file` goes before the file of the unit. */
function hiddenFiles({ stages }: Pick<Pipeline, 'stages'>): Notice[] {
  return stages.flatMap(({ units, phases }): Notice[] => {
    const [first] = units;
    if (first?.file === undefined) return [];
    const isHidden = units.some((unit) => !isFileNamed(unit));
    return phases.flatMap(({ name: phase, needs, inputs, prompt }): Notice[] => {
      const taken = inputs.some(({ kind }) => kind === 'unit-file');
      if (taken) return isHidden && prompt ? [{ code: 'own-file-hidden', by: 'field', phase }] : [];
      const isNamed = inputs.some(({ name }) => name === ownFileInput);
      return isNamed && needs.length === 0 ? [{ code: 'own-file-hidden', by: 'input', phase }] : [];
    });
  });
}

function oldSpellings({ stages }: Pick<Pipeline, 'stages'>): Notice[] {
  const phases = stages
    .flatMap((stage) => stage.phases)
    .flatMap(({ name, executor }) => (executor.kind === 'task' && executor.isOldSpelling ? [name] : []));
  return phases.length === 0 ? [] : [{ code: 'agent-means-task', phases }];
}
