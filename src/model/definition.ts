import type { JsonObject } from '../base/json.ts';
import type { AnswerPart, Budget, Models } from './calls.ts';
import type { Executor, OutputCheck } from './executor.ts';
import type { OwnFile } from './names.ts';

export type * from './calls.ts';
export type * from './executor.ts';
export type { OwnFile } from './names.ts';

/** A validated pipeline: what a manifest says, with every default filled in and every unit listed. */
export interface Pipeline {
  readonly name: string;
  /** Same identity = same run. */
  readonly identity: Readonly<Record<string, string>>;
  /** Declared files, by name. */
  readonly files: readonly DeclaredFile[];
  readonly state: StateSpec | undefined;
  readonly stages: readonly Stage[];
  readonly layout: LayoutSpec;
  readonly pace: PaceSpec;
  readonly models: Models;
  /** Of the whole run; a phase may have one of its own. */
  readonly budget?: Budget;
  readonly durability: Durability;
  /** How questions that no checkpoint asks may be answered. */
  readonly channels: readonly Channel[];
  /** The policy for every change that has no nearer one. */
  readonly onChange: ChangePolicy | undefined;
  readonly confirmAbove: ConfirmAbove;
  /** Who is notified of the end of an invocation. Like the pace, it is no part of identity. */
  readonly notify?: readonly Notifier[];
  /** The manifest without pace and policies, as canonical data: what is compared from run to run. */
  readonly manifest: JsonObject;
  /** The same as older versions of Pawl recorded it, with some policies in it; undefined: there is no difference. */
  readonly manifestWithPolicies?: JsonObject;
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
  readonly means: ForeignEventMeaning | 'stage-entered' | 'run-completed' | 'nothing';
  readonly phase: string | undefined;
}

/** What the log of another tool may say of a unit's work. */
export type ForeignEventMeaning =
  | 'claimed'
  | 'started'
  | 'succeeded'
  /** Left out on purpose: there is nothing to do. */
  | 'skipped'
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
  /** `ignore`: the file is not tracked. Undefined: the phase or the pipeline decides. */
  readonly onChange: ChangePolicy | 'ignore' | undefined;
}

/**
 * How results are treated whose inputs changed. No result depends on it.
 *
 * - `refuse`: nothing runs before a person answers.
 * - `ask`: a checkpoint that is bound to the new bytes.
 * - `rerun`: the affected steps run again.
 * - `keep`: the results stay, and are shown as outdated.
 */
export type ChangePolicy = 'refuse' | 'ask' | 'rerun' | 'keep';

/** A re-run that only a default policy asks for needs a confirmation above this. */
export interface ConfirmAbove {
  readonly steps: number;
  readonly usd: number;
}

/** A file that moves from unit to unit: each unit starts from what the one before committed. */
export interface StateSpec {
  /** Shows the newest committed state. */
  readonly path: string;
  /** What the first unit starts from. */
  readonly initial: string;
  /** Where each unit's committed state is kept; a pattern with `{unit}`. */
  readonly snapshots: string;
  /** Later finished units of a chain whose start state changed: they are kept as outdated, or run again. */
  readonly cascade: 'keep' | 'rerun';
}

