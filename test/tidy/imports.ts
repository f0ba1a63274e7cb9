import { posix } from 'node:path';
import {
  type ImportDeclaration,
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedImports,
  isStringLiteral,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { lineOf, type Source, visit } from './source.ts';

/** One mention of another module. */
export interface Import {
  readonly from: Source;
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** Relative to the project; undefined for a package. */
  readonly path: string | undefined;
  /** Gone after compiling. */
  readonly isType: boolean;
}

/** Every import, re-export, `import()` and `import('…')` type of a file. */
export function importsOf(source: Source): Import[] {
  const imports: Import[] = [];
  visit(source.tree, (node) => {
    const found = moduleOf(node);
    if (found === undefined) return;
    const isRelative = found.specifier.startsWith('.');
    imports.push({
      from: source,
      line: lineOf(source, node.getStart(source.tree)),
      path: isRelative ? posix.join(posix.dirname(source.path), found.specifier) : undefined,
      ...found,
    });
  });
  return imports;
}

function moduleOf(node: Node): { specifier: string; isType: boolean } | undefined {
  if (isImportDeclaration(node)) return named(node.moduleSpecifier, isTypeImport(node));
  if (isExportDeclaration(node)) return named(node.moduleSpecifier, node.isTypeOnly);
  if (isImportTypeNode(node))
    return isLiteralTypeNode(node.argument) ? named(node.argument.literal, true) : undefined;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword)
    return named(node.arguments[0], false);
  return undefined;
}

function named(specifier: Node | undefined, isType: boolean) {
  return specifier !== undefined && isStringLiteral(specifier)
    ? { specifier: specifier.text, isType }
    : undefined;
}

function isTypeImport(node: ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || !isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}
