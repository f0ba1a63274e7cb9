import { parseTime } from '../../base/clock.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { EventBody } from '../../model/event.ts';
import { allAsk, type RunReason } from '../../model/reason.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { Facts } from '../../planner/facts.ts';
import type { Plan } from '../../planner/plan.ts';
import { insideScope } from '../../planner/scope.ts';
import { gitHead } from '../open/git-head.ts';
import { type ChangedFile, refusedChange } from './changed-file.ts';
import type { RunPlan } from './plan-from-disk.ts';
import type { StaleRun } from './stale-answer.ts';

export interface StaleRunSubject {
  readonly loaded: LoadedPipeline;
  /** The manifest's name in the workspace; empty for a pipeline given in code. */
  readonly manifest: string;
  readonly ledger: Ledger;
  readonly plan: Plan;
  /** What refused before anything was settled. */
  readonly refusals: Plan['refusals'];
  readonly facts: Pick<Facts, 'now' | 'outputs'>;
  /** The commit that the workspace is at now. */
  readonly gitHead: string | undefined;
}

/** The same for a run as it was looked at; `wanted`: what the call would record before anything runs. */
export function detectStaleRun(seen: RunPlan, wanted: readonly EventBody[]): StaleRun | undefined {
  const { workspace, ledger, facts } = seen;
  const plan = insideScope(seen.plan);
  const { env, root, loaded, manifest } = workspace;
  const subject = { loaded, manifest, ledger, plan, refusals: plan.refusals, facts };
  // A rerun, or an opened limit, lets run what the plan does not show yet.
  const reopens = wanted.some(({ type }) => type !== 'revision_recorded');
  return findStaleRun({ ...subject, gitHead: gitHead(env.disk, root) }, reopens);
}

/** Undefined: something happened recently, or nothing would run, so there is nothing to ask about. */
export function findStaleRun(subject: StaleRunSubject, reopens = false): StaleRun | undefined {
  const { loaded, ledger, plan, facts } = subject;
  const [then, now] = [parseTime(ledger.updatedAt), parseTime(facts.now)];
  const limitMs = loaded.pipeline.pace.staleAfterMs;
  if (then === undefined || now === undefined || now - then <= limitMs) return undefined;
  if (!reopens && !wouldRun(plan)) return undefined;
  return {
    idleMs: now - then,
    limitMs,
    gitHead: { before: ledger.gitHead, now: subject.gitHead },
    changed: changesSince(subject),
  };
}

/** What a guard refuses counts, because it runs once the guard is opened. */
function wouldRun({ units, refusals }: Plan): boolean {
  if (refusals.length > 0) return !allAsk(refusals);
  for (const { cells: steps } of units.values())
    for (const { decision } of steps) if (runs.has(decision.do)) return true;
  return false;
}

const runs: ReadonlySet<string> = new Set(['run', 'restore', 'refuse']);

/** By path; of a path that is named twice the first word counts. */
function changesSince(subject: StaleRunSubject): StaleRun['changed'] {
  const { plan, refusals, facts } = subject;
  const changes = new Map<string, ChangedFile>();
  const note = (change: ChangedFile | undefined) => {
    if (change !== undefined && !changes.has(change.path)) changes.set(change.path, change);
  };
  for (const [path, { kind }] of facts.outputs) {
    // What did not get to its place is ours to put there: no one has changed it.
    if (kind !== 'unpromoted') note({ path, change: kind });
  }
  for (const refusal of refusals) note(refusedChange(subject, refusal));
  for (const { cells: steps } of plan.units.values())
    for (const { decision } of steps) if (decision.do === 'run') note(rerunChange(subject, decision.why));
  return [...changes.values()].sort((a, b) => byCodeUnit(a.path, b.path));
}

/** A declared file that no guard protects: what was made from it runs again. */
function rerunChange({ loaded }: StaleRunSubject, why: RunReason): ChangedFile | undefined {
  if (why.code !== 'file-changed') return undefined;
  const file = loaded.pipeline.files.find(({ name }) => name === why.file);
  return file && { path: file.path, change: why.after === undefined ? 'missing' : 'changed' };
}
