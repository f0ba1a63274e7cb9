import { fail, ok, type Result } from '../../base/result.ts';
import type { EventBody } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure, Finding, MissingProvider, RerunAbove } from '../../model/failure.ts';
import { type StepName, stepName } from '../../model/names.ts';
import type { Notice } from '../../model/reason.ts';
import { shortBudgets } from '../../planner/budget.ts';
import type { SelectionCounts } from '../../planner/plan.ts';
import { expectedMs, isUnrecorded, outdatedBy, type Plan, valueChanges } from '../../planner/plan.ts';
import { insideScope, selectionCounts } from '../../planner/scope.ts';
import { foreignFiles } from '../../projections/file-owners.ts';
import { phaseNames } from '../observe/board.ts';
import { resolveForeignRun } from '../observe/enter-told.ts';
import { factOptions } from '../observe/facts.ts';
import { findMissing } from '../observe/missing-providers.ts';
import { findOutputLinkOutside } from '../observe/output-links.ts';
import { readOverrides } from '../observe/overrides.ts';
import {
  eventsForOverrides,
  narrowToSelection,
  planRunFromDisk,
  planWith,
  type RunPlan,
  requireFiles,
  requireModules,
} from '../observe/plan-from-disk.ts';
import type { PlannedCalls } from '../observe/planned-answer.ts';
import { findCosts, isOverridden } from '../observe/planned-costs.ts';
import { rerunAbove, rerunConsent } from '../observe/rerun-above.ts';
import type { ReusableStep } from '../observe/reusable-steps.ts';
import type { StaleRun } from '../observe/stale-answer.ts';
import { detectStaleRun } from '../observe/stale-run.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading } from '../open/find-run.ts';
import type { LinkOutside } from '../open/leads-outside.ts';
import { isBeforeStart, type OpenedRun, shownFindings, unacceptedDamage } from '../open/open-run.ts';
import { findOwnLinkOutside, findRunInside } from '../open/own-folder.ts';
import type { PlanRequest } from '../open/requests.ts';
import { findUnusableListFailure } from '../open/resolve-pipeline.ts';
import { runsFolder } from '../open/run-places.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { type JudgedPages, judgePages } from '../status-import/judge.ts';

function claimableIn({ loaded }: Workspace): string[] {
  return loaded.pipeline.stages.flatMap(({ phases }) => phases.filter(isForOthers).map(({ name }) => name));
}

