import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { AssignedCall, Assignment, WaitRequest } from '../assignment.ts';
import type { ExecutorHost } from '../executor-host.ts';
import { redactorFor } from '../redaction.ts';
import { answerBytesMax } from './answer-files.ts';
import type { CallTrouble } from './client.ts';
import { observeCall } from './observe.ts';

/** A call without an answer. */
export interface Unanswered {
  readonly failure: AttemptFailure;
  readonly wait?: WaitRequest | undefined;
  /** Undefined: it was not made. */
  readonly call?: CallRecord;
  readonly costs?: readonly Cost[];
  /** The request was sent, or may have been. */
  readonly isSent: boolean;
}

/** Why there is no answer: its time was over, the run was interrupted, the provider asks to wait, or it failed. */
export function noAnswer(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  { provider }: AssignedCall,
  ended: {
    readonly trouble: CallTrouble;
    readonly isTooLarge: boolean;
    readonly isTimedOut: boolean;
    readonly ms: number;
  },
): Unanswered {
  const { trouble, isTooLarge, isTimedOut, ms } = ended;
  const model = modelName(executor);
  const call = { model, ms };
  const failed = (failure: AttemptFailure, more: Partial<Unanswered> = {}): Unanswered => {
    observeCall(host, assignment, executor, call, {}, failure.reason);
    return { failure, call, isSent: true, ...more };
  };
  if (isTooLarge)
    return failed({ reason: 'answer-too-large', message: '', facts: { limitBytes: answerBytesMax } });
  if (isTimedOut)
    return failed({ reason: 'timed-out', message: '', facts: { timeoutMs: assignment.phase.timeoutMs } });
  // Without secrets, and no more than anybody reads.
  const { redact } = redactorFor(assignment.redaction, host.process.variables);
  const clean = (text: string) => redact(text).slice(0, messageLengthMax);
  if (trouble.kind === 'failed') {
    const { reason, message, facts } = trouble.failure;
    const settings = provider.key === undefined ? {} : { key: provider.key };
    const failure = { reason, message: clean(message), facts: { model, ...settings, ...facts } };
    // Known to be nothing: otherwise a call whose end is not known counts as one that may have been paid.
    return failed(failure, trouble.isUnreached && { costs: [{ usd: 0 }] });
  }
  const { reason, waitMs } = trouble;
  const message = clean(trouble.message);
  return failed({ reason: 'server-error', message }, { wait: { reason, message, waitMs } });
}

const messageLengthMax = 2_000;
