import { isJsonObject, parseJson } from '../base/json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readStatusPage } from '../ledger/status-page/read/read.ts';
import type { Pipeline } from '../model/definition.ts';
import { type Projection, projectionsOf } from '../pipeline/projections.ts';
import { hasEvents } from './unit-file.ts';

/**
 * Every file that `Projections` has written by the end of a sitting. Not the shown state: that has to be the newest, and
 * not only to be there.
 */
export function* projectedFiles(pipeline: Pipeline, folder: string, ledger: Ledger): Generator<string> {
  for (const projection of projectionsOf(pipeline, folder)) {
    const { name, writing, scope } = projection;
    if (writing !== 'replaced' || name === 'state') continue;
    if (scope === 'run') yield projection.path;
    else
      for (const stage of pipeline.stages)
        for (const unit of stage.units)
          if (name !== 'ledger' || hasEvents(ledger, stage, unit)) yield projection.pathOf(unit);
  }
}

/** The run that a file says it is about; undefined: it does not say so in the form of this projection. */
export function runNamedIn(name: Projection['name'], bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  if (name === 'status') return readStatusPage(text).page.runId;
  const value = parseJson(text);
  const named = isJsonObject(value) ? (value.run ?? value.run_id) : undefined;
  return typeof named === 'string' ? named : undefined;
}

/** None is larger that we wrote. */
export const projectedBytesMax = 16 * 1024 * 1024;
