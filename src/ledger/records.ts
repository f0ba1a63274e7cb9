import type {
  Asked,
  AuthoredFile,
  BriefImported,
  CheckpointDecided,
  CompactionSeen,
  RecurringPattern,
} from '../model/event.ts';

/** What a person was asked, and what came of it. */
export interface QuestionRecord extends Asked {
  name: string;
  readonly at: string;
  readonly expires?: string;
  /** Absent: not answered yet. */
  decided?: QuestionAnswer;
  /** A re-run was requested since, so earlier answers are history. */
  over?: boolean;
}

export type QuestionAnswer = Pick<
  CheckpointDecided,
  'decision' | 'redo' | 'restart' | 'by' | 'host' | 'channel' | 'note'
> & { readonly at: string };

/** Feedback on an earlier result, handed in full to the next attempt. */
export interface Feedback {
  /** The question that was answered so, or the `PHASE#ATTEMPT` that asked for it. */
  readonly from: string;
  readonly kind: 'rejection' | 'revision';
  readonly text: string;
  /** What it was said of, by label. */
  readonly shown?: Asked['shown'];
  readonly by: string;
  readonly at: string;
}

/**
 * What is known for those who come later, besides what became of the work. No plan looks at it. In whatever order
 * several journals are read, it comes to the same: the newer word counts by its time.
 */
export interface RunNotes {
  /** The attempt that was started last. */
  latest: LatestStart | undefined;
  /** When each phase was last started, in whatever unit. A list: names come from outside, and there are few. */
  starts: { readonly phase: string; at: string }[];
  /** When an attempt last began or ended. */
  movedAt: string;
  /** When the run was last taken up, or an agent's session on it began. */
  sessionSince: string;
  /** How many attempts have succeeded: each is a point that the run can be picked up from. */
  points: number;
  /** In the order of saying. */
  summaries: AgentSummary[];
  /** In the order of their numbers. */
  compactions: CompactionRecord[];
  /** The number of the newest compaction that an agent was informed of. */
  handedUpTo: number;
  context: Said<{ readonly fill: number; readonly tier: string }> | undefined;
  /** The announced next action; it holds until the work moves on. */
  nextStep: Said<{ readonly text: string }> | undefined;
  files: Said<{ readonly list: readonly AuthoredFile[] }> | undefined;
  patterns: Said<{ readonly list: readonly RecurringPattern[] }> | undefined;
  /** What a document that was kept before the run said of it, and no event can say. */
  imported: Said<Pick<BriefImported, 'hash' | 'history'>> | undefined;
}

type Said<T> = T & { readonly at: string };

export interface LatestStart {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly round: number;
  readonly at: string;
}

export interface AgentSummary {
  readonly agent: string;
  readonly summary: string;
  readonly at: string;
}

export type CompactionRecord = Omit<CompactionSeen, 'type'>;

export interface Decided {
  readonly id: string;
  readonly decision: string;
  readonly because: string | undefined;
  readonly affects: readonly string[];
  readonly gate?: string;
  readonly round?: number;
  /** What was decided has been done. */
  readonly applied?: boolean;
  readonly actor: string;
  readonly at: string;
}

export function emptyNotes(): RunNotes {
  return {
    latest: undefined,
    starts: [],
    movedAt: '',
    sessionSince: '',
    points: 0,
    summaries: [],
    compactions: [],
    handedUpTo: 0,
    context: undefined,
    nextStep: undefined,
    files: undefined,
    patterns: undefined,
    imported: undefined,
  };
}
