/** What a person sees of a Markdown file, as far as a table and the section it stands in go. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | MarkdownTable;

/** A table as GitHub shows it; cells are trimmed, and a row may have fewer or more of them than the header. */
export interface MarkdownTable {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The headings and tables of a text, in order. Code and comments hide what they hold. The work grows with the length
 * of the text and with nothing else: it comes from outside.
 *
 * By hand, because `marked` (18.2.1) needs quadratic time for some texts (19 s for 160 KB of `a` and `-` in turn), fails on
 * deeply nested quotes, and drops the cells beyond the header, by which a bar too many is found.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const blocks: MarkdownBlock[] = [];
  /** What an underline would turn into a heading; undefined in a list or a quote, where it would not. */
  let paragraph: string[] | undefined = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const hiddenTo = endOfHidden(lines, at);
    if (hiddenTo !== undefined) {
      paragraph = [];
      at = hiddenTo;
      continue;
    }
    const heading = readHeading(line);
    const read = heading === undefined ? readTable(lines, at) : { block: heading, next: at + 1 };
    if (read !== undefined) {
      blocks.push(read.block);
      paragraph = [];
      at = read.next;
      continue;
    }
    const level = underlineLevel(line);
    if (level !== undefined && paragraph !== undefined && paragraph.length > 0) {
      blocks.push({ kind: 'heading', level, text: withoutComments(paragraph.join(' ')) });
      paragraph = [];
    } else paragraph = nextParagraph(paragraph, line, level);
    at++;
  }
  return blocks;
}

/** A line in the middle of a paragraph continues it, however far it is indented. */
function nextParagraph(
  paragraph: string[] | undefined,
  line: string,
  level: number | undefined,
): string[] | undefined {
  // Below nothing, or below a list, the line of dashes is a line across the page.
  if (line.trim() === '' || level === 2) return [];
  if (paragraph === undefined || beginsListOrQuote(line)) return undefined;
  if (paragraph.length === 0 && indentOf(line) > indentMax) return paragraph;
  paragraph.push(line.trim());
  return paragraph;
}

/** What is indented further is code. */
const indentMax = 3;

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent++;
  return line[indent] === '\t' ? indentMax + 1 : indent;
}

/** The line behind code or a comment that begins on this one; without an end it goes to the end of the text. */
function endOfHidden(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? '';
  if (indentOf(line) > indentMax) return undefined;
  const start = line.trimStart();
  const fence = readFence(start);
  if (fence !== undefined) {
    let end = at + 1;
    while (end < lines.length && !closesFence(lines[end] ?? '', fence)) end++;
    return end + 1;
  }
  return endOfHtml(lines, at);
}

function endOfHtml(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? '';
  if (indentOf(line) > indentMax) return undefined;
  const head = line.trimStart().slice(0, tagLengthMax).toLowerCase();
  const hidden = hiddenHtml.find(({ begin }) => begin.test(head));
  if (hidden === undefined) return undefined;
  let end = at;
  while (end < lines.length && !hidden.end.test(lines[end] ?? '')) end++;
  return end + 1;
}

const tagLengthMax = 16;

/** Raw HTML in which Markdown means nothing. */
const hiddenHtml = [
  { begin: /^<!--/, end: /-->/ },
  { begin: /^<(?:pre|script|style|textarea)(?:[\s>]|$)/, end: /<\/(?:pre|script|style|textarea)>/i },
] as const;

interface Fence {
  readonly mark: string;
  readonly length: number;
}

function readFence(start: string): Fence | undefined {
  const mark = start[0];
  if (mark !== '`' && mark !== '~') return undefined;
  const length = runLength(start, mark);
  // Backticks further on make it code within a line of text.
  if (length < 3 || (mark === '`' && start.includes('`', length))) return undefined;
  return { mark, length };
}

function closesFence(line: string, { mark, length }: Fence): boolean {
  if (indentOf(line) > indentMax) return false;
  const text = line.trim();
  const found = runLength(text, mark);
  return found >= length && found === text.length;
}

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length++;
  return length;
}

function readHeading(line: string): MarkdownBlock | undefined {
  if (indentOf(line) > indentMax) return undefined;
  const start = line.trim();
  const level = runLength(start, '#');
  if (level < 1 || level > 6) return undefined;
  const text = start.slice(level);
  if (text !== '' && text[0] !== ' ' && text[0] !== '\t') return undefined;
  return { kind: 'heading', level, text: withoutComments(withoutClosing(text)).trim() };
}

/** `## Title ##` is the same heading as `## Title`; `## C#` keeps its sign. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end) : text;
}

/** Of a line that makes the paragraph above it a heading. */
function underlineLevel(line: string): 1 | 2 | undefined {
  const text = line.trim();
  const mark = text[0];
  if ((mark !== '=' && mark !== '-') || indentOf(line) > indentMax) return undefined;
  if (runLength(text, mark) !== text.length) return undefined;
  return mark === '=' ? 1 : 2;
}

function beginsListOrQuote(line: string): boolean {
  return /^ {0,3}(?:>|(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))/.test(line);
}

function readTable(
  lines: readonly string[],
  at: number,
): { readonly block: MarkdownTable; readonly next: number } | undefined {
  const line = lines[at] ?? '';
  const below = lines[at + 1] ?? '';
  // Asked in this order because nearly every line has no bar.
  if (!line.includes('|') || !below.includes('|')) return undefined;
  if (indentOf(line) > indentMax || indentOf(below) > indentMax) return undefined;
  const header = splitRow(line);
  const marks = splitRow(below);
  if (header.length === 0 || header.length !== marks.length) return undefined;
  if (!marks.every((mark) => /^:?-+:?$/.test(mark))) return undefined;
  const rows: string[][] = [];
  let next = at + 2;
  while (next < lines.length) {
    // GitHub ends the table at a comment; here the template's comment does not end it.
    const commentTo = endOfHtml(lines, next);
    if (commentTo === undefined && !isRow(lines[next] ?? '')) break;
    if (commentTo === undefined) rows.push(splitRow(lines[next] ?? ''));
    next = commentTo ?? next + 1;
  }
  return { block: { kind: 'table', header, rows }, next };
}

/** A line without a bar ends a table here. GitHub makes a row of it, which no author means. */
function isRow(line: string): boolean {
  if (!line.includes('|') || readHeading(line) !== undefined) return false;
  const start = line.trimStart();
  return start[0] !== '>' && readFence(start) === undefined;
}

/**
 * The cells of a row, between bars. A bar behind a backslash is part of its cell, also in code, as on GitHub.
 */
function splitRow(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let from = text[0] === '|' ? 1 : 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') {
      cells.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (from < text.length) cells.push(text.slice(from));
  return cells.map((cell) => withoutComments(cell).replaceAll('\\|', '|').trim());
}

function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const begin = text.indexOf('<!--', from);
    const end = begin === -1 ? -1 : text.indexOf('-->', begin + 2);
    if (end === -1) return kept + text.slice(from);
    kept += text.slice(from, begin);
    from = end + 3;
  }
}
