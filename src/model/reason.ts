import type { Hash } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';

/** Why a cell runs. One is given for every cell that does, with the facts that a person needs to check it. */
export type RunReason =
  /** No attempt was ever recorded. */
  | { readonly code: 'never-ran' }
  /** An attempt was started and never ended: its holder died. */
  | { readonly code: 'interrupted'; readonly attempt: number }
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
  /** A declared output cannot be right: unreadable, fails its check, or is the file of another cell. */
  | {
      readonly code: 'output-damaged';
      readonly output: string;
      readonly path: string;
      readonly damage: Damage;
    }
  /** A person asked for it (`--rerun-from`, `--rerun-all`). */
  | { readonly code: 'rerun-requested'; readonly reason: string | undefined }
  /** Its prompt changed, and a person allowed that. */
  | { readonly code: 'prompt-changed'; readonly reason: string | undefined }
  /** A unit before it in the chain committed another state, and the pipeline says `cascade`. */
  | { readonly code: 'chain-cascade' }
  /** The phase is defined otherwise than when the result was made, and a person forced the new manifest. */
  | { readonly code: 'definition-changed'; readonly reason: string | undefined }
  /** The unit's own fields are others than when the result was made, and a person forced the new manifest. */
  | { readonly code: 'unit-changed'; readonly reason: string | undefined }
  /** A declared file with `on_change: rerun` has other bytes. */
  | {
      readonly code: 'file-changed';
      readonly file: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  /** The state that it started from was adopted with other bytes. */
  | {
      readonly code: 'pre-state-changed';
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    };

/** What is wrong with a file that is there. */
export type Damage =
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'check-failed'; readonly check: string; readonly detail: string }
  | { readonly kind: 'copy-of'; readonly cell: string };

/** A guard that refuses. Every refusal stops the whole run before anything is started or paid. */
export type Refusal =
  | {
      readonly guard: 'manifest-changed';
      readonly before: Hash;
      readonly after: Hash;
      readonly changes: readonly ValueChange[];
    }
  | {
      readonly guard: 'prompt-changed';
      readonly unit: string;
      readonly phase: string;
      readonly role: string;
      readonly path: string;
      readonly before: Hash | undefined;
      /** Undefined: the file is gone. */
      readonly after: Hash | undefined;
    }
  | {
      readonly guard: 'output-edited';
      readonly unit: string;
      readonly phase: string;
      readonly output: string;
      readonly path: string;
      readonly before: Hash;
      readonly after: Hash;
    }
  | {
      readonly guard: 'state-edited';
      readonly unit: string;
      readonly path: string;
      readonly before: Hash;
      readonly after: Hash | undefined;
    }
  | {
      readonly guard: 'pre-state-differs';
      readonly unit: string;
      readonly phase: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  | {
      readonly guard: 'file-changed';
      readonly unit: string;
      readonly phase: string;
      readonly file: string;
      readonly path: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  | {
      /** The phase is defined otherwise: its command, parameters, outputs or a schema that checks them. */
      readonly guard: 'definition-changed';
      readonly unit: string;
      readonly phase: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  | {
      readonly guard: 'unit-changed';
      readonly unit: string;
      readonly phase: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  | { readonly guard: 'in-doubt'; readonly unit: string; readonly phase: string; readonly attempt: number };

export type GuardName = Refusal['guard'];

/** One place where two documents differ, as a path of keys from the top. */
export interface ValueChange {
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** Where the new value stands in the manifest, when it does. */
  readonly line?: number;
  readonly column?: number;
}

/** Worth telling, and stops nothing. */
export type Notice =
  /** A finished unit of a chain started from a state that has been made anew since. */
  | { readonly code: 'start-state-stale'; readonly unit: string; readonly before: Hash; readonly after: Hash }
  /** A gate's rounds are used up, and the manifest or a person accepts what there is. */
  | {
      readonly code: 'gate-accepted';
      readonly unit: string;
      readonly phase: string;
      readonly verdict: string;
      readonly by: 'manifest' | 'person';
    }
  /** What another unit made has other bytes than this result was made from, and the manifest says only to tell. */
  | {
      readonly code: 'input-stale';
      readonly unit: string;
      readonly phase: string;
      readonly input: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
    }
  /** A file lies where an output belongs, and no attempt has made it. */
  | {
      readonly code: 'file-unknown';
      readonly unit: string;
      readonly phase: string;
      readonly output: string;
      readonly path: string;
    }
  /** Results of a unit that the pipeline no longer lists; its files are left alone. */
  | { readonly code: 'unit-removed'; readonly unit: string };

/** A limit of a phase, counted over all units, that keeps the whole run from going on. */
export interface ReachedLimit {
  readonly phase: string;
  readonly limit: 'attempts' | 'consecutive_failures' | 'retry_rate' | 'reject_rate';
  readonly value: number;
  readonly max: number;
  /** Attempts counted so far. */
  readonly attempts: number;
}

/** Why a cell cannot go on although nothing refuses it. */
export type StopReason =
  /** Every attempt that the manifest grants was used. */
  | { readonly code: 'attempts-used-up'; readonly attempts: number; readonly failure: string }
  /** Every round of the gate was used and its verdict is still bad. */
  | {
      readonly code: 'gate-limit';
      readonly verdict: string;
      readonly iterations: number;
      readonly defects?: readonly string[] | undefined;
    }
  /** The same, and a person has to decide. */
  | {
      readonly code: 'gate-asks';
      readonly verdict: string;
      readonly iterations: number;
      readonly report: Hash;
    }
  /** A person looked at the gate's report and said no. */
  | { readonly code: 'gate-rejected'; readonly verdict: string; readonly note: string }
  /** Somebody said that the unit cannot go on before something is done about it. */
  | { readonly code: 'blocked'; readonly reason: string; readonly actor: string };