/** Shows exactly what `run` would do with the same request, and changes nothing. */
export async function planPipeline(
  env: Environment,
  request: PlanRequest,
): Promise<Result<PlanAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = findRunInside(workspace.value, request);
  if (!found.ok) return found;
  const entered = await resolveForeignRun(workspace.value, found.value, request);
  if (!entered.ok) return entered;
  const placed = entered.value;
  const pages = request.fresh ? ok(undefined) : await judgePages(placed, found.value);
  if (!pages.ok) return pages;
  const opened = pages.value?.opened ?? found.value;
  const overrides = readOverrides(placed.loaded.pipeline, request);
  if (!overrides.ok) return overrides;
  const damage = found.value === undefined ? [] : unacceptedDamage(found.value);
  if (found.value !== undefined && damage.length > 0)
    return fail({ reason: 'journal-damaged', run: found.value.id, findings: damage });
  const files = found.value === undefined ? await requireFiles(placed) : ok(undefined);
  if (!files.ok) return files;
  const existing = await seeExisting(placed, opened, request);
  if (!existing.ok) return existing;
  const { adopted } = existing.value;
  const all = adopted ?? (await planRunFromDisk(placed, opened, factOptions(request)));
  const seen = narrowToSelection(all, request, overrides.value);
  const [lost] = seen.facts.unrestorable ?? [];
  if (lost !== undefined) return fail(lost);
  const events = eventsForOverrides(seen, overrides.value);
  if (!events.ok && events.failure.reason !== 'refused') return events;
  const changes = valueChanges(seen.plan);
  const unconfirmed = found.value && (await toConfirm(seen, found.value, events, request));
  const modules = events.ok ? requireModules(placed, seen.plan, events.value) : ok(undefined);
  if (!modules.ok) return modules;
  const checkedFirst = events.ok ? stepsCheckedFirst(seen, events.value) : [];
  const settled = events.ok ? planWith(seen, events.value) : refusedBy(seen, events.failure);
  const selection = selectionCounts(settled.plan);
  const then = { ...settled, plan: insideScope(settled.plan) };
  // Recorded as revisions, changed values are no longer changes.
  const replaced = replacedFiles(placed, { pages: pages.value, opened: found.value, then, adopted });
  const notices = [...(pages.value?.notices ?? []), ...withChanges(then.plan, changes), ...replaced];
  const plan = { ...then.plan, notices };
  const unusable = findUnusableListFailure(placed, settled.plan);
  if (unusable !== undefined) return fail(unusable);
  const counts = countDecisions(plan);
  const folder = found.value?.folder ?? '';
  const link = counts.run + counts.restore > 0 ? findLinkWritten(placed, found.value) : undefined;
  if (link !== undefined) return fail({ reason: 'link-outside', ...link });
  const { reusable, calls } = await findCosts(then, folder, opened?.id, request, checkedFirst);
  const short = shortBudgets(placed.loaded.pipeline, then.ledger, calls?.phases ?? []);
  const missing = calls === undefined ? undefined : await findMissing(placed, env.process.variables, plan);
  return ok({
    ...(selection !== undefined && { selection }),
    overridden: selection !== undefined || isOverridden(request, overrides.value),
    heading: opened && createRunHeading(placed, opened),
    plan: { ...plan, notices: [...existing.value.notices, ...plan.notices, ...short] },
    phases: phaseNames(placed.loaded.pipeline),
    claimable: claimableIn(placed),
    counts,
    findings: found.value === undefined ? [] : shownFindings(found.value),
    ...(calls !== undefined && { calls }),
    ...unconfirmed,
    ...(checkedFirst.length > 0 && { checkedFirst }),
    ...(then.ledger.run !== undefined && { ms: expectedMs(placed.loaded.pipeline, then.ledger, plan) }),
    ...(reusable.length > 0 && { reusable }),
    ...(missing?.reason === 'provider-missing' && { missing: missing.missing }),
  });
}

/** The plan with all that refuses what was asked for: what the answers would need can be missing, too. */
function refusedBy(seen: RunPlan, failure: Failure): RunPlan {
  const more = failure.reason === 'refused' ? failure.refusals : [];
  const refusals = new Set([...seen.plan.refusals, ...more]);
  return { ...seen, plan: { ...seen.plan, refusals: [...refusals] } };
}

/** Steps that run again unless their outputs pass a changed check, which is code of the user's: looking asks none. */
function stepsCheckedFirst({ plan, facts }: RunPlan, events: readonly EventBody[]): StepName[] {
  const again = new Set<string>(
    events.flatMap((event) => (event.type === 'results_superseded' ? event.steps : [])),
  );
  const names = [...plan.units.values()].flatMap(({ refusals, cells: steps }) =>
    [...refusals, ...steps.flatMap(({ decision }) => outdatedBy(decision))].flatMap((change) =>
      change.guard === 'definition-changed' && change.checksOnly ? [stepName(change.unit, change.phase)] : [],
    ),
  );
  return names.filter((name) => again.has(name) && !facts.rechecked?.has(name));
}

/** What run would ask a person about before it starts anything. */
async function toConfirm(
  seen: RunPlan,
  { folder }: OpenedRun,
  events: ReturnType<typeof eventsForOverrides>,
  request: PlanRequest,
): Promise<Pick<PlanAnswer, 'stale' | 'above'>> {
  const stale = request.acceptStale ? undefined : detectStaleRun(seen, events.ok ? events.value : []);
  const above = events.ok ? await rerunAbove(seen, folder, events.value, rerunConsent(request)) : undefined;
  return { ...(stale !== undefined && { stale }), ...(above !== undefined && { above }) };
}

/** A run that is refused, or has nothing to do, moves nothing. */
function replacedFiles(
  { env, root, loaded, runFolder }: Workspace,
  { pages, opened, then, adopted }: Planned,
): Notice[] {
  const { plan, facts } = then;
  if (pages?.kind === 'complete' || plan.finished || plan.refusals.length > 0) return [];
  const folder = opened?.folder ?? runFolder ?? runsFolder;
  const ledger = adopted?.ledger ?? opened?.ledger;
  const paths = foreignFiles({ disk: env.disk, root }, loaded.pipeline, folder, ledger, facts.state?.initial);
  return paths.length === 0 ? [] : [{ code: 'files-replaced', paths }];
}

