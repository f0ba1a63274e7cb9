import type { DecidedBy } from './decided-by.ts';
import type { Durability } from './definition.ts';

/** The first event of every run: which pipeline works on which identity. */
export interface RunCreated {
  readonly type: 'run_created';
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly durability: Durability;
  /** The manifest's path, relative to the workspace. */
  readonly manifest: string;
  /** The run's own folder as it was called, where the layout gives it one: paths of outputs begin with it. */
  readonly folder?: string;
  /** The commit that the workspace was at, where it is under git. */
  readonly gitHead?: string;
  /** Ids of the open runs of its identity that `--fresh` replaced: abandoned, and not a byte of them changes. */
  readonly replaces?: readonly string[];
  /** The version of Pawl that made the run; absent in older journals. */
  readonly pawl?: string;
  /** The `pace` of the manifest; absent in older journals. */
  readonly pace?: RecordedPace;
  /** The boot of the machine: after another one, an unsynced output is proven by its bytes, not by its stat. */
  readonly boot: string;
  readonly repaired?: boolean; // Recorded again by `pawl repair`, because its line was lost.
}

/** `pace` of the manifest by its keys: numbers as they are, durations in milliseconds. */
export type RecordedPace = Readonly<Record<string, number>>;

/** A later process took the run up again. */
export interface RunResumed extends DecidedBy {
  readonly type: 'run_resumed';
  readonly boot: string;
  /** The first unit that was not finished. */
  readonly from?: string;
  /** The manifest's `pace` is not as it was recorded before; no `before` in journals of older versions. */
  readonly pace?: { readonly before?: RecordedPace; readonly after: RecordedPace };
  readonly gitHead?: string;
  /** A person took the run over from its owner, and with it what was running (`--takeover`). */
  readonly takeover?: boolean;
}
