import { isIdentifier, isStringLiteral, type Node, SyntaxKind } from 'typescript/unstable/ast';
import { type Finding, findingAt, lineOf, type Source, visit } from './source.ts';

/** Folders with words of the old dialect in names and comments. The list only gets shorter. */
const knownFolders: ReadonlySet<string> = new Set([
  'bench',
  'bench/figures',
  'bench/jobs',
  'examples/agents',
  'examples/book',
  'examples/feature',
  'examples/library',
  'examples/sprites',
  'scripts',
  'scripts/picture',
  'src',
  'src/engine',
  'src/import',
  'src/projections',
  'src/runner',
  'src/text',
  'test/agents',
  'test/behaviour',
  'test/crash',
  'test/docs',
  'test/faults',
  'test/feature',
  'test/fixtures',
  'test/hooks',
  'test/mcp',
  'test/memory',
  'test/models',
  'test/support',
  'test/telemetry',
  'test/types',
]);

/** Words and phrases that readers stumble over; CONTRIBUTING.md says which plain ones replace them. */
const phrases =
  /\b(?:mends?|mended|mending|anew|amiss|who(?:m)?ever|somebody|nobody|h[au]ngs? on|go(?:es|ne|ing)? on with|stands? in for|(?:is|are|was|were|be|been|being) told|tells? of|that there is none|sittings?|holders?|displaced?|displaces|in hand|lets? go|taken up again|took up again|no longer true|to be had)\b/i;
/** A part of a run; a cell of a table is one. */
const cells = /\bcells?\b/i;
const tables = /table|row|column|markdown/i;
const oldNames = new Set(
  'told mend mended mending sitting sittings whoever somebody nobody holder anew'.split(' '),
);

const literalKinds = new Set([
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);

/** Comments and declared names speak plain English. String literals are messages and formats, and have rules of their own. */
export function checkWords(sources: readonly Source[], known = knownFolders): Finding[] {
  return sources
    .filter(({ path }) => !known.has(folderOf(path)) && !path.startsWith('test/tidy'))
    .flatMap((source) => [...inComments(source), ...inNames(source)]);
}

/** `src/engine` of a file below it; `test` of a file that lies directly in it. */
function folderOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/');
}

function inComments(source: Source): Finding[] {
  const code = withoutLiterals(source);
  return Array.from(code.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)).flatMap((found) => {
    const [comment] = found;
    const word = phrases.exec(comment) ?? (tables.test(comment) ? null : cells.exec(comment));
    const line = lineOf(source, found.index);
    return word === null ? [] : [{ path: source.path, line, message: `a comment says "${word[0]}"` }];
  });
}

/** The text with blanks in place of strings, so that what looks like a comment is one. */
function withoutLiterals({ text, tree }: Source): string {
  let code = text;
  visit(tree, (node) => {
    if (!isStringLiteral(node) && !literalKinds.has(node.kind)) return;
    const [start, end] = [node.getStart(tree), node.getEnd()];
    code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  });
  return code;
}

function inNames(source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(source.tree, (node) => {
    if (!isIdentifier(node) || !isDeclaredName(node)) return;
    const word = node.text.split(/(?=[A-Z])|_/).find((part) => oldNames.has(part.toLowerCase()));
    if (word !== undefined) findings.push(findingAt(source, node, `the name ${node.text} says "${word}"`));
  });
  return findings;
}

const declarations = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.MethodDeclaration,
]);

function isDeclaredName(node: Node): boolean {
  const { parent } = node;
  return declarations.has(parent.kind) && 'name' in parent && parent.name === node;
}
