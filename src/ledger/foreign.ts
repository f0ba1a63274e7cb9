import type {
  ForeignReportsBound,
  ForeignRunReported,
  ForeignWorkReported,
  TaskBlocked,
} from '../model/event.ts';
import { takeStep } from './attempts.ts';
import { keepResult, type Ledger, type Step } from './ledger.ts';

type ForeignReport = ForeignWorkReported & {
  readonly at: string;
  readonly seq: number;
  readonly actor: string;
};

/**
 * Takes in what the log of another tool says of a unit. Such a log knows no attempts, no hashes and no inputs: what it
 * calls done stands by its word alone, and what Pawl itself has recorded since is never undone by it.
 */
export function foldForeignReport(ledger: Ledger, event: ForeignReport): void {
  const { unit, means } = event;
  if (means === 'blocked' || means === 'unblocked') {
    // An answer given here wins, whatever the clock of the other tool says.
    if (ledger.settled.includes(unit)) return;
    if (means === 'blocked') blockUnit(ledger, { ...event, reason: event.note ?? '' });
    else unblockUnit(ledger, unit);
    return;
  }
  if (event.phase === undefined) return;
  const step = takeStep(ledger, unit, event.phase);
  if (step.running !== undefined && step.running.claim?.until !== '') return;
  if (step.results.some((result) => result !== undefined && !result.reported)) return;
  switch (means) {
    case 'claimed':
    case 'started':
      start(step, ledger.revision, event, means === 'started');
      return;
    case 'succeeded':
    case 'skipped':
      succeed(step, ledger.revision, event);
      return;
    case 'failed':
      dropReported(step);
      fail(step, event);
      return;
    case 'sent-back':
      // Of a phase that had not been done there is nothing to send back.
      if (dropReported(step) || step.running !== undefined) fail(step, event);
  }
}

/** What such a log says of the whole run: the newest of each kind. */
export function foldForeignRun(ledger: Ledger, { stage, completed }: ForeignRunReported): void {
  ledger.told = {
    stage: stage ?? ledger.told?.stage,
    completed: completed ?? ledger.told?.completed ?? false,
  };
}

/**
 * Binds the reports so far to the tasks they are about, because a regenerated list may give another task the
 * same id. Reports about a unit that was not listed cannot be bound, so nothing is left of them to resume.
 */
export function bindForeignReports(ledger: Ledger, { units }: ForeignReportsBound): void {
  const bound = new Map(units.map((unit) => [unit.unit, unit]));
  for (const step of ledger.steps.values()) {
    const to = bound.get(step.unit);
    if (to === undefined) continue;
    step.results = step.results.map((result) => (result?.reported ? { ...result, boundTo: to } : result));
    if (to.listed) continue;
    if (step.running?.claim?.until === '') step.running = undefined;
    if (step.failure?.reason === 'told-failed') {
      step.failure = undefined;
      step.failures = 0;
    }
  }
  ledger.blocked = ledger.blocked.filter(({ unit }) => bound.get(unit)?.listed !== false);
}

function start(step: Step, revision: number, { actor, at }: ForeignReport, begun: boolean): void {
  if (step.running !== undefined) {
    step.running.claim = { actor, until: '', begun };
    return;
  }
  if (step.results.some((result) => result !== undefined)) return;
  step.attempts += 1;
  step.running = {
    attempt: step.attempts,
    round: 1,
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

function succeed(step: Step, revision: number, { actor, at, seq, note, means }: ForeignReport): void {
  if (step.running === undefined) {
    if (step.results.some((result) => result !== undefined)) return;
    step.attempts += 1;
  }
  step.running = undefined;
  step.failure = undefined;
  step.failures = 0;
  keepResult(step, {
    attempt: step.attempts,
    round: 1,
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
    reported: true,
    ...(means === 'skipped' && { skipped: true }),
    actor,
    ...(note !== undefined && { note }),
  });
  step.promoted = step.attempts;
}

function dropReported(step: Step): boolean {
  const isReported = step.results.some((result) => result?.reported);
  if (isReported) step.results = step.results.map((result) => (result?.reported ? undefined : result));
  return isReported;
}

function fail(step: Step, { at, note = '' }: ForeignReport): void {
  if (step.running === undefined) step.attempts += 1;
  step.running = undefined;
  step.failures += 1;
  step.failure = { attempt: step.attempts, reason: 'told-failed', message: note, at };
}

/** The last word on a unit counts. */
export function blockUnit(
  ledger: Ledger,
  { unit, reason, actor, at }: Omit<TaskBlocked, 'type'> & { readonly actor: string; readonly at: string },
): void {
  unblockUnit(ledger, unit);
  ledger.blocked.push({ unit, reason, actor, at });
}

export function unblockUnit(ledger: Ledger, unit: string): void {
  if (ledger.blocked.length > 0) ledger.blocked = ledger.blocked.filter((blocked) => blocked.unit !== unit);
}
