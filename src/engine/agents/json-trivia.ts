import { createScanner } from 'jsonc-parser';

/*
 * What stands between the values of a settings file: blanks, line breaks, commas and remarks.
 */

/** Where brackets are nested deeper than that for the first time. */
export function firstDeeperThan(text: string, depthMax: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    if (kind === token.openBrace || kind === token.openBracket) depth++;
    if (kind === token.closeBrace || kind === token.closeBracket) depth--;
    if (depth > depthMax) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Where the comma is that follows, if one does. */
export function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  const kind: number = scanner.scan();
  return kind === token.comma ? scanner.getTokenOffset() : undefined;
}

/** The end of what is remarked on the rest of the line: that belongs to what stands before it. */
export function endOfRemarks(text: string, from: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let to = from;
  for (;;) {
    const kind: number = scanner.scan();
    if (isComment(kind)) to = scanner.getTokenOffset() + scanner.getTokenLength();
    else if (kind !== token.blanks) return to;
  }
}

export function holdsComment(text: string, from: number, to: number): boolean {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  for (;;) {
    const kind: number = scanner.scan();
    if (kind === token.end || scanner.getTokenOffset() >= to) return false;
    if (isComment(kind)) return true;
  }
}

/** The blanks that the line begins with. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** Nothing but blanks comes before it on its line. */
export function startsLine(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/** Where the line above ends, if nothing but blanks comes before this on its own; -1 if something does. */
export function lineBreakBefore(text: string, at: number): number {
  const start = lineStart(text, at);
  if (start === 0 || !startsLine(text, at)) return -1;
  return text[start - 2] === '\r' ? start - 2 : start - 1;
}

/** Back over blanks and one line break. */
export function startOfSpace(text: string, at: number, min: number): number {
  let from = at;
  while (from > min && isBlank(text[from - 1])) from--;
  if (from > min && text[from - 1] === '\n') from--;
  if (from > min && text[from] === '\n' && text[from - 1] === '\r') from--;
  return from;
}

export function endOfBlanks(text: string, at: number): number {
  let to = at;
  while (isBlank(text[to])) to++;
  return to;
}

export function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** As the scanner numbers them; its own names are types only. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  blanks: 15,
  end: 17,
} as const;

const isComment = (kind: number) => kind === token.lineComment || kind === token.blockComment;
const isBlank = (letter: string | undefined) => letter === ' ' || letter === '\t';

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
