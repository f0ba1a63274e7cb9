import { importsOf } from './imports.ts';
import { type Finding, isTest, type Source } from './source.ts';

/** Folders whose parts still import each other. The list only gets shorter. */
const knownFolderCycles: ReadonlySet<string> = new Set();

/**
 * In every folder, its subfolders and the files beside them must have an order in which each imports only earlier ones.
 * A file and the imports of a folder as a whole count alike, so that a folder cannot reach back through its parent.
 */
export function checkFolderCycles(sources: readonly Source[], known = knownFolderCycles): Finding[] {
  const imports = sources
    .filter((source) => source.path.startsWith('src/') && !isTest(source))
    .flatMap((source) =>
      importsOf(source).flatMap(({ path, line }) =>
        path === undefined ? [] : [{ from: source.path, to: path, line }],
      ),
    );
  const folders = new Set(imports.flatMap(({ from }) => foldersAbove(from)));
  return [...folders].sort().flatMap((folder) => (known.has(folder) ? [] : cycleIn(folder, imports)));
}

interface FileImport {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function cycleIn(folder: string, imports: readonly FileImport[]): Finding[] {
  const graph = new Map<string, Map<string, FileImport>>();
  for (const one of imports) {
    const from = partIn(folder, one.from);
    const to = partIn(folder, one.to);
    if (from === undefined || to === undefined || from === to) continue;
    const edges = graph.get(from) ?? new Map<string, FileImport>();
    graph.set(from, edges.has(to) ? edges : edges.set(to, one));
  }
  const finished = new Set<string>();
  const trail: string[] = [];
  const findings: Finding[] = [];
  for (const part of [...graph.keys()].sort()) walk(part);
  return findings;

  function walk(part: string): void {
    if (finished.has(part)) return;
    trail.push(part);
    for (const [to, { from: path, line }] of graph.get(part) ?? []) {
      const start = trail.indexOf(to);
      if (start < 0) walk(to);
      else {
        const ring = [...trail.slice(start), to].join(' → ');
        findings.push({ path, line, message: `parts of ${folder} import each other: ${ring}` });
      }
    }
    trail.pop();
    finished.add(part);
  }
}

/** The subfolder of a folder that a file is in, or its name where it is directly in the folder. */
function partIn(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}
