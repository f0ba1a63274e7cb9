import type { Hash } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { DecidedBy } from './question-event.ts';

/* What is on record only for those who come later: nothing of it changes what a plan says. */

/** A decision made on the way that later sessions have to know. */
export interface DecisionRecorded extends DecidedBy {
  readonly type: 'decision_recorded';
  /** `RD-001`. */
  readonly id: string;
  readonly decision: string;
  readonly because?: string;
  /** What it is about: phases by number or name, units, files, stages. */
  readonly affects?: readonly string[];
  /** `UNIT/PHASE` of the gate in whose round it was made, and the round. */
  readonly gate?: string;
  readonly round?: number;
}

/** What was decided has been done. */
export interface DecisionApplied extends DecidedBy {
  readonly type: 'decision_applied';
  readonly id: string;
}

/** One line that an agent leaves behind. */
export interface SummaryRecorded {
  readonly type: 'summary_recorded';
  readonly agent: string;
  readonly summary: string;
}

/** An agent's context was about to be compacted. Its hook left a file, which was taken in here. */
export interface CompactionSeen {
  readonly type: 'compaction_seen';
  /** `CX-001`: the number of the file. */
  readonly id: string;
  /** When the hook saw it, in the hook's own words. */
  readonly seenAt: string;
  readonly trigger: 'auto' | 'manual';
  /** In percent. */
  readonly fill?: number;
  readonly phase?: number;
  readonly gate?: string;
  readonly round?: number;
  /** Relative to the workspace. */
  readonly file: string;
  readonly session?: string;
}

/** The brief was given to an agent: what compactions removed up to then has been repeated. */
export interface BriefDelivered {
  readonly type: 'brief_delivered';
  readonly session: string;
  /** The newest compaction that it told of; absent: none. */
  readonly upTo?: string;
}

/** The context of an agent has come to another tier. */
export interface ContextCrossed {
  readonly type: 'context_crossed';
  readonly session: string;
  readonly fill: number;
  readonly tier: string;
}

/** What the hooks of a coding agent report about one of its sessions. */
export interface SessionSeen {
  readonly type: 'session_seen';
  readonly agent: string;
  readonly session: string;
  readonly what: 'started' | 'stopped' | 'ended';
  readonly seenAt: string;
  /** How it started, or why it ended. */
  readonly how?: string;
}

/** A brief was edited where only the journal counts: the text is kept here and not used. */
export interface BriefEdited {
  readonly type: 'brief_edited';
  readonly edits: readonly { readonly path: string; readonly found: JsonValue }[];
}

/** A brief was edited in a part that belongs to its readers. */
export interface BriefAuthored {
  readonly type: 'brief_authored';
  /** Holds until the work moves on. */
  readonly nextStep?: string;
  /** Files to read besides those that are known from the work; each list replaces the one before. */
  readonly files?: readonly AuthoredFile[];
  readonly patterns?: readonly RecurringPattern[];
}

/** The run took over a document that was kept before it, by people or by another tool. What people wrote there follows. */
export interface BriefImported {
  readonly type: 'brief_imported';
  /** Of the document, relative to the workspace. */
  readonly path: string;
  /** Of the file as it was. */
  readonly hash: Hash;
  /** Where the file is kept as it was, relative to the workspace. */
  readonly backup: string;
  /** What the journal cannot know (scores, defects, compactions), by part, as it was found. */
  readonly history: JsonObject;
}

/** Documents of version 1 have paths only; both may stand in one list. */
export type AuthoredFile = string | StructuredFile;

export interface StructuredFile {
  readonly path: string;
  /** 1 is read first. */
  readonly priority: number;
  readonly purpose: string;
  /** What to look for in it, replaced as the run moves on. */
  readonly sections: readonly string[];
}

export interface RecurringPattern {
  readonly pattern: string;
  /** Null while there is none. */
  readonly resolution: string | null;
}
