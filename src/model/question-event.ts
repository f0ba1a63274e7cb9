import type { Hash } from '../base/hash.ts';
import type { Channel } from './definition.ts';

/** Who made a decision, from where. Every field is optional because earlier versions of Pawl recorded less. */
export interface DecidedBy {
  /** The name of the user on that host. */
  readonly by?: string;
  readonly host?: string;
  readonly channel?: Channel;
  /** The name given with `--actor` or `PAWL_ACTOR`; without one, the coding agent whose shell ran the command. */
  readonly agent?: string;
}

/** The same of a decision that is made now. */
export type Decider = DecidedBy & Required<Pick<DecidedBy, 'by' | 'host' | 'channel'>>;

/** A person has to decide. Recorded before anyone is notified, so that the answer has a question to name. */
export interface CheckpointAsked extends Asked {
  readonly type: 'checkpoint_asked';
  readonly name: string;
  /** From then on it no longer counts, and is asked again. */
  readonly expires?: string;
}

/** Which question, at which place of the pipeline, about which bytes. */
export interface Asked {
  /** `C1`. */
  readonly id: string;
  readonly question: QuestionKind;
  /** Empty for what concerns every unit. */
  readonly unit: string;
  readonly phase: string;
  /** Which of the questions that the phase may ask. */
  readonly place: string;
  /** What the decision is about, by label: an answer counts for these bytes and for no others. */
  readonly shown: Readonly<Record<string, Hash>>;
}

/**
 * - `approval`: a checkpoint of the manifest.
 * - `gate`: the rounds are over and the report is still bad.
 * - `change`: a file that results were made from is another one.
 * - `attempts`: every attempt that the manifest grants was used.
 * - `interruptions`: it was interrupted as often in a row as the manifest allows.
 * - `budget`: what may be spent has been.
 */
export type QuestionKind = 'approval' | 'gate' | 'change' | 'attempts' | 'interruptions' | 'budget';

/** A person's word. It says again what it is about: a lost question must not make it one about something else. */
export interface CheckpointDecided extends Asked {
  readonly type: 'checkpoint_decided';
  readonly decision: 'approved' | 'rejected';
  /** Of a rejection: the phase that is done again, with the note as an input. */
  readonly redo?: string;
  /** Of a change: the phase from which everything is done again; absent: results are kept. */
  readonly restart?: string;
  readonly by: string;
  readonly host: string;
  readonly channel: Channel;
  /** The name given with `PAWL_ACTOR`; without one, the coding agent whose shell ran the command. */
  readonly agent?: string;
  readonly note?: string;
}
