import type { Problem } from '../model/failure.ts';
import type { LoadedPipeline } from './loaded.ts';
import { promptPath } from './text/problems.ts';

/**
 * Files that the pipeline names and that are not there. For a new run they are problems of the manifest; for one
 * that exists they are changes, which a guard refuses.
 */
export function missingFiles(loaded: LoadedPipeline): Problem[] {
  const { pipeline, statics, fileTakers, locate } = loaded;
  const problems: Problem[] = [];
  const add = (code: Problem['code'], path: string, facts: Problem['facts']) => {
    problems.push({ code, path, place: locate(path), facts });
  };
  const missing = new Set<string>();
  pipeline.stages.forEach((stage, at) => {
    for (const { name } of stage.phases) {
      for (const [role, file] of statics.get(name)?.templates ?? []) {
        if (file.hash !== undefined) continue;
        add('template-missing', promptPath(pipeline.manifest, at, name, role), { found: file.path, role });
      }
      for (const [file, { hash }] of statics.get(name)?.files ?? [])
        if (hash === undefined) missing.add(file);
    }
  });
  pipeline.stages.forEach((stage, at) => {
    if (!stage.phases.some(({ name }) => fileTakers.has(name))) return;
    const units = `${pipeline.manifest.stages === undefined ? '' : `stages[${at}].`}units.file`;
    const gone = stage.units.flatMap(({ file }) => (file?.isMissing ? [file.path] : []));
    for (const found of gone.slice(0, goneMax)) add('file-unreadable', units, { found, cause: 'ENOENT' });
  });
  for (const { name, path } of pipeline.files) {
    if (missing.has(name)) add('file-unreadable', `inputs.${name}`, { found: path, cause: 'ENOENT' });
  }
  return problems;
}

/** Of the files of a stage's units: more of them have one cause. */
const goneMax = 20;
