import { dirname } from 'node:path';
import { createInsideCheck } from '../../disk/safe-path.ts';
import { compilePattern } from '../../pipeline/pattern.ts';
import { pathsOf, projectionsOf } from '../../pipeline/projections.ts';
import type { LinkOutside } from '../open/leads-outside.ts';
import type { Workspace } from '../open/workspace.ts';

/**
 * The first folder on the way to an output, or to a file of the layout, that is a link out of the workspace. Asked before
 * anything is paid for: a manifest is checked without its units, and a promotion comes when the work is done.
 */
export function findOutputLinkOutside({ env, root, loaded, runFolder }: Workspace): LinkOutside | undefined {
  const { disk } = env;
  // A pipeline in code may be run in a folder that the run makes: it holds no link.
  if (disk.stat(root) === undefined) return undefined;
  const checkInside = createInsideCheck(disk, root);
  // Most outputs lie in a folder with many others, and below a folder that is not there is none that is.
  const isThere = new Map<string, boolean>([['.', true]]);
  const linkAt = (folder: string): LinkOutside | undefined => {
    if (isThere.has(folder)) return undefined;
    const above = linkAt(dirname(folder));
    if (above !== undefined) return above;
    const stat = isThere.get(dirname(folder)) ? disk.stat(`${root}/${folder}`) : undefined;
    isThere.set(folder, stat !== undefined);
    if (stat?.kind !== 'link' || checkInside(`${folder}/file`).ok) return undefined;
    return { path: folder, target: disk.realpath(`${root}/${folder}`) };
  };
  for (const folder of foldersToWrite(loaded.pipeline, runFolder ?? '')) {
    const link = linkAt(folder);
    if (link !== undefined) return link;
  }
  return undefined;
}

function* foldersToWrite(pipeline: Workspace['loaded']['pipeline'], folder: string): Generator<string> {
  for (const projection of projectionsOf(pipeline, folder))
    if (projection.isDeclared) for (const path of pathsOf(projection, pipeline.stages)) yield dirname(path);
  for (const { units, phases } of pipeline.stages)
    for (const { outputs } of phases)
      for (const { path } of outputs) {
        const pattern = dirname(path);
        const folderOf = compilePattern(pattern);
        for (const unit of pattern.includes('{') ? units : units.slice(0, 1)) yield folderOf(unit, 1);
      }
}
