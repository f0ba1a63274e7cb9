import type { JsonObject, JsonValue } from '../base/json.ts';

/** A validated pipeline: what a manifest says, with every default filled in and every unit listed. */
export interface Pipeline {
  readonly name: string;
  /** Same identity = same run. */
  readonly identity: Readonly<Record<string, string>>;
  /** Declared files, by name. */
  readonly files: readonly DeclaredFile[];
  readonly state: StateSpec | undefined;
  readonly stages: readonly Stage[];
  readonly layout: Layout;
  readonly pace: Pace;
  readonly durability: Durability;
  /** The manifest without pace, as canonical data: what is compared from run to run. */
  readonly manifest: JsonObject;
  readonly foreign?: ForeignWords;
}

/** How the logs of other tools are to be understood. */
export interface ForeignWords {
  /** Fields by their keys from the top, joined by dots; the first that is there counts. */
  readonly unit: readonly string[];
  readonly stage: readonly string[];
  readonly note: readonly string[];
  readonly events: readonly ForeignMeaning[];
}

export interface ForeignMeaning {
  readonly name: string;
  readonly means: ToldMeaning | 'stage-entered' | 'run-completed' | 'nothing';
  readonly phase: string | undefined;
}

/** What the log of another tool may say of a unit's work. */
export type ToldMeaning =
  | 'claimed'
  | 'started'
  | 'succeeded'
  | 'failed'
  /** Done, judged, and to be done again. */
  | 'sent-back'
  | 'blocked'
  | 'unblocked';

/** `power`: synced before a success is acknowledged. `process`: survives a kill, not a power cut. */
export type Durability = 'power' | 'process';

export interface DeclaredFile {
  readonly name: string;
  readonly path: string;
  readonly onChange: 'block' | 'rerun' | 'ignore';
}

/** A file that moves from unit to unit: each unit starts from what the one before committed. */
export interface StateSpec {
  /** Shows the newest committed state. */
  readonly path: string;
  /** What the first unit starts from. */
  readonly initial: string;
  /** Where each unit's committed state is kept; a pattern with `{unit}`. */
  readonly snapshots: string;
  /** A rerun unit makes later finished units stale; `tell` says so, `rerun` runs them again. */
  readonly cascade: 'tell' | 'rerun';
}

/** An ordered part of a pipeline: the next one starts when every unit of this one is finished. */
export interface Stage {
  readonly name: string;
  readonly units: readonly Unit[];
  /** The artifact that lists its units, made by an earlier stage. */
  readonly source?: OutputRef;
  /** That artifact is not there yet: nobody knows its units. */
  readonly isOpen?: boolean;
  /** `chain`: each unit starts after the one before it is finished. */
  readonly order: 'free' | 'chain';
  readonly phases: readonly Phase[];
  /** When a unit's attempts or rounds are used up: `stop` the run there, or `allow` it and go on without the unit. */
  readonly failures: 'stop' | 'allow';
}

export interface Unit {
  readonly id: string;
  /** Its own fields, for templates and phases. Empty for a unit that is only a name. */
  readonly data: JsonObject;
  /** Units of the same stage that must be finished first. */
  readonly needs: readonly string[];
  /** Of a counted unit. Its id says it already, so it is no part of its data. */
  readonly index?: number;
  /** What people call it. */
  readonly title?: string;
  /** Lower ones are handed out first. */
  readonly priority?: number;
  /** What its work touches: units that touch the same are not handed out at once. */
  readonly touches?: readonly string[];
  /** Units that may be worked on beside it all the same. */
  readonly beside?: readonly string[];
}

export interface Phase {
  readonly name: string;
  /** Phases of the same unit, all listed earlier. */
  readonly needs: readonly string[];
  /** `gate-failed`: runs only from the second round of the gate's loop on. */
  readonly when: 'always' | 'gate-failed';
  readonly executor: Executor;
  readonly prompt: PromptSpec | undefined;
  readonly inputs: readonly InputSpec[];
  readonly outputs: readonly OutputSpec[];
  readonly state: 'none' | 'read' | 'write';
  readonly gate: Gate | undefined;
  /** Passed to the executor and to templates; part of what a result depends on. */
  readonly params: JsonObject;
  /** What the later rounds of a gate's loop do otherwise; the first is for round 2, the last one stays. */
  readonly ladder: readonly Rung[];
  /** When to stop the whole run, counted over all units. */
  readonly limits: Limits | undefined;
  readonly retries: Retries;
  readonly timeoutMs: number;
  /** What happens to an attempt that was started and never ended. */
  readonly onInterrupt: 'rerun' | 'continue' | 'ask';
}

