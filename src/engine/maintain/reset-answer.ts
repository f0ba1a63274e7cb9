export interface ResetAnswer {
  /** Newest first. */
  readonly archived: readonly ArchivedRun[];
  /** Runs of the same identity that the next `run` comes back to; none: it starts fresh. */
  readonly next: readonly string[];
}

export interface ArchivedRun {
  readonly run: string;
  /** The folder of the archive, relative to the workspace. */
  readonly to: string;
  /** In the archive. */
  readonly files: number;
  readonly left: readonly ResetLeft[];
}

/** A file that stays where it is, though the run had put something there. */
export interface ResetLeft {
  readonly path: string;
  readonly reason: /** It is another one than the one in the archive: somebody wrote it since. */
    | 'changed'
    /** A run that is not put away has put something there. */
    | 'of-another-run';
}
