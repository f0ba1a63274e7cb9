/** Why a run that other tools have begun is not taken over. */
export type ToldFailure =
  /** Only other tools have written to it: it has to be taken over first. */
  | { readonly reason: 'told-only'; readonly run: string }
  | { readonly reason: 'import-check-failed'; readonly artifacts: readonly RejectedImport[] };

/** A file that another tool's log is past, and that fails a check of this manifest. */
export interface RejectedImport {
  readonly unit: string;
  readonly phase: string;
  readonly path: string;
  readonly check: string;
  readonly detail: string;
}
