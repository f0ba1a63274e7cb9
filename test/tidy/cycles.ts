import { importsOf } from './imports.ts';
import type { Finding, Source } from './source.ts';

/** Rings of files that import one another, each told at the import that closes it. Types count as well. */
export function checkCycles(sources: readonly Source[]): Finding[] {
  const graph = new Map(sources.map((source) => [source.path, edgesOf(source)]));
  const findings: Finding[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];

  for (const path of [...graph.keys()].sort()) walk(path);
  return findings;

  function walk(path: string): void {
    if (finished.has(path)) return;
    trail.push(path);
    for (const edge of graph.get(path) ?? []) {
      const start = trail.indexOf(edge.to);
      if (start < 0) walk(edge.to);
      else
        findings.push({
          path,
          line: edge.line,
          message: `an import cycle: ${[...trail.slice(start), edge.to].join(' → ')}`,
        });
    }
    trail.pop();
    finished.add(path);
  }
}

interface Edge {
  readonly to: string;
  readonly line: number;
}

function edgesOf(source: Source): Edge[] {
  return importsOf(source).flatMap((found) =>
    found.path === undefined ? [] : [{ to: found.path, line: found.line }],
  );
}
