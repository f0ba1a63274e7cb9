import { setMaxListeners } from 'node:events';
import { CellSet } from '../model/cell-set.ts';
import { afterAttempt, countAttempt, type Sitting } from './after-attempt.ts';
import type { ReadyStep } from './attempt.ts';
import { type RunContext, record } from './context.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import { outcomeOf, type SittingOutcome } from './outcome.ts';
import type { Projections } from './projections.ts';
import type { Schedule } from './schedule.ts';
import { Starts } from './starts.ts';
import { runAttempt } from './worker.ts';
import { Workers } from './workers.ts';

/** Carries out a plan: starts what can be started, as much at once as the pace allows, until nothing is left. */
export async function carryOut(
  run: RunContext,
  schedule: Schedule,
  projections: Projections,
): Promise<SittingOutcome> {
  // Trouble under one attempt ends the sitting. The others end with it: a command would go on with nobody to wait for it.
  const trouble = new AbortController();
  const stop = AbortSignal.any([run.stop, trouble.signal]);
  const interrupt = AbortSignal.any([run.interrupt, trouble.signal]);
  // Every attempt under way may listen to these: however many that are, it is no leak.
  setMaxListeners(0, stop, interrupt);
  const starts = new Starts(run, schedule);
  const counts = { succeeded: 0, reused: 0, failed: 0, cells: new CellSet(), left: new CellSet() };
  const sitting: Sitting = {
    run: { ...run, stop, interrupt },
    ...{ schedule, projections, starts, counts, tries: new Map(), restoring: new Set() },
  };
  const workers = new Workers(run);
  const wakeAll = () => workers.wakeAll();
  stop.addEventListener('abort', wakeAll);
  let failure: { readonly error: unknown } | undefined;

  const busyWith = async (work: Promise<unknown>): Promise<void> => {
    workers.begin();
    try {
      await work;
    } catch (error) {
      failure ??= { error };
      trouble.abort();
    } finally {
      workers.end();
    }
  };
  // Before what runs is ended: whoever sees a started attempt without an end then knows why.
  const asked: Promise<void>[] = [];
  const noteRequest = () => {
    if (workers.isBusy) asked.push(busyWith(record(run, { type: 'stop_requested' })));
  };
  run.stop.addEventListener('abort', noteRequest, { once: true });
  const retries: Promise<void>[] = [];
  const retrying = new AbortController();
  const retryUntil = AbortSignal.any([stop, retrying.signal]);
  setMaxListeners(0, retryUntil);
  const later = (inMs: number, settle: () => Promise<void>) => {
    retries.push(busyWith(run.clock.sleep(inMs, retryUntil).then(settle)));
  };
  const serve = async (): Promise<void> => {
    for (;;) {
      const step = stop.aborted ? undefined : starts.next();
      if (step === undefined) {
        if (stop.aborted || !(await workers.rest(starts.opensAt()))) return wakeAll();
        continue;
      }
      // Whatever waits for another try leaves its place to others, and waits no longer than there may be one.
      await busyWith(attempt(sitting, step, wakeAll, later));
      if (retries.length > 0 && starts.isOver) retrying.abort('over');
    }
  };
  await Promise.all(Array.from({ length: run.jobs ?? run.loaded.pipeline.pace.concurrency }, serve));
  await Promise.all(retries);
  run.stop.removeEventListener('abort', noteRequest);
  await Promise.all(asked);
  stop.removeEventListener('abort', wakeAll);
  if (failure !== undefined) throw failure.error;
  return outcomeOf(run, schedule, counts, starts);
}

async function attempt(
  sitting: Sitting,
  step: ReadyStep,
  wakeAll: () => void,
  later: (inMs: number, settle: () => Promise<void>) => void,
): Promise<void> {
  const { run, projections, starts } = sitting;
  const begun = (call?: PreparedCall) => {
    starts.begun(step, call);
    projections.unitBegun(step.unit.id);
    // With a budget the next one waits for this.
    wakeAll();
  };
  const outcome = await runAttempt(run, step, begun);
  const againInMs = countAttempt(sitting, step, outcome);
  const settle = () => afterAttempt(sitting, step, outcome, againInMs !== undefined);
  if (againInMs === undefined || againInMs === 0) await settle();
  else later(againInMs, settle);
}
