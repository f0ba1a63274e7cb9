import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

/** One parsed file of the project. */
export interface Source {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly text: string;
  readonly tree: SourceFile;
}

/** What breaks a rule, and where. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** `src/base/hash.ts:12 a default export`: what an editor can jump to. */
export function formatFinding(finding: Finding): string {
  return `${finding.path}:${finding.line} ${finding.message}`;
}

export function findingAt(source: Source, node: Node, message: string): Finding {
  return { path: source.path, line: lineOf(source, node.getStart(source.tree)), message };
}

/** Counted from 1. */
export function lineOf(source: Source, position: number): number {
  return source.tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** Calls back for the node and everything below it, parents first. */
export function visit(node: Node, each: (node: Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

export function isTest(source: Source): boolean {
  return source.path.endsWith('.test.ts');
}

/** The text of every code file under the given folders of the project, by path. */
export function readTexts(root: string, folders: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(?:ts|js|mjs)$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      texts[file.slice(root.length + 1).replaceAll('\\', '/')] = readFileSync(file, 'utf8');
    }
  }
  return texts;
}

/** Parses with the compiler itself. Nothing is resolved or type-checked, so it takes milliseconds. */
export function parse(texts: Readonly<Record<string, string>>): Source[] {
  const paths = Object.keys(texts);
  const root = '/tidy';
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${root}/${path}`, text]));
  const compilerOptions = {
    allowJs: true,
    noLib: true,
    noResolve: true,
    types: [],
    target: 'es2023',
    module: 'nodenext',
  };
  files[`${root}/tsconfig.json`] = JSON.stringify({ compilerOptions, files: paths });
  const api = new API({ cwd: root, fs: createVirtualFileSystem(files) });
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects()[0];
    return paths.map((path) => {
      const tree = project?.program.getSourceFile(`${root}/${path}`);
      if (tree === undefined) throw new Error(`the compiler did not parse ${path}`);
      return { path, text: texts[path] ?? '', tree };
    });
  } finally {
    api.close();
  }
}
