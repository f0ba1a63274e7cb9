import type { Hash } from '../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { PauseReason } from './calls.ts';
import type { FileNotice, PageNotice } from './notice-details.ts';
import type { Question, Refusal, ValueChange } from './refusal.ts';

export type * from './notice-details.ts';
export type * from './refusal.ts';

/** Why a step runs. Each running step has one, with the facts that a person needs to check it. */
export type RunReason =
  /** No attempt was ever recorded. */
  | { readonly code: 'never-ran' }
  /** Another tool's log calls a task of this id done, and that was another task. */
  | { readonly code: 'told-of-another'; readonly actor: string }
  /** An attempt was cut off: its owner died, or ended it on request. */
  | {
      readonly code: 'interrupted';
      readonly attempt: number;
      /** What was asked of a model and may have been paid, in USD at most. */
      readonly call?: {
        readonly model: string;
        readonly atStake: number | undefined;
        /** Its answer had arrived, and is taken over. */
        readonly answered?: boolean;
      };
    }
  /** The actor that had claimed it gave the claim back. */
  | { readonly code: 'released'; readonly attempt: number }
  /** A provider asked to wait, and the time has come. */
  | { readonly code: 'waited'; readonly attempt: number; readonly pause: PauseReason }
  /** The last attempt failed and another one is allowed. */
  | { readonly code: 'failed-before'; readonly attempt: number; readonly failure: string }
  /** The gate judged the round before as bad and sent it back here. */
  | {
      readonly code: 'gate-failed';
      readonly gate: string;
      readonly verdict: string;
      readonly iteration: number;
    }
  /** Something that it consumed has other bytes now. */
  | {
      readonly code: 'input-changed';
      readonly input: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  /** A declared output is not on disk. */
  | { readonly code: 'output-missing'; readonly output: string; readonly path: string }
  /** A declared output cannot be right: unreadable, fails its check, or is the file of another step. */
  | {
      readonly code: 'output-damaged';
      readonly output: string;
      readonly path: string;
      readonly damage: Damage;
    }
  /** A person asked for it (`--rerun-from`, `--rerun-all`). */
  | { readonly code: 'rerun-requested'; readonly reason: string | undefined }
  /** Its prompt changed. */
  | ({ readonly code: 'prompt-changed' } & AnsweredChange)
  /** A unit before it in the chain committed another state, and the pipeline says `cascade`. */
  | { readonly code: 'chain-cascade' }
  /** The phase was defined differently when the result was made. */
  | ({ readonly code: 'definition-changed' } & AnsweredChange)
  /** The unit's own fields or its own file were different when the result was made. */
  | ({ readonly code: 'unit-changed' } & AnsweredChange)
  /** The code of the phase was different when the result was made. */
  | ({ readonly code: 'code-changed' } & AnsweredChange)
  /** A declared file has other bytes. */
  | {
      readonly code: 'file-changed';
      readonly file: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
      readonly reason?: string | undefined;
      readonly policy?: PolicySource;
    }
  /** A person rejected what was made, and said why. */
  | { readonly code: 'rejected'; readonly checkpoint: string; readonly feedback: string }
  /** A later phase found that it has to be done again, and said why. */
  | { readonly code: 'revision-requested'; readonly by: string; readonly reason: string }
  /** The state that it started from has other bytes. */
  | {
      readonly code: 'pre-state-changed';
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
      readonly reason?: string | undefined;
      readonly policy?: PolicySource;
    };

/** A change whose answer was to re-run, given by a person with a reason or by a policy. */
export interface AnsweredChange {
  readonly reason: string | undefined;
  /** The name of the change, as `pawl plan` prints it; absent in journals of older versions. */
  readonly change?: string;
  readonly before?: Hash | undefined;
  readonly after?: Hash | undefined;
  /** Absent: a person answered. */
  readonly policy?: PolicySource;
}

/** Where a policy comes from: the manifest states it, or it is the default. */
export type PolicySource = 'manifest' | 'default';

/** Why a step need not run. */
export type SkipReason =
  /** The manifest says `when: gate-failed`, and no gate has sent the unit back to it. */
  | { readonly code: 'gate-not-failed' }
  /** A person put there whatever would have been made from it. */
  | { readonly code: 'consumers-by-hand' }
  /** Another tool's log says that it was left out on purpose. */
  | { readonly code: 'told-skipped'; readonly actor: string; readonly note?: string };

/** What is wrong with a file that is there. */
export type Damage =
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'check-failed'; readonly check: string; readonly detail: string }
  | { readonly kind: 'copy-of'; readonly cell: string };

