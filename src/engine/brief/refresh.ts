import { ok } from '../../base/result.ts';
import { deriveSections } from '../../brief/derive.ts';
import { digestOf } from '../../brief/digest.ts';
import { sectionNames } from '../../brief/document.ts';
import { surveyOf } from '../../brief/survey.ts';
import type { BriefState } from '../../runner/brief/state-file.ts';
import { readBriefState, readStateOf } from '../../runner/brief/state-file.ts';
import { atRun } from '../at-run.ts';
import { enter } from '../enter.ts';
import type { Environment } from '../environment.ts';
import { needRun } from '../find-run.ts';
import { hooksActor } from '../run-files.ts';
import { locateManifest, openWorkspace } from '../workspace.ts';

/**
 * The brief of a workspace, brought up to its journal, with how the run stands now: also whether its holder lives. For
 * hooks: nothing is started, and a pipeline that is written in code is not loaded, since that would run it.
 */
export async function refreshBrief(env: Environment, root: string): Promise<BriefState | undefined> {
  const known = readBriefState(env.disk, root);
  const manifest = locateManifest(env, root, known?.run);
  if (!manifest.ok || !/\.ya?ml$/.test(manifest.value)) return known;
  const target = { path: manifest.value, run: known?.run };
  await atRun(env, target, hooksActor, async ({ hold }) => {
    await hold.brief.settle();
    return ok(undefined);
  });
  const workspace = await openWorkspace(env, target);
  const opened = workspace.ok ? needRun(workspace.value, target) : workspace;
  if (!workspace.ok || !opened.ok) return known;
  const { pipeline } = (await enter(workspace.value, opened.value)).loaded;
  const { ledger, folder, status } = opened.value;
  const state = readStateOf(env.disk, root, folder);
  if (state === undefined) return known;
  const survey = surveyOf(pipeline, ledger, status);
  const brief = deriveSections(pipeline, ledger, survey, new Set(sectionNames), undefined);
  return { ...state, status, survey, brief, digest: digestOf(survey, brief) };
}
