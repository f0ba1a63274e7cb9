import { fail, ok, type Result } from '../../../base/result.ts';
import { foldEvents } from '../../../ledger/fold.ts';
import { findStep, type Ledger, type Step } from '../../../ledger/ledger.ts';
import { followFolder } from '../../../ledger/results.ts';
import type { DecisionKind } from '../../../model/decisions.ts';
import type { StoredEvent } from '../../../model/event.ts';
import type { Failure } from '../../../model/failure.ts';
import { parseStepName, type StepName, stepName } from '../../../model/names.ts';
import { placeDecisions } from '../../observe/decisions.ts';
import type { Environment } from '../../open/environment.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { Target } from '../../open/requests.ts';
import type { Workspace } from '../../open/workspace.ts';
import { affectedSteps, openClaim } from './affected.ts';
import type { BroughtBackAnswer } from './answers.ts';
import { bringBack, openRunOf } from './bring-back.ts';
import { lastDecision, type UndoableCall } from './last-decision.ts';
import { type Prepared, prepare, type Wanted } from './prepare.ts';

export interface UndoRequest extends Target {
  /** Take back the newest undo instead. */
  readonly redo?: boolean | undefined;
  readonly reason?: string | undefined;
  /** Only show what it would do. */
  readonly dryRun?: boolean | undefined;
  /** The ids of the decisions that were shown: others are not taken back. */
  readonly expected?: readonly string[] | undefined;
}

/**
 * Takes back the decisions of the newest call that made any, with every step that ran because of them: the results
 * before them count again, and their bytes are put back from the content store.
 */
export async function undoDecision(
  env: Environment,
  request: UndoRequest,
): Promise<Result<BroughtBackAnswer, Failure>> {
  const found = await openRunOf(env, request);
  if (!found.ok) return found;
  const { placed, opened } = found.value;
  return await bringBack(placed, opened, request, (workspace, events) =>
    plannedUndo(workspace, opened, events, request),
  );
}

async function plannedUndo(
  workspace: Workspace,
  opened: OpenedRun,
  events: readonly StoredEvent[],
  { redo = false, reason, expected }: UndoRequest,
): Promise<Result<Prepared & Pick<BroughtBackAnswer, 'decisions'>, Failure>> {
  const last = lastDecision(placeDecisions(events), redo);
  const ids = last?.entries.map(({ id }) => id) ?? [];
  const isOther = expected !== undefined && expected.join() !== ids.join();
  if (last === undefined || isOther)
    return fail({
      reason: 'nothing-to-undo',
      run: opened.id,
      ...(redo && { redo }),
      ...(isOther && { isOther }),
    });
  const now = foldEvents(events);
  followFolder(now, opened.folder);
  const named = last.entries.flatMap(({ effects }) => effects.flatMap(({ steps }) => steps));
  const affected = affectedSteps(named, events.slice(last.index));
  const wanted = earlierResults(opened, events, now, last, affected);
  const refused = whyRefused(events.slice(last.index), now, affected, last);
  if (refused !== undefined) return fail(refused);
  if (wanted.size === 0) return fail({ reason: 'nothing-to-undo', run: opened.id, ...(redo && { redo }) });
  const prepared = await prepare(workspace, opened, events, {
    command: 'undo',
    earlier: wanted,
    reason: reason === undefined || reason === '' ? 'pawl undo' : `pawl undo: ${reason}`,
    given: reason,
    undoes: ids,
    rerun: new Set(stepsWith(last, 're-run')),
  } satisfies Wanted);
  return prepared.ok ? ok({ ...prepared.value, decisions: last.entries }) : prepared;
}

/** The results before the decision, of each step that it affected and whose results it changed. */
function earlierResults(
  { folder }: Pick<OpenedRun, 'folder'>,
  events: readonly StoredEvent[],
  now: Ledger,
  last: UndoableCall,
  affected: ReadonlySet<string>,
): Map<StepName, Pick<Step, 'results' | 'promptChange'>> {
  const before = foldEvents(events.slice(0, last.index));
  followFolder(before, folder);
  const isNamed = new Set(last.entries.flatMap(({ effects }) => effects.flatMap(({ steps }) => steps)));
  // A file that no attempt had made was adopted: without that the step has no result.
  const isAdopted = new Set(stepsWith(last, 'adopted'));
  const earlier = new Map<StepName, Pick<Step, 'results' | 'promptChange'>>();
  for (const name of affected) {
    const parts = parseStepName(name);
    if (parts === undefined) continue;
    const was = findStep(before, parts.unit, parts.phase);
    const is = findStep(now, parts.unit, parts.phase);
    const results = was?.results ?? [];
    // A step that had no result then is made from other inputs now, or stays: the next plan decides.
    if (is === undefined || (results.length === 0 && !isAdopted.has(name))) continue;
    if (isNamed.has(name) || JSON.stringify(results) !== JSON.stringify(is.results))
      earlier.set(stepName(parts.unit, parts.phase), { results, promptChange: was?.promptChange });
  }
  return earlier;
}

/** The steps of which the decisions say so. */
function stepsWith({ entries }: Pick<UndoableCall, 'entries'>, what: DecisionKind): string[] {
  return entries.flatMap(({ effects }) => effects.flatMap(({ kind, steps }) => (kind === what ? steps : [])));
}

/** What people and agents did with the newer results is never taken back in passing. */
function whyRefused(
  since: readonly StoredEvent[],
  now: Ledger,
  affected: ReadonlySet<string>,
  { entries }: UndoableCall,
): Failure | undefined {
  const refused = { reason: 'cannot-restore', command: 'undo' } as const;
  // The answer to a question stays on record, and the next run would act on it again.
  if (entries.every(({ kind }) => kind === 'kept')) return { ...refused, why: 'answered' };
  for (const event of since) {
    if (event.type === 'checkpoint_decided' && aboutResults.has(event.question)) {
      const step = stepName(event.unit, event.phase);
      if (affected.has(step))
        return { ...refused, why: 'approved', step, id: event.id, decision: event.decision };
    }
    if (event.type === 'attempt_started' && event.lease !== undefined) {
      const step = stepName(event.unit, event.phase);
      // A claim that was given back has left nothing.
      const results = findStep(now, event.unit, event.phase)?.results ?? [];
      if (affected.has(step) && results.some((result) => result?.attempt === event.attempt))
        return { ...refused, why: 'claimed', step, by: event.actor };
    }
  }
  const claim = openClaim(now, affected);
  return claim && { ...refused, why: 'claimed', ...claim };
}

const aboutResults: ReadonlySet<string> = new Set(['approval', 'gate']);
