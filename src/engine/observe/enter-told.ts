import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import type { RejectedImport } from '../../model/failure-details.ts';
import type { Notice } from '../../model/reason.ts';
import type { Overrides } from '../../planner/overrides.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { OverrideRequest } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { acceptRejected, rejectedImports } from '../open/take-over.ts';
import type { Workspace } from '../open/workspace.ts';
import { readOverrides } from './overrides.ts';

/**
 * Enters a run. Where another tool's log is past a stage, and an output of that stage fails a check of this manifest, a
 * person chooses first: the file may have been approved, so it is neither replaced nor accepted without a word.
 */
export async function resolveForeignRun(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: OverrideRequest,
): Promise<Result<Workspace, Failure>> {
  const placed = await resolvePipelineForRun(workspace, opened);
  if (opened?.isToldOnly !== true) return ok(placed);
  const rejected = await rejectedImports(placed, opened.ledger);
  const overrides = readOverrides(placed.loaded.pipeline, request);
  // What cannot be meant is refused by the caller, who reads it too.
  if (rejected.length === 0 || !overrides.ok || isRerun(placed, rejected, overrides.value)) return ok(placed);
  const { force } = overrides.value;
  if (force === undefined) return fail({ reason: 'import-check-failed', artifacts: rejected });
  if (!force.reason) return fail({ reason: 'usage', problem: { code: 'reason-required', flag: '--force' } });
  await acceptRejected(placed, opened.ledger);
  const acceptedImports = { artifacts: rejected, reason: force.reason };
  return ok({ ...(await resolvePipelineForRun(workspace, opened)), acceptedImports });
}

/** All of them are made again, so none has to be accepted. */
function isRerun({ loaded }: Workspace, rejected: readonly RejectedImport[], { rerun }: Overrides): boolean {
  if (rerun === undefined) return false;
  const { from, units = () => true } = rerun;
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const first = from === undefined ? 0 : phases.indexOf(from);
  return rejected.every(({ unit, phase }) => units(unit) && phases.indexOf(phase) >= first);
}

/** Names the files that a run refuses to take over, because no step moves them before a person has chosen. */
export async function withRejectedImports(
  workspace: Workspace,
  opened: OpenedRun,
  notices: readonly Notice[],
): Promise<readonly Notice[]> {
  if (!opened.isToldOnly) return notices;
  const rejected = await rejectedImports(workspace, opened.ledger);
  const isRejected = (notice: Notice) =>
    notice.code === 'file-unknown' &&
    rejected.some(({ unit, phase }) => unit === notice.unit && phase === notice.phase);
  return [
    ...notices.filter((notice) => !isRejected(notice)),
    ...rejected.map((one): Notice => ({ code: 'import-rejected', ...one })),
  ];
}
