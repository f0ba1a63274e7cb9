import { hashFile } from '../../../disk/hash-file.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { placePipeline } from '../../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../../pipeline/loaded.ts';
import { type Projection, pathsOf, projectionsOf } from '../../../pipeline/projections.ts';
import { projectedBytesMax, runNamedIn } from '../../../projections/file-owners.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { GcScope } from './ground.ts';

/** By path: the files that a run's manifest has Pawl write. */
export type Projections = ReadonlyMap<string, Projection>;

export function projectionsIn({ pipeline }: LoadedPipeline, folder: string): Projections {
  const files = new Map<string, Projection>();
  for (const projection of projectionsOf(pipeline, folder))
    for (const path of pathsOf(projection, pipeline.stages)) files.set(path, projection);
  return files;
}

/** How far the run is, what happened, the state: in the run's folder they tell where kept outputs came from. */
export const telling: Readonly<Record<Projection['name'], boolean>> = {
  status: true,
  progress: true,
  auditLog: true,
  state: true,
  lock: true,
  summary: false,
  ledger: false,
  // It stands in a file of somebody's, or is what the run keeps for itself.
  brief: false,
};

/** All runs of a pipeline may write the same file in turn: does it still say what this one wrote? */
export function isWrittenBy(
  { env, root }: Pick<GcScope, 'env' | 'root'>,
  { ledger }: OpenedRun,
  path: string,
  { name }: Projection,
): boolean {
  try {
    if (name === 'state') return hashFile(env.disk, `${root}/${path}`)?.hash === ledger.shownState;
    const bytes = env.disk.read(`${root}/${path}`, projectedBytesMax);
    const run = bytes && runNamedIn(name, bytes);
    return run !== undefined && run === ledger.run?.run;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

/** The pipeline that a run is of, in its folder; undefined: its manifest is gone, or is another one by now. */
export function pipelineOf(
  { pipelines }: GcScope,
  { ledger, folder }: OpenedRun,
): LoadedPipeline | undefined {
  const loaded = ledger.run && pipelines.get(ledger.run.manifest);
  return loaded?.pipeline.name === ledger.run?.pipeline ? loaded && placePipeline(loaded, folder) : undefined;
}
