import type { Hash } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import type { Channel } from './definition.ts';
import type { Asked } from './question-event.ts';

/** A guard that refuses. Every refusal stops the whole run before anything is started or paid. */
export type Refusal =
  | {
      readonly guard: 'manifest-changed';
      readonly before: Hash;
      readonly after: Hash;
      readonly changes: readonly ValueChange[];
      /** The names of its parts that changed: `phases.write`, `units.intro`, or `manifest` for the rest. */
      readonly names: readonly string[];
    }
  | {
      readonly guard: 'prompt-changed';
      readonly unit: string;
      readonly phase: string;
      readonly role: string;
      readonly path: string;
      readonly before: Hash | undefined;
      /** Undefined: the file is gone, or the phase no longer uses it. */
      readonly after: Hash | undefined;
      /** The phase no longer uses the file: an override was removed, or nothing includes it any more. */
      readonly unused?: true;
      /** The file is missing, and the step has no result: it would have to run. */
      readonly wouldRun?: true;
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      readonly guard: 'output-edited';
      readonly unit: string;
      readonly phase: string;
      readonly output: string;
      readonly path: string;
      readonly before: Hash;
      readonly after: Hash;
      /** The run that wrote the new bytes; absent: a person did. */
      readonly writtenBy?: string;
      /** A person may choose what becomes of what was made from it. */
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      readonly guard: 'state-edited';
      /** The unit that committed it; empty: none has, it is the initial one. */
      readonly unit: string;
      readonly path: string;
      readonly before: Hash;
      readonly after: Hash;
      /** The run that wrote the new bytes; absent: a person did. */
      readonly writtenBy?: string;
    }
  | {
      readonly guard: 'pre-state-differs';
      readonly unit: string;
      readonly phase: string;
      /** Undefined: it began with none. */
      readonly before: Hash | undefined;
      readonly after: Hash;
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      readonly guard: 'file-changed';
      readonly unit: string;
      readonly phase: string;
      readonly file: string;
      readonly path: string;
      readonly before: Hash | undefined;
      /** Undefined: the file is missing. */
      readonly after: Hash | undefined;
      /** The file is missing, and the step has no result: it would have to run. */
      readonly wouldRun?: true;
      /** A person may choose what becomes of what was made from it. */
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      /** The phase is defined otherwise: its command, parameters, outputs or a schema that checks them. */
      readonly guard: 'definition-changed';
      readonly unit: string;
      readonly phase: string;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
      /** Nothing but checks of its outputs changed. */
      readonly checksOnly?: true;
      /** Each place in the phase with its old and its new value; absent: the old ones are not known. */
      readonly values?: readonly ValueChange[];
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      /** The module of its function, or a script of its command, has other bytes. */
      readonly guard: 'code-changed';
      readonly unit: string;
      readonly phase: string;
      readonly paths: readonly string[];
      /** Of all files of the code together. */
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      readonly guard: 'unit-changed';
      readonly unit: string;
      readonly phase: string;
      /** Each field with its old and its new value; absent: the old ones are not known. */
      readonly values?: readonly ValueChange[];
      /** The unit's own file changed, and not its fields. */
      readonly file?: string;
      /** An older version of Pawl recorded fields and file as one hash. */
      readonly isOneHash?: true;
      /** The file is missing. */
      readonly isMissing?: true;
      /** The step has no result, so it would have to run. */
      readonly wouldRun?: true;
      readonly before: Hash | undefined;
      readonly after: Hash | undefined;
      readonly asks?: Question;
      readonly chosen?: Choice;
    }
  | {
      readonly guard: 'in-doubt';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly call?: { readonly model: string; readonly atStake: number | undefined };
    };

export type GuardName = Refusal['guard'];

/** What a result was made from and that is different now, without what other steps have made. */
export type PartChange = RefusalOf<
  'prompt-changed' | 'file-changed' | 'definition-changed' | 'unit-changed' | 'code-changed'
>;

/** A part of a kept result that is not what it was made from. */
export type OutdatedPart = (PartChange | RefusalOf<'pre-state-differs'> | ChangedInput) & {
  /** A person answered this change: keep. Absent: a policy did. */
  readonly isAnswered?: true;
};

export interface ChangedInput {
  readonly guard: 'input-changed';
  readonly unit: string;
  readonly phase: string;
  readonly input: string;
  readonly before: Hash | undefined;
  readonly after: Hash | undefined;
}

/** A refusal of one guard. */
export type RefusalOf<Guard extends GuardName> = Extract<Refusal, { readonly guard: Guard }>;

/** What a person has chosen for results that were made from something else. */
export interface Choice {
  /** The question that was answered so. */
  readonly id: string;
  /** The phase from which everything is done again; undefined: results are kept. */
  readonly restart: string | undefined;
  readonly note: string;
}

/** What a person has to decide. */
export interface Question extends Omit<Asked, 'id'> {
  /** Undefined: it was not asked yet. */
  readonly id: string | undefined;
  readonly name: string;
  readonly channels: readonly Channel[];
  /** What a rejection sends back to; undefined: nothing. */
  readonly redo: string | undefined;
  /** How long it may be answered. */
  readonly expiresMs: number | undefined;
}

/** One place where two documents differ, as a path of keys from the top. */
export interface ValueChange {
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** The unit that was added, removed or changed, where it is about one. */
  readonly unit?: { readonly id: string; readonly part: 'whole' | 'field' };
  /** Where the new value stands in the manifest, when it does. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * The names by which a person answers a refusal: the path of a file, or a place in the manifest. A refusal with several
 * names is answered when each of them is.
 */
export function changeName(refusal: Refusal | OutdatedPart): readonly string[] {
  switch (refusal.guard) {
    case 'manifest-changed':
      return refusal.names;
    case 'prompt-changed':
    case 'file-changed':
    case 'output-edited':
    case 'state-edited':
      return [refusal.path];
    case 'definition-changed':
      return [`phases.${refusal.phase}`];
    case 'unit-changed':
      return [refusal.file ?? `units.${refusal.unit}`];
    case 'code-changed':
      return [`code.${refusal.phase}`];
    case 'pre-state-differs':
      return ['state'];
    case 'input-changed':
      return [`inputs.${refusal.input}`];
    case 'in-doubt':
      return [];
  }
}

/** Tells whether a change is the one that was shown: another one of the same file has other hashes. */
export function changeKey(change: Refusal | OutdatedPart): string {
  return JSON.stringify({ ...change, asks: undefined, chosen: undefined, isAnswered: undefined });
}
