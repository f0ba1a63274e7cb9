import { type Step, type StepResult, type Superseded, standingFailure } from '../ledger/ledger.ts';
import type { Phase } from '../model/definition.ts';
import type { PartChange, Refusal, RefusalOf, RunReason } from '../model/reason.ts';
import { begin, missingSources } from './begin.ts';
import { decideByHand, isUnneeded, lostByHand, missingFound } from './by-hand.ts';
import { compareInputs, definitionIn } from './compare.ts';
import { indexOf, phaseAt, type Walk } from './context.ts';
import { compareFixedParts, lookAtOutputs, noTrouble } from './fixed-parts.ts';
import { inputChange, inputsForAttempt, outdatedParts, pendingElsewhere } from './inputs.ts';
import { comparedResult, type Decision, type MadeFrom } from './plan.ts';
import { noChanges, statePolicy, type TreatedChanges } from './policy.ts';
import { feedbackSince } from './questions.ts';

/**
 * The decision on one step, one question after another. Refusals are found first, so that each is reported
 * before anything upstream of it is paid for.
 */
export function decideStep(walk: Walk, phase: Phase, at: number, round: number): Decision {
  if (phase.when === 'gate-failed' && round === 1) return skipped.byGate;
  const step = walk.steps[at];
  const kept = step?.results[round - 1];
  const isHistory = step !== undefined && kept !== undefined && isFromBefore(step, kept);
  const other = kept?.reported && isOfAnother(walk, kept) ? kept : undefined;
  const result = isHistory || other !== undefined ? undefined : kept;
  // There is nothing but another tool's word, and nothing that it could be compared with.
  if (result?.reported) return reportedDecision(result);
  if (step !== undefined && result?.byHand) {
    const taken = decideByHand(walk, phase, step, result);
    if (taken !== undefined) return taken;
  } else if (result === undefined && isUnneeded(walk, at)) return skipped.byHand;

  const fixed = result === undefined ? noChanges : compareFixedParts(walk, phase, result);
  const files = step === undefined || result === undefined ? noTrouble : lookAtOutputs(walk, step, result);
  const found = joined<Refusal>(fixed.refusals, files.refusals);

  const elsewhere = pendingElsewhere(walk, phase, result);
  const pending = joined(joined(pendingNeeds(walk, phase, at), pendingState(walk, phase)), elsewhere);
  if (pending.length > 0) {
    if (found.length > 0) return refuse(found, result, fixed);
    // What it waits for must not be paid for before it is known that it can run.
    const missing = result === undefined ? missingSources(walk, phase) : [];
    if (missing.length > 0) return refuse(missing, undefined, noChanges);
    return withChanges(waitFor(walk, pending, result), fixed.rerun);
  }

  if (step !== undefined && other !== undefined) {
    const why = { code: 'told-of-another', actor: other.actor ?? '' } as const;
    return begin(walk, phase, step, why, inputsForAttempt(walk, phase, at));
  }
  if (step === undefined || result === undefined)
    return start(walk, phase, at, round, step, inputsForAttempt(walk, phase, at));
  // It was made from nothing, so there is nothing to compare: what a person put there is gone.
  if (result.byHand)
    return begin(
      walk,
      phase,
      step,
      feedbackSince(step, result) ?? lostByHand(phase, result, files),
      inputsForAttempt(walk, phase, at),
    );

  const state = comparePreState(walk, phase, result);
  const refusals = state?.guard === 'pre-state-differs' ? [...found, state] : found;
  if (refusals.length > 0) return refuse(refusals, result, fixed);

  const why =
    fixed.reasons[0] ??
    feedbackSince(step, result) ??
    inputChange(walk, phase, at, result) ??
    (state as RunReason | undefined) ??
    files.reason ??
    (result.isFound ? missingFound(phase, result) : undefined);
  if (why !== undefined) {
    // A re-run takes the current outputs of other units, also where a change of them alone would only be shown.
    const others = pendingElsewhere(walk, phase, undefined);
    if (others.length > 0) return withChanges(waitFor(walk, others, result), fixed.rerun);
    return withChanges(begin(walk, phase, step, why, inputsForAttempt(walk, phase, at)), fixed.rerun);
  }
  const parts = outdatedParts(walk, phase, at, result, fixed.outdated);
  const outdated = parts.length === 0 ? {} : { outdated: parts };
  if (files.unpromoted.length > 0) return { do: 'restore', result, outputs: files.unpromoted, ...outdated };
  return parts.length === 0 ? { do: 'reuse', result } : { do: 'reuse', result, ...outdated };
}

