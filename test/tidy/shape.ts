import {
  isExportAssignment,
  isExportSpecifier,
  isFunctionLikeDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Finding, findingAt, isTest, lineOf, type Source, visit } from './source.ts';

const fileLinesMax = 400;
const functionLinesMax = 70;

/** Files and functions that nobody reads in one go. A test is as long as its cases: it is left out. */
export function checkLengths(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => !isTest(source))
    .flatMap((source) => {
      const lines = source.text.trimEnd().split('\n').length;
      const tooLong = `${lines} lines; a file has at most ${fileLinesMax}`;
      const ofFile =
        lines > fileLinesMax ? [{ path: source.path, line: fileLinesMax + 1, message: tooLong }] : [];
      return [...ofFile, ...checkFunctions(source)];
    });
}

/** Default exports: a thing should have one name everywhere. */
export function checkDefaultExports(sources: readonly Source[]): Finding[] {
  return findNodes(sources, 'a default export', (node) => {
    if (node.kind === SyntaxKind.DefaultKeyword) return node.parent.kind !== SyntaxKind.DefaultClause;
    if (isExportSpecifier(node)) return node.name.text === 'default';
    return isExportAssignment(node);
  });
}

/** `any` in a type: whatever it was meant to be is then nowhere checked. */
export function checkAny(sources: readonly Source[]): Finding[] {
  return findNodes(sources, '`any`', (node) => node.kind === SyntaxKind.AnyKeyword);
}

function checkFunctions(source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(source.tree, (node) => {
    if (!isFunctionLikeDeclaration(node)) return;
    const lines = lineOf(source, node.getEnd()) - lineOf(source, node.getStart(source.tree)) + 1;
    if (lines <= functionLinesMax) return;
    findings.push(findingAt(source, node, `${lines} lines; a function has at most ${functionLinesMax}`));
  });
  return findings;
}

function findNodes(sources: readonly Source[], message: string, isBad: (node: Node) => boolean): Finding[] {
  return sources.flatMap((source) => {
    const findings: Finding[] = [];
    visit(source.tree, (node) => {
      if (isBad(node)) findings.push(findingAt(source, node, message));
    });
    return findings;
  });
}
