import type { Hash } from '../../base/hash.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { ImportedCluster } from '../../model/event.ts';
import type { RunStatus } from '../../model/status.ts';
import { importedPage } from '../imported.ts';
import { type Cell, type CellResult, findCell, type Ledger, newestResult } from '../ledger.ts';
import { isAbout, notesOf } from './notes.ts';
import type {
  CompletedStage,
  CurrentStage,
  FailureCluster,
  IterationCount,
  StatusCheckpoint,
  StatusPage,
} from './status-page.ts';
import type { StatusPhase } from './status-phase.ts';
import { statusWordOf } from './status-words.ts';

export type { StatusPhase } from './status-phase.ts';

/** What the ledger does not know. */
export interface PageFacts {
  readonly status: RunStatus;
  readonly specHash?: Hash | undefined;
  readonly checkpoints: readonly StatusCheckpoint[];
  /** What lies at the paths of the current phase's outputs; undefined: what was put there last, as recorded. */
  readonly files?: readonly string[] | undefined;
}

/** The page of one unit. */
export function pageOf(
  ledger: Ledger,
  unit: string,
  phases: readonly StatusPhase[],
  { status, specHash, checkpoints, files }: PageFacts,
): StatusPage {
  const imported = importedPage(ledger, unit);
  const cellOf = ({ name }: StatusPhase) => findCell(ledger, unit, name);
  const current =
    phases.find((phase) => cellOf(phase)?.running) ?? phases.find(({ standing }) => standing === 'open');
  return {
    unit,
    runId: ledger.run?.run ?? '',
    specHash,
    startedAt: ledger.createdAt,
    lastUpdatedAt: lastChange(ledger, unit, checkpoints),
    currentStage: current?.name,
    status: statusWordOf(status),
    completed: phases.flatMap((phase) => completedStage(phase, cellOf(phase))),
    current: current && currentStage(current, cellOf(current), files),
    iterations: phases.flatMap((phase) =>
      iterationCount(phase, cellOf(phase), imported?.rounds?.[phase.name] ?? 0),
    ),
    clusters: clustersOf(phases, cellOf, imported?.clusters ?? []).slice(0, clustersMax),
    checkpoints,
    notes: notesOf(ledger, unit, phases),
  };
}

function completedStage(phase: StatusPhase, cell: Cell | undefined): CompletedStage[] {
  if (phase.standing !== 'done' || cell === undefined) return [];
  const result = cell.results[phase.round - 1] ?? newestResult(cell);
  if (result === undefined) return [];
  const of = { stage: phase.name, completedAt: result.at, iterations: result.iteration };
  const names = outputNames(phase, result);
  if (names.length === 0) return [{ ...of, artifact: undefined }];
  return names.flatMap((name) => {
    const output = result.outputs[name];
    return output === undefined ? [] : [{ ...of, artifact: { path: output.path, hash: output.hash } }];
  });
}

/** As the manifest lists them; those that it no longer lists come last. */
function outputNames({ outputs }: StatusPhase, result: CellResult): string[] {
  const made = Object.keys(result.outputs).sort(byCodeUnit);
  return [
    ...outputs.filter((name) => made.includes(name)),
    ...made.filter((name) => !outputs.includes(name)),
  ];
}

function currentStage(
  { name, round }: StatusPhase,
  cell: Cell | undefined,
  files: readonly string[] | undefined,
): CurrentStage {
  const placed = Object.values(cell?.placed ?? {}).map(({ path }) => path);
  return {
    stage: name,
    attempt: cell?.running?.attempt ?? cell?.attempts ?? 0,
    iteration: cell?.running?.iteration ?? round,
    startedAt: cell?.running?.at,
    files: (files ?? placed.sort(byCodeUnit)).slice(0, filesMax),
  };
}

/** `before`: rounds that were used before the run was imported. */
function iterationCount(
  { name, gate, round }: StatusPhase,
  cell: Cell | undefined,
  before: number,
): IterationCount[] {
  if (gate === undefined) return [];
  // A round that came to the same has no result of its own.
  const reached = (cell?.results.length ?? 0) > 0 ? round : 0;
  const used = Math.max(cell?.results.length ?? 0, cell?.running?.iteration ?? 0, reached);
  return [{ loop: name, used: used + before, max: gate.iterations }];
}

/** Those of every gate, with what an imported page had counted before. */
function clustersOf(
  phases: readonly StatusPhase[],
  cellOf: (phase: StatusPhase) => Cell | undefined,
  before: readonly ImportedCluster[],
): FailureCluster[] {
  const counted = phases.flatMap((phase) => failureClusters(phase, cellOf(phase)));
  const max = phases.find(({ gate }) => gate?.cluster !== undefined)?.gate?.cluster;
  const isNew = ({ defect }: ImportedCluster) => !counted.some((cluster) => cluster.defect === defect);
  const countBefore = (defect: string) => before.find((cluster) => cluster.defect === defect)?.count ?? 0;
  return [
    ...counted.map((cluster) => ({ ...cluster, count: cluster.count + countBefore(cluster.defect) })),
    ...before.filter(isNew).map(({ defect, count }) => ({ defect, count, max })),
  ];
}

/** The rounds in which a defect was found; the most frequent first. */
function failureClusters({ gate }: StatusPhase, cell: Cell | undefined): FailureCluster[] {
  if (gate === undefined || cell === undefined) return [];
  const counts = new Map<string, number>();
  for (const result of cell.results)
    for (const defect of new Set(result?.defects)) counts.set(defect, (counts.get(defect) ?? 0) + 1);
  return [...counts]
    .map(([defect, count]) => ({ defect, count, max: gate.cluster }))
    .sort((a, b) => b.count - a.count || byCodeUnit(a.defect, b.defect));
}

/** The newest thing that the page is made from: what happens to other units changes nothing here. */
function lastChange(ledger: Ledger, unit: string, checkpoints: readonly StatusCheckpoint[]): string {
  let last = ledger.createdAt;
  const seen = (at: string | undefined) => {
    if (at !== undefined && at > last) last = at;
  };
  for (const cell of ledger.cells.byUnit.get(unit) ?? []) {
    for (const result of cell.results) seen(result?.at);
    seen(cell.running?.at);
    seen(cell.failure?.at);
  }
  for (const { at } of checkpoints) seen(at);
  for (const { at } of ledger.resumeHistory) seen(at);
  for (const decision of ledger.decisions) if (isAbout(ledger, unit, decision)) seen(decision.at);
  return last;
}

const clustersMax = 50;
const filesMax = 100;
