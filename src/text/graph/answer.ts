import { unreachable } from '../../base/result.ts';
import type { GraphAnswer } from '../../engine/observe/task-answers.ts';
import { jsonText, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { bytes, count } from '../style/words.ts';
import { graphMermaid, mermaidMark } from './mermaid.ts';
import { graphSvg, svgMark } from './svg.ts';
import { graphText } from './text.ts';

/** How a graph is shown. */
export type GraphFormat = 'text' | GraphFileFormat;

/** What a graph can be kept as. */
export type GraphFileFormat = 'mermaid' | 'svg' | 'json';

/** The answer of `graph`: the graph, and the file that it was written to. */
type WrittenGraph = GraphAnswer & {
  readonly file: { readonly path: string; readonly bytes: number } | undefined;
};

/** The graph in the format that was asked for; of one that went into a file, where that is. */
export function graphOutput(answer: WrittenGraph, as: GraphFormat, style: Style): string {
  const { file } = answer;
  if (file !== undefined) {
    const good = style.paint.green(style.symbols.good);
    return `${good} ${plain(file.path)}: ${count(answer.tasks.total, 'task')}, ${bytes(file.bytes)}`;
  }
  return as === 'text' ? graphText(answer, style) : graphDocument(answer, as);
}

/** The graph as a document of its own. */
export function graphDocument(answer: GraphAnswer, as: GraphFileFormat): string {
  switch (as) {
    case 'mermaid':
      return graphMermaid(answer);
    case 'svg':
      return graphSvg(answer);
    case 'json':
      return jsonText({ ok: true, command: 'graph', exitCode: 0, ...answer });
    default:
      return unreachable(as);
  }
}

/** What stands near the beginning of every such document, so that Pawl recognizes its own files. */
export function graphMark(as: GraphFileFormat): string {
  switch (as) {
    case 'mermaid':
      return mermaidMark;
    case 'svg':
      return svgMark;
    case 'json':
      return '"command": "graph"';
    default:
      return unreachable(as);
  }
}
