import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../engine/program.ts';

/** A workspace of `examples/`, which ships with the package. */
interface Example {
  readonly manifest: string;
  /** What a run makes, as `.gitignore` lists it: in a clone that was worked in, it lies beside the sources. */
  readonly made: readonly string[];
}

export const examples: ReadonlyMap<string, Example> = new Map([
  ['agents', { manifest: 'pawl.yaml', made: ['.agent-memory/', '.pawl/', 'work/'] }],
  ['book', { manifest: 'pawl.yaml', made: ['draft/', 'state.json', '.pawl/'] }],
  ['feature', { manifest: 'pawl.yaml', made: ['release/', 'specs/', 'src/', 'test/', '.pawl/'] }],
  ['sprites', { manifest: 'blaze-idle.yaml', made: ['runs/', '.pawl/'] }],
]);

/** The files of an example as a fresh clone has them: by path, the content of each. */
export function exampleWorkspace(
  name: string,
  { made }: Example,
  schema: string,
): Readonly<Record<string, string | Uint8Array>> {
  const root = `${packageRoot}examples/${name}`;
  const files: Record<string, string | Uint8Array> = {};
  for (const path of filesBelow(root, new Set(made.map((entry) => entry.replace('/', ''))))) {
    const bytes = readFileSync(join(root, path));
    files[path] = path.endsWith('.yaml') ? withSchema(bytes.toString('utf8'), schema) : bytes;
  }
  // npm leaves a `.gitignore` out of every package.
  files['.gitignore'] = ['# Everything here is made by a run.', ...made, ''].join('\n');
  return files;
}

/** `/`-separated, sorted by code unit. */
function filesBelow(root: string, skipped: ReadonlySet<string>): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
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
