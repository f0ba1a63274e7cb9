import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { deriveSections } from '../../projections/brief/derive.ts';
import { makeDigest } from '../../projections/brief/digest.ts';
import { sectionNames } from '../../projections/brief/document.ts';
import { makeSurvey } from '../../projections/brief/survey.ts';
import { type BriefState, readStateOf } from '../../projections/brief-file/state-file.ts';
import type { Environment } from '../open/environment.ts';
import { needRun } from '../open/find-run.ts';
import { locateManifest } from '../open/locate.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { hooksActor } from '../open/run-files.ts';
import { withRunLock } from '../open/with-run-lock.ts';
import { openWorkspace } from '../open/workspace.ts';

/** The result of a refresh. */
export interface Refreshed {
  /** Undefined: nothing was made, and what was written last has to do. */
  readonly state: BriefState | undefined;
  /** Why the document itself could not be brought up to the journal. */
  readonly trouble: Failure | undefined;
}

/**
 * Brings the brief of a run up to its journal, with the run's status now, also if the owner of its lock is dead. For
 * hooks: nothing is started, and a pipeline in code is not loaded, because that would run it.
 */
export async function refreshBrief(
  env: Environment,
  root: string,
  folder: string,
): Promise<Result<Refreshed, Failure>> {
  const run = readStateOf(env.disk, root, folder)?.run ?? folder.slice(folder.lastIndexOf('/') + 1);
  const manifest = locateManifest(env, root, run);
  if (!manifest.ok) return manifest;
  if (!/\.ya?ml$/.test(manifest.value)) return ok({ state: undefined, trouble: undefined });
  const target = { path: manifest.value, run };
  const settled = await withRunLock(env, target, hooksActor, async ({ hold }) => {
    await hold.projections.brief.settle();
    return ok(undefined);
  });
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const { pipeline } = (await resolvePipelineForRun(workspace.value, opened.value)).loaded;
  const { ledger, status } = opened.value;
  const trouble = settled.ok ? undefined : settled.failure;
  const state = opened.value.folder === folder ? readStateOf(env.disk, root, folder) : undefined;
  if (state === undefined) return trouble === undefined ? ok({ state, trouble }) : fail(trouble);
  const survey = makeSurvey(pipeline, ledger, { status, now: formatTime(env.clock.now()) });
  const brief = deriveSections(pipeline, ledger, survey, new Set(sectionNames), undefined);
  return ok({ state: { ...state, status, survey, brief, digest: makeDigest(survey, brief) }, trouble });
}
