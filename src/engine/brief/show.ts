import { formatTime } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import type { Failure } from '../../model/failure.ts';
import { runFile } from '../../model/run-folder.ts';
import { isTerminal } from '../../model/status.ts';
import { deriveSections } from '../../projections/brief/derive.ts';
import { makeDigest } from '../../projections/brief/digest.ts';
import { sectionNames } from '../../projections/brief/document.ts';
import { documentStaleness } from '../../projections/brief/staleness.ts';
import { makeSurvey, type Survey } from '../../projections/brief/survey.ts';
import { renderSection, sectionKey } from '../../projections/brief/yaml/render.ts';
import { type DocumentTrouble, readDocument } from '../../projections/brief-file/document-file.ts';
import { readStateOf } from '../../projections/brief-file/state-file.ts';
import { countBehindJournal } from '../observe/behind-journal.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { type OpenedRun, unacceptedDamage } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { hooksActor } from '../open/run-files.ts';
import { withRunLock } from '../open/with-run-lock.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import type { BriefAnswer } from './answers.ts';
import { type RecoveryFields, readRecovery } from './document-facts.ts';

/**
 * The brief of a run as the journal has it now. Unless it is only checked, what hooks and people have left is taken in
 * first, and the document is brought up to it.
 */
export async function showBrief(
  env: Environment,
  { check = false, ...target }: Target & { readonly check?: boolean | undefined },
): Promise<Result<BriefAnswer, Failure>> {
  const seen = await seeRun(env, target);
  if (!seen.ok) return seen;
  if (check || isClosed(seen.value.opened)) return ok(await answer(seen.value, undefined, check));
  const settled = await withRunLock(env, target, hooksActor, async ({ hold }) => {
    await hold.projections.brief.settle();
    return ok(hold.projections.brief);
  });
  if (!settled.ok) return settled;
  const after = await seeRun(env, target);
  return after.ok ? ok(await answer(after.value, settled.value.trouble, false)) : after;
}

interface Seen {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
}

async function seeRun(env: Environment, target: Target): Promise<Result<Seen, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  return opened.ok
    ? ok({ workspace: await resolvePipelineForRun(workspace.value, opened.value), opened: opened.value })
    : opened;
}

/** Nothing is recorded in such a run any more. */
function isClosed(opened: OpenedRun): boolean {
  return opened.isToldOnly === true || isTerminal(opened.status) || unacceptedDamage(opened).length > 0;
}

async function answer(
  { workspace, opened }: Seen,
  trouble: DocumentTrouble | undefined,
  isCheck: boolean,
): Promise<BriefAnswer> {
  const { env, root, loaded } = workspace;
  const { ledger, status, folder } = opened;
  const survey = makeSurvey(loaded.pipeline, ledger, { status, now: formatTime(env.clock.now()) });
  const brief = deriveSections(loaded.pipeline, ledger, survey, new Set(sectionNames), undefined);
  const text = renderSection(sectionKey, brief as unknown as JsonObject);
  const digest = makeDigest(survey, brief);
  const state = readStateOf(env.disk, root, folder);
  const isSection = state?.isSection ?? loaded.pipeline.layout.brief !== undefined;
  const path = state?.path ?? loaded.pipeline.layout.brief ?? runFile(folder, 'brief.yaml');
  const found = await readRecovery(env.disk, `${root}/${path}`);
  const known = {
    left: undefined,
    state: () => state,
    derived: () => brief,
    importForeign: async () => undefined,
  };
  const behind = countBehindJournal(env, root, opened);
  const { edited } = await readDocument(env.disk, root, { path, isSection }, known);
  return {
    heading: createRunHeading(workspace, opened),
    brief,
    text,
    digest,
    tokens: { document: tokensIn(text), digest: tokensIn(digest) },
    path,
    isSection,
    staleness:
      typeof found === 'string'
        ? { level: 'CRITICAL', code: found }
        : stalenessOf(found, survey, env.clock.now()),
    edits: typeof found === 'string' ? [] : (edited?.edits ?? []),
    trouble,
    ...(behind !== undefined && { behind }),
    isCheck,
  };
}

function stalenessOf(found: RecoveryFields, survey: Survey, now: number): BriefAnswer['staleness'] {
  const { updatedAt, phase, phaseSince, sessionSince, status } = survey;
  const newest = {
    at: updatedAt,
    phase: phase?.number ?? null,
    phaseName: phase?.name ?? null,
    phaseSince,
    sessionSince,
  };
  return documentStaleness(found, { newest, status, now });
}
