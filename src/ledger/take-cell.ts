import { findStep, type Ledger, type Step } from './ledger.ts';

// One for all: a large run has many cells, and nearly none of them has any.
const none: readonly never[] = [];

/** The cell, made where nothing was heard of it before. */
export function takeStep(ledger: Ledger, unit: string, phase: string): Step {
  const known = findStep(ledger, unit, phase);
  if (known !== undefined) return known;
  const step: Step = {
    unit,
    phase,
    attempts: 0,
    failures: 0,
    results: [],
    running: undefined,
    failure: undefined,
    superseded: undefined,
    promoted: 0,
    placed: undefined,
    former: none,
    adopted: none,
    promptChange: undefined,
    cost: undefined,
  };
  ledger.steps.add(step);
  return step;
}
