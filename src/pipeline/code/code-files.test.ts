import { describe, expect, it } from 'vitest';
import { loadText } from '../../../test/fixtures/manifests.ts';
import { type MemoryFile, memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { hashBytes } from '../../base/hash.ts';
import { loadPipeline } from '../load.ts';

type Files = Readonly<Record<string, MemoryFile>>;

const manifest = (phase: string, more = '') =>
  `pawl: 1\npipeline: p\nunits: { list: [u, v], order: chain }\n${more}\nphases:\n  a: { ${phase}, outputs: { o: "out/{unit}.txt" } }\n`;

/** Paths of the code of the phase; those of files that are not there with a question mark. */
async function codeOf(phase: string, files: Files, more = ''): Promise<string[] | undefined> {
  const { statics } = await loadText(manifest(phase, more), files);
  const code = statics.get('a')?.code;
  return code && [...code].map(([path, hash]) => (hash === undefined ? `${path}?` : path));
}

const command = (...argv: string[]) => `run: { command: ${JSON.stringify(argv)} }`;
const tool = command('node', 'tool.mjs');

describe('the code of a function', () => {
  it('is its module, and what that imports, and what that imports', async () => {
    const files = {
      'src/phases.mjs': "import './a.mjs';\nimport 'package'; import fs from 'node:fs';",
      'src/a.mjs': "export * from '../lib/b.js'; import './phases.mjs';",
      'lib/b.js': "const c = require('./c'); require('./data');",
      'lib/c/index.js': "import('./gone.mjs')",
      'lib/data.json': '{ "import": "./other.json" }',
      'lib/other.json': '{}',
    };
    expect(await codeOf('run: { function: "src/phases.mjs#x" }', files)).toEqual([
      'lib/b.js',
      'lib/c/gone.mjs?',
      'lib/c/index.js',
      'lib/data.json',
      'src/a.mjs',
      'src/phases.mjs',
    ]);
  });

  it('is known by the hash of its bytes', async () => {
    const { statics } = await loadText(manifest('run: { function: "a.mjs#x" }'), { 'a.mjs': 'export let x' });
    expect(statics.get('a')?.code).toEqual(new Map([['a.mjs', hashBytes('export let x')]]));
  });

  it('may be written in TypeScript, which names modules by what they are compiled to', async () => {
    const files = {
      'a.ts':
        "import './b.js'; import './c'; import './d.mjs'; import './e.js'; import type { F } from './f.js'",
      'b.ts': '',
      'b.js': '',
      'c.tsx': "import './g.jsx'; export const c = <b>it's</b>;",
      'd.mts': '',
      'e.js': '',
      'f.ts': '',
      'g.tsx': '',
    };
    const code = ['a.ts', 'b.ts', 'c.tsx', 'd.mts', 'e.js', 'f.ts', 'g.tsx'];
    expect(await codeOf('run: { function: "a.ts#x" }', files)).toEqual(code);
  });

  it('is missing where its module is', async () => {
    expect(await codeOf('run: { function: "a.mjs#x" }', {})).toEqual(['a.mjs?']);
  });

  it('ends at the border of the workspace, and at packages', async () => {
    const files = {
      'a.mjs': "import '../up.mjs'; import './linked/b.mjs'; import './node_modules/c/c.mjs';",
      'linked/b.mjs': '',
      'node_modules/c/c.mjs': '',
    };
    const reader = memoryReader({ ...files, 'pawl.yaml': manifest('run: { function: "a.mjs#x" }') }, [
      'linked',
    ]);
    const loaded = await loadPipeline(reader, 'pawl.yaml');
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
    expect([...(loaded.value.statics.get('a')?.code?.keys() ?? [])]).toEqual(['a.mjs']);
  });

  it('has so many files and no more', async () => {
    const names = Array.from({ length: 1200 }, (_, nth) => `m${nth}.mjs`);
    const files = Object.fromEntries(names.map((name) => [name, '']));
    const text = names.map((name) => `import './${name}';`).join('\n');
    const code = await codeOf('run: { function: "a.mjs#x" }', { ...files, 'a.mjs': text });
    expect(code).toHaveLength(1000);
    expect(code).toContain('m998.mjs');
    expect(code).not.toContain('m999.mjs');
  });
});

describe('the code of a command', () => {
  it('is every file that a word names, and what a script of JavaScript imports', async () => {
    const files = { 'tool.mjs': "import './lib.mjs'", 'lib.mjs': '', 'gen.py': 'import lib', 'lib.py': '' };
    expect(await codeOf(tool, files)).toEqual(['lib.mjs', 'tool.mjs']);
    expect(await codeOf(command('python3', './gen.py', 'node'), { ...files, node: '' })).toEqual([
      'gen.py',
      'node',
    ]);
    expect(await codeOf(command('python3', './gen.py'), {})).toEqual(['gen.py?']);
  });

  it('is nothing where it is no file of the workspace', async () => {
    expect(await codeOf(command('cat', 'none.txt'), { cat: '' })).toEqual([]);
    expect(await codeOf(command('cat', '../a.txt', '/etc/hosts'), {})).toEqual([]);
  });

  it('is no data, and no file that the pipeline names otherwise', async () => {
    const files = {
      'tool.mjs': '',
      'rules.md': '',
      'spec.json': '{}',
      'seed.json': '{}',
      'out/u.txt': '',
      'out/w.txt': '',
      'data.db': new Uint8Array([1, 0, 2]),
      'huge.csv': 'x'.repeat(5_000_000),
    };
    const words = [...Object.keys(files), 'pawl.yaml', 'state.json', 'state/u.json', 'log/v.json', 'p.md'];
    const more =
      'inputs: { rules: rules.md }\nstate: { path: state.json, initial: seed.json }\nlayout: { ledger: "log/{unit}.json" }';
    const made = { 'state.json': '', 'state/u.json': '', 'log/v.json': '', 'p.md': 'Write.' };
    const phase = `${command('node', ...words)}, prompt: p.md, state: write`;
    expect(await codeOf(phase, { ...files, ...made }, more)).toEqual(['out/w.txt', 'spec.json', 'tool.mjs']);
  });
});

describe('code that the manifest names', () => {
  it('is added as it is, also where it is not there', async () => {
    const files = { 'tool.mjs': '', 'lib.mjs': "import './more.mjs'", 'more.mjs': '' };
    expect(await codeOf(`${tool}, code: { files: [lib.mjs, gone.py] }`, files)).toEqual([
      'gone.py?',
      'lib.mjs',
      'tool.mjs',
    ]);
    expect(await codeOf(tool, files, 'code: { files: [more.mjs] }')).toEqual(['more.mjs', 'tool.mjs']);
  });

  it('is followed where the command names it too', async () => {
    const files = { 'tool.mjs': "import './more.mjs'", 'more.mjs': '' };
    expect(await codeOf(`${tool}, code: { files: [tool.mjs] }`, files)).toEqual(['more.mjs', 'tool.mjs']);
  });

  it('makes up all that is known of the code of others', async () => {
    expect(await codeOf('run: { task: writer }', {})).toBeUndefined();
    const phase = 'run: { task: writer }, code: { files: [guide.md] }';
    expect(await codeOf(phase, { 'guide.md': '' })).toEqual(['guide.md']);
  });

  it('is not tracked where the manifest says so', async () => {
    expect(await codeOf(`${tool}, code: ignore`, { 'tool.mjs': '' })).toBeUndefined();
    expect(await codeOf(`${tool}, code: keep`, { 'tool.mjs': '' }, 'code: ignore')).toEqual(['tool.mjs']);
  });
});
