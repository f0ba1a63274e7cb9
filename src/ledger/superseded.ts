import type { Hash } from '../base/hash.ts';
import type { ResultsSuperseded } from '../model/event.ts';
import { parseCellName } from '../model/names.ts';
import { retire } from './adopt.ts';
import { forgetCuts } from './attempts.ts';
import { madeOf } from './kept.ts';
import { type Cell, type Ledger, newestResult } from './ledger.ts';
import { reopen } from './questions.ts';
import { takeCell } from './take-cell.ts';

/** These results are history from here on. The bytes stay in the content store. */
export function supersede(ledger: Ledger, event: ResultsSuperseded & { actor: string; seq: number }): void {
  const { because, reason, change } = event;
  const decision = `${event.actor}#${event.seq}`;
  const superseded = { because, reason, ...(change !== undefined && { change }), decision };
  for (const cell of cellsOf(ledger, event.cells)) {
    if (because === 'prompt-changed')
      cell.promptChange = { before: newestResult(cell)?.prompt, after: undefined, reason };
    // While no owner has released the run, what its attempts started from is the only trace of what it shows.
    ledger.shownState ??= initialStateOf(cell);
    const kept = (event.round ?? 1) - 1;
    for (const result of cell.results.slice(kept)) retire(cell, result);
    cell.results = cell.results.slice(0, kept);
    // A person who asks for a rerun has also answered for an attempt in doubt, and grants a new budget.
    cell.running = undefined;
    cell.failures = 0;
    cell.failure = undefined;
    cell.superseded = superseded;
    forgetCuts(cell);
    reopen(cell);
  }
}

function initialStateOf({ running, results }: Cell): Hash | undefined {
  const states = [running?.preState, ...results.map((result) => result && madeOf(result).preState)];
  return states.find((state) => state !== undefined && state.from === undefined)?.hash;
}

export function cellsOf(ledger: Ledger, names: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  for (const name of names) {
    const parsed = parseCellName(name);
    if (parsed !== undefined) cells.push(takeCell(ledger, parsed.unit, parsed.phase));
  }
  return cells;
}
