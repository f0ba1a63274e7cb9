import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  type Node,
} from 'typescript/unstable/ast';
import { type Finding, findingAt, type Source, visit } from './source.ts';

// Put together here, so that this file does not find itself.
const reminder = new RegExp(
  `\\b(?:${['TO', 'FIX'].map((start) => start + (start === 'TO' ? 'DO' : 'ME')).join('|')})\\b`,
);
const testFunctions = new Set(['it', 'test', 'describe', 'suite', 'bench']);
const leftModes = new Set(['only', 'skip', 'todo']);

/** Reminders to oneself: what is left to do stands in an issue, or is done. */
export function checkReminders(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) =>
    source.text.split('\n').flatMap((text, index) => {
      const word = reminder.exec(text)?.[0];
      return word === undefined
        ? []
        : [{ path: source.path, line: index + 1, message: `a leftover ${word}` }];
    }),
  );
}

/** Tests that do not run, or that keep all others from running. `skipIf` and `runIf` say why and are welcome. */
export function checkTestModes(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) => {
    const findings: Finding[] = [];
    visit(source.tree, (node) => {
      if (!isPropertyAccessExpression(node) || !leftModes.has(node.name.text)) return;
      const root = rootOf(node);
      if (isIdentifier(root) && testFunctions.has(root.text)) {
        findings.push(findingAt(source, node, `a leftover .${node.name.text}`));
      }
    });
    return findings;
  });
}

/** `describe` of `describe.concurrent.each(…).only`. */
function rootOf(node: Node): Node {
  if (isPropertyAccessExpression(node) || isCallExpression(node)) return rootOf(node.expression);
  return node;
}
