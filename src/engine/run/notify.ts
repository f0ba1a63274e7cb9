import { formatTime } from '../../base/clock.ts';
import { ok, type Result, unreachable } from '../../base/result.ts';
import type { NotifyEvent } from '../../model/definition.ts';
import type { Failure } from '../../model/failure.ts';
import { asksOf, type Question } from '../../model/reason.ts';
import type { RunStatus } from '../../model/status.ts';
import type { NotificationCounts } from '../../runner/notify/notification.ts';
import { tellAll } from '../../runner/notify/notify.ts';
import type { Stop } from '../../runner/outcome.ts';
import { createRunHeading } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { InvocationEnd, NotificationWords, Notifying, RunAnswer, RunRequest } from './run-request.ts';

/** How a run stood before the sitting. */
export interface StateBefore {
  /** Undefined: there was none. */
  readonly status: RunStatus | undefined;
  /** Of the newest event of its runner. */
  readonly seq: number;
  /** How many questions had been asked. */
  readonly questions: number;
}

/**
 * Tells people how a sitting ended, as the manifest asks for it. The run is let go and its end is on record: whatever
 * becomes of the telling changes neither.
 */
export async function notifyEnd(
  workspace: Workspace,
  told: ToldRun,
  { notifying, stop, interrupt }: Pick<RunRequest, 'notifying' | 'stop' | 'interrupt'>,
  before: StateBefore,
  answered: Result<RunAnswer, Failure>,
): Promise<Result<RunAnswer, Failure>> {
  const { env, root, loaded } = workspace;
  const notifiers = loaded.pipeline.notify ?? [];
  const signal = AbortSignal.any([stop, interrupt].filter((one) => one !== undefined));
  // Whoever stops a run knows that it has stopped.
  if (notifying === undefined || signal.aborted) return answered;
  const end = endOf(workspace, told, answered);
  const event = isNews(end, told, before) ? eventOf(end) : undefined;
  if (event === undefined || !notifiers.some(({ on }) => on.includes(event))) return answered;

  const { run, pipeline, identity, status } = end.kind === 'answered' ? end.answer.heading : end.heading;
  const { message, waiting, exitCode } = await wordsFor(notifying, end, `${pipeline}: ${event}`);
  const payload = {
    event,
    run,
    pipeline,
    identity,
    status,
    message,
    text: message,
    waiting,
    ...(exitCode !== undefined && { exitCode }),
    ...(end.kind === 'answered' && { counts: countsOf(end.answer) }),
    at: formatTime(env.clock.now()),
  };
  const ground = { clock: env.clock, process: env.process, root, terminal: notifying.terminal, signal };
  const notifications = await tellAll(ground, notifiers, payload);
  for (const notification of notifications) if (!notification.ok) notifying.missed?.(notification);
  return answered.ok && notifications.length > 0 ? ok({ ...answered.value, notifications }) : answered;
}

/** The run that is told of, as it stands now. */
type ToldRun = Pick<OpenedRun, 'id' | 'ledger'>;

function endOf(
  workspace: Workspace,
  { id, ledger }: ToldRun,
  answered: Result<RunAnswer, Failure>,
): InvocationEnd {
  if (answered.ok) return { kind: 'answered', answer: answered.value };
  const heading = createRunHeading(workspace, { id, ledger, status: ledger.ended ?? 'interrupted' });
  return { kind: 'broke-off', heading, failure: answered.failure };
}

/** A sitting that found all as the one before had left it is no news, however often it is repeated. */
function isNews(end: InvocationEnd, { ledger }: ToldRun, before: StateBefore): boolean {
  if (end.kind === 'broke-off') return ledger.runnerSeq !== before.seq;
  const { heading, ran } = end.answer;
  if (heading.status !== before.status || ran.succeeded + ran.failed > 0) return true;
  return questionsOf(end.answer).some(({ id }) => Number(id?.slice(1)) > before.questions);
}

function questionsOf({ stops, refusals, limits }: RunAnswer): Question[] {
  const ofStops = stops.map(({ why }) => asksOf(why));
  const others = [...refusals, ...limits].map(asksOf);
  return [...ofStops, ...others].filter((question) => question !== undefined);
}

/** Undefined: nothing that anybody is told of. */
function eventOf(end: InvocationEnd): NotifyEvent | undefined {
  // Somebody else holds the run now, and tells of its end.
  if (end.kind === 'broke-off') return end.failure.reason === 'fenced-out' ? undefined : 'failed';
  const { heading, stops } = end.answer;
  switch (heading.status) {
    case 'waiting_human':
      return 'waiting';
    case 'completed':
    case 'paused':
    case 'failed':
      return heading.status;
    case 'stopped':
      return stops.some(hasGoneWrong) ? 'failed' : 'stopped';
    case 'running':
    case 'interrupted':
    case 'cancelled':
      return undefined;
    default:
      return unreachable(heading.status);
  }
}

/** The work went wrong, and nobody said so: a guard, a limit or a person's word stops a run without that. */
function hasGoneWrong({ why }: Stop): boolean {
  switch (why.code) {
    case 'failed':
    case 'attempts-used-up':
    case 'gate-limit':
      return asksOf(why) === undefined;
    case 'interruptions-used-up':
    case 'gate-asks':
    case 'checkpoint-asks':
    case 'checkpoint-rejected':
    case 'blocked':
    case 'paused':
      return false;
    default:
      return unreachable(why);
  }
}

/** Where there are no words to be had, the bare facts are told. */
async function wordsFor(notifying: Notifying, end: InvocationEnd, bare: string): Promise<NotificationWords> {
  try {
    return await notifying.words(end);
  } catch {
    return { message: bare, waiting: [] };
  }
}

function countsOf({ cells: steps, ran }: RunAnswer): NotificationCounts {
  const { units, unitsFinished, done, skipped } = steps;
  return { units, unitsFinished, cells: steps.cells, done, skipped, ...ran };
}
