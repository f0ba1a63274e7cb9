import { fail, ok, type Result } from '../../base/result.ts';
import { foldEvent } from '../../ledger/fold.ts';
import { emptyLedger, isStatTrusted, type Ledger, promotedResult } from '../../ledger/ledger.ts';
import type { EventBody } from '../../model/event.ts';
import type { Failure, Problem, UsageProblem } from '../../model/failure.ts';
import type { GuardName, Refusal } from '../../model/reason.ts';
import { missingFiles } from '../../pipeline/missing.ts';
import { changeNames, missingForReruns, overrideEvents, stillRefused } from '../../planner/open-guards.ts';
import { noOverrides, type Overrides } from '../../planner/overrides.ts';
import type { Plan } from '../../planner/plan.ts';
import { type ChosenSteps, chooseSteps, discardedBy } from '../../planner/rerun.ts';
import { planRun } from '../../planner/run.ts';
import { insideScope, planWithin } from '../../planner/scope.ts';
import { readSelection, type SelectionRequest } from '../../planner/selection.ts';
import type { ContentStore } from '../../store/content.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { isKnownRevision, newRevision } from '../open/revision.ts';
import { runsFolder } from '../open/run-places.ts';
import type { Workspace } from '../open/workspace.ts';
import { openStore } from '../open/workspace.ts';
import { type FactOptions, type GatheredFacts, gatherFacts } from './facts.ts';
import { missingModules } from './missing-modules.ts';

/** A run with everything that the plans of some of its units are made of. Nothing was changed to make it. */
export interface ObservedUnits {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly store: ContentStore;
  readonly facts: GatheredFacts;
  readonly plan: Pick<Plan, 'units'>;
}

/** The same of the whole run. */
export interface RunPlan extends ObservedUnits {
  readonly plan: Plan;
  /** The steps that the invocation is about; absent: all. */
  readonly chosen?: ChosenSteps | undefined;
}

/** Looks at a run, or at a pipeline that has none yet. */
export async function planRunFromDisk(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  options: FactOptions,
): Promise<RunPlan> {
  const ledger = opened?.ledger ?? emptyLedger();
  const store = openStore(workspace);
  const facts = await gatherFacts(workspace, opened?.folder ?? runsFolder, ledger, store, {
    ...options,
    changedAfter: ledger.worked.until,
  });
  return { workspace, ledger, store, facts, plan: planRun(workspace.loaded, ledger, facts) };
}

/** The same for an invocation that is about some steps. Decided once, before what was asked for is recorded. */
export function narrowToSelection(seen: RunPlan, request: SelectionRequest, overrides: Overrides): RunPlan {
  const { workspace, ledger, plan } = seen;
  const selection = readSelection(request, workspace.loaded.pipeline);
  if (selection === undefined) return seen;
  const { rerun } = overrides;
  const isDiscarded = rerun && discardedBy(workspace.loaded, rerun);
  const steps = chooseSteps(workspace.loaded.pipeline, ledger, plan, selection, isDiscarded);
  const chosen = overrides.force === undefined ? steps : { ...steps, unnarrowed: ofManifest };
  return { ...seen, chosen, plan: planWithin(workspace.loaded, plan, chosen) };
}

/** `--force` accepts a manifest as a whole, not for some steps. */
const ofManifest: ReadonlySet<GuardName> = new Set([
  'manifest-changed',
  'definition-changed',
  'unit-changed',
]);

/**
 * The same as a run would find it that goes on without any wish: what the manifest takes in by itself, and what a person
 * has chosen, is taken in. Only
 * for those who show it: the ledger is no longer what was read.
 */
export async function planAfterDefaults(
  workspace: Workspace,
  opened: OpenedRun | undefined,
): Promise<RunPlan> {
  const seen = await planRunFromDisk(workspace, opened, { deep: false, restore: false });
  if (opened === undefined) return seen;
  const wanted = eventsForOverrides(seen, noOverrides);
  const isSettled = wanted.ok && wanted.value.some(({ type }) => takenIn.has(type));
  return isSettled ? planWith(seen, wanted.value) : seen;
}

const takenIn: ReadonlySet<string> = new Set(['artifact_adopted', 'results_kept', 'results_superseded']);

