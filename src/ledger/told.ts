import type { RunTold, ToldBound, WorkTold } from '../model/event.ts';
import { type Cell, keepResult, type Ledger } from './ledger.ts';

type Told = WorkTold & { readonly at: string; readonly seq: number; readonly actor: string };

/**
 * Takes in what the log of another tool says of a unit. Such a log knows no attempts, no hashes and no inputs: what it
 * calls done stands by its word alone, and what Pawl itself has recorded since is never undone by it.
 */
export function foldTold(
  ledger: Ledger,
  event: Told,
  takeCell: (ledger: Ledger, unit: string, phase: string) => Cell,
): void {
  const { unit, means } = event;
  if (means === 'blocked' || means === 'unblocked') {
    // Whoever settled it here has the last word, whatever the clock of the other tool says.
    if (ledger.settled.includes(unit)) return;
    ledger.blocked = ledger.blocked.filter((blocked) => blocked.unit !== unit);
    if (means === 'blocked')
      ledger.blocked.push({ unit, reason: event.note ?? '', actor: event.actor, at: event.at });
    return;
  }
  if (event.phase === undefined) return;
  const cell = takeCell(ledger, unit, event.phase);
  if (cell.running !== undefined && cell.running.claim?.until !== '') return;
  if (cell.results.some((result) => result !== undefined && !result.told)) return;
  switch (means) {
    case 'claimed':
    case 'started':
      start(cell, ledger.revision, event, means === 'started');
      return;
    case 'succeeded':
    case 'skipped':
      succeed(cell, ledger.revision, event);
      return;
    case 'failed':
      dropTold(cell);
      fail(cell, event);
      return;
    case 'sent-back':
      // Of a phase that had not been done there is nothing to send back.
      if (dropTold(cell) || cell.running !== undefined) fail(cell, event);
  }
}

/** What such a log says of the whole run: the newest of each kind. */
export function foldRunTold(ledger: Ledger, { stage, completed }: RunTold): void {
  ledger.told = {
    stage: stage ?? ledger.told?.stage,
    completed: completed ?? ledger.told?.completed ?? false,
  };
}

/**
 * Binds what was told until now to the tasks that it was told of: a list that is made again may call another task by the
 * same id. Of a unit that was not listed no one can say what it was, so nothing of it is left to go on with.
 */
export function bindTold(ledger: Ledger, { units }: ToldBound): void {
  const bound = new Map(units.map((unit) => [unit.unit, unit]));
  for (const cell of ledger.cells.values()) {
    const to = bound.get(cell.unit);
    if (to === undefined) continue;
    cell.results = cell.results.map((result) => (result?.told ? { ...result, boundTo: to } : result));
    if (to.listed) continue;
    if (cell.running?.claim?.until === '') cell.running = undefined;
    if (cell.failure?.reason === 'told-failed') {
      cell.failure = undefined;
      cell.failures = 0;
    }
  }
  ledger.blocked = ledger.blocked.filter(({ unit }) => bound.get(unit)?.listed !== false);
}

function start(cell: Cell, revision: number, { actor, at }: Told, begun: boolean): void {
  if (cell.running !== undefined) {
    cell.running.claim = { actor, until: '', begun };
    return;
  }
  if (cell.results.some((result) => result !== undefined)) return;
  cell.attempts += 1;
  cell.running = {
    attempt: cell.attempts,
    iteration: 1,
    revision,
    unitData: undefined,
    inputs: undefined,
    preState: undefined,
    prompt: undefined,
    at,
    process: undefined,
    claim: { actor, until: '', begun },
  };
}

function succeed(cell: Cell, revision: number, { actor, at, seq, note, means }: Told): void {
  if (cell.running === undefined) {
    if (cell.results.some((result) => result !== undefined)) return;
    cell.attempts += 1;
  }
  cell.running = undefined;
  cell.failure = undefined;
  cell.failures = 0;
  keepResult(cell, {
    attempt: cell.attempts,
    iteration: 1,
    revision,
    unitData: undefined,
    inputs: undefined,
    preState: undefined,
    prompt: undefined,
    outputs: {},
    verdict: undefined,
    response: undefined,
    ms: 0,
    at,
    seq,
    told: true,
    ...(means === 'skipped' && { skipped: true }),
    actor,
    ...(note !== undefined && { note }),
  });
  cell.promoted = cell.attempts;
}

function dropTold(cell: Cell): boolean {
  const isTold = cell.results.some((result) => result?.told);
  if (isTold) cell.results = cell.results.map((result) => (result?.told ? undefined : result));
  return isTold;
}

function fail(cell: Cell, { at, note = '' }: Told): void {
  if (cell.running === undefined) cell.attempts += 1;
  cell.running = undefined;
  cell.failures += 1;
  cell.failure = { attempt: cell.attempts, reason: 'told-failed', message: note, at };
}