/** Worth telling, and stops nothing. */
export type Notice =
  /** A finished unit of a chain started from a state that has been regenerated since. */
  | { readonly code: 'start-state-stale'; readonly unit: string; readonly before: Hash; readonly after: Hash }
  /** A gate's loop has ended without a pass, and the manifest or a person accepts what there is. */
  | ({
      readonly code: 'gate-accepted';
      readonly unit: string;
      readonly phase: string;
      readonly by: 'manifest' | 'person';
    } & EndedLoop)
  /** What another unit made has other bytes than this result was made from, and the manifest says only to tell. */
  | {
      readonly code: 'input-stale';
      readonly unit: string;
      readonly phase: string;
      readonly input: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  /** A recorded output was edited: what depends on it waits until a person has chosen what becomes of that. */
  | { readonly code: 'edit-holds'; readonly unit: string; readonly phase: string; readonly path: string }
  | FileNotice
  | PageNotice
  /** A file that is made from the journal could not be written, for a reason that the system has named. */
  | { readonly code: 'projection-failed'; readonly path: string; readonly error: string }
  /** The file that the brief belongs into was left alone: it lies in the run's own folder instead. */
  | { readonly code: 'brief-aside'; readonly path: string; readonly why: string }
  /** The run has taken over a resumption document that was kept before it. */
  | {
      readonly code: 'brief-imported';
      readonly path: string;
      /** Parts that people wrote, and parts that tell what happened before. */
      readonly authored: readonly string[];
      readonly history: readonly string[];
      /** Where the file is kept as it was. */
      readonly backup: string;
    }
  /** The run could not be exported to OpenTelemetry. */
  | {
      readonly code: 'telemetry-failed';
      readonly why: TelemetryReason;
      /** The host and port that it was meant for, or the names of variables. */
      readonly to: string;
      /** Optional packages to install. */
      readonly packages?: readonly string[];
    }
  /** Much of what may be spent has been. */
  | ({ readonly code: 'budget-near' } & Spending)
  /** What is planned is expected to cost more than a budget has left. */
  | ({ readonly code: 'budget-short' } & BudgetShortfall)
  /** Templates changed since they were recorded, and steps that have no result yet use them. */
  | {
      readonly code: 'templates-changed';
      readonly paths: readonly string[];
      /** How many templates there are. */
      readonly of: number;
      /** They were recorded when the run began; else when it was resumed last. */
      readonly sinceStart: boolean;
      readonly steps: readonly { readonly unit: string; readonly phase: string }[];
    }
  /** Code of a phase changed since it was recorded, and results that were made with the old code are kept. */
  | {
      readonly code: 'code-kept';
      readonly phase: string;
      readonly paths: readonly string[];
      readonly results: number;
    }
  /** Changes of steps that were not selected: they wait for a later call. */
  | { readonly code: 'changed-outside'; readonly changes: readonly string[]; readonly steps: number }
  /** A value of the manifest that no result depends on: a count of units, or `pace`, whose durations are milliseconds. */
  | ({ readonly code: 'value-changed' } & ValueChange)
  /** Another input or field called `file` goes before the unit's own file. */
  | { readonly code: 'own-file-hidden'; readonly by: 'input' | 'field'; readonly phase: string }
  /** Phases that spell a task `agent: ROLE`; both spellings have the same hash. */
  | { readonly code: 'agent-means-task'; readonly phases: readonly string[] }
  /** Results of a unit that the pipeline no longer lists; its files are left alone. */
  | { readonly code: 'unit-removed'; readonly unit: string };

/** Why OpenTelemetry was not told of all of a run. */
export type TelemetryReason =
  | 'variable-unusable'
  | 'packages-missing'
  | 'unreachable'
  | 'timed-out'
  | 'http-status'
  | 'refused'
  | 'queue-full'
  | 'broken';

/** A limit of a phase, or a budget: it stops the whole run. `attempts` are those of all units so far. */
export interface ReachedLimit extends Spending {
  readonly attempts: number;
  /** A person may grant more; only of a budget. */
  readonly asks?: Question;
}

/** How much of something there was, and how much there may be. */
export interface Spending {
  /** Empty: of the whole run. */
  readonly phase: string;
  readonly limit: 'attempts' | 'consecutive_failures' | 'retry_rate' | 'reject_rate' | BudgetLimit;
  readonly value: number;
  readonly max: number;
  /** Part of the value: calls in doubt, which may have been paid. */
  readonly doubt?: number;
  /** What had been spent before a person granted more; no part of the value. */
  readonly before?: number;
}

/** What a plan would spend of a budget, in the budget's unit. */
export interface BudgetShortfall {
  /** Empty: of the whole run. */
  readonly phase: string;
  readonly limit: Exclude<BudgetLimit, 'budget_time'>;
  readonly left: number;
  readonly expected: number;
  readonly atMost: number;
  /** Calls of this run show that it will not suffice; else only the longest answers that are allowed say so. */
  readonly isSure: boolean;
}

/** In USD, tokens and milliseconds. */
export type BudgetLimit = 'budget_usd' | 'budget_tokens' | 'budget_time';

/**
 * Why a gate's loop has ended without a pass.
 * - `limit`: every round that the manifest grants was used.
 * - `plateau`: the last rounds have brought no better score.
 * - `regression`: the score fell too far below the best one.
 * - `budget`: so much was spent that no further round is begun.
 * - `cluster`: the same defect came back in round after round; a person is asked, whatever the manifest says.
 */
export type GateStop = 'limit' | 'plateau' | 'regression' | 'budget' | 'cluster';

/** A loop that has ended without a pass, and the round of it that stands. */
export interface EndedLoop {
  readonly stopped: GateStop;
  /** Rounds in all. */
  readonly iterations: number;
  /** The round that is kept, or would be. */
  readonly round: number;
  /** What was said of that round. */
  readonly verdict: string;
  readonly score?: number;
  /** Of a cluster: what came back, as the newest report says it. */
  readonly defect?: string;
}

/** Why a step cannot continue although no guard refuses it. */
export type StopReason =
  /** Every attempt that the manifest grants was used. */
  | {
      readonly code: 'attempts-used-up';
      readonly attempts: number;
      readonly failure: string;
      /** Of the last failure. */
      readonly facts?: JsonObject;
      readonly asks?: Question;
    }
  /** It was interrupted so often in a row: a person decides whether it is started, and paid for, once more. */
  | {
      readonly code: 'interruptions-used-up';
      readonly interruptions: number;
      /** The newest that was interrupted. */
      readonly attempt: number;
      /** What each asked of a model and may have been paid for, in USD at most. */
      readonly call?: { readonly model: string; readonly atStake: number | undefined };
      readonly asks?: Question;
    }
  /** The gate's loop has ended without a pass. */
  | ({ readonly code: 'gate-limit'; readonly defects?: readonly string[] } & EndedLoop)
  /** The same, and a person has to decide. */
  | ({ readonly code: 'gate-asks'; readonly report: Hash; readonly asks: Question } & EndedLoop)
  /** A person has to decide before anything is built on it. */
  | { readonly code: 'checkpoint-asks'; readonly asks: Question }
  /** A person said no, and there is nothing that could be done again. */
  | {
      readonly code: 'checkpoint-rejected';
      readonly id: string;
      readonly name: string;
      readonly note: string;
    }
  /** A provider or the step itself asked to wait: it goes on by itself from then on. */
  | {
      readonly code: 'paused';
      readonly until: string;
      readonly pause: PauseReason;
      readonly message: string;
    }
  /** An actor blocked the unit until something is done about it. */
  | { readonly code: 'blocked'; readonly reason: string; readonly actor: string };

/** What a person has to decide, where that is what a stop waits for, or all that a refusal wants. */
export function asksOf(
  what: Refusal | ReachedLimit | { readonly code: string; readonly asks?: Question },
): Question | undefined {
  return 'asks' in what ? what.asks : undefined;
}

/** When the first of what waits for a time may go on; undefined: nothing does. */
export function firstPause(
  whys: Iterable<{ readonly code: string; readonly until?: string }>,
): string | undefined {
  let first: string | undefined;
  for (const { code, until } of whys) {
    // Times of one form: the earlier one comes first.
    if (code === 'paused' && until !== undefined && (first === undefined || until < first)) first = until;
  }
  return first;
}

/** Every one of these only waits for a person's word. */
export function allAsk(refusals: readonly Refusal[]): boolean {
  return refusals.length > 0 && refusals.every((refusal) => asksOf(refusal) !== undefined);
}

/** Why an attempt was started, as it was read from the journal. */
export type AttemptReason = (RunReason | ReasonNotRecorded | ForeignReason) & {
  /** `ACTOR#SEQ` of the event that superseded the earlier result, if one did. */
  readonly decision?: string;
};

/** The attempt was recorded by a version of Pawl that did not write reasons. */
export interface ReasonNotRecorded {
  readonly code: 'not-recorded';
}

/** Another version of Pawl wrote a code or fields that this one does not know. They are shown as data. */
export interface ForeignReason {
  readonly code: 'other-version';
  readonly recorded: JsonObject;
}

/**
 * The reason as `attempt_started` records it. Undefined for the first attempt of a step that never ran: a large run
 * consists of these, and an attempt 1 without a reason says the same.
 */
export function recordedReason(
  why: RunReason,
  attempt: number,
  decision: string | undefined,
): JsonObject | undefined {
  if (why.code === 'never-ran' && attempt === 1) return undefined;
  const kept = clipTexts(why as unknown as JsonValue);
  if (!isJsonObject(kept)) return undefined;
  return decision === undefined ? kept : { ...kept, decision };
}

/** Feedback may have thousands of characters, and its whole text is in the event of the decision. */
function clipTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length > textMax ? `${value.slice(0, textMax)}…` : value;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, JsonValue | undefined>>);
  return Object.fromEntries(
    entries.flatMap(([name, field]) => (field === undefined ? [] : [[name, clipTexts(field)]])),
  );
}

const textMax = 300;