interface Planned {
  readonly pages: JudgedPages | undefined;
  readonly opened: OpenedRun | undefined;
  /** With what the request overrides. */
  readonly then: RunPlan;
  readonly adopted: RunPlan | undefined;
}

function withChanges({ notices }: Plan, changes: Plan['notices']): Plan['notices'] {
  return [...changes, ...notices.filter((notice) => !isUnrecorded(notice))];
}

/** What a new run does with files at its output paths, as the request says. */
async function seeExisting(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: PlanRequest,
): Promise<Result<{ readonly adopted: RunPlan | undefined; readonly notices: readonly Notice[] }, Failure>> {
  const none = { adopted: undefined, notices: [] };
  if (!isBeforeStart(opened) || (await hasPages(workspace, request))) return ok(none);
  const { adoptedNotice, planAdoption, refuseExisting, uncheckedIn } = await import('./existing-outputs.ts');
  const found = refuseExisting(workspace, request);
  if (!found.ok) return found;
  if (found.value.length === 0 || !request.adoptExisting) return ok(none);
  const { events, seen, state } = await planAdoption(workspace, found.value);
  const moved: Notice[] = state === undefined ? [] : [{ code: 'files-replaced', paths: [state] }];
  return ok({
    adopted: seen,
    notices: [...adoptedNotice(events, uncheckedIn(seen.workspace, events)), ...moved],
  });
}

/** Pages that a run would take in judge the files themselves. */
async function hasPages(workspace: Workspace, { fresh }: PlanRequest): Promise<boolean> {
  if (fresh || workspace.loaded.pipeline.layout.status === undefined) return false;
  return (await import('../status-import/pages.ts')).findPages(workspace).length > 0;
}

function countDecisions(plan: Plan): PlanAnswer['counts'] {
  const counts = { run: 0, wait: 0, claimed: 0, reuse: 0, restore: 0, skip: 0, refuse: 0, stop: 0 };
  let outdated = 0;
  for (const { cells: steps } of plan.units.values())
    for (const { decision } of steps) {
      counts[decision.do] += 1;
      if (outdatedBy(decision).length > 0) outdated += 1;
    }
  return outdated === 0 ? counts : { ...counts, outdated };
}

/** What `run` would refuse to write through. */
function findLinkWritten(placed: Workspace, opened: OpenedRun | undefined): LinkOutside | undefined {
  return findOutputLinkOutside(placed) ?? findOwnLinkOutside(placed.env.disk, placed.root, opened?.folder);
}

export interface PlanAnswer {
  /** Overrides were asked for: only `run` with the same ones does what is shown. */
  readonly overridden: boolean;
  readonly heading: RunHeading | undefined;
  /** Only the steps that were selected, and those that they wait for. */
  readonly plan: Plan;
  /** How far the selected steps are; absent: all steps are meant. */
  readonly selection?: SelectionCounts;
  /** Phases in order, for the matrix. */
  readonly phases: readonly string[];
  /** Phases that are claimed from outside: run starts none of them. */
  readonly claimable: readonly string[];
  readonly counts: {
    readonly run: number;
    readonly wait: number;
    readonly claimed: number;
    readonly reuse: number;
    readonly restore: number;
    readonly skip: number;
    readonly refuse: number;
    readonly stop: number;
    /** Of the reused and restored: kept although what they were made from changed; absent: none is. */
    readonly outdated?: number;
  };
  readonly findings: readonly Finding[];
  /** What models would be asked; absent: none would. */
  readonly calls?: PlannedCalls;
  /** Of the steps to run: those whose result run takes from another run, if it is as recorded; absent: none. */
  readonly reusable?: readonly ReusableStep[];
  /** Nothing has happened for longer than `pace.stale_after`: run would ask first. Absent: it would not. */
  readonly stale?: StaleRun;
  /** A policy would re-run more than `confirm_above` allows: run would ask first. Absent: it would not. */
  readonly above?: RerunAbove;
  /** Steps to run whose outputs are checked first: only those that fail a changed check run again. */
  readonly checkedFirst?: readonly string[];
  /** How long it may take, by what attempts at the same phases took in this run. Absent: they say nothing. */
  readonly ms?: number | undefined;
  /** Providers that cannot be asked: run would start nothing. */
  readonly missing?: readonly MissingProvider[];
}
