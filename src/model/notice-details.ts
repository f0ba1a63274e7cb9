import type { RejectedImport } from './failure-details.ts';

/** Files at output paths that no attempt of the run made there. */
export type FileNotice =
  /** A file of the user lies at the path of an output. */
  | {
      readonly code: 'file-unknown';
      readonly unit: string;
      readonly phase: string;
      readonly output: string;
      readonly path: string;
      /** The run does not exist yet, so there is nothing that could adopt the file. */
      readonly newRun?: true;
      /** The step has a result at other paths: nothing adopts the file. */
      readonly hasResult?: true;
    }
  /** A file that another tool's log is past fails a check of the manifest: a person chooses before a run starts. */
  | ({ readonly code: 'import-rejected' } & RejectedImport)
  /** Files that were at output paths before the run, and count as its results. */
  | {
      readonly code: 'outputs-adopted';
      readonly steps: number;
      readonly paths: readonly string[];
      /** Files whose check is code of the user, which a plan does not run. */
      readonly unchecked?: number;
    }
  /** Files that look like outputs, of units that the pipeline does not list. */
  | { readonly code: 'files-without-unit'; readonly paths: readonly string[] }
  /** Files that may be outputs of units that the run has not listed yet: a step of such a unit moves its file. */
  | { readonly code: 'files-unlisted'; readonly paths: readonly string[] }
  /** Files where Pawl writes its own files for people, and that this run did not write. */
  | { readonly code: 'files-replaced'; readonly paths: readonly string[] }
  /** Files at output paths that Pawl wrote: another run, or a phase of this run that is no longer listed there. */
  | {
      readonly code: 'files-written';
      readonly run?: string;
      readonly phase?: string;
      readonly paths: readonly string[];
    };

/** What there is to say about status pages that are imported, or need not be. */
export type PageNotice =
  /** A page of people or another tool was imported: stages that count as done, and what could not be verified. */
  | {
      readonly code: 'imported';
      readonly path: string;
      readonly unit: string;
      readonly taken: readonly string[];
      /** Files whose hash the page does not give in full. */
      readonly unverified: readonly string[];
      /** Stages of the page that do not count as done. */
      readonly open: readonly OpenStage[];
      /** Retries and rounds that were used before: they count in the run. */
      readonly counts: readonly ImportedCount[];
      readonly clusters: readonly {
        readonly defect: string;
        readonly count: number;
        readonly max?: number | undefined;
      }[];
      /** How many notes were taken over. */
      readonly notes: number;
      /** Checkpoints that the ticked boxes of the page have answered. */
      readonly approved: readonly string[];
      /** Ticked boxes that are about no checkpoint of the manifest. */
      readonly unasked: readonly string[];
    }
  /** A page says that the unit is complete, and the files that it records are there. */
  | {
      readonly code: 'page-complete';
      readonly path: string;
      readonly unit: string;
      /** How many files have the recorded hash. */
      readonly verified: number;
      readonly unverified: readonly string[];
    }
  /** The same page lies there under both names. */
  | { readonly code: 'pages-alike'; readonly path: string; readonly other: string }
  /** A box was ticked by hand after the import, or on a page that Pawl wrote: it is no answer. */
  | { readonly code: 'box-ticked'; readonly path: string; readonly name: string }
  /** The run before was ended for good: this one starts fresh. */
  | {
      readonly code: 'started-fresh';
      readonly run: string;
      readonly status: string;
      readonly reason: string;
      /** The page with the notes of the run before. */
      readonly notes?: string;
    };

/** A stage of an imported page that does not count as done. */
export interface OpenStage {
  readonly phase: string;
  /** Of its row on the page; undefined: it is only the current stage. */
  readonly line: number | undefined;
  readonly why: OpenStageReason;
  /** Half-finished files that the next attempt is handed. */
  readonly handed: readonly string[];
}

export type OpenStageReason =
  /** A file that the page lists or the manifest declares is not there. */
  | { readonly code: 'file-missing'; readonly path: string }
  | { readonly code: 'check-failed'; readonly path: string; readonly check: string; readonly detail: string }
  /** The page calls it current, and no check could prove that it is done. */
  | { readonly code: 'under-way' };

/** How much of something was used up before an import. */
export interface ImportedCount {
  readonly phase: string;
  readonly used: number;
  /** Of the manifest; undefined: it sets no limit. */
  readonly max: number | undefined;
}
