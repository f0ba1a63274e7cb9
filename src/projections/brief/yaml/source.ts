import type { CST } from 'yaml';

/** Where the last thing ends that is more than space and comments. */
export function solidEnd(token: CST.Token | null | undefined): number | undefined {
  if (token === null || token === undefined) return undefined;
  switch (token.type) {
    case 'block-map':
    case 'block-seq':
      return lastSolidEnd(token.items);
    case 'flow-collection': {
      const close = token.end.find(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end');
      return close === undefined ? undefined : close.offset + close.source.length;
    }
    case 'block-scalar':
      return bodyStart(token) + token.source.length;
    case 'space':
    case 'comment':
    case 'newline':
      return undefined;
    case 'document':
      return solidEnd(token.value);
    default:
      return token.source === '' ? undefined : token.offset + token.source.length;
  }
}

/** The same for the items of a collection. */
export function lastSolidEnd(items: readonly CST.CollectionItem[]): number | undefined {
  for (let at = items.length - 1; at >= 0; at--) {
    const { start, key, sep, value } = items[at] as CST.CollectionItem;
    for (const token of [value, ...[...(sep ?? [])].reverse(), key, ...[...start].reverse()]) {
      const end = solidEnd(token);
      if (end !== undefined) return end;
    }
  }
  return undefined;
}

/** Where the lines of a block scalar begin, behind the line of its `|` or `>`. */
export function bodyStart({ offset, props }: CST.BlockScalar): number {
  const last = props.at(-1);
  return last === undefined || !('source' in last) ? offset : last.offset + last.source.length;
}

/**
 * The end of the line that something ends on, before its line break. What ends with a line break, as the lines of a
 * block scalar do, ends on the line before.
 */
export function lineEnd(text: string, end: number): number {
  const found = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  if (found === -1) return text.length;
  return text[found - 1] === '\r' ? found - 1 : found;
}

/** The end of the line above, for the first thing of a line. */
export function lineEndBefore(text: string, offset: number): number {
  return lineEnd(text, spaceStart(text, offset));
}

/** Where the space before an offset begins, on its own line. */
export function spaceStart(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start;
}

/** Whether nothing but space stands before an offset on its line. */
export function beginsLine(text: string, offset: number): boolean {
  const start = spaceStart(text, offset);
  return start === 0 || text[start - 1] === '\n';
}

/** The line break of the line that an offset is on, or else of the first line. */
export function newlineAt(text: string, offset: number): string {
  const near = text.indexOf('\n', offset);
  const found = near === -1 ? text.indexOf('\n') : near;
  return text[found - 1] === '\r' ? '\r\n' : '\n';
}
