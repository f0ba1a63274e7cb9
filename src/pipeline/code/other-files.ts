import { globMatcher } from '../../base/glob.ts';
import type { Pipeline } from '../../model/definition.ts';
import { fillPattern, hasFields, parsePattern, unitField } from '../pattern.ts';
import { declaredProjections } from '../projections.ts';
import type { LoadContext } from '../prompts/context.ts';

/**
 * Whether the pipeline names a file as something else than code: it reads it, and compares it as what it is, or it
 * writes it. `manifest`: the path of the manifest.
 */
export function isNamedOtherwise(
  { files, sources }: Pick<LoadContext, 'files' | 'sources'>,
  pipeline: Pipeline,
  manifest: string,
  path: string,
): boolean {
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  if (phases.some(({ code }) => code.files.includes(path))) return false;
  if (path === manifest || sources.hasRead(path)) return true;
  if ([...files.values()].some((file) => file.path === path)) return true;
  const { state, layout, stages } = pipeline;
  if (state?.initial === path) return true;
  const units = stages.flatMap((stage) => stage.units);
  const written = [
    ...phases.flatMap(({ outputs }) => outputs.map((output) => output.path)),
    ...declaredProjections(layout, state).map((file) => (file.scope === 'run' ? file.path : file.pattern)),
  ];
  return written.some((pattern) => isMadeFrom(pattern, units, path));
}

/** Whether a pattern gives this path for one of the units. A field that only a run fills in may hold anything. */
function isMadeFrom(text: string, units: Pipeline['stages'][number]['units'], path: string): boolean {
  const parsed = parsePattern(text);
  if (!('pattern' in parsed)) return false;
  const { pattern } = parsed;
  if (!hasFields(pattern) && !text.includes('{')) return text === path;
  const glob = pattern.map((part) => (typeof part === 'string' ? part : '*')).join('');
  if (!globMatcher(glob)(path)) return false;
  if (text.includes('{attempt}')) return true;
  return units.some((unit) => {
    const filled = fillPattern(pattern, (field) => unitField(unit, field, 1));
    return typeof filled !== 'string' || filled === path;
  });
}