/** An ordered part of a pipeline: the next one starts when every unit of this one is finished. */
export interface Stage {
  readonly name: string;
  readonly units: readonly Unit[];
  /** The artifact that lists its units, made by an earlier stage. */
  readonly source?: OutputRef;
  /** That artifact does not exist yet, so its units are unknown. */
  readonly isOpen?: boolean;
  /** `chain`: each unit starts after the one before it is finished. */
  readonly order: 'free' | 'chain';
  readonly phases: readonly Phase[];
  /** The policy for the fields and the own file of its units. */
  readonly onChange: ChangePolicy | undefined;
  /** Its units are written in the manifest itself, so a change of them is a change of the manifest. */
  readonly isWritten: boolean;
  /** A glob found its units: the field `hash` is that of the unit's own file. */
  readonly isGlobbed?: true;
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
  /** Its own file: the one that a glob found it as, or the one that a field of it names. */
  readonly file?: OwnFile;
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
  /** What may be spent on it, in all units together. */
  readonly budget?: Budget;
  readonly retries: Retries;
  readonly timeoutMs: number;
  /** What happens to an attempt that was started and never ended. */
  readonly onInterrupt: 'rerun' | 'continue' | 'ask';
  /** `continue`: the next attempt gets the outputs of the attempts before. */
  readonly again: 'fresh' | 'continue';
  /** Where a person decides, in the order of asking. */
  readonly checkpoints: readonly Checkpoint[];
  /** Earlier phases that it may ask to be done again. */
  readonly revises: readonly string[];
  /** The policy for every change of what its results depend on that has no nearer one. */
  readonly onChange: ChangePolicy | undefined;
  readonly code: CodePolicy;
  /** Whether a result of another run that was made from the same is taken; absent: as the invocation says. */
  readonly reuse?: 'content' | 'never' | undefined;
}

/** How changed code of a phase is treated. No result depends on it. */
export interface CodePolicy {
  /** `ignore`: code is not tracked. Undefined: nothing in the manifest decides, and results are kept. */
  readonly onChange: ChangePolicy | 'ignore' | undefined;
  /** Files of the workspace that count as code besides those that Pawl finds. */
  readonly files: readonly string[];
}

/** A point where a person decides. */
export interface Checkpoint {
  readonly name: string;
  /** Tells it from the others of its phase: two of one name are two. */
  readonly place: string;
  readonly when: 'before' | 'after';
  /** What a decision is about, and what it is bound to. Empty: what the phase takes, or what it has made. */
  readonly show: readonly OutputRef[];
  /** The phase that a rejection sends back to; undefined: there is none, and the unit stops. */
  readonly backTo: string | undefined;
  readonly channels: readonly Channel[];
  /** A question that was asked longer ago is asked again. */
  readonly expiresMs: number | undefined;
}

/** How a person's word can come. Whatever runs a program can answer through `script`. */
export type Channel =
  | 'terminal'
  | 'page'
  | 'script'
  | 'mcp'
  /** Boxes that were ticked on another tool's status page before its import. */
  | 'import';

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

/** Template files, in the order in which they are put together. */
export interface PromptSpec {
  readonly system: string | undefined;
  readonly phase: string;
  /** Replaces `phase` where the file exists. */
  readonly override: string | undefined;
  /** Sent after an answer that could not be used, with what was wrong with it. */
  readonly repair?: string | undefined;
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
      readonly onChange: 'rerun' | 'keep';
    }
  /** A declared file of the pipeline. */
  | { readonly kind: 'file'; readonly name: string; readonly file: string }
  /** The unit's own file. */
  | { readonly kind: 'unit-file'; readonly name: string; readonly onChange: ChangePolicy | undefined };

export interface OutputRef {
  readonly phase: string;
  readonly output: string;
}

export interface OutputSpec {
  readonly name: string;
  /** Relative to the workspace; a pattern with `{unit}`, the unit's fields, `{attempt}` and `{run}`. */
  readonly path: string;
  readonly check: OutputCheck | undefined;
  /** An attempt may do without it. */
  readonly optional: boolean;
  /** A file that was edited by hand is refused, taken as the result where its check passes, or asked about. */
  readonly onEdit: 'refuse' | 'adopt' | 'ask';
  /** Of a phase that asks a model: the part of the answer that it is. */
  readonly from?: AnswerPart;
}

