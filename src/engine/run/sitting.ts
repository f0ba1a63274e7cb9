import { formatTime } from '../../base/clock.ts';
import { hashJson } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { EventBody } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import { largestStage, placePipeline } from '../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { planContext } from '../../planner/context.ts';
import { type Overrides, wasFinished } from '../../planner/overrides.ts';
import type { Plan, UnitPlan } from '../../planner/plan.ts';
import { newestState, planOf, planRun } from '../../planner/run.ts';
import { carryOut, type SittingOutcome } from '../../runner/carry-out.ts';
import { type RunContext, record } from '../../runner/context.ts';
import { makeRoom } from '../../runner/outputs.ts';
import { Projections } from '../../runner/projections.ts';
import { restoreOutputs } from '../../runner/restore.ts';
import { Schedule } from '../../runner/schedule.ts';
import type { RunAnswer } from '../answers.ts';
import { retryTime } from '../calls/open-calls.ts';
import { askAtEnd } from '../checkpoints/ask.ts';
import { boardOf, countCells } from '../look/board.ts';
import { factOptions, type GatheredFacts, gatherFacts } from '../look/facts.ts';
import { gitHead } from '../look/git-head.ts';
import { adoptFacts, isProofOwed, type Look, settleOverrides } from '../look/look.ts';
import { listUnits, withoutStaleLists } from '../open/enter.ts';
import { headingOf } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import { takeOverEvents } from '../other-tools/take-over.ts';
import type { RunRequest } from '../requests.ts';
import { waitForDesk } from '../tasks/desk-turn.ts';
import { keepAdopted } from './adopted-bytes.ts';
import { type Hold, takeInNews } from './hold.ts';
import { findMissing } from './missing-providers.ts';
import { runCreated } from './new-run.ts';
import { recover } from './recover.ts';
import { keepSources } from './revision.ts';

export { takeHold, whileHeld } from './hold.ts';
export { holdNewRun } from './new-run.ts';

/** What every answer of a run says, whichever way it comes about. */
export interface AnswerFrame {
  readonly workspace: Workspace;
  readonly elapsed: () => number;
  /** What there was to say before anything was done. */
  readonly notices?: readonly Notice[];
}

/** What a sitting came to. */
export interface Sat {
  readonly answer: RunAnswer;
  /** What the disk said at the end of a run that is complete, where all is as recorded; and what a plan would. */
  readonly proven: { readonly facts: GatheredFacts; readonly plan: Plan } | undefined;
}

/** One sitting at a run that is held: looks again, records what was decided, carries out the plan, proves the end. */
export async function sit(
  frame: AnswerFrame,
  hold: Hold,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
): Promise<Result<Sat, Failure>> {
  const over = new AbortController();
  try {
    const signals = stopSignals(frame.workspace, request, over.signal);
    const sitting = await sitDown(frame, hold, opened, overrides, request, signals);
    if (!sitting.ok) return sitting;
    const worked = await work(frame, hold, sitting.value, opened, request);
    if (!worked.ok) return worked;
    const { workspace, run, schedule, projections, done } = worked.value;
    const { owed } = sitting.value;
    const { outcome: proved, facts } = await proveAtEnd(workspace, run, done);
    const outcome = await askAtEnd(run, proved);
    const state = newestState(schedule.context, schedule.plans)?.hash;
    const ended: EventBody = {
      type: 'run_ended',
      status: outcome.status,
      ...(state !== undefined && { state }),
    };
    await record(run, ...(owed ? proofOf(run) : []), ended);
    projections.end();
    const sat = { ...sitting.value, run, schedule };
    const proven = facts && {
      facts,
      plan: planOf(planContext(run.loaded, run.ledger, facts), schedule.plans),
    };
    return ok({ answer: answerOf({ ...frame, workspace }, hold, opened, sat, outcome), proven });
  } finally {
    over.abort();
  }
}

interface Worked extends Pick<Sitting, 'run' | 'schedule' | 'projections'> {
  readonly workspace: Workspace;
  readonly done: SittingOutcome;
}

/**
 * Carries out the plan; and again, when a stage has listed the units of a later one, or somebody outside has done a
 * part of it meanwhile.
 */
