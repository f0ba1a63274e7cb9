/** What a person asked for on top of "go on". Each opens its own guards and no other: `guards.ts` says which. */
export interface Overrides {
  readonly rerun: RerunRequest | undefined;
  /** `--resume-allow-prompt-change`: rerun what a changed prompt affects. */
  readonly allowPromptChange: { readonly reason: string } | undefined;
  /** `--force-resume`: keep results as they are although what they were made from has changed. */
  readonly forceResume: { readonly reason: string } | undefined;
  /** `--force`: go on with a changed manifest; finished units are kept. */
  readonly force: { readonly reason: string | undefined } | undefined;
  /** `--past-limits`: go on although a limit is reached; counting starts anew. */
  readonly pastLimits: { readonly reason: string } | undefined;
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
  pastLimits: undefined,
};
