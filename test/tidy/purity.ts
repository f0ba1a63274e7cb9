import {
  isBindingElement,
  isFunctionDeclaration,
  isIdentifier,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isQualifiedName,
  isVariableDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { importsOf } from './imports.ts';
import { type Finding, findingAt, isTest, type Source, visit } from './source.ts';

const pureFolders = [
  'model',
  'ledger',
  'pipeline',
  'planner',
  'projections/brief',
  'projections/status-page',
  'import/brief-v1',
  'import/status-page',
  'text',
];

/** Where time, chance and the outside world come in. Pure folders get them as arguments. */
const impureNames = new Set([
  'Date',
  'performance',
  'process',
  'console',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'globalThis',
  'systemClock',
  'systemIds',
]);

const memberKinds = new Set([
  SyntaxKind.PropertyAssignment,
  SyntaxKind.PropertySignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.MethodDeclaration,
]);

/** Everything that makes a pure folder depend on more than its arguments. */
export function checkPurity(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => !isTest(source))
    .flatMap((source) => {
      const folder = pureFolderOf(source);
      return folder === undefined ? [] : [...checkModules(source, folder), ...checkNames(source, folder)];
    });
}

function pureFolderOf({ path }: Source): string | undefined {
  return pureFolders.find((folder) => path.startsWith(`src/${folder}/`));
}

function checkModules(source: Source, folder: string): Finding[] {
  return importsOf(source)
    .filter((found) => found.specifier.startsWith('node:'))
    .map(({ line, specifier }) => ({
      path: source.path,
      line,
      message: `${folder} is pure: no ${specifier}`,
    }));
}

function checkNames(source: Source, folder: string): Finding[] {
  const findings: Finding[] = [];
  const declared = declaredNames(source);
  const complain = (node: Node, name: string) =>
    findings.push(findingAt(source, node, `${folder} is pure: no ${name}`));
  visit(source.tree, (node) => {
    if (isPropertyAccessExpression(node) && node.getText(source.tree) === 'Math.random')
      complain(node, 'Math.random');
    if (!isIdentifier(node) || !impureNames.has(node.text) || declared.has(node.text)) return;
    if (!isMemberName(node)) complain(node, node.text);
  });
  return findings;
}

/** `fact.process` and `{ process: 1 }` only share the spelling. */
function isMemberName(node: Node): boolean {
  const { parent } = node;
  if (isPropertyAccessExpression(parent)) return parent.name === node;
  if (isQualifiedName(parent)) return parent.right === node;
  if (isBindingElement(parent)) return parent.propertyName === node;
  return memberKinds.has(parent.kind) && 'name' in parent && parent.name === node;
}

/** A name that the file itself declares is not the global one. */
function declaredNames(source: Source): Set<string> {
  const names = new Set<string>();
  visit(source.tree, (node) => {
    const isDeclaration =
      isVariableDeclaration(node) ||
      isParameterDeclaration(node) ||
      isBindingElement(node) ||
      isFunctionDeclaration(node);
    if (isDeclaration && node.name !== undefined && isIdentifier(node.name)) names.add(node.name.text);
  });
  return names;
}
