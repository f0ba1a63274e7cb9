import type { Migration } from '../../import/brief-v1/migrate.ts';
import type { BriefEdited } from '../../model/event.ts';
import type { Brief } from '../../projections/brief/document.ts';
import type { DocumentStaleness } from '../../projections/brief/staleness.ts';
import type { DocumentTrouble } from '../../projections/brief-file/document-file.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import type { RunHeading } from '../open/find-run.ts';

/** `pawl brief`. */
export interface BriefAnswer {
  readonly heading: RunHeading;
  readonly brief: Brief;
  /** The document as text. */
  readonly text: string;
  /** What an agent is handed. */
  readonly digest: string;
  readonly tokens: { readonly document: number; readonly digest: number };
  /** Where it lies, relative to the workspace. */
  readonly path: string;
  readonly isSection: boolean;
  /** The document as it lies there, held against the journal. */
  readonly staleness:
    | DocumentStaleness
    | { readonly level: 'CRITICAL'; readonly code: 'no-document' | 'unreadable-document' };
  /** Edits of values that only the journal decides. */
  readonly edits: BriefEdited['edits'];
  readonly trouble: DocumentTrouble | undefined;
  /** By how many events the files made from the journal are behind it; absent: by none. */
  readonly behind?: number;
  /** Only checked, for the exit code. */
  readonly isCheck: boolean;
}

/** `pawl decide`. */
export interface DecisionAnswer {
  readonly heading: RunHeading;
  readonly id: string;
  readonly decision: string;
  readonly actor: string;
  readonly applied: boolean;
}

/** `pawl summary`. */
export interface SummaryAnswer {
  readonly heading: RunHeading;
  readonly agent: string;
  readonly summary: string;
}

/** `pawl brief migrate`. */
export interface MigrateAnswer {
  readonly path: string;
  readonly from: 1 | 2;
  readonly changes: Migration['changes'];
  /** Two parts of it cannot both be true. */
  readonly contradictions: Migration['contradictions'];
  /** What a reader needs and will not find. */
  readonly warnings: Migration['warnings'];
  /** Keys that the format does not know: they stay where they were. */
  readonly kept: Migration['kept'];
  /** Values that version 2 does not allow and whose meaning is unclear: the owner must fix them. */
  readonly problems: Migration['problems'];
  readonly diff: TextDiff | undefined;
  /** False: only shown. */
  readonly isWritten: boolean;
  /** Where the file is kept as it was, relative to the workspace. */
  readonly backup?: string;
}
