import { type Hash, hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { findStep, type StepResult } from '../ledger/ledger.ts';
import type { InputSpec, OutputRef, Phase } from '../model/definition.ts';
import type { OutdatedPart, RunReason } from '../model/reason.ts';
import { compareInputs, refHash } from './compare.ts';
import { indexOf, type Walk } from './context.ts';
import { type ConsumedArtifact, comparedResult, type Decision, type MadeFrom } from './plan.ts';

/** What an attempt at the phase would take now. */
export function inputsForAttempt(walk: Walk, phase: Phase, at: number): MadeFrom {
  const preState = phase.state === 'none' ? undefined : walk.startState;
  if (phase.inputs.length === 0 && !walk.shape.isShared) return { inputs: noInputs, preState };
  const inputs = new Map<string, ConsumedArtifact>();
  for (const input of phase.inputs) {
    if (input.kind === 'elsewhere')
      for (const { key, consumed } of takeElsewhere(walk, input)) inputs.set(key, consumed);
    if (input.kind !== 'artifact') continue;
    const from = firstThere(walk, input.from, at);
    const result = from && resultBehind(walk, from, at);
    const output = from && result?.outputs[from.output];
    if (from === undefined || result === undefined || output === undefined) continue;
    const superseded = walk.steps[indexOf(walk.shape.index, from.phase)]?.promoted !== result.attempt;
    inputs.set(input.name, { ref: `${from.phase}#${result.attempt} ${output.hash}`, output, superseded });
  }
  for (const { key, ref, hash } of filesBehind(walk, phase, at))
    inputs.set(key, { ref, output: { path: '', hash, size: 0 }, superseded: false });
  return { inputs, preState };
}

const noInputs: MadeFrom['inputs'] = new Map();

/** Asked of every result that stands, and nearly always there is none: so nothing is made to find that out. */
export function inputChange(walk: Walk, phase: Phase, at: number, result: StepResult): RunReason | undefined {
  let count = 0;
  let isSame = true;
  for (const input of phase.inputs) {
    if (input.kind === 'elsewhere') return changeElsewhere(walk, phase, at, result);
    if (input.kind !== 'artifact') continue;
    const from = firstThere(walk, input.from, at);
    const now = from && resultBehind(walk, from, at)?.outputs[from.output]?.hash;
    if (now !== undefined) count += 1;
    isSame &&= now === refHash(result.inputs?.[input.name]);
  }
  for (const { key, hash } of filesBehind(walk, phase, at)) {
    count += 1;
    isSame &&= hash === refHash(result.inputs?.[key]);
  }
  for (const _ in result.inputs) count -= 1;
  return isSame && count === 0 ? undefined : compareInputs(result, inputsForAttempt(walk, phase, at).inputs);
}

/** An input with `on_change: keep` that has other bytes than the result was made from. */
function changedKeptInputs(walk: Walk, phase: Phase, at: number, result: StepResult): RunReason | undefined {
  if (!phase.inputs.some((input) => input.kind === 'elsewhere' && input.onChange === 'keep'))
    return undefined;
  const change = compareInputs(result, inputsForAttempt(walk, phase, at).inputs);
  // While the other unit runs again there is nothing to compare with yet.
  return change?.code === 'input-changed' && change.after !== undefined ? change : undefined;
}

/** The same, for a phase that takes the outputs of other units: inputs with `on_change: keep` do not count. */
function changeElsewhere(walk: Walk, phase: Phase, at: number, result: StepResult): RunReason | undefined {
  const { inputs } = inputsForAttempt(walk, phase, at);
  const isNoticedOnly = keptInputs(phase);
  if (isNoticedOnly.length === 0) return compareInputs(result, inputs);
  const counts = (key: string) => !isNoticedOnly.some((name) => key === name || key.startsWith(`${name}/`));
  const was = Object.fromEntries(Object.entries(result.inputs ?? {}).filter(([key]) => counts(key)));
  const is = new Map([...inputs].filter(([key]) => counts(key)));
  const kept = compareInputs(result, inputs);
  const why = compareInputs({ ...result, inputs: was }, is);
  const isNoted = walk.notices.some((notice) => notice.code === 'input-stale' && notice.phase === phase.name);
  // While the other unit runs again there is nothing to compare with yet.
  if (why === undefined && kept?.code === 'input-changed' && kept.after !== undefined && !isNoted)
    walk.notices.push({ ...kept, code: 'input-stale', unit: walk.unit.id, phase: phase.name });
  return why;
}

/**
 * Files that the phases before were completed with: any later phase may read them, so all count. The keys are
 * no names that an input could have.
 */
function filesBehind(
  walk: Walk,
  phase: Phase,
  at: number,
): readonly { readonly key: string; readonly ref: string; readonly hash: Hash }[] {
  if (!walk.shape.isShared) return none;
  return phase.needs.flatMap((need) => {
    const result = resultBehind(walk, { phase: need, output: '' }, at);
    if (result?.files === undefined) return [];
    const hash = hashJson(result.files as unknown as JsonObject);
    return [{ key: `files:${need}`, ref: `${need}#${result.attempt} ${hash}`, hash }];
  });
}

const none: readonly never[] = [];

function firstThere(walk: Walk, refs: readonly OutputRef[], at: number): OutputRef | undefined {
  for (const ref of refs) if (resultBehind(walk, ref, at)?.outputs[ref.output] !== undefined) return ref;
  return undefined;
}

/** The result that an output would be taken from: of this round, or of the one before where the phase comes later. */
function resultBehind(walk: Walk, { phase }: OutputRef, at: number): StepResult | undefined {
  const from = indexOf(walk.shape.index, phase);
  if (from >= at) return walk.roundBefore.get(phase);
  const decision = walk.decisions[from];
  return decision && comparedResult(decision);
}

type Elsewhere = InputSpec & { readonly kind: 'elsewhere' };

/** What a phase takes from other units, by the name that it is recorded under: `NAME`, or `NAME/UNIT` of many. */
function takeElsewhere(
  walk: Walk,
  input: Elsewhere,
): { readonly key: string; readonly consumed: ConsumedArtifact }[] {
  return makers(walk, input).flatMap((unit) => {
    const decision = decisionOn(walk, unit, input.from.phase);
    const result = decision && comparedResult(decision);
    const output = result?.outputs[input.from.output];
    if (result === undefined || output === undefined) return [];
    const superseded = findStep(walk.context.ledger, unit, input.from.phase)?.promoted !== result.attempt;
    const ref = `${unit}/${input.from.phase}#${result.attempt} ${output.hash}`;
    return [
      {
        key: input.of === 'every' ? `${input.name}/${unit}` : input.name,
        consumed: { ref, output, superseded },
      },
    ];
  });
}

/** Units that this phase waits for. A result that stands whatever they make waits for none of them. */
export function pendingElsewhere(
  walk: Walk,
  phase: Phase,
  result: StepResult | undefined,
): readonly string[] {
  let pending: Set<string> | undefined;
  for (const input of phase.inputs) {
    if (input.kind !== 'elsewhere' || (result !== undefined && input.onChange === 'keep')) continue;
    for (const unit of makers(walk, input)) {
      if (!isPending(walk, unit, input)) continue;
      pending ??= new Set();
      pending.add(unit);
    }
  }
  return pending === undefined ? none : [...pending];
}

/** Inputs whose change is shown and makes nothing run. */
function keptInputs(phase: Phase): string[] {
  return phase.inputs.flatMap((input) =>
    input.kind === 'elsewhere' && input.onChange === 'keep' ? [input.name] : [],
  );
}

/** The units that make an input. */
function makers({ context, before }: Walk, input: Elsewhere): readonly string[] {
  if (input.of === 'previous') return before === undefined ? none : [before.id];
  return context.makersOf(input.from.phase);
}

/**
 * A unit that was given up will never make it. The unit before has to be finished, or only to get its outputs
 * restored: a gate may still send it back, and then a consumer of its first round would have been paid for in
 * vain.
 */
function isPending(walk: Walk, unit: string, { of, from }: Elsewhere): boolean {
  const plan = walk.units.get(unit);
  if (plan?.ended === true) return false;
  if (of === 'previous') return plan?.isMade !== true;
  const decision = decisionOn(walk, unit, from.phase);
  if (decision === undefined) return true;
  return decision.do !== 'skip' && comparedResult(decision) === undefined;
}

function decisionOn({ units }: Walk, unit: string, phase: string): Decision | undefined {
  return units.get(unit)?.cells.find((step) => step.phase === phase)?.decision;
}

/**
 * Every part of a kept result that is not what it was made from. Asked only of results that stand, and nearly always
 * there is none: a list is made only where one is needed.
 */
export function outdatedParts(
  walk: Walk,
  phase: Phase,
  at: number,
  result: StepResult,
  fixed: readonly OutdatedPart[],
): readonly OutdatedPart[] {
  const step = { unit: walk.unit.id, phase: phase.name };
  const kept = changedKeptInputs(walk, phase, at, result);
  const made = result.kept?.made;
  const now = phase.state === 'none' ? undefined : walk.startState;
  const startedFrom = (made ?? result).preState?.hash;
  const isSameState = now === undefined || now.hash === startedFrom;
  if (made === undefined && kept === undefined && isSameState) return fixed;
  const parts: OutdatedPart[] = [...fixed];
  const input =
    kept ??
    (made && compareInputs({ ...result, inputs: made.inputs }, inputsForAttempt(walk, phase, at).inputs));
  if (input?.code === 'input-changed') {
    const { input: name, before, after } = input;
    parts.push({ guard: 'input-changed', ...step, input: name, before, after });
  }
  if (!isSameState) {
    // The pipeline's `cascade` treats a state that another unit committed; the initial one is a change like others.
    const isAnswered = now.from !== undefined || now.hash === result.preState?.hash;
    const states = { before: startedFrom, after: now.hash };
    parts.push({ guard: 'pre-state-differs', ...step, ...states, ...(isAnswered && { isAnswered: true }) });
  }
  return parts;
}
