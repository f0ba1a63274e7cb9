import type { Report } from './findings.ts';
import type { SectionKind } from './words.ts';

/** One thing that a part of the page says: a row, an item of a list with what stands below it, or a line. */
export interface Entry {
  readonly line: number;
  readonly indent: number;
  readonly isRow: boolean;
  /** What stands in its box; empty: nothing. Undefined: it has none. */
  readonly mark: string | undefined;
  /** What it says but for the marker and the box, line by line; nothing where `fields` say it all. */
  readonly parts: string[];
  /** By the names of `words.ts`. */
  readonly fields: Map<string, Field>;
}

export interface Field {
  readonly raw: string;
  readonly line: number;
  /** Items of a list below it. */
  readonly items: string[];
}

export type Entries = Record<SectionKind, Entry[]>;

/** What is known while the lines of a page are gone through. */
export interface OutlineState {
  readonly report: Report;
  readonly entries: Entries;
  /** Parts that have reached their limit of entries. */
  readonly full: Set<SectionKind>;
  readonly unknown: { readonly heading: string; readonly line: number }[];
  section: Section;
  isTitled: boolean;
  isYaml: boolean;
  isComment: boolean;
  fence: { readonly fence: string; readonly isRead: boolean } | undefined;
  table: Table | undefined;
  /** What a line further in belongs to. */
  entry: Entry | undefined;
  /** What an item of a list below it belongs to. */
  field: Field | undefined;
}

export interface Section {
  readonly kind: SectionKind;
  /** Of its heading; 0: there is none. */
  readonly level: number;
  /** Of the key that opened it; undefined: it was opened by a heading. */
  readonly indent: number | undefined;
  /** What the first line without a key says: below a heading `Status`. */
  awaits: string | undefined;
}

export type Table =
  /** Each row says one key and its value. */
  | { readonly kind: 'pairs' }
  /** Undefined: a column that means nothing here. */
  | { readonly kind: 'columns'; readonly columns: readonly (string | undefined)[] }
  /** Its rows are passed over. */
  | { readonly kind: 'unreadable' };

/** The most that a part of a page may list. */
const entriesMax = 1000;

export function newOutlineState(report: Report): OutlineState {
  return {
    report,
    entries: {
      facts: [],
      completed: [],
      stages: [],
      current: [],
      iterations: [],
      clusters: [],
      checkpoints: [],
      notes: [],
      unknown: [],
    },
    full: new Set(),
    unknown: [],
    section: { kind: 'facts', level: 0, indent: undefined, awaits: undefined },
    isTitled: false,
    isYaml: false,
    isComment: false,
    fence: undefined,
    table: undefined,
    entry: undefined,
    field: undefined,
  };
}

export function openSection(state: OutlineState, kind: SectionKind, level: number, indent?: number): void {
  state.section = { kind, level, indent, awaits: undefined };
  state.table = undefined;
  state.entry = undefined;
  state.field = undefined;
}

/** Something that is said in so many words. */
export function addSaid(
  state: OutlineState,
  line: number,
  said: string,
  indent = 0,
  mark: string | undefined = undefined,
): void {
  state.field = undefined;
  add(state, { line, indent, isRow: false, mark, parts: [said], fields: new Map() });
}

/** Something that is said by names that are known. */
export function addFields(
  state: OutlineState,
  line: number,
  said: readonly (readonly [string, string])[],
  indent = 0,
  isRow = false,
): void {
  const fields = new Map<string, Field>();
  for (const [name, raw] of said) {
    state.field = { raw, line, items: [] };
    fields.set(name, state.field);
  }
  add(state, { line, indent, isRow, mark: undefined, parts: [], fields });
}

function add(state: OutlineState, entry: Entry): void {
  const { kind } = state.section;
  state.entry = entry;
  state.section.awaits = undefined;
  if (kind === 'unknown') return;
  const entries = state.entries[kind];
  if (entries.length < entriesMax) entries.push(entry);
  else if (!state.full.has(kind)) {
    state.full.add(kind);
    state.report(entry.line, { code: 'too-many-entries', section: kind, limit: entriesMax });
  }
}
