import { findStep, newestResult, type StepResult } from '../ledger/ledger.ts';
import type { OutputSpec, Phase, Stage, Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import type { Refusal, RefusalOf } from '../model/reason.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import { holdByPage } from './changes.ts';
import { refAttempt } from './compare.ts';
import { type PlanContext, phaseAt, roundOf, type StageShape, type Walk } from './context.ts';
import { refusalsOf } from './fixed-parts.ts';
import { type GateHistory, gateHistories, goRound } from './judge.ts';
import {
  comparedResult,
  type Decision,
  formerResult,
  isMade,
  isSettled,
  type StepPlan,
  standingResult,
  type UnitPlan,
} from './plan.ts';
import { heldByPerson } from './questions.ts';
import { decideStep } from './step.ts';

/** What the rest of the pipeline says to a unit. */
export interface Surroundings {
  /** Units, or a whole stage, that must be finished before anything of this unit starts. */
  readonly blockedBy: () => readonly string[];
  /** The state it starts from; undefined while that is not settled, or when there is none. */
  readonly startState: PreState | undefined;
  /** The unit that is listed before it. */
  readonly before: Unit | undefined;
  /** The plans of the units that were planned before it. */
  readonly units: ReadonlyMap<string, UnitPlan>;
}

/**
 * Walks a unit through its phases as if it were being run, over the recorded results: each is reused while it
 * was made from what would be taken now. Loops unroll by themselves: a gate's bad verdict sends the walk back,
 * and the next round looks for its own results. Hashes decide, never times.
 */
export function planUnit(
  context: PlanContext,
  shape: StageShape,
  unit: Unit,
  around: Surroundings,
): UnitPlan {
  let walk = walkPhases(context, shape, unit, around, 'keep');
  if (walk.staleStates.length > 0) {
    if (isFinished(walk)) for (const stale of walk.staleStates) noteStale(walk, stale);
    else walk = walkPhases(context, shape, unit, around, isBeingRerun(walk) ? 'rerun' : 'refuse');
  } else if (mayFollowState(walk, around)) walk = walkPhases(context, shape, unit, around, 'rerun');

  let refusals: readonly Refusal[] = none;
  const decided = shape.stage.phases.map((phase, at): StepPlan => {
    const decision = refuseOtherRounds(walk, phase, at, settle(walk, phase, at, around));
    if (decision.do === 'refuse') refusals = [...refusals, ...decision.refusals];
    return { unit: unit.id, phase: phase.name, iteration: roundOf(walk, at), decision };
  });
  const steps = holdByPage(context, unit.id, decided);
  const finished = steps.every(({ decision }) => isSettled(decision));
  const ended = finished || mayFail(shape.stage, steps);
  return {
    unit: unit.id,
    stage: shape.stage.name,
    cells: steps,
    finished,
    ended,
    // What is asked about as soon as it is put back may still send the unit back.
    isMade: ended || (walk.held.size === 0 && steps.every(({ decision }) => isMade(decision))),
    refusals,
    notices: walk.notices.length === 0 ? none : walk.notices,
    state: committedState(walk),
  };
}

/**
 * What the gates of a unit have judged so far, for the history. Walks once more, so that no plan has to keep
 * it.
 */
export function gatesOf(
  context: PlanContext,
  shape: StageShape,
  unit: Unit,
  around: Surroundings,
): GateHistory[] {
  return shape.hasLoops ? gateHistories(walkPhases(context, shape, unit, around, 'keep')) : [];
}

/** What used up its attempts or rounds is given up where the manifest allows it; the next of a chain would lack its state. */
function mayFail({ failures, phases }: Stage, steps: readonly StepPlan[]): boolean {
  if (failures === 'stop' || phases.some(({ state }) => state !== 'none')) return false;
  return steps.some(({ decision }) => isGivenUp(decision));
}

function isGivenUp(decision: Decision): boolean {
  if (decision.do !== 'stop') return false;
  const { why } = decision;
  if (why.code === 'attempts-used-up') return why.asks === undefined;
  return why.code === 'gate-limit' || why.code === 'checkpoint-rejected';
}

// One for all: a large run has many plans, and nearly none of them has any.
const none: readonly never[] = [];

function walkPhases(
  context: PlanContext,
  shape: StageShape,
  unit: Unit,
  around: Surroundings,
  staleState: Walk['staleState'],
): Walk {
  const walk: Walk = {
    context,
    shape,
    unit,
    steps: shape.stage.phases.map((phase) => findStep(context.ledger, unit.id, phase.name)),
    startState: around.startState,
    blockedBy: around.blockedBy,
    before: around.before,
    units: around.units,
    staleState,
    decisions: shape.stage.phases.map(() => undefined),
    // Nothing is ever put into these where nothing goes round.
    roundBefore: shape.hasLoops ? new Map() : noResults,
    rounds: shape.hasLoops ? new Map() : noRounds,
    judged: shape.hasLoops ? new Map() : noneJudged,
    ended: shape.hasLoops ? new Map() : noneEnded,
    held: shape.isHeld || shape.hasLoops ? new Set() : noneHeld,
    notices: [],
    staleStates: [],
  };
  const { phases } = shape.stage;
  for (let at = 0; at < phases.length; at++) {
    const phase = phaseAt(shape, at);
    walk.decisions[at] = decideStep(walk, phase, at, roundOf(walk, at));
    const loop = shape.loops[at];
    const next = loop === undefined ? at : goRound(walk, loop, at);
    if (next >= at) hold(walk, next);
    at = next;
  }
  return walk;
}

/**
 * Nothing is built on what a gate has not let through, or on what a person has yet to look at. What has to be put back
 * first is asked about when it is there.
 */
function hold(walk: Walk, at: number): void {
  const phase = phaseAt(walk.shape, at);
  const loop = walk.shape.loops[at];
  const ended = loop?.end === at ? walk.ended.get(loop) : undefined;
  if (phase.checkpoints.length === 0 && ended?.stop === undefined) return;
  const settled = settledDecision(walk, phase, at);
  const result = comparedResult(settled);
  const why = ended?.stop ?? (result && heldByPerson(walk, phase, result));
  if (why === undefined) return;
  if (settled.do === 'reuse') walk.decisions[at] = { do: 'stop', why };
  else if (settled.do === 'restore') walk.held.add(phase.name);
}

const noResults: Walk['roundBefore'] = new Map();
const noRounds: Walk['rounds'] = new Map();
const noneJudged: Walk['judged'] = new Map();
const noneEnded: Walk['ended'] = new Map();
const noneHeld: Walk['held'] = new Set();

/** The final decision on a step, once it is known which round is the newest. */
function settle(walk: Walk, phase: Phase, at: number, around: Surroundings): Decision {
  const decision = settledDecision(walk, phase, at);
  if (decision.do !== 'run') return decision;
  const blockedBy = around.blockedBy();
  if (blockedBy.length > 0) {
    const { had, changes } = decision;
    return { do: 'wait', for: blockedBy, had, ...(changes && { changes }) };
  }
  const blocked = walk.context.blocked.get(walk.unit.id);
  if (blocked !== undefined)
    return { do: 'stop', why: { code: 'blocked', reason: blocked.reason, actor: blocked.actor } };
  return decision;
}

/** What stands, and where its bytes have to be put first. */
function settledDecision(walk: Walk, phase: Phase, at: number): Decision {
  const decision = walk.decisions[at] ?? { do: 'wait', for: [], had: undefined };
  if (decision.do !== 'reuse') return decision;
  const step = walk.steps[at];
  // Another round's outputs lie at the paths: these bytes are only in the content store.
  const outputs = Object.keys(decision.result.outputs);
  if (step !== undefined && step.promoted !== decision.result.attempt && outputs.length > 0)
    return { ...decision, do: 'restore', outputs };
  const moved = movedOutputs(walk, phase, decision.result);
  return moved.length > 0 ? { ...decision, do: 'restore', outputs: moved } : decision;
}

/** Outputs that are declared elsewhere now: the result was kept, and its bytes go where they are looked for. */
function movedOutputs({ context, unit }: Walk, phase: Phase, result: StepResult): string[] {
  // Before the first change of what was recorded nothing can have moved.
  if (context.ledger.revision <= 1) return [];
  const isMoved = ({ name, path }: OutputSpec) => {
    const record = result.outputs[name];
    return record !== undefined && record.path !== expandPattern(path, unit, result.attempt);
  };
  return phase.outputs.filter(isMoved).map(({ name }) => name);
}

/**
 * Results of other rounds can be needed again: earlier ones led to the newest, and later ones return when an
 * earlier phase runs again. Their refusals are reported now, before anything is paid for. Once a gate has
 * passed, later rounds are history.
 */
function refuseOtherRounds(walk: Walk, phase: Phase, at: number, decision: Decision): Decision {
  const loop = walk.shape.loops[at];
  const step = walk.steps[at];
  if (loop === undefined || step === undefined) return decision;
  const gate = walk.decisions[loop.end];
  const isOver = gate !== undefined && (gate.do === 'stop' || standingResult(gate) !== undefined);
  const refusals = new Map<string, Refusal>();
  const add = (refusal: Refusal) => refusals.set(JSON.stringify(refusal), refusal);
  if (decision.do === 'refuse') decision.refusals.forEach(add);
  for (const result of step.results) {
    if (result === undefined || result.reported || result.round === roundOf(walk, at)) continue;
    // The rounds up to the newest have decided which one stands.
    if (result.round > (walk.rounds.get(loop) ?? 1) && isOver) continue;
    refusalsOf(walk, phase, step, result).forEach(add);
  }
  if (refusals.size === 0) return decision;
  const besides = decision.do === 'refuse' ? decision : {};
  return { ...besides, do: 'refuse', refusals: [...refusals.values()], result: formerResult(decision) };
}

/**
 * A re-run that a person asked for or allowed extends to everything that depends on it, also over the chain's
 * state.
 */
function isBeingRerun(walk: Walk): boolean {
  const { steps, startState } = walk;
  return (
    isBehindChange(walk) ||
    steps.some((step) => {
      if (step?.superseded !== undefined) return true;
      // Its rerun is over, and it took the new state: what is left of the unit has to follow.
      return (
        startState !== undefined && step?.results.some((result) => result?.preState?.hash === startState.hash)
      );
    })
  );
}

/** A prompt was allowed to change, its phase has run again, and something was made from what it made before. */
function isBehindChange({ steps }: Walk): boolean {
  const changed = new Map<string, number>();
  for (const step of steps) {
    const result = step && newestResult(step);
    if (step === undefined || result === undefined) continue;
    let follows = step.promptChange !== undefined;
    for (const ref of Object.values(result.inputs ?? {})) {
      const { phase, attempt } = refAttempt(ref);
      const newest = changed.get(phase);
      if (newest !== undefined && newest !== attempt) return true;
      follows ||= newest !== undefined;
    }
    if (follows) changed.set(step.phase, result.attempt);
  }
  return false;
}

/** What is left of the unit runs again from a state that is not settled yet, and so may steps that took the old one. */
function mayFollowState(walk: Walk, { startState, blockedBy }: Surroundings): boolean {
  if (startState !== undefined || isFinished(walk)) return false;
  const isTaken = walk.shape.stage.phases.some(
    ({ state }, at) => state !== 'none' && walk.decisions[at]?.do === 'reuse',
  );
  return isTaken && isBeingRerun(walk) && blockedBy().length > 0;
}

function isFinished({ decisions }: Walk): boolean {
  return decisions.every((decision) => decision !== undefined && isMade(decision));
}

function noteStale(walk: Walk, stale: RefusalOf<'pre-state-differs'>): void {
  if (stale.before === undefined || stale.after === undefined) return;
  if (walk.notices.some((notice) => notice.code === 'start-state-stale')) return;
  walk.notices.push({
    code: 'start-state-stale',
    unit: stale.unit,
    before: stale.before,
    after: stale.after,
  });
}

function committedState(walk: Walk): PreState | undefined {
  const writer = walk.shape.stage.phases.findIndex((phase) => phase.state === 'write');
  const decision = walk.decisions[writer];
  const result = decision === undefined ? undefined : standingResult(decision);
  const state = result?.outputs.state;
  if (result === undefined || state === undefined) return undefined;
  return { hash: state.hash, path: state.path, from: `${walk.unit.id}#${result.attempt}` };
}
