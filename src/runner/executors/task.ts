import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Cost } from '../../model/event.ts';

export type { CheckedFile, CheckFunction } from '../../checks/run-check.ts';

/** A phase written as a function: takes a task, returns its outputs by name. */
export type PhaseFunction = (task: PhaseTask) => PhaseOutputs | Promise<PhaseOutputs>;

/** By output name: text and bytes are written as they are, everything else as JSON. */
export type PhaseOutputs = Readonly<Record<string, string | Uint8Array | JsonValue>>;

/** Everything that an attempt may know. */
export interface PhaseTask {
  readonly run: string;
  /** `id` and the unit's own fields. */
  readonly unit: JsonObject & { readonly id: string };
  readonly phase: string;
  readonly attempt: number;
  /** The round of the gate's loop, from 1. */
  readonly iteration: number;
  readonly params: JsonObject;
  readonly prompt: { readonly system: string | undefined; readonly text: string } | undefined;
  /** An optional input that is not there is undefined. */
  readonly inputs: Readonly<Record<string, TaskFile | undefined>> & {
    /** The unit's own file, where the phase takes it and no other input has that name. */
    readonly file?: TaskFile | undefined;
  };
  /** Inputs with `of: every`: the files of all units of an earlier stage, in the order of the units. */
  readonly every: Readonly<Record<string, readonly UnitFile[]>>;
  readonly state: TaskFile | undefined;
  /** `continue`: there is something to go on with: an attempt that was cut off (`previous`), or what `existing` lists. */
  readonly mode: 'fresh' | 'continue';
  /** The folder of the attempt that was cut off. */
  readonly previous: string | undefined;
  /** With `again: continue`: what earlier attempts have made, by output; absolute paths. */
  readonly existing: Readonly<Record<string, string>>;
  /** What people and later phases have said of earlier results. */
  readonly feedback: readonly {
    readonly from: string;
    readonly kind: 'rejection' | 'revision';
    readonly text: string;
    readonly by: string;
    readonly at: string;
    /** What it was said of, as it was then, by `PHASE.OUTPUT`; absolute paths. */
    readonly files: Readonly<Record<string, string>>;
  }[];
  readonly signal: AbortSignal;
  /** The same for every attempt at the same work: pass it to services that charge money. */
  readonly idempotencyKey: string;
  /** The attempt's own folder, made on demand. */
  folder(): string;
  /** Keeps the raw answer that the outputs are made from. */
  respond(text: string): void;
  /** Reports what the attempt has spent; adds up. Throws unless every member is a number from 0 on. */
  cost(cost: Cost): void;
  /**
   * Ends the attempt as paused when the function returns or throws: nothing has failed, and it is started again at that
   * time (a Date, milliseconds since 1970, or a text with its zone; without one after a minute, and longer each time).
   */
  pause(until?: Date | number | string, why?: string): void;
  /** Ends the attempt: an earlier phase, one that the manifest lets this one revise, has to be done again first. */
  revise(phase: string, reason: string): void;
}

/** A consumed file that another unit has made. */
export interface UnitFile extends TaskFile {
  readonly unit: string;
}

/** A consumed file, exactly as it was recorded. */
export interface TaskFile {
  readonly path: string;
  bytes(): Uint8Array;
  text(): string;
  json(): JsonValue;
}