/** The changes that a policy re-runs the step for: a person may keep its result all the same. */
function withChanges(decision: Decision, changes: readonly PartChange[]): Decision {
  if (changes.length === 0 || (decision.do !== 'run' && decision.do !== 'wait')) return decision;
  return { ...decision, changes };
}

function refuse(
  refusals: readonly Refusal[],
  result: StepResult | undefined,
  { reasons, rerun: changes }: TreatedChanges,
): Decision {
  return { do: 'refuse', refusals, result, ...(changes.length > 0 && { reasons, changes }) };
}

function reportedDecision(result: StepResult): Decision {
  if (result.skipped !== true) return { do: 'reuse', result };
  const { actor = '', note } = result;
  return { do: 'skip', why: { code: 'told-skipped', actor, ...(note !== undefined && { note }) } };
}

/** The list has been made again since, and calls another task by the same id. */
function isOfAnother({ context, unit }: Walk, { boundTo }: StepResult): boolean {
  if (boundTo === undefined) return false;
  if (!boundTo.listed) return true;
  const { unitData, unitDataWithFile } = context.loaded;
  const { unitData: data } = boundTo;
  return data !== unitData.get(unit.id) && (data === undefined || data !== unitDataWithFile.get(unit.id));
}

// Shared by all: in a large run very many steps are skipped.
const skipped = {
  byGate: { do: 'skip', why: { code: 'gate-not-failed' } },
  byHand: { do: 'skip', why: { code: 'consumers-by-hand' } },
} as const satisfies Record<string, Decision>;

/** A later round of what was sent back and has been begun again: it came of something else. */
function isFromBefore(step: Step, result: StepResult): boolean {
  if (result.round === 1 || feedbackSince(step, result) === undefined) return false;
  return step.results
    .slice(0, result.round - 1)
    .some((earlier) => earlier !== undefined && feedbackSince(step, earlier) === undefined);
}

function waitFor({ context }: Walk, pending: readonly string[], had: StepResult | undefined): Decision {
  const [phase = ''] = pending;
  if (had !== undefined || pending.length > 1) return { do: 'wait', for: pending, had };
  const known = context.waits.get(phase);
  if (known !== undefined) return known;
  const decision: Decision = { do: 'wait', for: pending, had };
  context.waits.set(phase, decision);
  return decision;
}

/** One list of two: nearly always one is empty or both, and nothing is made. */
function joined<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** Phases that this one waits for: what it needs, and whatever its inputs would come from. */
function pendingNeeds(walk: Walk, phase: Phase, at: number): readonly string[] {
  let pending: readonly string[] = [];
  for (const need of phase.needs) if (isPending(walk, need, pending)) pending = pending.concat(need);
  const held = walk.shape.isHeld && pending.length === 0 ? heldBehind(walk, phase) : undefined;
  if (held !== undefined) pending = [held];
  for (const input of phase.inputs) {
    if (input.kind !== 'artifact') continue;
    for (const { phase: from } of input.from) {
      if (indexOf(walk.shape.index, from) >= at) continue;
      if (isPending(walk, from, pending)) pending = pending.concat(from);
    }
  }
  return pending;
}

/**
 * An adopted file stays valid whatever comes before it, but an open question before it still holds up
 * everything after it.
 */
function heldBehind(walk: Walk, phase: Phase): string | undefined {
  for (const need of phase.needs) {
    const at = indexOf(walk.shape.index, need);
    const decision = walk.decisions[at];
    if (decision?.do === 'stop' || walk.held.has(need)) return need;
    const result = decision && comparedResult(decision);
    const held = result?.byHand || result?.reported ? heldBehind(walk, phaseAt(walk.shape, at)) : undefined;
    if (held !== undefined) return held;
  }
  return undefined;
}

function isPending(walk: Walk, phase: string, known: readonly string[]): boolean {
  const decision = walk.decisions[indexOf(walk.shape.index, phase)];
  if (decision === undefined || decision.do === 'skip') return false;
  const isOpen = comparedResult(decision) === undefined || walk.held.has(phase);
  return isOpen && !known.includes(phase);
}

/** If a new state of the chain re-runs units, this one is undecided until the state is committed. */
function pendingState({ context, startState, staleState, blockedBy }: Walk, phase: Phase): readonly string[] {
  const isOpen = phase.state !== 'none' && startState === undefined;
  const follows = staleState === 'rerun' || context.loaded.pipeline.state?.cascade === 'rerun';
  return isOpen && follows ? blockedBy() : [];
}

