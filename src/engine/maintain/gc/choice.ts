import { parseTime } from '../../../base/clock.ts';
import { canonicalJson } from '../../../base/json.ts';
import { isOver } from '../../../model/status.ts';
import { type OpenedRun, unacceptedDamage } from '../../open/open-run.ts';
import { openRunJournal } from '../../open/run-files.ts';
import type { KeptRun } from './gc-answer.ts';
import { type GcScope, isRunInPlace } from './ground.ts';
import { type Keep, type RunHistory, readKeptHistory } from './history.ts';

/** A run with all that its journal says of files. */
export interface KnownRun extends RunHistory {
  readonly opened: OpenedRun;
}

/** What becomes of a run. */
export type Fate =
  /** It goes, but for what is to be kept of it. */
  | { readonly do: 'collect'; readonly keep: Keep; readonly unfinished: boolean }
  | { readonly do: 'keep'; readonly reason: KeptRun['reason'] }
  /** A process died before it had said what the run is for: no run yet, and not in anybody's way. */
  | { readonly do: 'ignore' };

export interface GcChoice {
  readonly run: KnownRun;
  readonly fate: Fate;
}

/** Decides about every run. Only what is over for good, old, whole and not the one to build on may go. */
export function chooseRuns(
  ground: GcScope,
  request: { readonly olderThanMs: number; readonly keep: Keep },
): GcChoice[] {
  const { env, root } = ground;
  const runs = ground.runs.map((opened) => ({
    opened,
    ...readKeptHistory(openRunJournal(env, root, opened.folder)),
  }));
  const newest = newestCompleted(runs);
  const before = env.clock.now() - request.olderThanMs;
  const copied = copiedRuns(runs);
  return runs.map((run) => ({
    run,
    fate: copied.has(run)
      ? { do: 'keep', reason: 'stray' }
      : fateOf(ground, run, newest, before, request.keep),
  }));
}

/** Two folders that say to be one run: nobody can tell which of them is the copy. */
function copiedRuns(runs: readonly KnownRun[]): Set<KnownRun> {
  const known = new Map<string, KnownRun[]>();
  for (const run of runs) {
    const id = run.opened.ledger.run?.run;
    if (id !== undefined) known.set(id, [...(known.get(id) ?? []), run]);
  }
  return new Set([...known.values()].filter((same) => same.length > 1).flat());
}

function fateOf(
  ground: GcScope,
  run: KnownRun,
  newest: ReadonlySet<KnownRun>,
  beforeMs: number,
  keep: Keep,
): Fate {
  const { opened, mark, lastAt } = run;
  if (unacceptedDamage(opened).length > 0) return { do: 'keep', reason: 'damaged' };
  if (opened.ledger.run === undefined) return { do: 'ignore' };
  if (!isRunInPlace(ground, opened.folder)) return { do: 'keep', reason: 'through-link' };
  if (!isOver(opened.status)) return { do: 'keep', reason: 'resumable' };
  if (mark === 'nothing') return { do: 'collect', keep: 'nothing', unfinished: true };
  if (newest.has(run)) return { do: 'keep', reason: 'newest-completed' };
  const lastMs = parseTime(lastAt);
  const isOld = lastMs !== undefined && lastMs < beforeMs;
  if (isOld) return { do: 'collect', keep, unfinished: false };
  return mark === 'approved'
    ? { do: 'collect', keep: 'approved', unfinished: true }
    : { do: 'keep', reason: 'young' };
}

/** Of each identity: the one that `run` proves and builds on. */
function newestCompleted(runs: readonly KnownRun[]): Set<KnownRun> {
  const newest = new Map<string, KnownRun>();
  for (const run of runs) {
    const { ledger, status } = run.opened;
    if (status !== 'completed' || ledger.run === undefined || unacceptedDamage(run.opened).length > 0)
      continue;
    const key = canonicalJson([ledger.run.pipeline, ledger.run.identity]);
    const known = newest.get(key);
    if (known === undefined || known.opened.ledger.createdAt <= ledger.createdAt) newest.set(key, run);
  }
  return new Set(newest.values());
}