/** What has to be recorded before the run goes on as asked; or the guards that refuse. */
export function eventsForOverrides(
  seen: RunPlan,
  overrides: Overrides,
  holdsAll: (refusal: Refusal) => boolean = () => true,
): Result<EventBody[], Failure> {
  const { workspace, ledger, facts, plan } = seen;
  const [lost] = facts.unrestorable ?? [];
  if (lost !== undefined) return fail(lost);
  const unknown = unknownChange(plan, overrides);
  if (unknown !== undefined) return fail({ reason: 'usage', problem: unknown });
  const refusals = stillRefused(workspace.loaded, plan, overrides).filter(holdsAll);
  if (refusals.length > 0) return fail({ reason: 'refused', refusals });
  const revision = newRevision(workspace, ledger);
  const input = { loaded: workspace.loaded, ledger, facts };
  const opened = overrideEvents(input, plan, overrides, revision?.revision ?? ledger.revision);
  const missing = missingForReruns(workspace.loaded, ledger, facts, opened).filter(holdsAll);
  if (missing.length > 0) return fail({ reason: 'refused', refusals: missing });
  const isIdle = plan.finished && opened.length === 0 && isKnownRevision(workspace, ledger);
  return ok([...(revision === undefined || isIdle ? [] : [revision]), ...opened]);
}

/** An answer by a name that no change has was a slip: nothing is done before it is put right. */
function unknownChange(plan: Plan, { rerunNamed, keepNamed }: Overrides): UsageProblem | undefined {
  if (rerunNamed === undefined && keepNamed === undefined) return undefined;
  const valid = changeNames(plan);
  const names = [...(rerunNamed?.names ?? []), ...(keepNamed?.names ?? [])];
  const name = names.find((one) => !valid.has(one));
  return name === undefined ? undefined : { code: 'unknown-change', name, valid: [...valid] };
}

/** The plan as it will be once these events are recorded: they are folded into the ledger that was only read. */
export function planWith(seen: RunPlan, events: readonly EventBody[]): RunPlan {
  const { ledger } = seen;
  for (const event of events)
    foldEvent(ledger, { ...event, seq: 0, at: ledger.updatedAt, actor: '', epoch: 0 });
  adoptFacts(seen.facts, events);
  const { loaded } = seen.workspace;
  return { ...seen, plan: planWithin(loaded, planRun(loaded, ledger, seen.facts), seen.chosen) };
}

/** An adopted file is from now on as it should be. */
export function adoptFacts(facts: GatheredFacts, events: readonly EventBody[]): void {
  for (const event of events) if (event.type === 'artifact_adopted') facts.outputs.delete(event.after.path);
}

/** What the manifest names and a new run would miss: an error there; in a run that was begun it is a guard's business. */
export async function requireFiles(workspace: Workspace): Promise<Result<undefined, Failure>> {
  const { env, root, loaded, manifest } = workspace;
  const problems = [...missingFiles(loaded), ...missingModules(workspace, undefined)];
  const { state } = loaded.pipeline;
  if (state !== undefined && env.disk.stat(`${root}/${state.initial}`)?.kind !== 'file') {
    const path = 'state.initial';
    problems.push({
      code: 'file-unreadable',
      path,
      place: loaded.locate(path),
      facts: { found: state.initial, cause: 'ENOENT' },
    });
  }
  // The template engine takes long to load: only a pipeline with prompts pays for it.
  if (loaded.templates.size > 0)
    problems.push(...(await import('../../pipeline/prompts/variables.ts')).unknownVariables(loaded));
  return noneOf(manifest, problems);
}

/**
 * A module that is gone is no reason to refuse while nothing needs it: of code the policy is `keep`. `wanted`: what is
 * recorded before anything runs, because it may run steps again.
 */
export function requireModules(
  workspace: Workspace,
  plan: Plan,
  wanted: readonly EventBody[],
): Result<undefined, Failure> {
  return noneOf(workspace.manifest, missingModules(workspace, insideScope(plan), wanted));
}

function noneOf(file: string, problems: readonly Problem[]): Result<undefined, Failure> {
  return problems.length === 0 ? ok(undefined) : fail({ reason: 'manifest-invalid', file, problems });
}

/**
 * Some outputs were proven by their bytes because a reboot lies between: worth remembering, so that it is done once.
 * What people read was not synced either, and is made anew.
 */
export function isProofOwed({ workspace, ledger }: RunPlan): boolean {
  const { boot } = workspace.env.host.self;
  if (ledger.run !== undefined && ledger.boot !== boot) return true;
  for (const step of ledger.steps.values()) {
    const result = promotedResult(step);
    if (result !== undefined && !isStatTrusted(ledger, result, boot)) return true;
  }
  return false;
}