async function work(
  { workspace: first }: AnswerFrame,
  hold: Hold,
  sitting: Sitting,
  opened: OpenedRun | undefined,
  request: RunRequest,
): Promise<Result<Worked, Failure>> {
  let { run, schedule, projections } = sitting;
  let workspace: Workspace = { ...first, loaded: run.loaded };
  let done = await carryOut(run, schedule, projections);
  while (!done.interrupted) {
    const hasNews = takeInNews(hold);
    const listed = await listAgain(workspace, run, hasNews);
    if (!listed.ok) {
      await record(run, { type: 'run_ended', status: 'stopped' });
      projections.flush();
      return listed;
    }
    if (listed.value === undefined && !hasNews) break;
    const fresh = listed.value ?? workspace.loaded;
    if (listed.value !== undefined && isAnother(run, fresh)) {
      const { refusals } = planRun(fresh, run.ledger, run.facts);
      done = { ...done, status: 'stopped', refusals };
      break;
    }
    // What a template says now is for the next sitting: this one goes on by what it has recorded.
    const { statics, templates } = workspace.loaded;
    const loaded = { ...fresh, statics, templates };
    projections.flush();
    workspace = { ...workspace, loaded };
    run = { ...run, loaded, facts: { ...run.facts, now: formatTime(run.clock.now()) } };
    const plan = planRun(loaded, run.ledger, run.facts);
    run.brief?.pipelineChanged(loaded.pipeline);
    schedule = new Schedule(run, plan);
    projections = new Projections(run, schedule.plans);
    const heading = headingOf(workspace, { id: hold.id, ledger: run.ledger, status: 'running' });
    const kind = opened === undefined ? 'new' : 'resumed';
    request.observer?.begun(boardOf(heading, kind, loaded.pipeline, run.ledger, plan));
    const more = await carryOut(run, schedule, projections);
    done = { ...more, attempts: sumOf(done.attempts, more.attempts) };
  }
  return ok({ workspace, run, schedule, projections, done });
}

/** The pipeline with units that have been listed since, placed; undefined: it has no others than before. */
async function listAgain(
  workspace: Workspace,
  run: RunContext,
  hasNews: boolean,
): Promise<Result<LoadedPipeline | undefined, Failure>> {
  if (!hasOpenStage(workspace) && !hasNews) return ok(undefined);
  const listed = await listUnits(workspace, run.ledger);
  if (!listed.ok || listed.value === undefined) return listed.ok ? ok(undefined) : listed;
  if (!hasNews && isAsOpen(workspace, listed.value)) return ok(undefined);
  return ok(placePipeline(listed.value.loaded, run.folder));
}

/** Somebody changed the manifest meanwhile: that is for a guard, and not to be gone on with. */
function isAnother({ ledger }: RunContext, { pipeline }: LoadedPipeline): boolean {
  return ledger.revisions.get(ledger.revision)?.manifest !== hashJson(pipeline.manifest);
}

function hasOpenStage({ loaded }: Workspace): boolean {
  return loaded.pipeline.stages.some(({ isOpen }) => isOpen);
}

function isAsOpen(before: Workspace, after: Workspace): boolean {
  const count = ({ loaded }: Workspace) => loaded.pipeline.stages.filter(({ isOpen }) => isOpen).length;
  return count(before) === count(after);
}

function sumOf(a: SittingOutcome['attempts'], b: SittingOutcome['attempts']): SittingOutcome['attempts'] {
  return {
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
    cells: new Set([...a.cells, ...b.cells]),
  };
}

/** Done means proven, also at the end: somebody may have touched a file while the run went on. */
async function proveAtEnd(
  workspace: Workspace,
  run: RunContext,
  outcome: SittingOutcome,
): Promise<{ outcome: SittingOutcome; facts?: GatheredFacts }> {
  if (outcome.status !== 'completed') return { outcome };
  const facts = await gatherFacts(workspace, run.folder, run.ledger, run.store, {
    deep: false,
    restore: false,
  });
  if (facts.outputs.size === 0) return { outcome, facts };
  for (const [path, fact] of facts.outputs) run.facts.outputs.set(path, fact);
  const { finished, refusals } = planRun(workspace.loaded, run.ledger, facts);
  return { outcome: finished ? outcome : { ...outcome, status: 'stopped', refusals } };
}

interface Sitting {
  readonly run: RunContext;
  readonly schedule: Schedule;
  readonly projections: Projections;
  readonly reopened: boolean;
  /** A proof of every output, after a reboot. */
  readonly owed: boolean;
}

