import type { CST } from 'yaml';
import { addToFlow, applyYamlEdits, replaceText, type YamlDraft } from './edits.ts';
import { type FlowParts, type FlowPiece, flowParts } from './flow.ts';
import { writeFlow } from './render.ts';
import { beginsLine, spaceStart } from './source.ts';
import { type ListChange, stayingItems } from './wanted.ts';

/**
 * Changes a list in brackets: appends where that is enough, or else rebuilds it from the source of its items, each with
 * its comments. False: not possible, and nothing was changed.
 */
export function changeFlowList(change: ListChange, token: CST.FlowCollection): boolean {
  const parts = flowParts(token);
  if (parts === undefined) return false;
  const { draft, pairs, wanted } = change;
  const count = parts.pieces.length;
  const staysInPlace =
    stayingItems(pairs).size === count && pairs.slice(0, count).every((from) => from !== undefined);
  if (staysInPlace) {
    parts.pieces.forEach((piece, at) => {
      changePiece(change, draft, piece, at, at);
    });
    const added = wanted.slice(count).map((value) => writeFlow(value, draft.style));
    if (added.length > 0) addToFlow(draft, token, added);
    return true;
  }
  const cells = pairs.map((from, at) => cellOf(change, parts, from, at));
  const isWhole = cells.every((cell): cell is Cell => cell !== undefined);
  if (!isWhole) return false;
  const hasComments = parts.head !== undefined || parts.tail.length > 0 || cells.some(isCommented);
  replaceText(
    draft,
    parts.open,
    parts.close,
    hasComments ? inLines(draft, parts, cells) : inRow(draft, parts, cells),
  );
  return true;
}

interface Cell extends Pick<FlowPiece, 'above' | 'behind'> {
  readonly text: string;
}

function isCommented({ above, behind }: Cell): boolean {
  return above.length > 0 || behind !== undefined;
}

function cellOf(
  change: ListChange,
  { pieces }: FlowParts,
  from: number | undefined,
  at: number,
): Cell | undefined {
  if (from === undefined) {
    const text = writeFlow(change.wanted[at] ?? null, change.draft.style);
    return { text, above: [], behind: undefined };
  }
  const piece = pieces[from];
  if (piece === undefined) return undefined;
  const draft: YamlDraft = { ...change.draft, edits: [] };
  changePiece(change, draft, piece, from, at);
  const text = applyYamlEdits(draft, piece.start, piece.end);
  // A comma right behind the name of an alias, an anchor or a tag would belong to it.
  return text === undefined
    ? undefined
    : { ...piece, text: /(?:^|\s)[*&!]\S*$/.test(text) ? `${text} ` : text };
}

function changePiece(change: ListChange, draft: YamlDraft, piece: FlowPiece, from: number, at: number): void {
  const value = change.changeItem(draft, from, at);
  if (value !== undefined) replaceText(draft, piece.start, piece.end, writeFlow(value, draft.style));
}

/** With the space that stood behind the first bracket and before the last one. */
function inRow({ text }: YamlDraft, { open, close, pieces }: FlowParts, cells: readonly Cell[]): string {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return cells.map((cell) => cell.text).join(', ');
  const before = text.slice(open, first.start);
  const after = text.slice(last.comma ?? last.end, close);
  // What went may have had a comment there.
  if ((before + after).includes('#')) return cells.map((cell) => cell.text).join(', ');
  return before + cells.map((cell) => cell.text).join(before.includes('\n') ? `,${before}` : ', ') + after;
}

/** Each on a line of its own, so that every comment has one to stand on. */
function inLines(
  draft: YamlDraft,
  { open, close, head, pieces, tail }: FlowParts,
  cells: readonly Cell[],
): string {
  const { text, style } = draft;
  const first = pieces.find(({ start }) => beginsLine(text, start))?.start ?? close;
  const lineStart = text.lastIndexOf('\n', first - 1) + 1;
  // Without a piece that begins a line, as far in as the bracket: it is indented more than the list's parent.
  const column = beginsLine(text, first) ? first - lineStart : open - (text.lastIndexOf('\n', open - 1) + 1);
  const pad = style.newline + ' '.repeat(column);
  const lines = cells.flatMap(({ above, text: source, behind }, at) => {
    const comma = at < cells.length - 1 ? ',' : '';
    return [...above, `${source}${comma}${behind === undefined ? '' : ` ${behind}`}`];
  });
  const end = beginsLine(text, close) ? style.newline + text.slice(spaceStart(text, close), close) : pad;
  return (
    (head === undefined ? '' : ` ${head}`) + [...lines, ...tail].map((line) => pad + line).join('') + end
  );
}
