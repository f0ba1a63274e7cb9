import { copyTo } from '../../disk/copy-file.ts';
import { runFile } from '../../model/run-folder.ts';
import { inWorkspace, type RunContext } from '../../runner/context.ts';

/**
 * Keeps copies of files that came too late, as they lay in the workspace. The folder, relative to the workspace;
 * undefined: there was nothing to keep.
 */
export async function keepAside(
  run: RunContext,
  { unit, phase, actor }: { readonly unit: string; readonly phase: string; readonly actor: string },
  paths: readonly string[],
): Promise<string | undefined> {
  const inside = paths.filter((path) => run.checkInside(path).ok);
  const folder = freeFolder(run, `${runFile(run.folder, 'aside')}/${unit}~${phase}~${actor}`);
  let kept = false;
  for (const path of inside)
    kept = (await copyTo(run.disk, inWorkspace(run, path), inWorkspace(run, `${folder}/${path}`))) || kept;
  return kept ? folder : undefined;
}

function freeFolder(run: RunContext, wanted: string): string {
  let folder = wanted;
  for (let nth = 2; run.disk.stat(inWorkspace(run, folder)) !== undefined; nth++) folder = `${wanted}.${nth}`;
  return folder;
}