/** Undefined: the same. A refusal where two states would be mixed; a reason where a person adopted another one. */
function comparePreState(
  walk: Walk,
  phase: Phase,
  result: StepResult,
): RefusalOf<'pre-state-differs'> | (RunReason & { guard?: never }) | undefined {
  const now = walk.startState;
  const before = result.preState;
  if (phase.state === 'none' || now === undefined || now.hash === before?.hash) return undefined;
  // A kept change of the state was undone.
  if (now.hash === result.kept?.made.preState?.hash) return undefined;
  const differs = {
    guard: 'pre-state-differs' as const,
    unit: walk.unit.id,
    phase: phase.name,
    before: before?.hash,
    after: now.hash,
  };
  const { answer, source } = statePolicy(walk.context, phase.name);
  const changed = { code: 'pre-state-changed' as const, before: before?.hash, after: now.hash };
  if (now.from === undefined) return byPolicy(differs);
  if (now.from === before?.from) return changed;
  if (walk.context.loaded.pipeline.state?.cascade === 'rerun') return { code: 'chain-cascade' };
  walk.staleStates.push(differs);
  if (walk.staleState === 'keep') return undefined;
  return walk.staleState === 'rerun' ? changed : byPolicy(differs);

  function byPolicy(refusal: RefusalOf<'pre-state-differs'>): ReturnType<typeof comparePreState> {
    if (answer === 'keep') return undefined;
    return answer === 'rerun' ? { ...changed, policy: source } : refusal;
  }
}

/** No result of this round: why an attempt starts. */
function start(
  walk: Walk,
  phase: Phase,
  at: number,
  round: number,
  step: Step | undefined,
  made: MadeFrom,
): Decision {
  if (step?.running !== undefined)
    return begin(walk, phase, step, { code: 'interrupted', attempt: step.running.attempt }, made);
  const failure = step && standingFailure(step);
  if (step?.paused !== undefined && failure === undefined) {
    const { attempt, reason } = step.paused;
    return begin(walk, phase, step, { code: 'waited', attempt, pause: reason }, made);
  }
  if (failure !== undefined) {
    return begin(
      walk,
      phase,
      step,
      { code: 'failed-before', attempt: failure.attempt, failure: failure.reason },
      made,
    );
  }
  if (step?.superseded !== undefined)
    return begin(walk, phase, step, supersededReason(step.superseded), made);
  const loop = walk.shape.loops[at];
  if (round === 1 || loop === undefined) return begin(walk, phase, step, firstOrCut(step), made);
  const verdict = walk.roundBefore.get(loop.gatePhase)?.verdict ?? '';
  const sentBack: RunReason = { code: 'gate-failed', gate: loop.gatePhase, verdict, iteration: round };
  if (at === loop.head) return begin(walk, phase, step, sentBack, made);
  return reuseEarlierRound(walk, phase, round, step, made, sentBack);
}

function supersededReason({ because, reason, change }: Superseded): RunReason {
  const named = change === undefined ? {} : { change };
  switch (because) {
    case 'rerun-requested':
      return { code: because, reason };
    case 'file-changed':
      return { code: because, file: change ?? '', before: undefined, after: undefined, reason };
    case 'state-changed':
      return { code: 'pre-state-changed', before: undefined, after: undefined, reason };
    default:
      return { code: because, reason, ...named };
  }
}

/** An attempt that was ended by a signal, or given back, has left nothing but its number. */
function firstOrCut(step: Step | undefined): RunReason {
  const attempt = step?.attempts ?? 0;
  if (attempt === 0) return { code: 'never-ran' };
  return { code: step?.released === attempt ? 'released' : 'interrupted', attempt };
}

/** Early cut-off inside a loop: the same inputs as in an earlier round give the same result, on the same rung. */
function reuseEarlierRound(
  walk: Walk,
  phase: Phase,
  round: number,
  step: Step | undefined,
  made: MadeFrom,
  sentBack: RunReason,
): Decision {
  const now = walk.context.staticsOf(phase.name);
  for (let earlier = round - 2; earlier >= 0; earlier--) {
    const result = step?.results[earlier];
    if (result === undefined) continue;
    if (definitionIn(now, earlier + 1) !== definitionIn(now, round))
      return begin(walk, phase, step, sentBack, made);
    const why = (step && feedbackSince(step, result)) ?? compareInputs(result, made.inputs);
    if (why !== undefined) return begin(walk, phase, step, why, made);
    if (comparePreState(walk, phase, result) !== undefined) break;
    return { do: 'reuse', result };
  }
  return begin(walk, phase, step, { code: 'never-ran' }, made);
}
