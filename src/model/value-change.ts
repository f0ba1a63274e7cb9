import type { JsonValue } from '../base/json.ts';

/** One place where two documents differ, as a path of keys from the top. */
export interface ValueChange {
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** The unit that was added, removed or changed, where it is about one. */
  readonly unit?: { readonly id: string; readonly part: 'whole' | 'field' };
  /** Where the new value stands in the manifest, when it does. */
  readonly line?: number;
  readonly column?: number;
}
