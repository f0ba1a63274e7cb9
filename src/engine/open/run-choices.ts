import { byCodeUnit } from '../../base/json.ts';
import { type Ledger, newestResult } from '../../ledger/ledger.ts';
import type { RunChoice } from '../../model/failure-details.ts';
import type { OpenedRun } from './open-run.ts';

/** The runs as they are put to a person: those that can be gone on with, then the damaged ones. */
export function runChoices({
  runs,
  damaged,
}: {
  readonly runs: readonly OpenedRun[];
  readonly damaged: readonly OpenedRun[];
}): RunChoice[] {
  const readable = [...runs].sort(byUrgency).map(choiceOf);
  return [...readable, ...damaged.map((run) => ({ ...choiceOf(run), status: 'damaged' }))];
}

function choiceOf({ id, ledger, status }: OpenedRun): RunChoice {
  return {
    id: ledger.run?.run ?? id,
    pipeline: ledger.run?.pipeline ?? '',
    identity: ledger.run?.identity ?? {},
    status,
    updated: ledger.updatedAt,
    steps: countResults(ledger),
  };
}

function countResults({ steps }: Ledger): number {
  let count = 0;
  for (const step of steps.values()) if (newestResult(step) !== undefined) count += 1;
  return count;
}

/** A person who is waited for comes first, however new a failure is; then whatever was worked on last. */
function byUrgency(a: OpenedRun, b: OpenedRun): number {
  const waiting = Number(b.status === 'waiting_human') - Number(a.status === 'waiting_human');
  return waiting || byCodeUnit(b.ledger.updatedAt, a.ledger.updatedAt) || byCodeUnit(b.id, a.id);
}
