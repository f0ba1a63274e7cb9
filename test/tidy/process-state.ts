import { isIdentifier, isPropertyAccessExpression } from 'typescript/unstable/ast';
import { type Finding, findingAt, isTest, type Source, visit } from './source.ts';

/** What belongs to a process and not to one call of the command. */
const ofTheProcess = new Set([
  'argv',
  'chdir',
  'cwd',
  'disconnect',
  'env',
  'exit',
  'exitCode',
  'off',
  'on',
  'once',
  'send',
  'stderr',
  'stdin',
  'stdout',
]);

/** Where a process begins, or where a program that uses the library says nothing. Everything else is given these. */
const doors = new Set([
  'src/cli/process-io.ts',
  'src/engine/open/environment.ts',
  // The text of a program that runs inside another one.
  'src/engine/agents/opencode-plugin.ts',
  'src/hooks/main.ts',
  'src/hooks/stdin.ts',
  'src/mcp/main.ts',
]);

/** A call of the command shares its process with others, so it may neither read nor change what belongs to all of them. */
export function checkProcessState(sources: readonly Source[]): Finding[] {
  const behind = sources.filter(
    (source) => source.path.startsWith('src/') && !doors.has(source.path) && !isTest(source),
  );
  return behind.flatMap((source) => {
    const findings: Finding[] = [];
    visit(source.tree, (node) => {
      if (!isPropertyAccessExpression(node) || !ofTheProcess.has(node.name.text)) return;
      if (!isIdentifier(node.expression) || node.expression.text !== 'process') return;
      const message = `process.${node.name.text} comes in through the environment or through io`;
      findings.push(findingAt(source, node, message));
    });
    return findings;
  });
}
