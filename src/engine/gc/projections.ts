import { hashFile } from '../../artifacts/hash-file.ts';
import { isUnreadable } from '../../artifacts/unreadable.ts';
import { placePipeline } from '../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { unitLedgerPath } from '../../runner/unit-file.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Ground } from './ground.ts';

/** Files that a run's manifest has Pawl write for people. Of a manifest that is gone, none are known. */
export interface Projections {
  /** How far the run is, what happened, the state: in the run's folder they tell where kept outputs came from. */
  readonly telling: ReadonlySet<string>;
  /** One per unit. */
  readonly ledgers: ReadonlySet<string>;
  /** The shown state, where there is one. */
  readonly state: string | undefined;
  /** A log that all runs of a pipeline append to is nobody's to remove. */
  readonly log: string | undefined;
}

export function projectionsOf(ground: Ground, opened: OpenedRun): Projections {
  const loaded = pipelineOf(ground, opened);
  if (loaded === undefined)
    return { telling: new Set(), ledgers: new Set(), state: undefined, log: undefined };
  const { layout, state, stages } = loaded.pipeline;
  const telling = [layout.progress, layout.auditLog, state?.path].filter((path) => path !== undefined);
  const units = stages.flatMap((stage) => stage.units);
  const ledgers = units.map((unit) => unitLedgerPath(loaded.pipeline, opened.folder, unit));
  return {
    telling: new Set(telling),
    ledgers: new Set(ledgers),
    state: state?.path,
    log: layout.auditLog,
  };
}

/** All runs of a pipeline may write the same file in turn: does it still say what this one wrote? */
export function isWrittenBy(
  { env, root }: Ground,
  { ledger }: OpenedRun,
  path: string,
  isState: boolean,
): boolean {
  try {
    if (isState) return hashFile(env.disk, `${root}/${path}`)?.hash === ledger.shownState;
    const bytes = env.disk.read(`${root}/${path}`, projectionBytesMax);
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    const { run, run_id: id } = (value ?? {}) as { run?: unknown; run_id?: unknown };
    return ledger.run !== undefined && (run ?? id) === ledger.run.run;
  } catch (error) {
    if (error instanceof SyntaxError || isUnreadable(error)) return false;
    throw error;
  }
}

const projectionBytesMax = 16 * 1024 * 1024;

function pipelineOf({ pipelines }: Ground, { ledger, folder }: OpenedRun): LoadedPipeline | undefined {
  const loaded = ledger.run && pipelines.get(ledger.run.manifest);
  return loaded?.pipeline.name === ledger.run?.pipeline ? loaded && placePipeline(loaded, folder) : undefined;
}
