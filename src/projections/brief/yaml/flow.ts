import type { CST } from 'yaml';
import { lastSolidEnd } from './source.ts';

/** A member or an item inside braces or brackets. */
export interface FlowPiece {
  readonly start: number;
  readonly end: number;
  /** Where the comma behind it is; undefined: there is none. */
  readonly comma: number | undefined;
  /** Comments on lines of their own above it. */
  readonly above: readonly string[];
  /** The comment at the end of its line. */
  readonly behind: string | undefined;
}

export interface FlowParts {
  /** Where it opens, behind the bracket, and where it closes, before the other one. */
  readonly open: number;
  readonly close: number;
  /** The comment behind the bracket. */
  readonly head: string | undefined;
  readonly pieces: readonly FlowPiece[];
  /** Comments on lines of their own before the end. */
  readonly tail: readonly string[];
}

/** What stands inside of braces or brackets; undefined where they do not close. */
export function flowParts({ start, items, end }: CST.FlowCollection): FlowParts | undefined {
  const close = end.find(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end')?.offset;
  if (close === undefined) return undefined;
  const reading: Reading = { head: undefined, pieces: [], comments: [], isNewLine: false };
  for (const item of items) {
    const props = item.start.findIndex(({ type }) => !spaceTypes.has(type));
    const spaces = props === -1 ? item.start : item.start.slice(0, props);
    for (const token of spaces) readSpace(reading, token);
    const first = (props === -1 ? undefined : item.start[props]) ?? item.key ?? item.sep?.[0] ?? item.value;
    const pieceEnd = lastSolidEnd([props === -1 ? { ...item, start: [] } : item]);
    if (first === undefined || first === null || pieceEnd === undefined) continue;
    const { comments: above } = reading;
    reading.pieces.push({ start: first.offset, end: pieceEnd, comma: undefined, above, behind: undefined });
    reading.comments = [];
    reading.isNewLine = false;
    // What stands before a comma belongs to the token of the value, or of a key without one.
    for (const token of endOf(item.value ?? item.key)) {
      if (token.offset >= pieceEnd) readSpace(reading, token);
    }
  }
  for (const token of end) if (token.offset < close) readSpace(reading, token);
  const { head, pieces, comments: tail } = reading;
  return { open: start.offset + start.source.length, close, head, pieces, tail };
}

function endOf(token: CST.Token | null | undefined): readonly CST.SourceToken[] {
  return token !== null && token !== undefined && 'end' in token ? (token.end ?? []) : [];
}

const spaceTypes: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'comma']);

interface Reading {
  head: string | undefined;
  pieces: { -readonly [Key in keyof FlowPiece]: FlowPiece[Key] }[];
  comments: string[];
  /** Since the last piece. */
  isNewLine: boolean;
}

function readSpace(reading: Reading, { type, offset, source }: CST.SourceToken): void {
  const last = reading.pieces.at(-1);
  if (type === 'newline') reading.isNewLine = true;
  if (type === 'comma' && last !== undefined) last.comma ??= offset;
  if (type !== 'comment') return;
  if (reading.isNewLine) reading.comments.push(source);
  else if (last === undefined) reading.head = source;
  else last.behind = source;
}
