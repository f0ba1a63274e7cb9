import { fail, ok, type Result } from '../../base/result.ts';
import type { EventBody } from '../../model/event.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import { record } from '../../runner/context.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { type Hold, lockRun, releaseAfter } from '../open/hold.ts';
import { findingName, lostObjectName, type OpenedRun, openRun, unacceptedDamage } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { runnerActor } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { firstRecord } from './lost-first-record.ts';
import { healObjects, type LostObject, lostObjects } from './lost-objects.ts';
import { adoptOrphans, eventsOfSnapshot, findOrphans, type Orphan, snapshotLedger } from './lost-results.ts';
import type { LostFact, RepairAnswer, RestoredResult } from './repair-answer.ts';

export interface RepairRequest extends Target {
  readonly reason: string;
  /** Take over a lock whose owner may live on another host. */
  readonly takeover?: boolean | undefined;
}

/** What a repair would do, for the person who is asked first. */
export type RepairOutline = Omit<RepairAnswer, 'heading'>;

/**
 * A person has looked at a damaged run and resumes with what can be read. What a hash proves stands: what the snapshot
 * or an intact output still knows of lost lines is recorded once more, and damaged objects are put back from intact
 * outputs. What only the lost lines could tell is decided again. Not a byte is deleted.
 */
export async function repairRun(
  env: Environment,
  request: RepairRequest,
): Promise<Result<RepairAnswer, Failure>> {
  if (request.reason === '')
    return fail({ reason: 'usage', problem: { code: 'reason-required', flag: 'repair' } });
  const found = await survey(env, request);
  if (!found.ok) return found;
  const { placed, opened, damage, objects } = found.value;
  const lost = objects.filter(({ intact }) => intact === undefined);
  if (isWhole(found.value)) return fail({ reason: 'nothing-to-repair', run: opened.id });
  const hold = await lockRun(placed, opened, {
    takeover: request.takeover ?? false,
    mayBeDamaged: true,
  });
  if (!hold.ok) return hold;
  const done = await releaseAfter(placed, hold.value, async () => {
    const { facts, events, restored } = recordAgain(found.value);
    const moved = movedSegments(placed, hold.value);
    // A segment that was moved away is missed from its old place, which is damage of another name.
    const missed = moved.length > 0 ? damageOf(env, placed, opened) : [];
    await record(hold.value, {
      type: 'damage_accepted',
      findings: [...new Set([...damage, ...missed].map(findingName)), ...lost.map(nameOfLost)],
      reason: request.reason,
    });
    for (const event of events) await record(hold.value, event);
    const adopted = await adoptOrphans(placed, opened, hold.value, found.value.orphans);
    const healed = await healObjects(hold.value, objects);
    return ok({
      heading: createRunHeading(placed, opened),
      accepted: damage,
      facts,
      restored: [...restored, ...adopted],
      healed,
      lost: objectPaths(lost).lost,
      moved,
    });
  });
  if (!done.ok) return done;
  // The answer is good only if the next run takes it: read again, as that does.
  const after = openRun(env, placed.root, opened, { whole: true, pipeline: placed.loaded.pipeline });
  const left = unacceptedDamage(after);
  if (after.ledger.run === undefined || left.length > 0)
    return fail({ reason: 'journal-damaged', run: opened.id, findings: after.findings });
  return ok({ ...done.value, heading: createRunHeading(placed, after) });
}

/** What would be accepted and recorded. Changes nothing. */
export async function outlineRepair(
  env: Environment,
  target: Target,
): Promise<Result<RepairOutline, Failure>> {
  const found = await survey(env, target);
  if (!found.ok) return found;
  if (isWhole(found.value)) return fail({ reason: 'nothing-to-repair', run: found.value.opened.id });
  const { damage, orphans, objects } = found.value;
  const { facts, restored } = recordAgain(found.value);
  const adopted = orphans.map(({ event: { unit, phase, attempt } }) => ({
    unit,
    phase,
    attempt,
    from: 'success' as const,
  }));
  return ok({
    accepted: damage,
    facts,
    restored: [...restored, ...adopted],
    ...objectPaths(objects),
    moved: [],
  });
}

/** By whether an intact copy is left. */
function objectPaths(objects: readonly LostObject[]): Pick<RepairAnswer, 'healed' | 'lost'> {
  const paths = (wanted: boolean) =>
    objects.flatMap(({ record, intact }) => ((intact !== undefined) === wanted ? [record.path] : []));
  return { healed: paths(true), lost: paths(false) };
}

function nameOfLost({ record }: LostObject): string {
  return lostObjectName(record.hash);
}

function damageOf(env: Environment, { root, loaded }: Workspace, opened: OpenedRun): Finding[] {
  return unacceptedDamage(openRun(env, root, opened, { whole: true, pipeline: loaded.pipeline }));
}

interface Survey {
  readonly placed: Workspace;
  /** Read from its first event, and without the snapshot, as `verify` reads it. */
  readonly opened: OpenedRun;
  readonly damage: readonly Finding[];
  readonly orphans: readonly Orphan[];
  readonly objects: readonly LostObject[];
}

async function survey(env: Environment, target: Target): Promise<Result<Survey, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const found = needRun(workspace.value, target, { evenDamaged: 'first' });
  if (!found.ok) return found;
  const { loaded, root } = workspace.value;
  const opened = openRun(env, root, found.value, { whole: true, pipeline: loaded.pipeline });
  const placed = await resolvePipelineForRun(workspace.value, opened);
  const damage = unacceptedDamage(opened);
  const orphans = opened.findings.some(({ weight }) => weight === 'loud') ? findOrphans(placed, opened) : [];
  return ok({ placed, opened, damage, orphans, objects: lostObjects(placed, opened) });
}

function isWhole(found: Survey): boolean {
  const { damage, orphans, objects } = found;
  return damage.length + orphans.length + objects.length === 0 && recordAgain(found).events.length === 0;
}

/** What lost lines said, as far as something else still knows it. */
function recordAgain({ placed, opened }: Survey): {
  readonly facts: readonly LostFact[];
  readonly events: readonly EventBody[];
  readonly restored: readonly RestoredResult[];
} {
  const isDamaged = opened.findings.some(({ weight }) => weight === 'loud');
  if (!isDamaged) return { facts: [], events: [], restored: [] };
  const snapshot = snapshotLedger(placed, opened);
  const first = opened.ledger.run === undefined ? firstRecord(placed, opened, snapshot) : undefined;
  const { events, restored } = eventsOfSnapshot(opened.ledger, snapshot);
  return {
    facts: first?.facts ?? [],
    events: [...(first === undefined ? [] : [first.event]), ...events],
    restored,
  };
}

function movedSegments({ root }: Workspace, { journal, runJournal }: Hold): RepairAnswer['moved'] {
  const moved = runJournal.maintenance.moveUnreadable(runnerActor, journal);
  const shown = (path: string) => path.slice(root.length + 1);
  return moved.map(({ from, to }) => ({ from: shown(from), to: shown(to) }));
}
