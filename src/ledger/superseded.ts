import type { Hash } from '../base/hash.ts';
import type { ResultsSuperseded } from '../model/event.ts';
import { parseStepName } from '../model/names.ts';
import { retire } from './adopt.ts';
import { forgetCuts } from './attempts.ts';
import { madeOf } from './kept.ts';
import { type Ledger, newestResult, type Step } from './ledger.ts';
import { reopen } from './questions.ts';
import { takeStep } from './take-cell.ts';

/** These results are history from here on. The bytes stay in the content store. */
export function supersede(ledger: Ledger, event: ResultsSuperseded & { actor: string; seq: number }): void {
  const { because, reason, change } = event;
  const decision = `${event.actor}#${event.seq}`;
  const superseded = { because, reason, ...(change !== undefined && { change }), decision };
  for (const step of stepsOf(ledger, event.steps)) {
    if (because === 'prompt-changed')
      step.promptChange = { before: newestResult(step)?.prompt, after: undefined, reason };
    // While no owner has released the run, what its attempts started from is the only trace of what it shows.
    ledger.shownState ??= initialStateOf(step);
    const kept = (event.round ?? 1) - 1;
    for (const result of step.results.slice(kept)) retire(step, result);
    step.results = step.results.slice(0, kept);
    // A person who asks for a rerun has also answered for an attempt in doubt, and grants a new budget.
    step.running = undefined;
    step.failures = 0;
    step.failure = undefined;
    step.superseded = superseded;
    forgetCuts(step);
    reopen(step);
  }
}

function initialStateOf({ running, results }: Step): Hash | undefined {
  const states = [running?.preState, ...results.map((result) => result && madeOf(result).preState)];
  return states.find((state) => state !== undefined && state.from === undefined)?.hash;
}

export function stepsOf(ledger: Ledger, names: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (const name of names) {
    const parsed = parseStepName(name);
    if (parsed !== undefined) steps.push(takeStep(ledger, parsed.unit, parsed.phase));
  }
  return steps;
}
