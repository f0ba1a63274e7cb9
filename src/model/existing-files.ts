/** Files at the output paths of a new run that no run of the workspace recorded. */
export interface ExistingFiles {
  /** As a person types it. */
  readonly workspace: string;
  readonly paths: readonly string[];
  /** How many of them have a check, so that they can be adopted. */
  readonly checked: number;
  /** `--fresh` was given. */
  readonly fresh: boolean;
}
