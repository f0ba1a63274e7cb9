/** A run in which nothing has happened for longer than `pace.stale_after`, and what has changed since. */
export interface StaleRun {
  readonly idleMs: number;
  readonly limitMs: number;
  /** The commit of the workspace then and now; undefined: not under git, or not recorded. */
  readonly gitHead: { readonly before: string | undefined; readonly now: string | undefined };
  /** Declared files, templates and outputs that are no longer as they were: path and what is wrong. */
  readonly changed: readonly {
    readonly path: string;
    readonly change: string;
    /** The run that wrote it; absent: a person did, or it is not known. */
    readonly writtenBy?: string;
  }[];
}
