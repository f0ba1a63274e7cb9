// Prints which folders of src/ import which, as a Mermaid picture for ARCHITECTURE.md. `--write` puts it there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pagePath = join(root, 'ARCHITECTURE.md');
const begin = '<!-- graph: npm run graph -- --write -->';
const end = '<!-- graph: end -->';

const picture = drawGraph(withoutDetours(importsByFolder()));
if (process.argv.includes('--write')) writePicture(picture);
else process.stdout.write(`${picture}\n`);

/** The folders directly in src/, each with those that its files import. */
function importsByFolder() {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const file of sourceFiles()) {
    const from = folderOf(file);
    const imported = graph.get(from) ?? new Set();
    graph.set(from, imported);
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /['"](\.\.?\/[^'"]+\.ts)['"]/g,
    )) {
      const path = posix.join(posix.dirname(file), specifier);
      if (path.startsWith('src/') && folderOf(path) !== from) imported.add(folderOf(path));
    }
  }
  return graph;
}

function sourceFiles() {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function folderOf(/** @type {string} */ file) {
  return file.split('/')[1] ?? '';
}

/** Leaves out an import that another one implies: the picture shows the layers, not every line. */
function withoutDetours(/** @type {Map<string, Set<string>>} */ graph) {
  const isReached = (
    /** @type {string} */ from,
    /** @type {string} */ to,
    /** @type {Set<string>} */ seen,
  ) => {
    if (seen.has(from)) return false;
    seen.add(from);
    for (const next of graph.get(from) ?? []) if (next === to || isReached(next, to, seen)) return true;
    return false;
  };
  return new Map(
    [...graph].map(([from, imported]) => {
      const direct = [...imported].filter(
        (to) => ![...imported].some((other) => other !== to && isReached(other, to, new Set([from]))),
      );
      return [from, direct.sort()];
    }),
  );
}

function drawGraph(/** @type {Map<string, string[]>} */ graph) {
  const lines = [...graph].flatMap(([from, imported]) =>
    imported.map((to) => `  ${nameOf(from)} --> ${nameOf(to)}`),
  );
  return ['```mermaid', 'graph TD', ...lines.sort(), '```'].join('\n');
}

function nameOf(/** @type {string} */ folder) {
  return folder.replace('.ts', '');
}

function writePicture(/** @type {string} */ text) {
  const page = readFileSync(pagePath, 'utf8');
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`no place for the picture in ${pagePath}`);
  writeFileSync(pagePath, `${before}${begin}\n${text}\n${end}${after}`);
}
