import { fail, ok, type Result } from '../../../base/result.ts';
import { foldEvent } from '../../../ledger/fold.ts';
import { currentResult, emptyLedger, findStep, type Step, type StepResult } from '../../../ledger/ledger.ts';
import { followFolder } from '../../../ledger/results.ts';
import type { StoredEvent } from '../../../model/event.ts';
import type { Failure } from '../../../model/failure.ts';
import { type StepName, stepName } from '../../../model/names.ts';
import { findStepTarget } from '../../observe/cell-target.ts';
import type { Environment } from '../../open/environment.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { Target } from '../../open/requests.ts';
import type { Workspace } from '../../open/workspace.ts';
import { affectedSteps, openClaim } from './affected.ts';
import type { BroughtBackAnswer } from './answers.ts';
import { bringBack, openRunOf } from './bring-back.ts';
import { type Prepared, prepare } from './prepare.ts';

export interface RestoreRequest extends Target {
  /** `UNIT/PHASE`. */
  readonly cell: string;
  readonly attempt: number;
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Makes an earlier attempt the result of its step. What depends on it runs again where the bytes differ. */
export async function restoreAttempt(
  env: Environment,
  request: RestoreRequest,
): Promise<Result<BroughtBackAnswer, Failure>> {
  const found = await openRunOf(env, request);
  if (!found.ok) return found;
  const { placed, opened } = found.value;
  const target = findStepTarget(placed, request.cell);
  if (!target.ok) return target;
  const step = stepName(target.value.unit.id, target.value.phase.name);
  return await bringBack(placed, opened, request, (workspace, events) =>
    plannedRestore(workspace, opened, events, step, request),
  );
}

async function plannedRestore(
  workspace: Workspace,
  opened: OpenedRun,
  events: readonly StoredEvent[],
  step: StepName,
  { attempt, reason }: RestoreRequest,
): Promise<Result<Prepared & Pick<BroughtBackAnswer, 'decisions'>, Failure>> {
  const history = attemptsOf(opened, events, step);
  const results = history.byAttempt.get(attempt);
  const refused = { reason: 'cannot-restore', command: 'restore', step } as const;
  if (results === undefined)
    return fail({ ...refused, why: 'no-result', attempt, valid: [...history.byAttempt.keys()] });
  if (history.claim !== undefined) return fail({ ...refused, why: 'claimed', ...history.claim });
  if (history.current === attempt) return fail({ ...refused, why: 'current', attempt });
  const prepared = await prepare(workspace, opened, events, {
    command: 'restore',
    earlier: new Map([[step, { results, promptChange: undefined }]]),
    reason: reason === undefined || reason === '' ? 'pawl restore' : `pawl restore: ${reason}`,
    given: reason,
  });
  return prepared.ok ? ok({ ...prepared.value, decisions: [] }) : prepared;
}

interface StepHistory {
  /** The results that stood when this attempt last did, up to its round. */
  readonly byAttempt: ReadonlyMap<number, Step['results']>;
  readonly current: number | undefined;
  /** A claim on it, or on a step that took what it made. */
  readonly claim: ReturnType<typeof openClaim>;
}

/** Every result that the step ever had, as it was when it last counted: also with a file that was adopted into it. */
function attemptsOf(
  { folder }: Pick<OpenedRun, 'folder'>,
  events: readonly StoredEvent[],
  step: StepName,
): StepHistory {
  const ledger = emptyLedger();
  const byAttempt = new Map<number, Step['results']>();
  const [unit = '', phase = ''] = step.split('/');
  for (const event of events) {
    foldEvent(ledger, event);
    const cell = changes(event, unit) ? findStep(ledger, unit, phase) : undefined;
    for (const result of cell?.results ?? [])
      if (cell !== undefined && result !== undefined)
        byAttempt.set(result.attempt, upTo(cell.results, result));
  }
  followFolder(ledger, folder);
  const cell = findStep(ledger, unit, phase);
  const current = cell && currentResult(cell);
  return { byAttempt, current: current?.attempt, claim: openClaim(ledger, affectedSteps([step], events)) };
}

const lists: ReadonlySet<string> = new Set(['results_superseded', 'results_kept', 'results_restored']);

/** Only such events can have changed the results of the unit's steps. */
function changes(event: StoredEvent, unit: string): boolean {
  return 'unit' in event ? event.unit === unit : lists.has(event.type);
}

function upTo(results: Step['results'], { round }: StepResult): Step['results'] {
  return structuredClone(results.slice(0, round));
}
