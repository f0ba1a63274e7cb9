/** What a person asked for on top of "go on". Each opens its own guards and no other: `guards.ts` says which. */
export interface Overrides {
  readonly rerun: RerunRequest | undefined;
  /** `--resume-allow-prompt-change`: rerun what a changed prompt affects. */
  readonly allowPromptChange: { readonly reason: string } | undefined;
  /** `--force-resume`: keep results as they are although what they were made from has changed. */
  readonly forceResume: { readonly reason: string } | undefined;
  /** `--force`: go on with a changed manifest; finished units are kept. */
  readonly force: { readonly reason: string | undefined } | undefined;
  /** `--rerun-change NAME`: re-run what these changes affect. */
  readonly rerunNamed: NamedChanges | undefined;
  /** `--keep-change NAME`: keep results although these changed. */
  readonly keepNamed: NamedChanges | undefined;
  /** `--rerun-changed`: re-run what every change affects that nothing else answers. */
  readonly rerunChanged: GeneralAnswer | undefined;
  /** `--keep-changed`: keep results although what nothing else answers has changed. */
  readonly keepChanged: GeneralAnswer | undefined;
  /** `--failed`: failed steps get a new set of attempts. */
  readonly failed: { readonly reason: string | undefined } | undefined;
  /** `--outdated`: results that are kept as outdated are made again. */
  readonly outdated: { readonly reason: string | undefined } | undefined;
  /** `--past-limits`: go on although a limit is reached; counting starts anew. */
  readonly pastLimits: { readonly reason: string } | undefined;
}

/** One answer for every change that no other flag answers. */
export interface GeneralAnswer {
  readonly reason: string;
  /** The changes that were shown to whoever answered, by `changeKey`. Absent: a flag, which answers all. */
  readonly only?: ReadonlySet<string>;
}

export interface NamedChanges {
  /** As `pawl plan` prints them. */
  readonly names: ReadonlySet<string>;
  readonly reason: string;
}

/** `--rerun-from`, or `--rerun-all` without a phase. */
export interface RerunRequest {
  readonly from: string | undefined;
  /** Undefined: all. */
  readonly units: ((unit: string) => boolean) | undefined;
  readonly reason?: string | undefined;
}

export const noOverrides: Overrides = {
  rerun: undefined,
  allowPromptChange: undefined,
  forceResume: undefined,
  force: undefined,
  rerunNamed: undefined,
  keepNamed: undefined,
  rerunChanged: undefined,
  keepChanged: undefined,
  failed: undefined,
  outdated: undefined,
  pastLimits: undefined,
};
