import type { CST } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { applyYamlEdits, insertText, newLine, removeText, replaceText, type YamlDraft } from './edits.ts';
import { isNested, writeBlock, writeFlow, writeItem } from './render.ts';
import { beginsLine, lastSolidEnd, lineEnd, lineEndBefore, solidEnd } from './source.ts';
import { type ListChange, stayingItems } from './wanted.ts';

/**
 * Changes a list in block style. Items that stay keep their lines; one that goes elsewhere takes its comments along: those
 * right above it, behind it, and below it further in. False: it cannot be done, and nothing was.
 */
export function changeBlockList(change: ListChange, token: CST.BlockSequence): boolean {
  const draft: YamlDraft = { ...change.draft, edits: [] };
  const items = token.items.filter(({ start }) => dashOf(start) !== undefined);
  const lines = linesOf(draft.text, items, token.indent);
  const work: Work = { change, draft, items, lines, indent: token.indent };
  const staying = stayingItems(change.pairs);
  // The first item may begin behind something else on its line, as in `- - x`: there it stays the first one.
  const mayMove = lines[0]?.beginsLine === true || (staying.has(0) && change.pairs[0] === 0);
  if (!mayMove || !placeItems(work, staying)) return false;
  lines.forEach((_, at) => {
    if (!staying.has(at)) removeItem(work, at);
  });
  change.draft.edits.push(...draft.edits);
  return true;
}

interface Work {
  readonly change: ListChange;
  readonly draft: YamlDraft;
  readonly items: readonly CST.CollectionItem[];
  readonly lines: readonly Lines[];
  readonly indent: number;
}

/** The lines of an item. All are ends of lines, before the line break. */
interface Lines {
  readonly beginsLine: boolean;
  /** Of the line above the comments that belong to the item. */
  readonly above: number;
  /** Of the line above the dash. */
  readonly top: number;
  /** Of the last line that is more than a comment. */
  readonly solid: number;
  /** Of the last comment below it that stands further in. */
  readonly bottom: number;
}

function linesOf(text: string, items: readonly CST.CollectionItem[], indent: number): Lines[] {
  const lines: Lines[] = [];
  for (const item of items) {
    const dash = dashOf(item.start) ?? 0;
    const before = lines.at(-1);
    const top = lineEndBefore(text, dash);
    const solid = lineEnd(text, lastSolidEnd([item]) ?? dash + 1);
    const above =
      before === undefined ? commentsAbove(text, top, 0) : commentsAbove(text, top, before.bottom);
    const bottom = commentsBelow(text, solid, indent);
    lines.push({ beginsLine: beginsLine(text, dash), above, top, solid, bottom });
  }
  return lines;
}

function dashOf(start: readonly CST.SourceToken[]): number | undefined {
  return start.find(({ type }) => type === 'seq-item-ind')?.offset;
}

const comment = /^([ \t]*)#/;

function commentsAbove(text: string, end: number, floor: number): number {
  let above = end;
  while (above > floor) {
    const start = text.lastIndexOf('\n', above - 1) + 1;
    if (start === 0 || !comment.test(text.slice(start, above))) break;
    above = lineEnd(text, start);
  }
  return above;
}

function commentsBelow(text: string, end: number, indent: number): number {
  let bottom = end;
  for (;;) {
    const start = text.indexOf('\n', bottom) + 1;
    if (start === 0) return bottom;
    const stop = text.indexOf('\n', start);
    const line = text.slice(start, stop === -1 ? text.length : stop).replace(/\r$/, '');
    const space = comment.exec(line)?.[1];
    if (space === undefined || space.length <= indent) return bottom;
    bottom = start + line.length;
  }
}

/** Writes what is new behind the staying item that it follows, or before the first one. */
function placeItems(work: Work, staying: ReadonlySet<number>): boolean {
  const { change, draft, lines } = work;
  let last: number | undefined;
  let texts: string[] = [];
  const flush = (next: number | undefined) => {
    if (texts.length === 0) return;
    const { solid, bottom } = lines[last ?? lines.length - 1] as Lines;
    if (last !== undefined) {
      // At the end of what is solid: what is added to the map around the list comes in there as well, and after it.
      insertText(draft, solid, draft.text.slice(solid, bottom) + texts.join(''));
      removeText(draft, solid, bottom);
    } else {
      insertText(draft, next === undefined ? solid : (lines[next] as Lines).above, texts.join(''));
    }
    texts = [];
  };
  for (const [at, from] of change.pairs.entries()) {
    if (from !== undefined && staying.has(from)) {
      flush(from);
      if (!changeItem(work, draft, from, at)) return false;
      last = from;
    } else {
      const text = from === undefined ? newItem(work, at) : movedItem(work, from, at);
      if (text === undefined) return false;
      texts.push(text);
    }
  }
  flush(undefined);
  return true;
}

function newItem({ change, draft, indent }: Work, at: number): string {
  return newLine(draft, indent) + writeItem(change.wanted[at] ?? null, indent, draft.style);
}

function movedItem(work: Work, from: number, at: number): string | undefined {
  const { above, bottom } = work.lines[from] as Lines;
  const draft: YamlDraft = { ...work.draft, edits: [] };
  return changeItem(work, draft, from, at) ? applyYamlEdits(draft, above, bottom) : undefined;
}

function changeItem({ change, items }: Work, draft: YamlDraft, from: number, at: number): boolean {
  const value = change.changeItem(draft, from, at);
  const item = items[from];
  return value === undefined || (item !== undefined && replaceItem(draft, item, value));
}

/** The comment behind the item stays on its line. */
function replaceItem(
  draft: YamlDraft,
  { start, value: token }: CST.CollectionItem,
  value: JsonValue,
): boolean {
  const { text, style } = draft;
  const end = solidEnd(token);
  // An anchor before a map on the same line would be one of its first key.
  if (
    token === undefined ||
    end === undefined ||
    start.some(({ type }) => type === 'anchor' || type === 'tag')
  )
    return false;
  const column = token.offset - (text.lastIndexOf('\n', token.offset - 1) + 1);
  const written = isNested(value) ? writeBlock(value, column, style) : writeFlow(value, style);
  const isBlock = token.type === 'block-map' || token.type === 'block-seq' || token.type === 'block-scalar';
  if (isBlock) {
    replaceText(draft, token.offset, lineEnd(text, end), written);
    return true;
  }
  const [first = ''] = written.split(style.newline, 1);
  replaceText(draft, token.offset, end, first);
  insertText(draft, lineEnd(text, end), written.slice(first.length));
  return true;
}

/** In two parts: what is added to the map around the list comes in between. */
function removeItem({ draft, lines, change }: Work, at: number): void {
  const { above, top, solid, bottom } = lines[at] as Lines;
  const isMoved = change.pairs.includes(at);
  if (at === 0 && above < top && !isMoved) {
    // It may be about the whole list; the empty line keeps it away from the item that comes next.
    replaceText(draft, top, solid, draft.style.newline);
  } else {
    removeText(draft, above, solid);
  }
  if (bottom > solid) removeText(draft, solid, bottom);
}
