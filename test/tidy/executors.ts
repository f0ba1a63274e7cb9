import { importsOf } from './imports.ts';
import { type Finding, isTest, type Source } from './source.ts';

/** Where executors live. */
const folders = ['src/runner/executors/', 'src/runner/models/', 'src/runner/execute.ts'];

/** What belongs to the coordinator of a run. */
const forbidden = [
  'src/ledger/',
  'src/store/journal.ts',
  'src/store/file/journal/',
  'src/planner/',
  'src/projections/',
  'src/runner/context.ts',
  'src/runner/attempts/',
];

/**
 * An executor may run in another process, so nothing that it imports, directly or through others, may know of a run. Types
 * count as well, because a parameter of such a type would have to be filled with a run.
 */
export function checkExecutors(sources: readonly Source[]): Finding[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const source of sources)
    if (folders.some((folder) => source.path.startsWith(folder)) && !isTest(source)) walk(source, []);
  return findings;

  function walk(source: Source, way: readonly string[]): void {
    if (seen.has(source.path)) return;
    seen.add(source.path);
    const here = [...way, source.path];
    for (const { path, line } of importsOf(source)) {
      if (path === undefined) continue;
      const next = byPath.get(path);
      if (forbidden.some((one) => path.startsWith(one)))
        findings.push({
          path: source.path,
          line,
          message: `an executor reaches ${[...here, path].join(' → ')}`,
        });
      else if (next !== undefined) walk(next, here);
    }
  }
}
