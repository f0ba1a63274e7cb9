import { fail, ok, type Result } from '../../base/result.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { EventBody } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { allAsk, type Notice } from '../../model/reason.ts';
import { isTerminal, type RunStatus } from '../../model/status.ts';
import type { Overrides } from '../../planner/overrides.ts';
import type { Plan, SelectionCounts } from '../../planner/plan.ts';
import { selectionCounts } from '../../planner/scope.ts';
import { keepConsent } from '../observe/consent.ts';
import { resolveForeignRun } from '../observe/enter-told.ts';
import { readOverrides } from '../observe/overrides.ts';
import type { RunPlan } from '../observe/plan-from-disk.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, endedBefore } from '../open/find-run.ts';
import {
  findRunOwner,
  isBeforeStart,
  type OpenedRun,
  shownFindings,
  unacceptedDamage,
} from '../open/open-run.ts';
import { findRunInside } from '../open/own-folder.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import type { JudgedPages } from '../status-import/judge.ts';
import type { AnswerFrame } from './drive-run.ts';
import type { StateBefore } from './notify.ts';
import type { RunAnswer, RunRequest } from './run-request.ts';
import { asNew, notingMoves, withNotesAt } from './run-request.ts';

/** Runs a pipeline: starts a new run, resumes an old one, or verifies that there is nothing to do. */
export async function runPipeline(
  env: Environment,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure>> {
  const began = env.clock.monotonicMs();
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const elapsed = () => Math.round(env.clock.monotonicMs() - began);
  const found = findRunInside(workspace.value, request);
  if (!found.ok) return found;
  const opened = found.value;
  const entered = await resolveForeignRun(workspace.value, opened, request);
  if (!entered.ok) return entered;
  const placed = entered.value;
  if (!request.fresh && placed.loaded.pipeline.layout.status !== undefined) {
    const taken = await takeIn(placed, opened, request);
    if (taken !== undefined) return taken;
  }
  const overrides = readOverrides(placed.loaded.pipeline, request);
  if (!overrides.ok) return overrides;
  const allowed = await mayGoOn(placed, opened, request);
  if (!allowed.ok) return allowed;
  if (isBeforeStart(opened)) {
    const begun = await beginWithExisting(placed, opened, request);
    if (begun !== undefined) return begun;
  }

  const frame = { workspace: placed, elapsed, notices: await noticesBefore(placed, opened) };
  const settled = await lookFirst(frame, opened, overrides.value, request);
  if (!settled.ok) return await askOrRefuse(frame, opened, settled.failure, request);
  // Not before, because a refused run writes nothing. Also where nothing is left for the runner, because agents complete
  // the rest, and their checks need the consent.
  keepConsent(placed.env, placed.loaded);
  if (settled.value !== undefined) return ok(settled.value);

  return await takeAndSit(frame, opened, overrides.value, request);
}

/** Files of the user at output paths of a new run; undefined: there are none, or they are to be replaced. */
async function beginWithExisting(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure> | undefined> {
  const { adoptedNotice, refuseExisting } = await import('../show/existing-outputs.ts');
  const found = refuseExisting(workspace, request);
  if (!found.ok) return found;
  if (found.value.length === 0 || !request.adoptExisting) return undefined;
  const { adoptExisting } = await import('./adopt-existing.ts');
  const adopted = await adoptExisting(workspace, opened, request, found.value);
  if (!adopted.ok) return adopted;
  const answer = await runPipeline(workspace.env, {
    ...request,
    observer: asNew(request.observer),
    fresh: false,
    adoptExisting: false,
  });
  if (!answer.ok) return answer;
  const { kind } = answer.value;
  return ok({
    ...answer.value,
    kind: kind === 'resumed' ? 'new' : kind,
    notices: [...adoptedNotice(adopted.value), ...answer.value.notices],
  });
}

/** There is something to do: takes hold of the run, or makes one; sits at it, lets go of it, and tells of it. */
async function takeAndSit(
  frame: AnswerFrame,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure>> {
  const { workspace } = frame;
  const link = (await import('../observe/output-links.ts')).findOutputLinkOutside(workspace);
  if (link !== undefined) return fail({ reason: 'link-outside', ...link });
  // What carries out a plan is loaded only where there is something to do.
  const { driveRun, lockNewRun, lockRun, releaseAfter } = await import('./drive-run.ts');
  const options = { takeover: request.takeover ?? false };
  const sat = await watched(workspace, async (heard) => {
    const taken =
      opened === undefined
        ? await lockNewRun(heard, { ...options, fresh: request.fresh ?? false })
        : await lockRun(heard, opened, options);
    if (!taken.ok) return taken;
    const hold = taken.value;
    if (hold === undefined) return ok(undefined);
    const before = standOf(opened?.status, hold.ledger);
    const done = await releaseAfter(workspace, hold, () => driveRun(frame, hold, opened, overrides, request));
    return await tell(workspace, hold, request, before, done);
  });
  if (!sat.ok) return sat;
  // Somebody else has made the run in the meantime: then it is that one.
  return sat.value === undefined ? await runPipeline(workspace.env, request) : ok(sat.value);
}

/** OpenTelemetry is loaded only where an endpoint is set. What is recorded in the workspace that it gets is reported. */
async function watched(
  workspace: Workspace,
  invoke: (heard: Workspace) => Promise<Result<RunAnswer | undefined, Failure>>,
): Promise<Result<RunAnswer | undefined, Failure>> {
  const { variables } = workspace.env.process;
  const wanted = Object.keys(variables).some((name) => /^OTEL_EXPORTER_OTLP_.*ENDPOINT$/.test(name));
  if (!wanted) return await invoke(workspace);
  return await (await import('./telemetry.ts')).observed(workspace, variables, invoke);
}

/** What there is to say before anything is done. */
async function noticesBefore(workspace: Workspace, opened: OpenedRun | undefined): Promise<Notice[]> {
  if (opened !== undefined) {
    if (workspace.loaded.pipeline.layout.status === undefined) return [];
    return (await import('../status-import/boxes.ts')).tickedByHand(workspace, opened.ledger);
  }
  const ended = endedBefore(workspace);
  if (ended === undefined) return [];
  const { id, status, ledger } = ended;
  return [{ code: 'started-fresh', run: id, status, reason: ledger.cancelled?.reason ?? '' }];
}

/** Pages that others have written become a run, which is then gone on with; undefined: there are none. */
async function takeIn(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure> | undefined> {
  if (opened !== undefined && opened.ledger.revision > 0) return undefined;
  const judged = await (await import('../status-import/judge.ts')).judgePages(workspace, opened);
  if (!judged.ok) return judged;
  if (judged.value === undefined) return undefined;
  const { kind, notices, opened: seen } = judged.value;
  if (seen !== undefined && kind === 'complete')
    return await completeByPage(workspace, seen, notices, request);
  if (request.existingOnly && kind === 'fresh') return fail(endedByPage(judged.value));
  if (kind === 'import') {
    const { importPages } = await import('../status-import/take-in.ts');
    const imported = await importPages(workspace, opened, judged.value);
    if (!imported.ok) return imported;
  }
  const moved = new Map<string, string>();
  const answer = await runPipeline(workspace.env, {
    ...request,
    observer: notingMoves(request.observer, moved),
    fresh: kind === 'fresh',
  });
  if (!answer.ok) return answer;
  // A page and a journal may tell of the same run.
  const told = answer.value.notices;
  const isTold = (notice: Notice) =>
    notice.code === 'started-fresh' &&
    told.some((other) => other.code === notice.code && other.run === notice.run);
  const before = notices.filter((notice) => !isTold(notice)).map((notice) => withNotesAt(notice, moved));
  return ok({ ...answer.value, notices: [...before, ...told] });
}

/** A complete run of another tool: nothing is started and nothing is written. */
async function completeByPage(
  workspace: Workspace,
  seen: OpenedRun,
  notices: readonly Notice[],
  request: RunRequest,
): Promise<Result<RunAnswer, Failure>> {
  if (request.existingOnly) return fail({ reason: 'run-terminal', run: seen.id, status: seen.status });
  const [{ planRunFromDisk }, { countSteps }] = await Promise.all([
    import('../observe/plan-from-disk.ts'),
    import('../observe/board.ts'),
  ]);
  const { plan } = await planRunFromDisk(workspace, seen, { deep: false, restore: false });
  const heading = createRunHeading(workspace, seen);
  return ok(unchanged({ heading, cells: countSteps(plan), notices, findings: [] }, 0));
}

/** The pages name a run that failed or was cancelled: there is nothing to resume. */
function endedByPage({ pages }: JudgedPages): Failure {
  const [first] = pages;
  const { runId, status = '' } = first?.page ?? {};
  return { reason: 'run-terminal', run: runId ?? first?.path ?? '', status: status.toLowerCase() };
}

/** Last of all, with the run let go: whoever is told may go on with it at once. */
async function tell(
  workspace: Workspace,
  run: Pick<OpenedRun, 'id' | 'ledger'>,
  request: RunRequest,
  before: StateBefore,
  answered: Result<RunAnswer, Failure>,
): Promise<Result<RunAnswer, Failure>> {
  if (workspace.loaded.pipeline.notify === undefined || request.notifying === undefined) return answered;
  return await (await import('./notify.ts')).notifyEnd(workspace, run, request, before, answered);
}

/** Noted before anything is done: a ledger goes on with the run. */
function standOf(status: RunStatus | undefined, { runnerSeq, questionCount }: Ledger): StateBefore {
  return { status, seq: runnerSeq, questions: questionCount };
}

/** What a guard refuses and a person may settle is asked, and nothing else is done. */
async function askOrRefuse(
  frame: AnswerFrame,
  opened: OpenedRun | undefined,
  failure: Failure,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure>> {
  if (failure.reason !== 'refused' || opened === undefined) return fail(failure);
  if (!allAsk(failure.refusals)) return fail(failure);
  const { askAboutChanges } = await import('./ask-about-changes.ts');
  const before = standOf(opened.status, opened.ledger);
  const asked = await askAboutChanges(frame, opened, failure.refusals);
  return await tell(frame.workspace, opened, request, before, asked);
}

/** Looks without the run in hand: a run with nothing to do must not be written to. Its answer, or undefined: go on. */
async function lookFirst(
  frame: AnswerFrame,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
): Promise<Result<RunAnswer | undefined, Failure>> {
  // Before its first event there is nothing that could be settled, or refuse.
  if (opened === undefined) return ok(undefined);
  const [
    { planRunFromDisk, narrowToSelection, eventsForOverrides },
    { factOptions },
    { isIdle },
    { countSteps },
  ] = await Promise.all([
    import('../observe/plan-from-disk.ts'),
    import('../observe/facts.ts'),
    import('../observe/idle.ts'),
    import('../observe/board.ts'),
  ]);
  if (frame.workspace.listTrouble !== undefined) {
    // Whether the list is made anew hangs on all that is asked for, as a plan tells it.
    const planned = await (await import('../show/plan.ts')).planPipeline(frame.workspace.env, request);
    if (!planned.ok) return planned;
  }
  const seen = narrowToSelection(
    await planRunFromDisk(frame.workspace, opened, factOptions(request)),
    request,
    overrides,
  );
  const selection = selectionCounts(seen.plan);
  const wanted = eventsForOverrides(seen, overrides);
  const hasNothingToDo = isIdle(seen, opened) || (selection !== undefined && isAllDone(selection, seen.plan));
  if (!wanted.ok || wanted.value.length > 0 || !hasNothingToDo) {
    const allowed = await mayResume(seen, opened, wanted.ok ? wanted.value : undefined, request);
    return allowed.ok && !wanted.ok ? wanted : allowed;
  }
  const { plan } = seen;
  const heading = createRunHeading(frame.workspace, opened);
  const told = { heading, cells: countSteps(plan), notices: plan.notices, findings: shownFindings(opened) };
  return ok({ ...unchanged(told, frame.elapsed()), ...(selection !== undefined && { selection }) });
}

/** Nothing is to be done for what was selected, and nothing is to be put back. */
function isAllDone({ selected, done, needed }: SelectionCounts, { refusals }: Plan): boolean {
  // Where nothing is selected yet, a step may be needed that lists the units that are.
  const isListed = selected > 0 || needed.length === 0;
  return isListed && selected === done && refusals.length === 0;
}

/** Something is to be done. Resuming a run that is long forgotten, and a large re-run by policy, have to be confirmed. */
async function mayResume(
  seen: RunPlan,
  opened: OpenedRun,
  wanted: readonly EventBody[] | undefined,
  request: RunRequest,
): Promise<Result<undefined, Failure>> {
  if (!request.acceptStale) {
    const { detectStaleRun } = await import('../observe/stale-run.ts');
    const stale = detectStaleRun(seen, wanted ?? []);
    if (stale !== undefined) return fail({ reason: 'run-stale', run: opened.id, ...stale });
  }
  // A refusal is answered first.
  if (wanted === undefined) return ok(undefined);
  const { rerunAbove, rerunConsent } = await import('../observe/rerun-above.ts');
  const above = await rerunAbove(seen, opened.folder, wanted, rerunConsent(request));
  return above === undefined ? ok(undefined) : fail({ reason: 'rerun-above', run: opened.id, ...above });
}

/** A terminal run is never gone on with, a held one is left alone, a damaged one waits for a person. */
async function mayGoOn(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: RunRequest,
): Promise<Result<undefined, Failure>> {
  // Only what was run before has failed, or is kept as outdated.
  const isOfBefore = request.existingOnly || request.failed || request.outdated;
  if (opened === undefined && isOfBefore) return fail({ reason: 'no-run', workspace: workspace.shownPath });
  if (opened === undefined) return await mayStart(workspace);
  if (isTerminal(opened.status))
    return fail({ reason: 'run-terminal', run: opened.id, status: opened.status });
  if (request.existingOnly && opened.status === 'completed' && !isAskedFor(request)) {
    const from = workspace.loaded.pipeline.stages[0]?.phases[0]?.name;
    return fail({ reason: 'run-terminal', run: opened.id, status: opened.status, ...(from && { from }) });
  }
  const holder = findRunOwner(workspace.env, opened);
  if (holder !== undefined && !request.takeover) return fail({ reason: 'run-held', run: opened.id, holder });
  const findings = unacceptedDamage(opened);
  return findings.length === 0
    ? ok(undefined)
    : fail({ reason: 'journal-damaged', run: opened.id, findings });
}

/** A completed run is resumed for what was asked for by a flag, and for nothing else. */
function isAskedFor(request: RunRequest): boolean {
  const { rerunFrom, rerunAll, failed, outdated, rerunChanged, keepChanged } = request;
  const { rerunChange = [], keepChange = [] } = request;
  const isFlag = rerunAll || failed || outdated || rerunChanged || keepChanged;
  return rerunFrom !== undefined || isFlag === true || rerunChange.length + keepChange.length > 0;
}

/** What a new run cannot do without is asked for before there is one. */
async function mayStart(workspace: Workspace): Promise<Result<undefined, Failure>> {
  const files = await (await import('../observe/plan-from-disk.ts')).requireFiles(workspace);
  if (!files.ok || !asksModels(workspace)) return files;
  const missing = await (await import('../observe/missing-providers.ts')).findMissing(
    workspace,
    workspace.env.process.variables,
    undefined,
  );
  return missing === undefined ? ok(undefined) : fail(missing);
}

function asksModels({ loaded }: Workspace): boolean {
  return loaded.pipeline.stages.some(({ phases }) => phases.some(asksModel));
}

/** What is reported of a run that was left as it is. */
type Unchanged = Pick<RunAnswer, 'heading' | 'cells' | 'notices' | 'findings'>;

function unchanged(told: Unchanged, elapsedMs: number): RunAnswer {
  return {
    kind: 'unchanged',
    reopened: false,
    interrupted: false,
    ran: { succeeded: 0, failed: 0 },
    others: { ready: 0, claimed: 0 },
    stops: [],
    limits: [],
    refusals: [],
    ...told,
    elapsedMs,
  };
}
