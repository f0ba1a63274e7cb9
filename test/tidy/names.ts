import {
  isClassDeclaration,
  isEnumDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Finding, findingAt, isTest, type Source } from './source.ts';

/** Names that are still exported by several files. The list only gets shorter. */
const knownDuplicates: ReadonlySet<string> = new Set([
  'Disk',
  'Draft',
  'Face',
  'Field',
  'Moment',
  'Outcome',
  'Progress',
  'ReadOptions',
  'Refreshed',
  'Report',
  'RunPlace',
  'Said',
  'Step',
  'Style',
  'Told',
  'Way',
  'act',
  'adoptFiles',
  'answerCheckpoint',
  'answerEffects',
  'applyAgent',
  'applyDecision',
  'applyEdits',
  'attempt',
  'blockTask',
  'briefJsonSchema',
  'cancelRun',
  'collectGarbage',
  'completeTask',
  'completeWords',
  'count',
  'definePipeline',
  'diffAttempts',
  'diffRuns',
  'endOf',
  'examineWorkspace',
  'explainReason',
  'failTask',
  'findCandidates',
  'fitting',
  'folderOf',
  'followLogs',
  'gatherPage',
  'heartbeat',
  'initWorkspace',
  'inspectRun',
  'isClosed',
  'isHash',
  'isResumable',
  'listAgents',
  'listCheckpoints',
  'listReasons',
  'listRuns',
  'main',
  'migrateBrief',
  'nextTask',
  'pathOf',
  'pausedWords',
  'planAgent',
  'planPipeline',
  'readArtifact',
  'readTime',
  'readValue',
  'recordDecision',
  'recordSummary',
  'releaseTask',
  'repairRun',
  'resetRuns',
  'restoreAttempt',
  'resumeReport',
  'run',
  'runPipeline',
  'showBrief',
  'showCheckpoint',
  'showCost',
  'showDiff',
  'showGraph',
  'showHistory',
  'showLogs',
  'showManyLogs',
  'showPrompt',
  'showStatus',
  'describeFolder',
  'stepOf',
  'taskCounts',
  'unblockTask',
  'undoDecision',
  'verifyRun',
  'watchStatus',
  'whyStep',
  'whySteps',
]);

/** A name means one thing in the whole of `src/`: no two files export the same one. Re-exports do not count. */
export function checkExportedNames(sources: readonly Source[], known = knownDuplicates): Finding[] {
  const first = new Map<string, string>();
  const findings: Finding[] = [];
  for (const source of sources) {
    if (!source.path.startsWith('src/') || isTest(source)) continue;
    for (const { name, node } of exportsOf(source)) {
      const other = first.get(name) ?? source.path;
      first.set(name, other);
      if (other === source.path || known.has(name)) continue;
      findings.push(findingAt(source, node, `${other} exports ${name}, too`));
    }
  }
  return findings;
}

function* exportsOf(source: Source): Generator<{ readonly name: string; readonly node: Node }> {
  for (const node of source.tree.statements) {
    const isExported =
      'modifiers' in node &&
      (node.modifiers as readonly Node[] | undefined)?.some(({ kind }) => kind === SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    if (isVariableStatement(node)) {
      for (const { name } of node.declarationList.declarations)
        if (isIdentifier(name)) yield { name: name.text, node };
    } else if (
      isFunctionDeclaration(node) ||
      isClassDeclaration(node) ||
      isInterfaceDeclaration(node) ||
      isTypeAliasDeclaration(node) ||
      isEnumDeclaration(node)
    ) {
      if (node.name !== undefined) yield { name: node.name.text, node };
    }
  }
}
