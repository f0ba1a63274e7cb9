import { setMaxListeners } from 'node:events';
import { formatTime } from '../base/clock.ts';
import { StepSet } from '../model/names.ts';
import { afterAttempt, countAttempt, type FilesForPeople, type Invocation } from './after-attempt.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import { runAttempt } from './attempts/run-attempt.ts';
import { type RunContext, record } from './context.ts';
import type { PreparedCall } from './executors/assignment.ts';
import { outcomeOf, type SittingOutcome } from './outcome.ts';
import { type Schedule, Starts } from './schedule.ts';

/** Carries out a plan: starts what can be started, as much at once as the pace allows, until nothing is left. */
export async function carryOut(
  run: RunContext,
  schedule: Schedule,
  files: FilesForPeople,
): Promise<SittingOutcome> {
  // An error in one attempt ends the invocation, and with it the other attempts: a command would run on unwatched.
  const trouble = new AbortController();
  const stop = AbortSignal.any([run.stop, trouble.signal]);
  const interrupt = AbortSignal.any([run.interrupt, trouble.signal]);
  // Every attempt under way may listen to these: however many that are, it is no leak.
  setMaxListeners(0, stop, interrupt);
  const starts = new Starts(run, schedule);
  const counts = { succeeded: 0, reused: 0, failed: 0, steps: new StepSet(), left: new StepSet() };
  const invocation: Invocation = {
    run: { ...run, stop, interrupt },
    ...{ schedule, files, starts, counts, tries: new Map(), restoring: new Set() },
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
  // Recorded before running attempts are ended, so that a started attempt without an end has a reason.
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
      await busyWith(runStep(invocation, step, wakeAll, later));
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

async function runStep(
  invocation: Invocation,
  step: ReadyStep,
  wakeAll: () => void,
  later: (inMs: number, settle: () => Promise<void>) => void,
): Promise<void> {
  const { run, files, starts } = invocation;
  const begun = (call?: PreparedCall) => {
    starts.begun(step, call);
    files.unitBegun(step.unit.id);
    // With a budget the next one waits for this.
    wakeAll();
  };
  const outcome = await runAttempt(run, step, begun);
  const againInMs = countAttempt(invocation, step, outcome);
  const settle = () => afterAttempt(invocation, step, outcome, againInMs !== undefined);
  if (againInMs === undefined || againInMs === 0) await settle();
  else later(againInMs, settle);
}

/** The workers of an invocation: some are at an attempt, the others rest until there may be more to do. */
class Workers {
  readonly #run: Pick<RunContext, 'clock' | 'observe'>;
  readonly #resting: (() => void)[] = [];
  #busy = 0;
  #told: number | undefined;

  constructor(run: Pick<RunContext, 'clock' | 'observe'>) {
    this.#run = run;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** One of them is at an attempt until it ends. */
  begin(): void {
    this.#busy += 1;
  }

  end(): void {
    this.#busy -= 1;
    this.wakeAll();
  }

  /** Until another one ends, or the time that one waits for has come. False: neither will. */
  async rest(opens: number | undefined): Promise<boolean> {
    if (this.#busy === 0) {
      if (opens === undefined) return false;
      if (opens !== this.#told) this.#run.observe({ type: 'waiting', until: formatTime(opens) });
      this.#told = opens;
    }
    const woken = new Promise<void>((resolve) => {
      this.#resting.push(resolve);
    });
    if (opens === undefined) await woken;
    else {
      const over = new AbortController();
      await Promise.race([woken, this.#run.clock.sleep(this.#untilMs(opens), over.signal)]);
      over.abort('over');
    }
    return true;
  }

  wakeAll(): void {
    if (this.#resting.length === 0) return;
    for (const wake of this.#resting.splice(0)) wake();
  }

  #untilMs(opens: number): number {
    return Math.min(Math.max(0, opens - this.#run.clock.now()), sleepMsMax);
  }
}

/** A timer takes no more; a worker that wakes early looks again. */
const sleepMsMax = 60 * 60_000;
