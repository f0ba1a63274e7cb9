import { type CellResult, findCell } from '../ledger/ledger.ts';
import type { OutputSpec, Phase, Stage, Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import type { Refusal } from '../model/reason.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import { decide, refusalsOf } from './cell.ts';
import { type Loop, type PlanContext, phaseAt, type StageShape } from './context.ts';
import {
  type CellPlan,
  comparedResult,
  type Decision,
  formerResult,
  standingResult,
  type UnitPlan,
} from './plan.ts';
import { roundOf, type Walk } from './walk.ts';

/** What the rest of the pipeline says to a unit. */
export interface Surroundings {
  /** Units, or a whole stage, that must be finished before anything of this unit starts. */
  readonly blockedBy: readonly string[];
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
  }

  let refusals: readonly Refusal[] = none;
  const cells = shape.stage.phases.map((phase, at): CellPlan => {
    const decision = refuseOtherRounds(walk, phase, at, settle(walk, phase, at, around));
    if (decision.do === 'refuse') refusals = [...refusals, ...decision.refusals];
    return { unit: unit.id, phase: phase.name, iteration: roundOf(walk, at), decision };
  });
  const finished = cells.every(({ decision }) => decision.do === 'reuse' || decision.do === 'skip');
  return {
    unit: unit.id,
    stage: shape.stage.name,
    cells,
    finished,
    ended: finished || mayFail(shape.stage, cells),
    refusals,
    notices: walk.notices.length === 0 ? none : walk.notices,
    state: committedState(walk),
  };
}

/** What used up its attempts or rounds is given up where the manifest allows it; the next of a chain would lack its state. */
function mayFail({ failures, phases }: Stage, cells: readonly CellPlan[]): boolean {
  if (failures === 'stop' || phases.some(({ state }) => state !== 'none')) return false;
  return cells.some(({ decision }) => isGivenUp(decision));
}

function isGivenUp(decision: Decision): boolean {
  if (decision.do !== 'stop') return false;
  return decision.why.code !== 'gate-asks' && decision.why.code !== 'blocked';
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
    cells: shape.stage.phases.map((phase) => findCell(context.ledger, unit.id, phase.name)),
    startState: around.startState,
    blockedBy: around.blockedBy,
    before: around.before,
    units: around.units,
    staleState,
    decisions: shape.stage.phases.map(() => undefined),
    // Nothing is ever put into these where nothing goes round.
    roundBefore: shape.hasLoops ? new Map() : noResults,
    rounds: shape.hasLoops ? new Map() : noRounds,
    notices: [],
    staleStates: [],
  };
  const { phases } = shape.stage;
  for (let at = 0; at < phases.length; at++) {
    const phase = phaseAt(shape, at);
    const decision = decide(walk, phase, at, roundOf(walk, at));
    walk.decisions[at] = decision;
    const loop = shape.loops[at];
    if (phase.gate === undefined || loop === undefined) continue;
    const result = comparedResult(decision);
    if (result === undefined) continue;
    const judged = judge(walk, phase, loop, result);
    if (judged === 'again') {
      startRound(walk, loop);
      at = loop.head - 1;
    } else if (judged !== 'go-on' && decision.do !== 'refuse') walk.decisions[at] = judged;
  }
  return walk;
}

const noResults: Walk['roundBefore'] = new Map();
const noRounds: Walk['rounds'] = new Map();

/** A good verdict goes on; a bad one goes round again while there are rounds left. */
function judge(walk: Walk, phase: Phase, loop: Loop, result: CellResult): 'go-on' | 'again' | Decision {
  const { gate } = loop;
  const verdict = result.verdict ?? '';
  if (result.told || gate.pass.includes(verdict)) return 'go-on';
  const round = walk.rounds.get(loop) ?? 1;
  if (round < gate.iterations) return 'again';
  const report = result.outputs[gate.output]?.hash;
  const decided = walk.cells[loop.end]?.decision;
  const decision = decided !== undefined && decided.report === report ? decided : undefined;
  const accepted = (by: 'manifest' | 'person'): 'go-on' => {
    walk.notices.push({ code: 'gate-accepted', unit: walk.unit.id, phase: phase.name, verdict, by });
    return 'go-on';
  };
  if (decision?.decision === 'accepted') return accepted('person');
  if (decision?.decision === 'rejected')
    return { do: 'stop', why: { code: 'gate-rejected', verdict, note: decision.note } };
  const reasons = result.defects && { defects: result.defects };
  switch (gate.then) {
    case 'accept':
      return accepted('manifest');
    case 'stop':
      return { do: 'stop', why: { code: 'gate-limit', verdict, iterations: gate.iterations, ...reasons } };
    case 'ask':
      if (report === undefined)
        throw new Error(`the gate of ${phase.name} judged a report that is not recorded`);
      return { do: 'stop', why: { code: 'gate-asks', verdict, iterations: gate.iterations, report } };
  }
}

