import type { StepResult } from '../ledger/ledger.ts';
import type { Phase } from '../model/definition.ts';
import type { OutdatedPart } from '../model/reason.ts';
import { compareInputs } from './compare.ts';
import { changedKeptInputs, takeInputs } from './inputs.ts';
import type { Walk } from './walk.ts';

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
  const told = changedKeptInputs(walk, phase, at, result);
  const made = result.kept?.made;
  const now = phase.state === 'none' ? undefined : walk.startState;
  const startedFrom = (made ?? result).preState?.hash;
  const isSameState = now === undefined || now.hash === startedFrom;
  if (made === undefined && told === undefined && isSameState) return fixed;
  const parts: OutdatedPart[] = [...fixed];
  const input =
    told ?? (made && compareInputs({ ...result, inputs: made.inputs }, takeInputs(walk, phase, at).inputs));
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
