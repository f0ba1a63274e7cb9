/** Earlier results cannot be brought back. */
export type RestoreFailure =
  | {
      /** No decision stands that could be taken back; with `redo`: no undo, or something was decided since. */
      readonly reason: 'nothing-to-undo';
      readonly run: string;
      readonly redo?: true;
      /** Another decision than the one that was shown is the newest by now. */
      readonly isOther?: true;
    }
  | ({ readonly reason: 'cannot-restore'; readonly command: 'undo' | 'restore' } & WhyNotRestored);

export type WhyNotRestored =
  /** A person answered a question about the newer result. */
  | {
      readonly why: 'approved';
      readonly step: string;
      readonly id: string;
      readonly decision: 'approved' | 'rejected';
    }
  /** An agent or a person claimed the step since. */
  | { readonly why: 'claimed'; readonly step: string; readonly by: string }
  /** An output was edited by hand and not adopted. */
  | { readonly why: 'edited'; readonly step: string; readonly path: string }
  /** The content store no longer has the bytes. */
  | { readonly why: 'bytes-gone'; readonly step: string; readonly path: string }
  /** It is the answer to a question, which stays on record. */
  | { readonly why: 'answered' }
  /** The attempt has no result. */
  | {
      readonly why: 'no-result';
      readonly step: string;
      readonly attempt: number;
      readonly valid: readonly number[];
    }
  /** It is the result already. */
  | { readonly why: 'current'; readonly step: string; readonly attempt: number };
