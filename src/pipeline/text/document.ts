import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type ParsedNode,
  Parser,
} from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Problem, ProblemCode } from '../../model/failure.ts';
import { convertTree, depthMax } from './convert.ts';
import { joinPath, type Locate, type ProblemFacts, placeAtOffset } from './problems.ts';

/** Where a value of a text begins, and its key; for an item of a list both are the same. */
export interface Offsets {
  readonly key: number;
  readonly value: number;
}

/** Finds the places of a document's parts. The index is made at the first question. */
export function createLocate(
  text: string,
  file: string,
  makeIndex: () => ReadonlyMap<string, Offsets>,
): Locate {
  let index: ReadonlyMap<string, Offsets> | undefined;
  return (path, part = 'value') => {
    index ??= makeIndex();
    const exact = index.get(path);
    if (exact !== undefined) return placeAtOffset(file, text, exact[part]);
    // What is not there is missing from something: its key says where.
    return placeAtOffset(file, text, nearestAbove(index, path)?.key ?? 0);
  };
}

/** Where every value of a YAML tree stands. */
export function indexTree(root: Node | null): Map<string, Offsets> {
  const index = new Map<string, Offsets>();
  visit(root, '', undefined);
  return index;

  function visit(node: Node | null, path: string, keyOffset: number | undefined): void {
    const valueOffset = node?.range?.[0] ?? keyOffset ?? 0;
    index.set(path, { key: keyOffset ?? valueOffset, value: valueOffset });
    if (isMap<Node | null, Node | null>(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        visit(value, joinPath(path, name), key?.range?.[0]);
      }
    }
    if (isSeq<Node>(node)) {
      node.items.forEach((item, at) => {
        visit(item, `${path}[${at}]`, undefined);
      });
    }
  }
}

function nearestAbove(index: ReadonlyMap<string, Offsets>, path: string): Offsets | undefined {
  let above = path;
  while (above !== '') {
    above = above.slice(0, Math.max(0, above.lastIndexOf('.'), above.lastIndexOf('[')));
    const offsets = index.get(above);
    if (offsets !== undefined) return offsets;
  }
  return undefined;
}

/** A YAML document as plain data, with the places of its parts. */
export interface DataDocument {
  readonly data: JsonValue;
  readonly locate: Locate;
}

/**
 * Reads YAML 1.2 (core schema). Refuses what makes a document mean two things or cost more than its size: custom
 * tags, duplicate keys, many aliases, deep nesting. Lists everything that is wrong; of the syntax the first slip.
 */
export function parseDocument(text: string, file: string): Result<DataDocument, readonly Problem[]> {
  const tree = composeTree(text, file);
  if (!tree.ok) return tree;
  const data = convertTree(tree.value.contents, text, file);
  if (!data.ok) return data;
  // Places are asked for when something is wrong or has changed: until then they cost nothing but the text.
  const locate = createLocate(text, file, () => {
    const again = composeTree(text, file);
    return indexTree(again.ok ? again.value.contents : null);
  });
  return ok({ data: data.value, locate });
}

/**
 * A text's syntax, or the offset at which it nests too deep. Drives the library's stages by hand: the stack of the
 * syntax parser, which does not recurse, tells the depth while it grows, before the composer, which does, sees
 * anything of it.
 */
export function parseSyntax(text: string): Result<readonly CST.Token[], number> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // Below the collections lies the document, on top of them a scalar.
    if (parser.stack.length > depthMax + 2) return fail(parser.offset);
  }
  for (const token of parser.end()) tokens.push(token);
  return ok(tokens);
}

function composeTree(text: string, file: string): Result<Document.Parsed, readonly Problem[]> {
  const problem = (code: ProblemCode, offset: number, facts: ProblemFacts): Problem => {
    return { code, path: '', place: placeAtOffset(file, text, offset), facts };
  };
  const syntax = parseSyntax(text);
  if (!syntax.ok) return fail([problem('yaml-too-deep', syntax.failure, { limit: depthMax })]);

  const [document, second] = new Composer<ParsedNode>(composeOptions).compose(
    syntax.value,
    true,
    text.length,
  );
  if (document === undefined) throw new Error('a forced document is always composed');
  // The parser misreads what follows a syntax error, token by token, so only the first error is reported.
  const [first] = [...document.errors].sort((a, b) => a.pos[0] - b.pos[0]);
  if (first !== undefined)
    return fail([problem('yaml-syntax', first.pos[0], { cause: first.code, detail: first.message })]);
  if (second !== undefined)
    return fail([problem('yaml-syntax', second.range[0], { cause: 'MULTIPLE_DOCS' })]);
  return ok(document);
}

/** How every YAML text is read: nothing is taken for a date, a set or a merge. */
export const composeOptions = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  // The library compares each key with every other one; the converter looks it up.
  uniqueKeys: false,
} as const;

/** Where every value of a JSON text stands. The text is known to be valid and not too deep: `JSON.parse` took it. */
export function indexJson(text: string): Map<string, Offsets> {
  const index = new Map<string, Offsets>();
  let at = 0;
  value('', undefined);
  return index;

  function value(path: string, key: number | undefined): void {
    skipSpace();
    index.set(path, { key: key ?? at, value: at });
    const first = text[at];
    if (first === '{') members(path);
    else if (first === '[') items(path);
    else if (first === '"') skipString();
    else while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++;
    skipSpace();
  }

  function members(path: string): void {
    at++;
    skipSpace();
    while (at < text.length && text[at] !== '}') {
      const key = at;
      skipString();
      const name = JSON.parse(text.slice(key, at)) as string;
      skipSpace();
      at++;
      value(joinPath(path, name), key);
      skipComma();
    }
    at++;
  }

  function items(path: string): void {
    at++;
    skipSpace();
    for (let nth = 0; at < text.length && text[at] !== ']'; nth++) {
      value(`${path}[${nth}]`, undefined);
      skipComma();
    }
    at++;
  }

  function skipString(): void {
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    at++;
  }

  function skipComma(): void {
    if (text[at] === ',') at++;
    skipSpace();
  }

  function skipSpace(): void {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  }
}

/** Reads a JSON or YAML file: JSON by its name, which is fifty times as fast, everything else as YAML. */
export function parseDataFile(text: string, file: string): Result<DataDocument, readonly Problem[]> {
  if (!file.toLowerCase().endsWith('.json')) return parseDocument(text, file);
  let data: JsonValue;
  try {
    data = JSON.parse(text) as JsonValue;
  } catch {
    return explainJson(text, file);
  }
  if (isDeeperThan(data, depthMax)) {
    const place = placeAtOffset(file, text, 0);
    return fail([{ code: 'yaml-too-deep', path: '', place, facts: { limit: depthMax } }]);
  }
  return ok({ data, locate: createLocate(text, file, () => indexJson(text)) });
}

/** JSON is YAML, and the YAML parser tells the place of what is wrong. */
function explainJson(text: string, file: string): Result<never, readonly Problem[]> {
  const document = parseDocument(text, file);
  if (!document.ok) return document;
  const facts = { cause: 'JSON' };
  return fail([{ code: 'yaml-syntax', path: '', place: placeAtOffset(file, text, 0), facts }]);
}

function isDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const item of Object.values(value)) if (isDeeperThan(item, depth - 1)) return true;
  return false;
}