/** A later round's own parameters, added to the phase's, and its own template. */
export interface Rung {
  readonly params: JsonObject;
  readonly prompt: string | undefined;
}

/** Of all attempts at a phase, in every unit and over every resume. Bad: it failed, or its gate sent it back. */
export interface Limits {
  readonly attempts: number | undefined;
  readonly consecutiveFailures: number | undefined;
  /** Share of attempts that were not a unit's first; from 0 to 1. */
  readonly retryRate: number | undefined;
  /** Share of attempts that were bad. */
  readonly rejectRate: number | undefined;
  /** Rates are asked after so many attempts. */
  readonly after: number;
}

export type Executor =
  /** A program; `argv` items may hold `{unit}`, `{input.NAME}`, `{output.NAME}`, `{param.NAME}`. Never a shell. */
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  /** An exported function of a module in the workspace. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string }
  /** A function given in code, by a pipeline written in TypeScript. */
  | { readonly kind: 'inline'; readonly name: string }
  /** Somebody outside claims the work and says when it is done. */
  | {
      readonly kind: 'agent';
      /** Who may claim it. */
      readonly role: string;
      readonly leaseMs: number;
      /** The unit's field that lists files which have to be there when it is done. */
      readonly files: string | undefined;
    };

/** Template files, in the order in which they are put together. */
export interface PromptSpec {
  readonly system: string | undefined;
  readonly phase: string;
  /** Replaces `phase` where the file exists. */
  readonly override: string | undefined;
}

export type InputSpec =
  /** An output of the first listed phase that has one; a phase at or after this one means the round before. */
  | { readonly kind: 'artifact'; readonly name: string; readonly from: readonly OutputRef[] }
  /** An output of other units: of the one listed before, of the only one or of every one of an earlier stage. */
  | {
      readonly kind: 'elsewhere';
      readonly name: string;
      readonly of: 'previous' | 'only' | 'every';
      readonly from: OutputRef;
      /** When it has other bytes than the result was made from. */
      readonly onChange: 'rerun' | 'tell';
    }
  /** A declared file of the pipeline. */
  | { readonly kind: 'file'; readonly name: string; readonly file: string };

export interface OutputRef {
  readonly phase: string;
  readonly output: string;
}

export interface OutputSpec {
  readonly name: string;
  /** Relative to the workspace; a pattern with `{unit}`, the unit's fields, `{attempt}` and `{run}`. */
  readonly path: string;
  readonly check: Check | undefined;
  /** An attempt may do without it. */
  readonly optional: boolean;
  /** A file that was edited by hand is refused, or taken as the result where its check passes. */
  readonly onEdit: 'refuse' | 'adopt';
}

export type Check =
  | { readonly kind: 'non-empty' }
  | { readonly kind: 'json' }
  | { readonly kind: 'json-schema'; readonly schema: JsonValue; readonly path: string }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'png'; readonly width?: number | undefined; readonly height?: number | undefined }
  /** Any type of picture; all but PNG need the package sharp. */
  | { readonly kind: 'image' }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** An exported function of a module in the workspace. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string };

/** Reads a verdict from a report that the phase wrote, and goes back below the bar. */
export interface Gate {
  readonly output: string;
  /** Keys from the top of the report to the verdict. */
  readonly path: readonly string[];
  /** Keys to what else the report says: a number, numbers by name, and a list of texts. */
  readonly score: readonly string[] | undefined;
  readonly scores: readonly string[] | undefined;
  readonly defects: readonly string[] | undefined;
  readonly pass: readonly string[];
  readonly backTo: string;
  /** How often the loop may run in all. */
  readonly iterations: number;
  /** When the rounds are used up and the verdict is still bad. */
  readonly then: 'stop' | 'accept' | 'ask';
}

export interface Retries {
  /** Attempts in all, over every resume; undefined: one per sitting, without end. */
  readonly attempts: number | undefined;
  readonly backoffMs: number;
}

/** Where the projections lie; each a pattern relative to the workspace. Undefined: in the run's own folder. */
export interface Layout {
  readonly ledger: string | undefined;
  /** The run's own folder; knows `{date}` and the fields of the identity. */
  readonly run: string | undefined;
  /** One file that says how far the run is. */
  readonly progress: string | undefined;
  /** Every event as a line, only ever appended to. */
  readonly auditLog: string | undefined;
  /** What a ledger file calls its unit. */
  readonly unitKey: string;
  /** What people call a finished unit. */
  readonly doneKey: string;
}

/** How fast, not what: never part of identity. */
export interface Pace {
  readonly concurrency: number;
  readonly graceMs: number;
  /** A run without an event for so long is old: going on with it is asked about. */
  readonly staleAfterMs: number;
}
