import type { SectionKind } from './words.ts';

/**
 * A wrong or ambiguous part of a page. Pawl never guesses: the part is left out of the page, or stays as it was written.
 */
export type StatusFinding = { readonly line: number } & StatusProblem;

export type StatusProblem =
  /** Nothing of it was read. */
  | { readonly code: 'page-too-large'; readonly what: 'characters' | 'lines'; readonly limit: number }
  /** Nothing that says anything about a run. */
  | { readonly code: 'no-known-key' }
  | { readonly code: 'status-missing' }
  | { readonly code: 'status-unknown'; readonly value: string }
  /** Two of them, with different meanings: the page has none. */
  | {
      readonly code: 'status-contradicts';
      readonly first: string;
      readonly firstLine: number;
      readonly second: string;
    }
  /** The same key with two values: the page has none. */
  | {
      readonly code: 'key-contradicts';
      readonly key: string;
      readonly first: string;
      readonly firstLine: number;
      readonly second: string;
    }
  /** The form was copied, and this was never filled in. */
  | { readonly code: 'placeholder-left'; readonly key: string; readonly value: string }
  /** Keys at the top that mean nothing here; the first of them stands in that line. */
  | { readonly code: 'keys-unknown'; readonly keys: readonly string[]; readonly count: number }
  /** Parts of the page that were passed over. */
  | { readonly code: 'sections-unknown'; readonly headings: readonly string[]; readonly count: number }
  /** The pipeline has no phase of that name. */
  | { readonly code: 'stage-unknown'; readonly stage: string; readonly section: SectionKind }
  /** The same artifact of the same stage again, or the stage at another time: it is unknown which one is right. */
  | { readonly code: 'stage-listed-twice'; readonly stage: string; readonly firstLine: number }
  | { readonly code: 'stage-without-artifact'; readonly stage: string }
  /** Among the completed stages, with a status of its own that says neither that it is done nor that it is not. */
  | { readonly code: 'stage-status-unknown'; readonly stage: string; readonly value: string }
  /** The top and the section on the current stage do not say the same. */
  | { readonly code: 'current-stage-contradicts'; readonly first: string; readonly second: string }
  /** All is done, says the stage, and the status says otherwise. */
  | { readonly code: 'current-stage-contradicts-status'; readonly stage: string; readonly status: string }
  /** Shortened: nothing can be verified by it. */
  | { readonly code: 'hash-abbreviated'; readonly of: string; readonly value: string }
  | { readonly code: 'hash-unreadable'; readonly of: string; readonly value: string }
  /** An artifact without one cannot be verified either. */
  | { readonly code: 'hash-missing'; readonly of: string }
  | { readonly code: 'time-unreadable'; readonly key: string; readonly value: string }
  | { readonly code: 'count-unreadable'; readonly key: string; readonly value: string }
  /** Neither ticked nor empty, or both; it counts as open. */
  | { readonly code: 'box-unreadable'; readonly name: string; readonly value: string }
  /** A checkpoint without a mark; it counts as open. */
  | { readonly code: 'box-missing'; readonly name: string }
  /** Two checkpoints of one id. */
  | { readonly code: 'checkpoint-listed-twice'; readonly id: string; readonly firstLine: number }
  /** A line or row that was skipped because its meaning is unclear. */
  | { readonly code: 'entry-unreadable'; readonly section: SectionKind; readonly text: string }
  /** A table that lacks the column without which its rows mean nothing. */
  | { readonly code: 'columns-unknown'; readonly section: SectionKind; readonly columns: readonly string[] }
  /** What follows was not read. */
  | { readonly code: 'too-many-entries'; readonly section: SectionKind; readonly limit: number }
  /** They were taken out; the first of them stands in that line. */
  | { readonly code: 'hidden-characters'; readonly count: number };

export type StatusCode = StatusProblem['code'];

/** Takes one finding. */
export type Report = (line: number, problem: StatusProblem) => void;

/** Findings in the order of lines, limited in number because a page may be wrong on every line. */
export function collectFindings(): { readonly report: Report; readonly findings: () => StatusFinding[] } {
  const found: StatusFinding[] = [];
  const counts = new Map<StatusCode, number>();
  return {
    report: (line, problem) => {
      const count = (counts.get(problem.code) ?? 0) + 1;
      counts.set(problem.code, count);
      if (count <= findingsPerCodeMax) found.push({ line, ...problem });
    },
    findings: () => found.sort((a, b) => a.line - b.line),
  };
}

/** A part of the page in a finding: long enough to be found, no longer. */
export function excerpt(text: string): string {
  return text.length <= excerptLengthMax ? text : `${text.slice(0, excerptLengthMax)}…`;
}

const findingsPerCodeMax = 100;
const excerptLengthMax = 200;
