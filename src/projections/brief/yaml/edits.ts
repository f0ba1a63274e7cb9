import type { CST } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { isNested, writeBlock, writeFlow, type YamlStyle } from './render.ts';
import {
  beginsLine,
  bodyStart,
  lastSolidEnd,
  lineEnd,
  lineEndBefore,
  solidEnd,
  spaceStart,
} from './source.ts';
import type { MapNode, PairNode } from './tree.ts';

/** A part of a text, and what comes in its stead. */
export interface YamlEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text that is being changed. */
export interface YamlDraft {
  readonly text: string;
  readonly style: YamlStyle;
  readonly edits: YamlEdit[];
}

/** The changed text, or the part of it that all changes are of; undefined where two of them are of the same part. */
export function applyYamlEdits({ text, edits }: YamlDraft, start = 0, end = text.length): string | undefined {
  // What is put in at the place where something else goes stands before it; the rest keeps the order it came in.
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let done = start;
  for (const edit of sorted) {
    if (edit.start < done) return undefined;
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done, end);
}

/** Puts another value behind the key of a pair. Its anchor stays, since others may refer to it; its tag goes. */
export function replaceValue(draft: YamlDraft, holder: MapNode, pair: PairNode, value: JsonValue): void {
  const item = pair.srcToken;
  if (item === undefined || holder.srcToken === undefined) return;
  const { indent, type } = holder.srcToken;
  const isFlow = type === 'flow-collection';
  const slot = slotOf(draft.text, item, isFlow);
  if (!slot.hasColon) insertText(draft, slot.at, isFlow ? ':' : `${newLine(draft, indent)}:`);
  for (const { offset, source } of slot.tags) {
    removeText(draft, spaceStart(draft.text, offset), offset + source.length);
  }
  if (isFlow || !isNested(value)) putInline(draft, slot, writeFlow(value, draft.style));
  else putBlock(draft, slot, value, indent);
}

/** Adds written members or items to the end of a collection in braces or brackets. */
export function addToFlow(
  draft: YamlDraft,
  { start, items }: CST.FlowCollection,
  written: readonly string[],
): void {
  const last = lastSolidEnd(items);
  const at = last ?? start.offset + start.source.length;
  const before = last === undefined ? '' : draft.text[last - 1] === ',' ? ' ' : ', ';
  const after = draft.text[at] === '#' ? ' ' : '';
  insertText(draft, at, before + written.join(', ') + after);
}

/** Adds written members or items to the end of a collection in block style, before the comments behind it. */
export function addToBlock(
  draft: YamlDraft,
  { indent, items, offset }: CST.BlockMap | CST.BlockSequence,
  written: readonly string[],
): void {
  const at = lineEnd(draft.text, lastSolidEnd(items) ?? offset);
  insertText(draft, at, written.map((text) => newLine(draft, indent) + text).join(''));
}

/** Puts written members before all others of a map: on the line behind its key, so that comments stay with what follows. */
export function addAsFirst(
  draft: YamlDraft,
  holder: MapNode,
  pair: PairNode,
  map: CST.BlockMap | CST.FlowCollection,
  written: readonly string[],
): void {
  const first = map.items[0]?.key;
  if (map.type === 'flow-collection') {
    if (first !== undefined && first !== null && 'offset' in first)
      insertText(draft, first.offset, written.map((text) => `${text}, `).join(''));
    return;
  }
  if (pair.srcToken === undefined) return;
  const { at } = slotOf(draft.text, pair.srcToken, holder.srcToken?.type === 'flow-collection');
  insertText(
    draft,
    lineEnd(draft.text, at),
    written.map((text) => newLine(draft, map.indent) + text).join(''),
  );
}

export function insertText(draft: YamlDraft, at: number, text: string): void {
  draft.edits.push({ start: at, end: at, text });
}

export function replaceText(draft: YamlDraft, start: number, end: number, text: string): void {
  draft.edits.push({ start, end, text });
}

export function removeText(draft: YamlDraft, start: number, end: number): void {
  replaceText(draft, start, end, '');
}

export function newLine({ style }: YamlDraft, indent: number): string {
  return style.newline + ' '.repeat(indent);
}

/** What stands behind a key. */
interface Slot {
  /** Behind the colon and the anchor: where a value may begin on the same line. */
  readonly at: number;
  /** A key in braces may stand without one, and so may a key behind a `?`. */
  readonly hasColon: boolean;
  readonly tags: readonly CST.SourceToken[];
  /** The value that is there. */
  readonly token: CST.Token | undefined;
}

function slotOf(text: string, { key, sep = [], value }: CST.CollectionItem, isFlow: boolean): Slot {
  const last = sep.findLast(({ type }) => type === 'map-value-ind' || type === 'anchor');
  const keyEnd = solidEnd(key) ?? 0;
  const colonAt = isFlow ? keyEnd : lineEnd(text, keyEnd);
  return {
    at: last === undefined ? colonAt : last.offset + last.source.length,
    hasColon: last !== undefined,
    tags: sep.filter(({ type }) => type === 'tag'),
    token: solidEnd(value) === undefined ? undefined : value,
  };
}

function putInline(draft: YamlDraft, { at, token }: Slot, value: string): void {
  const { text } = draft;
  const end = solidEnd(token);
  if (token === undefined || end === undefined) {
    insertText(draft, at, ` ${value}`);
  } else if (token.type === 'block-scalar') {
    const header = headerOf(token);
    replaceText(draft, header.start, header.end, value);
    removeText(draft, lineEnd(text, header.end), lineEnd(text, end));
  } else if (token.type !== 'block-map' && token.type !== 'block-seq') {
    const space = /\s/.test(text[token.offset - 1] ?? '') ? '' : ' ';
    replaceText(draft, token.offset, end, space + value);
  } else if (beginsLine(text, token.offset)) {
    insertText(draft, at, ` ${value}`);
    removeText(draft, lineEndBefore(text, token.offset), lineEnd(text, end));
  } else {
    replaceText(draft, token.offset, lineEnd(text, end), value);
  }
}

function putBlock(draft: YamlDraft, { at, token }: Slot, value: JsonValue, holderIndent: number): void {
  const { text, style } = draft;
  const indent = holderIndent + style.step;
  const lines = newLine(draft, indent) + writeBlock(value, indent, style);
  const end = solidEnd(token);
  if (token === undefined || end === undefined) {
    insertText(draft, lineEnd(text, at), lines);
  } else if (token.type === 'block-scalar') {
    const header = headerOf(token);
    removeText(draft, spaceStart(text, header.start), header.end);
    replaceText(draft, lineEnd(text, header.end), lineEnd(text, end), lines);
  } else if (token.type !== 'block-map' && token.type !== 'block-seq') {
    const isFirst = beginsLine(text, token.offset);
    const isAlone = isFirst && lineEnd(text, end) === end;
    const start = isFirst ? token.offset : spaceStart(text, token.offset);
    removeText(draft, isAlone ? lineEndBefore(text, token.offset) : start, end);
    insertText(draft, lineEnd(text, end), lines);
  } else {
    // A list may stand as far left as the key above it, a map may not.
    const column = token.indent > holderIndent || Array.isArray(value) ? token.indent : indent;
    const shift = ' '.repeat(column - token.indent);
    replaceText(draft, token.offset, lineEnd(text, end), shift + writeBlock(value, column, style));
  }
}

function headerOf(token: CST.BlockScalar): { start: number; end: number } {
  const header = token.props.find(({ type }) => type === 'block-scalar-header');
  if (header === undefined || !('source' in header)) return { start: token.offset, end: bodyStart(token) };
  return { start: header.offset, end: header.offset + header.source.length };
}