/**
 * Everything before the first attempt. With the run in hand it is all looked at again: another process may have been
 * here in between. The plans made on the way are as large as the run, and are let go of at the end.
 */
async function sitDown(
  { workspace }: AnswerFrame,
  hold: Hold,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
  signals: Signals,
): Promise<Result<Sitting, Failure>> {
  const observe = request.observer?.progress.bind(request.observer) ?? (() => undefined);
  const head = gitHead(hold.disk, hold.root);
  const recovered = await recoverAlone(workspace, hold, observe, request.takeover ?? false);
  if (!recovered.ok) return recovered;
  const facts = await gatherFacts(workspace, hold.folder, hold.ledger, hold.store, factOptions(request));
  let plan = planRun(workspace.loaded, hold.ledger, facts);
  const seen: Look = { workspace, ledger: hold.ledger, store: hold.store, facts, plan };
  const wanted = settleOverrides(seen, overrides);
  if (!wanted.ok) return wanted;

  const wishes = { noReuse: request.noReuse ?? false, waits: request.wait ?? false };
  let run: RunContext = { ...hold, facts, observe, ...signals, ...wishes };
  const missing = await findMissing(run, plan);
  if (missing !== undefined) return fail(missing);
  const owed = opened !== undefined && isProofOwed(seen);
  const before = { opened, plan, head };
  await begin(run, workspace, hold, before, wanted.value);
  // In a new run there is nothing that the first revision could change.
  if (opened !== undefined && wanted.value.length > 0) plan = planRun(workspace.loaded, run.ledger, facts);
  // What was put back may let others be found that have to be.
  for (let round = 0; round < restoreRoundsMax; round++) {
    if (!(await restoreOutputs(run, plan.units.values()))) break;
    plan = planRun(workspace.loaded, run.ledger, facts);
  }

  const loaded = withoutStaleLists(run.loaded, plan);
  if (loaded !== run.loaded) {
    run = { ...run, loaded };
    run.brief?.pipelineChanged(loaded.pipeline);
    plan = planRun(loaded, run.ledger, facts);
  }
  const schedule = new Schedule(run, plan);
  // Also where a process died before its first attempt.
  if (run.ledger.cells.byUnit.size === 0) setForeignFilesAside(run);
  const projections = new Projections(run, schedule.plans);
  projections.rebuild();
  await projections.stateChanged(newestState(schedule.context, plan.units));
  const heading = headingOf(workspace, { id: hold.id, ledger: run.ledger, status: 'running' });
  request.observer?.begun(
    boardOf(heading, opened === undefined ? 'new' : 'resumed', workspace.loaded.pipeline, run.ledger, plan),
  );
  return ok({ run, schedule, projections, reopened: opened?.status === 'completed' && !plan.finished, owed });
}

const restoreRoundsMax = 10;

/** Where others complete work, none of them may be in the middle of it: what it has staged looks like leftovers. */
async function recoverAlone(
  workspace: Workspace,
  hold: Hold,
  observe: RunContext['observe'],
  takeover: boolean,
): Promise<Result<undefined, Failure>> {
  const isShared = workspace.loaded.pipeline.stages.some(({ phases }) =>
    phases.some(({ executor }) => executor.kind === 'agent'),
  );
  const turn = isShared ? await waitForDesk(workspace, hold, { takeover }) : undefined;
  if (turn !== undefined && !turn.ok) return turn;
  takeInNews(hold);
  await recover(hold, observe);
  turn?.value.end();
  return ok(undefined);
}

/** A state file or a page that was there before the run is not ours to overwrite. */
function setForeignFilesAside(run: RunContext): void {
  const { state, layout, stages } = run.loaded.pipeline;
  if (layout.status !== undefined)
    for (const { units } of stages)
      for (const unit of units) makeRoom(run, expandPattern(layout.status, unit), undefined, []);
  const initial = run.facts.state?.initial;
  if (state !== undefined) makeRoom(run, state.path, undefined, initial === undefined ? [] : [initial]);
}

/**
 * Only what was put there under an earlier boot is proven: what was restored since is not on the disk yet. At the end
 * of a sitting, for what a gate sent back is not restored, and lies there unproven until the next round replaces it.
 */
function proofOf({ facts, ledger }: RunContext): EventBody[] {
  return facts.outputs.size > 0 ? [] : [{ type: 'outputs_proven', upTo: ledger.bootSince - 1 }];
}