function startRound(walk: Walk, loop: Loop): void {
  walk.rounds.set(loop, (walk.rounds.get(loop) ?? 1) + 1);
  for (let at = loop.head; at <= loop.end; at++) {
    const { name } = phaseAt(walk.shape, at);
    const decision = walk.decisions[at];
    const result = decision && comparedResult(decision);
    if (result === undefined) walk.roundBefore.delete(name);
    else walk.roundBefore.set(name, result);
    walk.decisions[at] = undefined;
  }
}

/** The last word on a cell, once it is known which round is the newest. */
function settle(walk: Walk, phase: Phase, at: number, around: Surroundings): Decision {
  const decision = walk.decisions[at] ?? { do: 'wait', for: [], had: undefined };
  if (decision.do === 'run' && around.blockedBy.length > 0) {
    return { do: 'wait', for: around.blockedBy, had: decision.had };
  }
  const blocked = decision.do === 'run' ? walk.context.blocked.get(walk.unit.id) : undefined;
  if (blocked !== undefined)
    return { do: 'stop', why: { code: 'blocked', reason: blocked.reason, actor: blocked.actor } };
  if (decision.do === 'reuse') {
    const cell = walk.cells[at];
    // Another round's outputs lie at the paths: these bytes are only in the content store.
    const outputs = Object.keys(decision.result.outputs);
    if (cell !== undefined && cell.promoted !== decision.result.attempt && outputs.length > 0)
      return { do: 'restore', result: decision.result, outputs };
    const moved = movedOutputs(walk, phase, decision.result);
    if (moved.length > 0) return { do: 'restore', result: decision.result, outputs: moved };
  }
  return decision;
}

/** Outputs that are declared elsewhere now: the result was kept, and its bytes go where they are looked for. */
function movedOutputs({ context, unit }: Walk, phase: Phase, result: CellResult): string[] {
  // Before the first change of what was recorded nothing can have moved.
  if (context.ledger.revision <= 1) return [];
  const isMoved = ({ name, path }: OutputSpec) => {
    const record = result.outputs[name];
    return record !== undefined && record.path !== expandPattern(path, unit, result.attempt);
  };
  return phase.outputs.filter(isMoved).map(({ name }) => name);
}

/**
 * Results of earlier rounds led to the one that is looked at, and those of later ones are met again when an earlier
 * phase runs anew: what refuses them is told now, before anything is paid for. A gate that let the unit go on has
 * made later rounds history.
 */
function refuseOtherRounds(walk: Walk, phase: Phase, at: number, decision: Decision): Decision {
  const loop = walk.shape.loops[at];
  const cell = walk.cells[at];
  if (loop === undefined || cell === undefined) return decision;
  const gate = walk.decisions[loop.end];
  const isOver = gate !== undefined && (gate.do === 'stop' || standingResult(gate) !== undefined);
  const refusals = new Map<string, Refusal>();
  const add = (refusal: Refusal) => refusals.set(JSON.stringify(refusal), refusal);
  if (decision.do === 'refuse') decision.refusals.forEach(add);
  for (const result of cell.results) {
    if (result === undefined || result.told || result.iteration === roundOf(walk, at)) continue;
    if (result.iteration > roundOf(walk, at) && isOver) continue;
    refusalsOf(walk, phase, cell, result).forEach(add);
  }
  if (refusals.size === 0) return decision;
  return { do: 'refuse', refusals: [...refusals.values()], result: formerResult(decision) };
}

/** A rerun that a person asked for or allowed goes on into whatever hangs on it, also over the chain's state. */
function isBeingRerun({ cells, startState }: Walk): boolean {
  return cells.some((cell) => {
    if (cell?.superseded !== undefined) return true;
    // Its rerun is over, and it took the new state: what is left of the unit has to follow.
    return (
      startState !== undefined && cell?.results.some((result) => result?.preState?.hash === startState.hash)
    );
  });
}

function isFinished(walk: Walk): boolean {
  for (const decision of walk.decisions) {
    if (decision === undefined) return false;
    if (decision.do !== 'reuse' && decision.do !== 'restore' && decision.do !== 'skip') return false;
  }
  return true;
}

function noteStale(walk: Walk, stale: Refusal): void {
  if (stale.guard !== 'pre-state-differs' || stale.before === undefined || stale.after === undefined) return;
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
