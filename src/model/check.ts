import type { JsonValue } from '../base/json.ts';

/** What an output has to pass before it counts. */
export type Check =
  | { readonly kind: 'non-empty' }
  | { readonly kind: 'json' }
  | { readonly kind: 'json-schema'; readonly schema: JsonValue; readonly path: string }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'png'; readonly width?: number | undefined; readonly height?: number | undefined }
  /** Any type of picture; all but PNG need the package sharp. */
  | { readonly kind: 'image' }
  /** A section of a Markdown file holds a table that is filled in. */
  | { readonly kind: 'markdown-table'; readonly table: TableSpec }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** An exported function of a module in the workspace. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string };

/** A table in a Markdown file, and what it must hold. */
export interface TableSpec {
  /** The heading above it. */
  readonly section: string;
  /** They must be there, and no cell of theirs may be left open. */
  readonly columns: readonly string[];
  readonly rowsMin: number;
  readonly verdict: TableVerdict | undefined;
}

/** Every row says one of a few things. */
export interface TableVerdict {
  readonly column: string;
  readonly allow: readonly string[];
  /** Verdicts that need a reason. */
  readonly justify: TableJustify | undefined;
}

export interface TableJustify {
  readonly when: readonly string[];
  /** The column that the reason stands in. */
  readonly column: string;
  /** Where the reasons have a table of their own: the heading above it, and its column that names the row. */
  readonly elsewhere?: { readonly section: string; readonly rowColumn: string };
}
