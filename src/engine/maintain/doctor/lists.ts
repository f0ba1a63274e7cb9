import { stepName } from '../../../model/names.ts';
import { planAfterDefaults } from '../../observe/plan-from-disk.ts';
import { findRun } from '../../open/find-run.ts';
import { findUnusableListFailure, resolvePipelineForRun } from '../../open/resolve-pipeline.ts';
import type { Workspace } from '../../open/workspace.ts';
import { bad, type DoctorFinding } from './finding.ts';

/** A list of units that the run has made, and that nobody could go on with. */
export async function checkLists(workspace: Workspace): Promise<DoctorFinding[]> {
  if (workspace.loaded.pipeline.stages.every(({ source }) => source === undefined)) return [];
  const found = findRun(workspace, {});
  if (!found.ok || found.value === undefined) return [];
  const placed = await resolvePipelineForRun(workspace, found.value);
  if (placed.listTrouble === undefined) return [];
  const { plan } = await planAfterDefaults(placed, found.value);
  const failure = findUnusableListFailure(placed, plan);
  if (failure?.reason !== 'manifest-invalid') return [];
  const { file, problems, lists: [list] = [] } = failure;
  return [
    bad('manifest', {
      found: 'invalid',
      file: list?.path ?? problems[0]?.place?.file ?? file,
      ...(list !== undefined && { madeBy: stepName(list.unit, list.phase) }),
      problems: problems.length,
      first: problems[0],
    }),
  ];
}
