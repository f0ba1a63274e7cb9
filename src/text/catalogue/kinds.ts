import type { Explanation } from './entry.ts';
/** What a word means where it is of one kind. */
export interface Meaning extends Omit<Explanation, 'follows'> {
  readonly kind: ReasonKind;
  /** What Pawl does about it; nothing of a word for a thing. */
  readonly then: string;
}

export interface KindOfReasons {
  readonly kind: ReasonKind;
  readonly title: string;
  readonly reasons: readonly string[];
}

/** One exit code, for people and scripts. */
export interface ExitCodeLine {
  readonly code: number;
  readonly name: string;
  readonly means: string;
  /** When a command ends so. */
  readonly example: string;
}

export type ReasonKind = keyof typeof kindTitles;

/** In the order in which they are listed: what people meet most stands first. */
export const kindTitles = {
  word: 'a word of Pawl',
  'run-reason': 'why a phase runs',
  skip: 'why a phase need not run',
  guard: 'what refuses to go on',
  stop: 'why a unit cannot go on',
  'attempt-failure': 'why an attempt failed',
  failure: 'why a command did not do what it was asked for',
  notice: 'what is worth telling and stops nothing',
  question: 'what a person is asked',
  'closed-question': 'why a question can no longer be answered',
  'gate-stop': 'why a gate’s loop has ended',
  pause: 'why a step has to wait',
  limit: 'what ends a whole run',
  'cell-status': 'where a phase of a unit stands',
  'run-status': 'where a run stands',
  'run-end': 'how a call of run or resume ended',
  'task-state': 'where a task stands',
  'no-task': 'why no task is handed out',
  'not-claimable': 'why a task cannot be claimed',
  'manifest-problem': 'what is wrong with a manifest',
  'usage-problem': 'what cannot be meant by a call',
  'call-problem': 'what is wrong with a command line',
  finding: 'what is not as it should be on disk',
  event: 'what stands in the journal',
  staleness: 'how far the brief can be trusted',
  'document-problem': 'why a document of others is left alone',
  'status-page-problem': 'what is wrong with a status page',
  'kept-run': 'why gc keeps a run',
  'notification-problem': 'why somebody was not told',
  'settings-problem': 'why settings of an agent were not changed',
  'install-note': 'what an installation leaves out',
  'exit-code': 'an exit code',
} as const;
/** What `pawl explain` answers: one word, all of them, how many there are of each kind, or the exit codes. */
export type ExplainAnswer =
  | {
      readonly reason: string;
      readonly meanings: readonly Meaning[];
      /** Where a kind is called so. */
      readonly kind?: KindOfReasons;
    }
  | { readonly kinds: readonly KindOfReasons[] }
  | { readonly overview: readonly KindOfReasons[] }
  | { readonly exitCodes: readonly ExitCodeLine[] };
