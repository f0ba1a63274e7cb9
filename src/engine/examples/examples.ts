import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/program.ts';

/**
 * The workspaces of `examples/` that `pawl init` writes, the simplest first. What is particular about each stands in
 * its own folder, as `example.json`: nothing here knows what a book is.
 */
export const exampleNames = ['minimal', 'book', 'sprites', 'agents', 'feature'] as const;

export type ExampleName = (typeof exampleNames)[number];

export interface ExampleWorkspace {
  /** The manifest to begin with. */
  readonly manifest: string;
  /** By path, the content of each file, as a fresh clone has it. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Of these, what to read first. */
  readonly first: readonly string[];
}

/** `schema` is where the copy finds the JSON Schema of a manifest. */
export function readExample(name: ExampleName, schema: string): ExampleWorkspace {
  const root = `${packageRoot}examples/${name}`;
  const { manifest, first, made }: Description = JSON.parse(readFileSync(`${root}/${description}`, 'utf8'));
  const files: Record<string, string | Uint8Array> = {};
  // npm leaves a `.gitignore` out of every package.
  files['.gitignore'] = ['# Everything here is made by a run.', ...made, ''].join('\n');
  for (const path of filesBelow(root, new Set(made.map((entry) => entry.replace('/', ''))))) {
    const bytes = readFileSync(join(root, path));
    files[path] = path.endsWith('.yaml') ? withSchema(bytes.toString('utf8'), schema) : bytes;
  }
  return { manifest, files, first };
}

/** Of this package, so it is as written: a test reads each. */
interface Description {
  readonly manifest: string;
  readonly first: readonly string[];
  /** What a run makes: in a clone that was worked in, it lies beside the sources. */
  readonly made: readonly string[];
}

const description = 'example.json';

/** `/`-separated, sorted by code unit. */
function filesBelow(root: string, skipped: ReadonlySet<string>): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.gitignore' && entry.name !== description)
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !skipped.has(path.split('/', 1)[0] ?? ''))
    .sort();
}

/** The copy lies elsewhere: its editor has to find the schema from there. */
function withSchema(manifest: string, schema: string): string {
  return manifest.replace(/^(# yaml-language-server: \$schema=).*/, (_, comment) => `${comment}${schema}`);
}
