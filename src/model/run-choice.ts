export interface RunChoice {
  readonly id: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: string;
  readonly updated: string;
  /** Steps that have a result; absent where it is not known. */
  readonly steps?: number;
}
