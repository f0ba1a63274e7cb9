import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demand, failureOf, memoryEnvironment, root } from '../../../test/fixtures/memory.ts';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
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

  it('is found in the nearest folder above', () => {
    const files = { 'pawl.yaml': manifest, 'book/pawl.yaml': manifest, 'book/drafts/deep/a.md': '' };
    const env = { ...memoryEnvironment({ ...files, ...used('ember'), ...used('frost') }), cwd: '/work/book' };
    expect(demand(locateManifest(env, undefined))).toBe('/work/book/pawl.yaml');
    const deep = { ...env, cwd: '/work/book/drafts/deep' };
    expect(demand(locateManifest(deep, undefined))).toBe('/work/book/pawl.yaml');
    expect(failureOf(locateManifest(deep, '.')).reason).toBe('manifest-not-found');
    expect(failureOf(locateManifest({ ...env, cwd: '/' }, undefined)).reason).toBe('which-workspace');
  });

  it('is asked for when there is one above, and something was run below', () => {
    const files = { 'book/pawl.yaml': manifest, ...used('book/drafts/deep/other') };
    const env = memoryEnvironment(files);
    expect(demand(locateManifest({ ...env, cwd: '/work/book' }, undefined))).toBe('/work/book/pawl.yaml');
    expect(failureOf(locateManifest({ ...env, cwd: '/work/book/drafts' }, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['..', 'deep/other'],
    });
  });

  it('is asked for when several lie in the nearest folder above', () => {
    const env = memoryEnvironment({ 'a.yaml': manifest, 'b.yaml': manifest, 'sub/x': '' });
    expect(failureOf(locateManifest({ ...env, cwd: '/work/sub' }, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['../a.yaml', '../b.yaml'],
    });
  });

  it.each([['/work'], ['/work/pawl.yaml']])('is not found above when %s is of somebody else', (foreign) => {
    const env = memoryEnvironment({ 'pawl.yaml': manifest, 'sub/x': '' });
    Object.assign(env.disk, { isOurs: (path: string) => path !== foreign });
    expect(demand(locateManifest(env, undefined))).toBe('/work/pawl.yaml');
    expect(failureOf(locateManifest({ ...env, cwd: '/work/sub' }, undefined)).reason).toBe(
      'manifest-not-found',
    );
  });

  it('is not looked for above a folder with runs of its own', () => {
    const env = memoryEnvironment({ 'pawl.yaml': manifest, 'sub/.pawl/runs/r/events/runner/x': '' });
    expect(failureOf(locateManifest({ ...env, cwd: '/work/sub' }, undefined)).reason).toBe(
      'manifest-not-found',
    );
  });

  it('is listed and not chosen where nothing was run', () => {
    const env = memoryEnvironment({ 'ember/pawl.yaml': manifest, 'books/frost/pawl.yml': manifest });
    expect(failureOf(locateManifest(env, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['ember', 'books/frost'],
    });
    const one = memoryEnvironment({ 'ember/pawl.yaml': manifest });
    expect(failureOf(locateManifest(one, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['ember'],
    });
  });

  it.each([['.hidden'], ['node_modules/x'], ['a/b/c/d']])('is not looked for in %s', (folder) => {
    const env = memoryEnvironment(used(folder));
    expect(failureOf(locateManifest(env, undefined))).toEqual({
      reason: 'manifest-not-found',
      path: 'pawl.yaml',
      near: [],
    });
  });

  it.each([
    ['books', ['books/ember']],
    ['pawl.yml', ['pawl.yaml']],
    ['bokcase', ['bookcase']],
    ['books/embre', ['books/ember']],
    ['nowhere', []],
  ])('at %s is not there, and what may have been meant is told', (path, near) => {
    const files = { 'pawl.yaml': manifest, 'bookcase/pawl.yaml': manifest, 'boxcase/other.yaml': 'a: 1' };
    const env = memoryEnvironment({ ...files, ...used('books/ember') });
    expect(failureOf(locateManifest(env, path))).toEqual({ reason: 'manifest-not-found', path, near });
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

  const taking =
    'pawl: 1\npipeline: p\ninputs: { notes: notes.md }\nunits: [a]\nphases: { one: { run: { command: [ls] }, inputs: { notes: notes }, outputs: { out: "{unit}.txt" } } }\n';

  it('are read through links that stay inside, whatever they are called', async () => {
    const env = memoryEnvironment({ 'pawl.yaml': taking, '..2026/notes.md': 'fine' });
    env.disk.putLink(`${root}/..data`, '..2026');
    env.disk.putLink(`${root}/notes.md`, '..data/notes.md');
    expect((await openWorkspace(env, {})).ok).toBe(true);
  });

  it('are not read through a link that leads out', async () => {
    const env = memoryEnvironment({ 'pawl.yaml': taking });
    env.disk.putFile('/outside/notes.md', 'secret');
    env.disk.putLink(`${root}/notes.md`, '/outside/notes.md');
    expect(failureOf(await openWorkspace(env, {}))).toMatchObject({
      reason: 'manifest-invalid',
      problems: [{ code: 'path-through-link', path: 'inputs.notes' }],
    });
  });
});