/** Reads a report that the phase wrote, and goes back below the bar. `model/gate.ts` says when it lets a unit through. */
export interface Gate {
  readonly output: string;
  /** Keys from the top of the report to the verdict; undefined: the score alone decides. */
  readonly path: readonly string[] | undefined;
  /** Keys to what else the report says: a number, numbers by name, and a list of texts. */
  readonly score: readonly string[] | undefined;
  readonly scores: readonly string[] | undefined;
  readonly defects: readonly string[] | undefined;
  /** Verdicts that let a unit through; empty without a `path`. */
  readonly pass: readonly string[];
  /** The score that lets a unit through. */
  readonly bar: number | undefined;
  readonly backTo: string;
  /** How often the loop may run in all. */
  readonly iterations: number;
  /** The loop ends when so many rounds have brought no better score. */
  readonly plateau: number | undefined;
  /** The loop ends when a score falls by more than this below the best. */
  readonly regression: number | undefined;
  /** In USD: once the loop's steps have cost so much, no further round starts. */
  readonly budget: number | undefined;
  /** A person is asked when the same defect was found in so many rounds. */
  readonly cluster: number | undefined;
  /** Which round stands when the loop has ended without a pass. */
  readonly keep: 'last' | 'best';
  /** When the loop has ended without a pass. */
  readonly then: 'stop' | 'accept' | 'ask';
}

export interface Retries {
  /** Attempts in all, over every resume; undefined: only the tries of one invocation are limited. */
  readonly attempts: number | undefined;
  /** Tries in one invocation at what may succeed by itself the next time. */
  readonly sitting?: number;
  /** Interruptions in a row before a person is asked; undefined: `interruptionsDefault`. */
  readonly interruptions?: number | undefined;
  readonly backoffMs: number;
  /** When they are used up. */
  readonly then: 'stop' | 'ask';
}

export const interruptionsDefault = 5;

/** Where the projections lie; each a pattern relative to the workspace. Undefined: in the run's own folder. */
export interface LayoutSpec {
  readonly ledger: string | undefined;
  /** The run's own folder; knows `{date}` and the fields of the identity. */
  readonly run: string | undefined;
  /** A page for people about one unit. */
  readonly status: string | undefined;
  /** The file whose section `resumption` is the brief; undefined: a file of the run. */
  readonly brief: string | undefined;
  /** What that page calls the spec: an output of the unit, or a declared file by its name. */
  readonly spec: OutputRef | string | undefined;
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
export interface PaceSpec {
  readonly concurrency: number;
  readonly graceMs: number;
  /** A run without an event for so long is old: resuming it needs a confirmation. */
  readonly staleAfterMs: number;
  /** A wait that a provider asks for and that is no longer than this is waited for; a longer one pauses the run. */
  readonly waitMs: number;
}

/** One way in which people are notified of the end of an invocation. */
export type Notifier = {
  readonly on: readonly NotifyEvent[];
  readonly timeoutMs: number;
} & (
  | {
      /** A program; `argv` items may hold `{event}`, `{run}`, `{pipeline}` and `{message}`. Never a shell. */
      readonly kind: 'command';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      /** Posted to, as JSON. */
      readonly kind: 'webhook';
      /** `http:` or `https:`; or `$NAME`, for many a webhook is a secret itself. */
      readonly url: string;
      /** `$NAME`, or `Bearer $NAME`: values come from the environment and are never written down. */
      readonly headers: Readonly<Record<string, string>>;
    }
  /** The bell of the terminal. */
  | { readonly kind: 'bell' }
  /** A message that the terminal shows outside of its text (OSC 9). */
  | { readonly kind: 'osc9' }
);

/**
 * What people may want to be notified of.
 *
 * - `waiting`: a person has to decide.
 * - `completed`: every unit is done, or was given up where the manifest allows that.
 * - `failed`: a phase failed, its attempts or rounds are used up, or the invocation broke off.
 * - `stopped`: it ended for another reason: a guard refused, a limit was reached, a person said no.
 * - `paused`: it continues later, or others have to continue it.
 */
export type NotifyEvent = 'waiting' | 'completed' | 'failed' | 'stopped' | 'paused';
