import type { Hash } from '../base/hash.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import { type Projection, pathsOf, projectionsOf } from '../pipeline/projections.ts';
import type { RunContext } from '../runner/context.ts';
import { isForeign } from '../runner/promotion.ts';
import { runIdOnPage } from './status-page/render.ts';
import { hasEvents } from './unit-ledger.ts';

/**
 * Every file for people that an invocation has written by its end, or reported as not written. Not the shown state: that
 * has to be the newest, and not only to be there.
 */
export function* projectedFiles(pipeline: Pipeline, folder: string, ledger: Ledger): Generator<string> {
  for (const projection of projectionsOf(pipeline, folder)) {
    const { name, scope } = projection;
    if (name === 'state') continue;
    if (scope === 'run') yield projection.path;
    else
      for (const stage of pipeline.stages)
        for (const unit of stage.units)
          if (name !== 'ledger' || hasEvents(ledger, stage, unit)) yield projection.pathOf(unit);
  }
}

/**
 * What stands where a run is about to write its own files, and is not of this run. The one rule for announcing and for
 * moving them.
 */
export function foreignFiles(
  { disk, root }: Pick<RunContext, 'disk' | 'root'>,
  pipeline: Pipeline,
  folder: string,
  /** Undefined: the run does not exist yet. */
  ledger: Ledger | undefined,
  initialState: Hash | undefined,
): string[] {
  const run = ledger?.run?.run;
  const found: string[] = [];
  for (const file of projectionsOf(pipeline, folder)) {
    if (file.writing !== 'replaced' || !file.isDeclared) continue;
    // Later on an edit of the shown state is for its guard.
    if (file.name === 'state' && (ledger?.steps.byUnit.size ?? 0) > 0) continue;
    const ours = file.name === 'state' && initialState !== undefined ? [initialState] : [];
    for (const path of pathsOf(file, pipeline.stages)) {
      if (disk.stat(`${root}/${path}`) === undefined) continue;
      if (file.name !== 'state' && run !== undefined && runOfFile(disk, `${root}/${path}`, file.name) === run)
        continue;
      if (isForeignNow({ disk, root }, path, ours)) found.push(path);
    }
  }
  return found;
}

/** What cannot be read is not known as ours. */
function isForeignNow(
  ground: Pick<RunContext, 'disk' | 'root'>,
  path: string,
  ours: readonly Hash[],
): boolean {
  try {
    return isForeign(ground, path, undefined, ours);
  } catch (error) {
    if (error instanceof DiskError) return true;
    throw error;
  }
}

/** Undefined, too, for what cannot be read. */
function runOfFile(disk: Disk, path: string, name: Projection['name']): string | undefined {
  try {
    const bytes = disk.read(path, projectedBytesMax);
    return bytes && runNamedIn(name, bytes);
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

/** The run that a file says it is about; undefined: it does not say so in the form of this projection. */
export function runNamedIn(name: Projection['name'], bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  if (name === 'status') return runIdOnPage(text);
  const value = parseJson(text);
  const named = isJsonObject(value) ? (value.run ?? value.run_id) : undefined;
  return typeof named === 'string' ? named : undefined;
}

/** None is larger that we wrote. */
export const projectedBytesMax = 16 * 1024 * 1024;
