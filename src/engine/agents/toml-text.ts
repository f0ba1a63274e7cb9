import { fail, ok, type Result } from '../../base/result.ts';
import { type AgentTrouble, placeIn } from './trouble.ts';

/*
 * Just enough of TOML to know what a file speaks of and where, and to leave all of it alone. A table of ours stands
 * between two remarks that say so; one that a person or the agent itself has written is found by its name.
 */

/** One line, or several where a value goes on. */
export interface TomlStatement {
  /** A remark or an empty line; the header of a table; a key with its value. */
  readonly kind: 'remark' | 'table' | 'pair';
  /** What it speaks of, from the top: `['mcp_servers', 'pawl', 'command']`. */
  readonly name: readonly string[];
  readonly from: number;
  /** Behind its line break. */
  readonly to: number;
}

export function parseToml(path: string, text: string): Result<readonly TomlStatement[], AgentTrouble> {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let from = 0; from < text.length; ) {
    const read = statementAt(text, from);
    if ('problem' in read) {
      const place = placeIn(path, text, read.at);
      return fail({ reason: 'settings-unreadable', problem: read.problem, place });
    }
    if (read.kind === 'table') table = read.name;
    const name = read.kind === 'pair' ? [...table, ...read.name] : read.name;
    statements.push({ kind: read.kind, name, from, to: read.to });
    from = read.to;
  }
  return ok(statements);
}

/** The strings in the value of a pair, be it one or a list. */
export function tomlStrings(text: string, { from, to }: TomlStatement): string[] {
  const value = text.slice(match(keyWithSign, text, from)?.to, to);
  return (value.match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*/g) ?? [])
    .filter((piece) => !piece.startsWith('#'))
    .map(unquoted);
}

/** The text with a table of strings at its end, marked as ours. */
export function withTable(
  text: string,
  name: readonly string[],
  entries: Readonly<Record<string, string | readonly string[]>>,
): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const pairs = Object.entries(entries).map(([key, value]) => `${key} = ${print(value)}`);
  const block = [`${beginMark}${beginRemark}`, `[${name.join('.')}]`, ...pairs, endMark].join(eol);
  if (text === '') return `${block}${eol}`;
  // Whoever leaves out the last line break finds none there afterwards.
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The text without a table and those below it, and without our remarks around them. */
export function withoutTable(
  text: string,
  statements: readonly TomlStatement[],
  name: readonly string[],
): string {
  const start = statements.findIndex(({ kind, name: found }) => kind === 'table' && isBelow(found, name));
  if (start === -1) return text;
  const next = statements.findIndex(
    ({ kind, name: found }, at) => at > start && kind === 'table' && !isBelow(found, name),
  );
  const body = statements.slice(start, next === -1 ? undefined : next);
  const textOf = (statement: TomlStatement | undefined) =>
    statement === undefined ? '' : text.slice(statement.from, statement.to);
  // What is remarked behind the last pair is about the next table.
  const last = body.findLast(
    (statement) => statement.kind !== 'remark' || textOf(statement).startsWith(endMark),
  );
  const isMarked = textOf(statements[start - 1]).startsWith(beginMark);
  const isApart = isMarked && /^\r?\n$/.test(textOf(statements[start - 2]));
  const from = statements[start - Number(isMarked) - Number(isApart)]?.from ?? 0;
  const to = last?.to ?? text.length;
  const head = text.slice(0, from);
  return (text[to - 1] === '\n' ? head : head.replace(/\r?\n$/, '')) + text.slice(to);
}

/** The same, or a part of it. */
export function isBelow(name: readonly string[], above: readonly string[]): boolean {
  return above.every((part, at) => name[at] === part);
}

const beginMark = '# pawl: begin';
const beginRemark = '. `pawl agents uninstall codex` takes this out.';
const endMark = '# pawl: end';

function print(value: string | readonly string[]): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
}

type Read =
  | { readonly kind: TomlStatement['kind']; readonly name: readonly string[]; readonly to: number }
  | { readonly problem: string; readonly at: number };

const keyPart = String.raw`(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const key = String.raw`${keyPart}(?:[ \t]*\.[ \t]*${keyPart})*`;
const remark = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const header = new RegExp(String.raw`[ \t]*\[\[?[ \t]*(${key})[ \t]*\]\]?[ \t]*(?:#[^\n]*)?(?:\r?\n|$)`, 'y');
const keyWithSign = new RegExp(String.raw`[ \t]*(${key})[ \t]*=`, 'y');
const valuePiece =
  /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+/y;

function statementAt(text: string, from: number): Read {
  const blank = match(remark, text, from);
  if (blank !== undefined) return { kind: 'remark', name: [], to: blank.to };
  const table = match(header, text, from);
  if (table !== undefined) return { kind: 'table', name: parts(table.name), to: table.to };
  const pair = match(keyWithSign, text, from);
  if (pair === undefined) return { problem: 'key-expected', at: from };
  const end = endOfValue(text, pair.to);
  return typeof end === 'number' ? { kind: 'pair', name: parts(pair.name), to: end } : end;
}

function match(pattern: RegExp, text: string, at: number): { name: string; to: number } | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : { name: found[1] ?? '', to: pattern.lastIndex };
}

/** A value ends with its line, unless a bracket or a string is still open there. */
function endOfValue(text: string, from: number): number | { readonly problem: string; readonly at: number } {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const piece = match(valuePiece, text, at);
    if (piece === undefined) return { problem: 'unexpected-end-of-string', at };
    const letter = text[at];
    if (letter === '[' || letter === '{') depth++;
    if (letter === ']' || letter === '}') depth--;
    if (depth < 0) return { problem: 'value-expected', at };
    if (letter === '\n' && depth === 0) return piece.to;
    at = piece.to;
  }
  return depth === 0 ? text.length : { problem: 'close-bracket-expected', at: text.length };
}

function parts(name: string): string[] {
  return (name.match(new RegExp(keyPart, 'g')) ?? []).map((part) =>
    /^["']/.test(part) ? unquoted(part) : part,
  );
}

function unquoted(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // TOML has escapes that JSON has not. A text with such is none that we have written.
    return quoted;
  }
}
