import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testFace } from '../../../test/support/test-face.ts';
import { exampleNames } from '../../engine/examples/examples.ts';
import type { InitAnswer } from '../../engine/examples/init.ts';
import { run } from '../../index.ts';
import { initCommand } from './init.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-init-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));

const init = (name = 'minimal', into = folder) =>
  initCommand.perform({ command: 'init', arguments: [name, into], options: {} }, testFace());

test('what it writes runs at once, and a second run has nothing to do', async () => {
  const written = await init();
  expect(written).toMatchObject({
    ok: true,
    value: {
      answer: { example: 'minimal', manifest: 'pawl.yaml' },
    },
  });
  expect(await run({ path: folder })).toMatchObject({
    ok: true,
    value: { kind: 'new', heading: { status: 'completed' }, ran: { succeeded: 6, failed: 0 } },
  });
  expect(readFileSync(join(folder, 'cards/lisbon.md'), 'utf8')).toBe(
    'Dear all,\nGreetings from Lisbon, where there is sun.\nYours, polish\n',
  );
  expect(await run({ path: folder })).toMatchObject({ ok: true, value: { kind: 'unchanged' } });
});

test('an existing file keeps all others away and stays as it is', async () => {
  writeFileSync(join(folder, 'README.md'), 'mine');
  expect(await init('minimal')).toMatchObject({
    ok: false,
    failure: { reason: 'files-exist', files: ['README.md'] },
  });
  expect(existsSync(join(folder, 'pawl.yaml'))).toBe(false);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
});

test('an unknown example', async () => {
  const valid = ['minimal', 'book', 'sprites', 'agents', 'feature'];
  const unknown = (name: string, near: string[]) => ({
    ok: false,
    failure: { reason: 'unknown-example', name, valid, near },
  });
  expect(await init('bok')).toEqual(unknown('bok', ['book']));
  expect(await init('demo')).toEqual(unknown('demo', []));
});

test('the manifest names the schema of this version', async () => {
  await init();
  const [first = ''] = readFileSync(join(folder, 'pawl.yaml'), 'utf8').split('\n');
  expect(first).toMatch(/^# yaml-language-server: \$schema=.*schema\/pawl\.schema\.json$/);
});

test('every example that says what it is can be asked for', () => {
  const described = readdirSync(join(root, 'examples')).filter((name) =>
    existsSync(join(root, 'examples', name, 'example.json')),
  );
  expect(described.sort()).toEqual([...exampleNames].sort());
});

test.each([
  ['minimal', 'pawl.yaml'],
  ['agents', 'pawl.yaml'],
  ['book', 'pawl.yaml'],
  ['feature', 'pawl.yaml'],
  ['sprites', 'blaze-idle.yaml'],
])('the example %s, as a fresh clone has it', async (name, manifest) => {
  const example = join(root, 'examples', name);
  const tracked = filesOfClone(example);
  const written = await init(name);
  const files = expect.arrayContaining([manifest, '.gitignore']);
  expect(written).toMatchObject({ ok: true, value: { answer: { example: name, manifest, files } } });
  const answer = written.ok ? (written.value.answer as InitAnswer) : undefined;
  expect(answer?.first).toHaveLength(3);
  expect(answer?.first.slice(0, 2)).toEqual(['README.md', manifest]);
  expect(answer?.files).toEqual(expect.arrayContaining([...(answer?.first ?? ['none'])]));
  expect(filesBelow(folder)).toEqual(tracked);
  for (const path of tracked.filter((file) => !file.endsWith('.yaml'))) {
    expect(readFileSync(join(folder, path)).equals(readFileSync(join(example, path))), path).toBe(true);
  }
});

test.each([
  ['minimal', ['pawl.yaml']],
  ['agents', ['pawl.yaml']],
  ['book', ['pawl.yaml']],
  ['feature', ['pawl.yaml']],
  ['sprites', ['blaze-idle.yaml', 'ember-walk.yaml']],
])('the manifests of %s differ only in where their schema is', async (name, manifests) => {
  await init(name);
  for (const manifest of manifests) {
    const [first = '', ...rest] = readFileSync(join(folder, manifest), 'utf8').split('\n');
    const original = readFileSync(join(root, 'examples', name, manifest), 'utf8').split('\n');
    expect(rest).toEqual(original.slice(1));
    expect(resolve(folder, first.split('$schema=')[1] ?? '')).toBe(join(root, 'schema/pawl.schema.json'));
  }
});

test('a book written from a copy of the example', async () => {
  await init('book');
  vi.stubEnv('BOOK_PAUSE_MS', '0');
  const ran = await run({ path: folder });
  vi.unstubAllEnvs();
  expect(ran).toMatchObject({ ok: true, value: { kind: 'new', heading: { status: 'completed' } } });
});

test('a file where a folder belongs keeps all others away', async () => {
  writeFileSync(join(folder, 'templates'), 'mine');
  symlinkSync('nowhere', join(folder, 'phases.mjs'));
  expect(await init('sprites')).toMatchObject({
    ok: false,
    failure: { reason: 'files-exist', files: ['phases.mjs', 'templates'] },
  });
  expect(filesBelow(folder)).toEqual(['templates']);
});

test('a folder that is a file', async () => {
  writeFileSync(join(folder, 'demo'), 'mine');
  expect(await init('sprites', join(folder, 'demo'))).toMatchObject({
    ok: false,
    failure: { reason: 'files-exist', files: ['demo'] },
  });
  expect(readFileSync(join(folder, 'demo'), 'utf8')).toBe('mine');
});

/** What git has, or would take: not what a run made. */
function filesOfClone(path: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: path, encoding: 'utf8' }).split('\0');
  return listed
    .filter((file) => file !== '' && file !== 'example.json' && existsSync(join(path, file)))
    .sort();
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}
