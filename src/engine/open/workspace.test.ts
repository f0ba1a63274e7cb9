import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demand, failureOf, memoryEnvironment, root } from '../../../test/fixtures/memory.ts';
import { realEnvironment, tempFolder } from '../../../test/fixtures/real.ts';
import { locateManifest } from './locate.ts';
import { openWorkspace } from './workspace.ts';

const manifest =
  'pawl: 1\npipeline: p\nunits: [a]\nphases: { one: { run: { command: [ls] }, outputs: { out: "{unit}.txt" } } }\n';
/** A folder in which something was run. */
const used = (folder: string) => ({
  [`${folder}/pawl.yaml`]: manifest,
  [`${folder}/.pawl/runs/r/events/runner/x`]: '',
});

describe('a manifest', () => {
  it('is found in the folder one is in', () => {
    const env = memoryEnvironment({ 'pawl.yaml': manifest, ...used('below') });
    expect(locateManifest(env, undefined)).toEqual({ ok: true, value: '/work/pawl.yaml' });
  });

  it('is found in a folder that is named, or is named itself', () => {
    const env = memoryEnvironment({ 'book/pawl.yml': manifest, 'other.yaml': manifest });
    expect(locateManifest(env, 'book')).toEqual({ ok: true, value: '/work/book/pawl.yml' });
    expect(locateManifest(env, './other.yaml')).toEqual({ ok: true, value: '/work/other.yaml' });
    expect(locateManifest(env, '/work/book')).toEqual({ ok: true, value: '/work/book/pawl.yml' });
  });

  it('is found below when something was run there, in one place only', () => {
    const env = memoryEnvironment({ ...used('books/ember'), 'books/frost/pawl.yaml': manifest });
    expect(locateManifest(env, undefined)).toEqual({ ok: true, value: '/work/books/ember/pawl.yaml' });
  });

  it('is asked for when several places below would do', () => {
    const env = memoryEnvironment({ ...used('books/ember'), ...used('books/frost'), ...used('sprites') });
    expect(failureOf(locateManifest(env, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['sprites', 'books/ember', 'books/frost'],
    });
  });

  it.each([['.hidden'], ['node_modules/x'], ['a/b/c/d']])('is not looked for in %s', (folder) => {
    const env = memoryEnvironment(used(folder));
    expect(failureOf(locateManifest(env, undefined))).toEqual({
      reason: 'manifest-not-found',
      path: 'pawl.yaml',
    });
  });

  it('is not looked for below a folder that is named', () => {
    const env = memoryEnvironment(used('books/ember'));
    expect(failureOf(locateManifest(env, 'books'))).toEqual({ reason: 'manifest-not-found', path: 'books' });
    expect(failureOf(locateManifest(env, 'nowhere'))).toEqual({
      reason: 'manifest-not-found',
      path: 'nowhere',
    });
  });
});

describe('a workspace', () => {
  it('is the folder of its manifest, shown as people would type it', async () => {
    const env = { ...memoryEnvironment({ 'books/ember/pawl.yaml': manifest }), cwd: '/work/books' };
    const workspace = demand(await openWorkspace(env, { path: 'ember' }));
    expect(workspace).toMatchObject({ root: '/work/books/ember', shownRoot: 'ember', manifest: 'pawl.yaml' });
    expect(workspace.loaded.pipeline.name).toBe('p');
    const here = demand(await openWorkspace({ ...env, cwd: '/work/books/ember' }, {}));
    expect(here.shownRoot).toBe('.');
  });

  it('tells what is wrong with its manifest', async () => {
    const env = memoryEnvironment({ 'pawl.yaml': 'pawl: 1\npipeline: p\n' });
    expect(failureOf(await openWorkspace(env, {}))).toMatchObject({
      reason: 'manifest-invalid',
      file: 'pawl.yaml',
    });
  });

  it('may be a module that exports a pipeline', async () => {
    const pipeline = JSON.stringify({
      pawl: 1,
      pipeline: 'm',
      units: ['a'],
      phases: { one: { run: { inline: 'one' }, outputs: { out: '{unit}.txt' } } },
    });
    const folder = tempFolder({
      'good/pawl.config.mjs': `export const pipeline = { manifest: ${pipeline}, functions: new Map([['one', () => ({ out: 'x' })]]) };`,
      'empty/pawl.config.mjs': 'export const other = 1;',
      'broken/pawl.config.mjs': 'throw new Error("no ink");',
    });
    const open = (name: string) => openWorkspace(realEnvironment(folder), { path: name });
    const good = demand(await open('good'));
    expect(good.loaded.pipeline.name).toBe('m');
    expect([...good.functions.keys()]).toEqual(['one']);
    expect(failureOf(await open('empty'))).toMatchObject({
      reason: 'module-failed',
      detail: 'no export named pipeline',
    });
    expect(failureOf(await open('broken'))).toEqual({
      reason: 'module-failed',
      path: join(folder, 'broken/pawl.config.mjs'),
      detail: 'no ink',
    });
  });
});

describe('the files of a workspace', () => {
  const globbed = (glob: string) =>
    `pawl: 1\npipeline: p\nunits: { glob: "${glob}" }\nphases: { one: { run: { command: [ls] }, outputs: { out: "out/{unit}.txt" } } }\n`;
  const units = async (files: Record<string, string>, glob: string) => {
    const env = memoryEnvironment({ ...files, 'pawl.yaml': globbed(glob) });
    return demand(await openWorkspace(env, {})).loaded.pipeline.stages[0]?.units.map(({ id }) => id);
  };

  it('are found by a glob, in a settled order', async () => {
    const files = { 'src/b.txt': '', 'src/a.txt': '', 'src/c.md': '', 'src/deep/d.txt': '', 'e.txt': '' };
    expect(await units(files, 'src/*.txt')).toEqual(['a', 'b']);
    expect(await units(files, 'src/**/*.txt')).toEqual(['a', 'b', 'd']);
    expect(await units(files, '**/*.txt')).toEqual(['e', 'a', 'b', 'd']);
  });

  it('are not found where no unit can come from', async () => {
    const files = { '.git/a.txt': '', 'node_modules/b.txt': '', '.pawl/c.txt': '', 'd.txt': '' };
    expect(await units(files, '**/*.txt')).toEqual(['d']);
  });

  it('are not read through a link that leads out', async () => {
    const env = memoryEnvironment({
      'pawl.yaml':
        'pawl: 1\npipeline: p\ninputs: { notes: notes.md }\nunits: [a]\nphases: { one: { run: { command: [ls] }, inputs: { notes: notes }, outputs: { out: "{unit}.txt" } } }\n',
    });
    env.disk.putFile('/outside/notes.md', 'secret');
    env.disk.putLink(`${root}/notes.md`, '/outside/notes.md');
    expect(failureOf(await openWorkspace(env, {}))).toMatchObject({
      reason: 'manifest-invalid',
      problems: [{ code: 'path-through-link', path: 'inputs.notes' }],
    });
  });
});
