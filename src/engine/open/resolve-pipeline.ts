import type { Stage } from '../../model/definition.ts';
import type { Failure, Finding, MadeList } from '../../model/failure.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { isMade, type Plan, type StepPlan, standingResult } from '../../planner/plan.ts';
import type { OpenedRun } from './open-run.ts';
import { foldForeignImport } from './take-over.ts';
import { listUnits } from './unit-lists.ts';
import { placeWorkspace, type Workspace } from './workspace.ts';

/**
 * The workspace as one run sees it: files that lie in the run's folder have their place, and stages whose units the run
 * itself has listed have these units.
 */
export async function resolvePipelineForRun(
  workspace: Workspace,
  opened: Pick<OpenedRun, 'ledger' | 'folder' | 'isToldOnly'> | undefined,
): Promise<Workspace> {
  if (opened === undefined) return placeWorkspace(workspace, undefined);
  await foldForeignImport(placeWorkspace(workspace, opened.folder), opened);
  const listed = await listUnits(workspace, opened.ledger);
  if (listed.ok) return placeWorkspace(listed.value ?? workspace, opened.folder);
  const { failure } = listed;
  const lists = (failure.reason === 'manifest-invalid' && failure.lists) || [];
  // An edit that went wrong hides nothing: the run is seen by the list that was recorded before.
  const recorded = await listUnits(workspace, opened.ledger, { recordedOnly: true });
  if (recorded.ok && recorded.value !== undefined) {
    const listTrouble = { failure: asEdited(failure), lists, hides: false };
    return { ...placeWorkspace(recorded.value, opened.folder), listTrouble };
  }
  const others = await listUnits(workspace, opened.ledger, { without: lists });
  const seen = (others.ok ? others.value : undefined) ?? workspace;
  return { ...placeWorkspace(seen, opened.folder), listTrouble: { failure, lists, hides: true } };
}

/** Whoever made the list has no part in what somebody has edited. */
function asEdited(failure: Failure): Failure {
  if (failure.reason !== 'manifest-invalid') return failure;
  const { lists: _, ...edited } = failure;
  return edited;
}

/**
 * Why nobody can go on: a list of units that cannot be used, and that its makers are done with. What a guard refuses is
 * told before it, for that may be about the list.
 */
export function findUnusableListFailure({ listTrouble }: Workspace, plan: Plan): Failure | undefined {
  if (listTrouble === undefined || plan.refusals.length > 0) return undefined;
  return mayListBeRewritten(listTrouble.lists, plan) ? undefined : listTrouble.failure;
}

/** The same for those who only look: where another list stands in for it, there is something to be seen. */
export function findHidingListFailure(workspace: Workspace, plan: Plan): Failure | undefined {
  return workspace.listTrouble?.hides ? findUnusableListFailure(workspace, plan) : undefined;
}

/** One of them is about to be; or its unit has more to do, and a gate may send it back. */
export function mayListBeRewritten(lists: readonly MadeList[], plan: Plan): boolean {
  return lists.some((list) => {
    const maker = plan.units.get(list.unit);
    if (maker === undefined) return false;
    const isLeft = ({ phase, decision }: StepPlan) =>
      phase === list.phase ? standingResult(decision) === undefined : !maker.ended && !isMade(decision);
    return maker.cells.some(isLeft);
  });
}

/** What is wrong with a list that somebody has edited, for those who only look. */
export function listFindings({ listTrouble }: Workspace): Finding[] {
  if (listTrouble?.failure.reason !== 'manifest-invalid' || listTrouble.hides) return [];
  return listTrouble.failure.problems.slice(0, findingsMax).map(({ code, place, path, facts }) => {
    const named = [facts.found ?? facts.cycle ?? []].flat().join(', ');
    return {
      code: 'unit-list-invalid',
      file: place?.file ?? path,
      ...(place !== undefined && { line: place.line }),
      detail: named === '' ? code : `${code} ${named}`,
      weight: 'loud',
    };
  });
}

const findingsMax = 20;

/**
 * The pipeline without the units that are about to be listed anew: what an earlier list says of them is no longer true,
 * and nothing may be started by it.
 */
export function withoutOutdatedLists(loaded: LoadedPipeline, plan: Plan): LoadedPipeline {
  const { stages } = loaded.pipeline;
  const isStale = ({ source, isOpen }: Stage) => {
    if (source === undefined || isOpen) return false;
    const steps = [...plan.units.values()].flatMap(({ cells: steps }) => steps);
    const maker = steps.find(({ phase }) => phase === source.phase);
    return maker !== undefined && standingResult(maker.decision) === undefined;
  };
  if (!stages.some(isStale)) return loaded;
  const opened = stages.map((stage) => (isStale(stage) ? { ...stage, units: [], isOpen: true } : stage));
  return { ...loaded, pipeline: { ...loaded.pipeline, stages: opened } };
}