/** What a guard would refuse and a person has allowed is as good as it was. */
function isKept(unit: UnitPlan | undefined): boolean {
  return unit !== undefined && (unit.finished || (unit.refusals.length > 0 && wasFinished(unit)));
}

function resumedEvent({ host, loaded }: RunContext, plan: Plan, head: string | undefined): EventBody {
  const { units } = largestStage(loaded.pipeline.stages);
  const from = units.find(({ id }) => !isKept(plan.units.get(id)))?.id;
  const manifestChanged = plan.refusals.some(({ guard }) => guard === 'manifest-changed');
  return {
    type: 'run_resumed',
    boot: host.self.boot,
    ...(from !== undefined && { from }),
    ...(manifestChanged && { manifestChanged }),
    ...(head !== undefined && { gitHead: head }),
  };
}

/** Writes down what was decided before anything runs, so that a crash right after it changes nothing. */
async function begin(
  run: RunContext,
  workspace: Workspace,
  hold: Hold,
  before: {
    readonly opened: OpenedRun | undefined;
    readonly plan: Plan;
    /** The commit of the workspace. */
    readonly head: string | undefined;
  },
  wanted: readonly EventBody[],
): Promise<void> {
  const first: EventBody[] = before.opened === undefined ? [] : [resumedEvent(run, before.plan, before.head)];
  // Named by its id, a run that died before its first event is taken up as the new one that it is.
  if (run.ledger.run === undefined) first.unshift(runCreated(workspace, hold));
  const takenOver = before.opened?.isToldOnly ? takeOverEvents(run.ledger) : [];
  if (before.opened?.isToldOnly) first.unshift(runCreated(workspace, hold), ...takenOver);
  await keepSources(workspace, run.store);
  await keepAdopted(run, [...takenOver, ...wanted]);
  await record(run, ...first, ...wanted);
  adoptFacts(run.facts, wanted);
}

type Signals = Pick<RunContext, 'stop' | 'interrupt'>;

/**
 * The first signal lets what runs end, for as long as the pace grants; then it is ended. Whoever wants to end what
 * runs wants nothing more to start. When the sitting is over nobody waits for the end of the grace any more.
 */
function stopSignals({ env, loaded }: Workspace, request: RunRequest, over: AbortSignal): Signals {
  const asked = [request.stop, request.interrupt].filter((signal) => signal !== undefined);
  const stop = AbortSignal.any(asked);
  const interrupt = new AbortController();
  const end = () => interrupt.abort();
  const afterGrace = async () => {
    await env.clock.sleep(loaded.pipeline.pace.graceMs, AbortSignal.any([interrupt.signal, over]));
    if (!over.aborted) end();
  };
  request.interrupt?.addEventListener('abort', end, { once: true, signal: over });
  stop.addEventListener('abort', () => void afterGrace(), { once: true, signal: over });
  return { stop, interrupt: interrupt.signal };
}

function answerOf(
  { workspace, elapsed, notices = [] }: AnswerFrame,
  hold: Hold,
  opened: OpenedRun | undefined,
  { run, schedule, reopened }: Sitting,
  outcome: SittingOutcome,
): RunAnswer {
  // The schedule has kept its plans true all along.
  const after = planOf(schedule.context, schedule.plans);
  return {
    heading: headingOf(workspace, { id: hold.id, ledger: run.ledger, status: outcome.status }),
    kind: opened === undefined ? 'new' : 'resumed',
    reopened,
    interrupted: outcome.interrupted,
    cells: countCells(after, outcome.attempts.cells),
    ran: { succeeded: outcome.attempts.succeeded, failed: outcome.attempts.failed },
    others: outcome.others,
    stops: outcome.stops,
    limits: outcome.limits,
    ...(outcome.halts.length > 0 && { halts: outcome.halts }),
    ...retryTime(after),
    refusals: outcome.refusals,
    notices: [...notices, ...asideNotice(hold), ...after.notices],
    findings: opened?.findings ?? [],
    elapsedMs: elapsed(),
  };
}

/** The file that the manifest names for the brief cannot be written into: whoever keeps it has to know. */
function asideNotice({ brief: { trouble } }: Hold): Notice[] {
  return trouble === undefined ? [] : [{ code: 'brief-aside', path: trouble.path, why: trouble.reason }];
}
