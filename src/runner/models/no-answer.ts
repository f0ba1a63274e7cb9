import { formatTime } from '../../base/clock.ts';
import { findCell } from '../../ledger/ledger.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { PauseReason } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt } from '../attempt.ts';
import type { RunContext } from '../context.ts';
import { redactorOf } from '../redaction.ts';
import { scattered } from '../scattered.ts';
import { answerBytesMax } from './answer-files.ts';
import type { CallTrouble } from './client.ts';
import { observeCall } from './observe.ts';

/** Why there is no answer: its time was over, somebody ended it, the provider asks to wait, or it failed. */
export function noAnswer(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  account: Account,
  ended: {
    readonly trouble: CallTrouble;
    readonly isTooLarge: boolean;
    readonly isTimedOut: boolean;
    readonly ms: number;
  },
): AttemptFailure {
  const { trouble, isTooLarge, isTimedOut, ms } = ended;
  const model = modelName(executor);
  account.call = { model, ms };
  const failed = (failure: AttemptFailure): AttemptFailure => {
    observeCall(run, attempt, executor, { model, ms }, {}, failure.reason);
    return failure;
  };
  if (isTooLarge)
    return failed({ reason: 'answer-too-large', message: '', facts: { limitBytes: answerBytesMax } });
  if (isTimedOut)
    return failed({ reason: 'timed-out', message: '', facts: { timeoutMs: attempt.phase.timeoutMs } });
  if (trouble.kind === 'failed') {
    const { reason, message, facts } = trouble.failure;
    const settings = providerFacts(run, executor);
    const clean = cleanWords(run, message);
    // Known to be nothing: otherwise a call whose end is not known counts as one that may have been paid.
    if (trouble.isUnreached) account.costs.push({ usd: 0 });
    return failed({ reason, message: clean, facts: { model, ...settings, ...facts } });
  }
  const { reason, waitMs } = trouble;
  const times = findCell(run.ledger, attempt.unit.id, attempt.phase.name)?.paused?.times ?? 0;
  const pauseMs = pauseFor(reason, waitMs, times);
  const message = cleanWords(run, trouble.message);
  account.pause = { reason, message, until: formatTime(run.clock.now() + pauseMs) };
  return failed({ reason: 'server-error', message });
}

/** What a provider said, without secrets, and no more than anybody reads. */
function cleanWords(run: RunContext, message: string): string {
  return redactorOf(run).redact(message).slice(0, messageLengthMax);
}

const messageLengthMax = 2_000;

/** A quota without a word of when it is renewed is asked about again after so long. */
const quotaWaitMs = 60 * 60_000;
const backoffMsFirst = 1000;
const backoffMsMax = 60_000;

/** As long as the provider says; and longer each time, when it says so again and again. */
function pauseFor(reason: PauseReason, waitMs: number | undefined, times: number): number {
  if (waitMs !== undefined) return times === 0 ? waitMs : Math.max(waitMs, backoff(times - 1));
  return reason === 'quota' ? quotaWaitMs : backoff(times);
}

function backoff(times: number): number {
  return scattered(Math.min(backoffMsFirst * 2 ** times, backoffMsMax));
}

function providerFacts({ loaded }: RunContext, { provider }: ModelCall): { key?: string } {
  const key = loaded.pipeline.models.providers.find(({ name }) => name === provider)?.key;
  return key === undefined ? {} : { key };
}
