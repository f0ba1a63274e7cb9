import type { Hash } from '../../base/hash.ts';
import { byCodeUnit } from '../../base/json.ts';
import { findStep, type Ledger, newestResult, type Step, type StepResult } from '../../ledger/ledger.ts';
import { importedPage } from '../../ledger/results.ts';
import type { ImportedCluster } from '../../model/event.ts';
import type { RunStatus } from '../../model/status.ts';
import { isDecisionAboutUnit, notesOf } from './notes.ts';
import type {
  CompletedStage,
  CurrentStage,
  FailureCluster,
  IterationCount,
  StatusCheckpoint,
  StatusPage,
  StatusPhase,
} from './status-page.ts';
import { statusWordOf } from './status-words.ts';

export type { StatusPhase } from './status-page.ts';

/** What the ledger does not know. */
export interface PageFacts {
  readonly status: RunStatus;
  readonly specHash?: Hash | undefined;
  readonly checkpoints: readonly StatusCheckpoint[];
  /** What lies at the paths of the current phase's outputs; undefined: what was put there last, as recorded. */
  readonly files?: readonly string[] | undefined;
}

/** The page of one unit. */
export function makeStatusPage(
  ledger: Ledger,
  unit: string,
  phases: readonly StatusPhase[],
  { status, specHash, checkpoints, files }: PageFacts,
): StatusPage {
  const imported = importedPage(ledger, unit);
  const stepOf = ({ name }: StatusPhase) => findStep(ledger, unit, name);
  const current =
    phases.find((phase) => stepOf(phase)?.running) ?? phases.find(({ standing }) => standing === 'open');
  return {
    unit,
    runId: ledger.run?.run ?? '',
    specHash,
    startedAt: ledger.createdAt,
    lastUpdatedAt: lastChange(ledger, unit, checkpoints),
    currentStage: current?.name,
    status: statusWordOf(status),
    completed: phases.flatMap((phase) => completedStage(phase, stepOf(phase))),
    current: current && currentStage(current, stepOf(current), files),
    iterations: phases.flatMap((phase) =>
      iterationCount(phase, stepOf(phase), imported?.rounds?.[phase.name] ?? 0),
    ),
    clusters: clustersOf(phases, stepOf, imported?.clusters ?? []).slice(0, clustersMax),
    checkpoints,
    notes: notesOf(ledger, unit, phases),
  };
}

function completedStage(phase: StatusPhase, step: Step | undefined): CompletedStage[] {
  if (phase.standing !== 'done' || step === undefined) return [];
  const result = step.results[phase.round - 1] ?? newestResult(step);
  if (result === undefined) return [];
  const of = { stage: phase.name, completedAt: result.at, iterations: result.round };
  const names = outputNames(phase, result);
  if (names.length === 0) return [{ ...of, artifact: undefined }];
  return names.flatMap((name) => {
    const output = result.outputs[name];
    return output === undefined ? [] : [{ ...of, artifact: { path: output.path, hash: output.hash } }];
  });
}

/** As the manifest lists them; those that it no longer lists come last. */
function outputNames({ outputs }: StatusPhase, result: StepResult): string[] {
  const made = Object.keys(result.outputs).sort(byCodeUnit);
  return [
    ...outputs.filter((name) => made.includes(name)),
    ...made.filter((name) => !outputs.includes(name)),
  ];
}

function currentStage(
  { name, round }: StatusPhase,
  step: Step | undefined,
  files: readonly string[] | undefined,
): CurrentStage {
  const placed = Object.values(step?.placed ?? {}).map(({ path }) => path);
  return {
    stage: name,
    attempt: step?.running?.attempt ?? step?.attempts ?? 0,
    iteration: step?.running?.round ?? round,
    startedAt: step?.running?.at,
    files: (files ?? placed.sort(byCodeUnit)).slice(0, filesMax),
  };
}

/** `before`: rounds that were used before the run was imported. */
function iterationCount(
  { name, gate, round }: StatusPhase,
  step: Step | undefined,
  before: number,
): IterationCount[] {
  if (gate === undefined) return [];
  // A round that came to the same has no result of its own.
  const reached = (step?.results.length ?? 0) > 0 ? round : 0;
  const used = Math.max(step?.results.length ?? 0, step?.running?.round ?? 0, reached);
  return [{ loop: name, used: used + before, max: gate.iterations }];
}

/** Those of every gate, with what an imported page had counted before. */
function clustersOf(
  phases: readonly StatusPhase[],
  stepOf: (phase: StatusPhase) => Step | undefined,
  before: readonly ImportedCluster[],
): FailureCluster[] {
  const counted = phases.flatMap((phase) => failureClusters(phase, stepOf(phase)));
  const max = phases.find(({ gate }) => gate?.cluster !== undefined)?.gate?.cluster;
  const isNew = ({ defect }: ImportedCluster) => !counted.some((cluster) => cluster.defect === defect);
  const countBefore = (defect: string) => before.find((cluster) => cluster.defect === defect)?.count ?? 0;
  return [
    ...counted.map((cluster) => ({ ...cluster, count: cluster.count + countBefore(cluster.defect) })),
    ...before.filter(isNew).map(({ defect, count }) => ({ defect, count, max })),
  ];
}

/** The rounds in which a defect was found; the most frequent first. */
function failureClusters({ gate }: StatusPhase, step: Step | undefined): FailureCluster[] {
  if (gate === undefined || step === undefined) return [];
  const counts = new Map<string, number>();
  for (const result of step.results)
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
  for (const step of ledger.steps.byUnit.get(unit) ?? []) {
    for (const result of step.results) seen(result?.at);
    seen(step.running?.at);
    seen(step.failure?.at);
  }
  for (const { at } of checkpoints) seen(at);
  for (const { at } of ledger.resumeHistory) seen(at);
  for (const decision of ledger.decisions) if (isDecisionAboutUnit(ledger, unit, decision)) seen(decision.at);
  return last;
}

const clustersMax = 50;
const filesMax = 100;
