/** Why one attempt has no usable result. The stable part of `attempt_failed`. */
export type AttemptFailureReason =
  | 'command-not-found'
  /** The file is there and lacks the right to be run. */
  | 'command-not-executable'
  | 'command-failed'
  | 'command-killed'
  | 'function-threw'
  | 'function-missing'
  | 'timed-out'
  | 'output-missing'
  | 'output-not-a-file'
  | 'output-too-large'
  | 'output-outside'
  | 'check-failed'
  | 'verdict-unreadable'
  | 'template-failed'
  | 'input-unavailable'
  /** The file in which a command reports its cost or a pause is not as documented. */
  | 'result-file-invalid'
  /** An earlier phase has to be done again first. */
  | 'revision-requested'
  /** It asked for that, and may not. */
  | 'revision-refused'
  /** The actor that had claimed it reported the failure. */
  | 'agent-failed'
  /** The log of another tool says so. */
  | 'told-failed'
  | CallFailureReason
  | AnswerFailureReason;

/** Why a call of a model brought no answer. */
export type CallFailureReason =
  /** The key is wrong, or not allowed to do this. */
  | 'not-authorized'
  | 'model-unknown'
  /** The provider does not want this call, however often it is made. */
  | 'call-refused'
  | 'server-error'
  | 'connection-lost'
  /** What speaks with the provider is not installed, or its key is not set. */
  | 'provider-missing'
  /** What speaks with the provider broke. */
  | 'provider-failed';

/** Why an answer is none. It is kept with its attempt, and never used. */
export type AnswerFailureReason =
  /** It was cut off at `max_tokens`. */
  | 'answer-truncated'
  | 'answer-filtered'
  /** The model asked for a tool, and the phase offers none. */
  | 'answer-calls-tool'
  | 'answer-empty'
  | 'answer-too-large'
  /** No JSON where some was asked for. */
  | 'answer-unparsable';

/** What may be over the next time, without anybody doing anything. */
export function isTransient(reason: string): boolean {
  return transient.has(reason);
}

const transient: ReadonlySet<string> = new Set<AttemptFailureReason>([
  'server-error',
  'connection-lost',
  'answer-empty',
  'answer-unparsable',
]);

/** The answer was complete and wrong: the model may get its error to repair it. */
export function isRepairable(reason: string): boolean {
  return repairable.has(reason);
}

const repairable: ReadonlySet<string> = new Set<AttemptFailureReason>([
  'answer-unparsable',
  'check-failed',
  'verdict-unreadable',
]);

/** No further attempt can fix it: a person has to change something first. It uses up no attempt. */
export function isSettingsFailure(reason: string): boolean {
  return settingsFailures.has(reason);
}

const settingsFailures: ReadonlySet<string> = new Set<AttemptFailureReason>([
  'not-authorized',
  'model-unknown',
  'provider-missing',
]);

/** The provider, or the way to it, and not what was answered. */
export function isCallFailure(reason: string): boolean {
  return callFailures.has(reason);
}

const callFailures: ReadonlySet<string> = new Set<AttemptFailureReason>([
  'not-authorized',
  'model-unknown',
  'call-refused',
  'server-error',
  'connection-lost',
  'provider-missing',
  'provider-failed',
  'timed-out',
]);

/** The call may have been answered, and paid for, without the answer arriving. */
export function isUnheard(reason: string): boolean {
  return unheard.has(reason);
}

const unheard: ReadonlySet<string> = new Set<AttemptFailureReason>([
  'timed-out',
  'connection-lost',
  'answer-too-large',
]);

/** No further attempt of this invocation can fix it. */
export function isFinal(reason: string): boolean {
  return isSettingsFailure(reason) || reason === 'call-refused';
}

export interface AttemptFailure {
  readonly reason: AttemptFailureReason;
  /** From outside (an error's text, the end of stderr): data, shown as such. */
  readonly message: string;
  readonly facts?: Readonly<Record<string, string | number>>;
}
