import type { Ledger } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import type { RecordedPace, RunResumed } from '../model/event.ts';
import type { Notice } from '../model/reason.ts';

/** `pace` under the keys of the manifest, as the journal keeps it. */
export function paceOf({ pace }: Pick<Pipeline, 'pace'>): RecordedPace {
  return {
    concurrency: pace.concurrency,
    grace: pace.graceMs,
    stale_after: pace.staleAfterMs,
    wait: pace.waitMs,
  };
}

/** For the record of a resume; undefined: it is as it was recorded. */
export function changedPace(ledger: Ledger, pipeline: Pick<Pipeline, 'pace'>): RunResumed['pace'] {
  const [before, after] = [ledger.pace, paceOf(pipeline)];
  if (before !== undefined && changedKeys(before, after).length === 0) return undefined;
  return before === undefined ? { after } : { before, after };
}

/** A line for each value that changed; none where no value is on record. */
export function paceNotices(ledger: Ledger, pipeline: Pick<Pipeline, 'pace'>): Notice[] {
  const [before, after] = [ledger.pace, paceOf(pipeline)];
  if (before === undefined) return [];
  return changedKeys(before, after).map((key) => ({
    code: 'value-changed',
    path: `pace.${key}`,
    before: before[key],
    after: after[key],
  }));
}

function changedKeys(before: RecordedPace, after: RecordedPace): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]).sort();
}
