import type { JsonValue } from '../../../base/json.ts';
import type { Draft } from './edits.ts';
import type { Pairs } from './wanted.ts';

/** What becomes of a list. */
export interface ListChange {
  readonly draft: Draft;
  readonly wanted: readonly JsonValue[];
  readonly pairs: Pairs;
  readonly changeItem: ChangeItem;
}

/** Writes into an item what is wanted of it; returns what has to come in its stead where that cannot be done. */
export type ChangeItem = (draft: Draft, from: number, to: number) => JsonValue | undefined;

/** The items that can stay where they are, as many as possible; the others have to go round them. */
export function stayingItems(pairs: Pairs): ReadonlySet<number> {
  /** For each length, the rising row of that length that ends lowest. */
  const rows: Row[] = [];
  for (const item of pairs) {
    if (item === undefined) continue;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.item ?? 0) < item) low = middle + 1;
      else high = middle;
    }
    rows[low] = { item, before: rows[low - 1] };
  }
  const staying = new Set<number>();
  for (let row = rows.at(-1); row !== undefined; row = row.before) staying.add(row.item);
  return staying;
}

interface Row {
  readonly item: number;
  readonly before: Row | undefined;
}
