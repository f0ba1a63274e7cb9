import { Composer, type CST, type Document, Lexer, type ParsedNode, Parser } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Problem, ProblemCode } from '../../model/failure.ts';
import { convertTree, depthMax } from './convert.ts';
import { createLocate, indexTree } from './places.ts';
import { type Facts, type Locate, placeAt } from './problems.ts';

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
  const problem = (code: ProblemCode, offset: number, facts: Facts): Problem => {
    return { code, path: '', place: placeAt(file, text, offset), facts };
  };
  const syntax = parseSyntax(text);
  if (!syntax.ok) return fail([problem('yaml-too-deep', syntax.failure, { limit: depthMax })]);

  const [document, second] = new Composer<ParsedNode>(composeOptions).compose(
    syntax.value,
    true,
    text.length,
  );
  if (document === undefined) throw new Error('a forced document is always composed');
  // What follows a slip is taken for something else, token by token: only the first one is somebody's.
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
