import { parseTime } from '../../../base/clock.ts';
import { canonicalJson } from '../../../base/json.ts';
import { isTerminal } from '../../../model/status.ts';
import { allRuns } from '../../open/find-run.ts';
import { findRunOwner, type OpenedRun, openRun, unacceptedDamage } from '../../open/open-run.ts';
import { runnerActor } from '../../open/run-files.ts';
import { runPlaces } from '../../open/run-places.ts';
import { type Amiss, bad, type DoctorFinding, good, warning } from './finding.ts';
import type { Site } from './ground.ts';

/** Every run of the workspace, oldest first; also where its manifest cannot be read. */
export function openRuns({ env, root, workspace }: Site): OpenedRun[] {
  if (workspace !== undefined) return allRuns(workspace);
  return runPlaces(env, root, undefined).map((place) => openRun(env, root, place, { whole: false }));
}

/** Runs that cannot be read, that a process has left behind, that are in each other's way, or that are old. */
export function checkRuns(site: Site, runs: readonly OpenedRun[]): DoctorFinding[] {
  const damaged = runs.filter((run) => unacceptedDamage(run).length > 0);
  // What says nothing and lost nothing is the litter of a process that died before its first event.
  const whole = runs.filter((run) => run.ledger.run !== undefined && !damaged.includes(run));
  return [
    ...damaged.flatMap(damageOf),
    ...(whole.length > 0 || damaged.length === 0 ? [good('run-journal', { runs: whole.length })] : []),
    ...whole.flatMap((run) => [...holdOf(site, run), ...staleOf(site, run)]),
    ...choicesAmong(whole),
  ];
}

function damageOf(run: OpenedRun): DoctorFinding[] {
  const findings = unacceptedDamage(run);
  const [first] = findings;
  return first === undefined ? [] : [bad('run-journal', { run: run.id, count: findings.length, first })];
}

function holdOf({ env }: Site, run: OpenedRun): DoctorFinding[] {
  const holder = findRunOwner(env, run);
  if (holder !== undefined) {
    const facts = { run: run.id, holder };
    return [holder.alive === 'alive' ? good('run-holder', facts) : warning('run-holder', facts)];
  }
  if (run.status !== 'interrupted') return [];
  const last = run.heads.get(runnerActor)?.owner;
  return [warning('run-interrupted', { run: run.id, holder: last && { pid: last.pid, host: last.host } })];
}

function staleOf({ env, workspace }: Site, { id, status, ledger }: OpenedRun): DoctorFinding[] {
  const limitMs = workspace?.loaded.pipeline.pace.staleAfterMs;
  const updatedMs = parseTime(ledger.updatedAt);
  if (limitMs === undefined || updatedMs === undefined || !isLeft(status)) return [];
  const idleMs = env.clock.now() - updatedMs;
  return idleMs > limitMs ? [warning('run-stale', { run: id, idleMs, limitMs })] : [];
}

/** Whoever says only `pawl run` is asked which of them is meant. */
function choicesAmong(runs: readonly OpenedRun[]): DoctorFinding[] {
  const open = runs.filter(({ status }) => status === 'running' || isLeft(status));
  const choices = new Map<string, Amiss<'run-choice'>['facts']>();
  for (const { id, ledger } of open) {
    const { pipeline = '', identity = {} } = ledger.run ?? {};
    const key = canonicalJson([pipeline, identity]);
    choices.set(key, { pipeline, identity, runs: [...(choices.get(key)?.runs ?? []), id] });
  }
  return [...choices.values()]
    .filter((choice) => choice.runs.length > 1)
    .map((choice) => warning('run-choice', choice));
}

/** It could be gone on with, and nobody is at it. */
function isLeft(status: OpenedRun['status']): boolean {
  return status !== 'running' && status !== 'completed' && !isTerminal(status);
}
