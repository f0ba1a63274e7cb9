/** Recorded bytes are wanted, and the content store does not have them. */
export interface MissingObject {
  readonly reason: 'object-missing';
  readonly path: string;
  readonly hash: string;
  /** There are bytes under its name, and others than those that were recorded. */
  readonly damaged?: boolean;
  /** A missing output was to be put back from them. */
  readonly restoring?: boolean;
}
