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
