import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashBytes } from '../../base/hash.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { nodeDisk } from '../../disk/node-disk.ts';
import type { ContentStore } from '../../store/content.ts';
import { openContent } from '../../store/open-store.ts';
import { type CollectOptions, collectOutputs } from './collect.ts';

let root: string;
let folder: string;
let store: ContentStore;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-collect-'));
  folder = join(root, 'attempt');
  fs.mkdirSync(join(folder, 'outputs'), { recursive: true });
  store = openContent(nodeDisk, join(root, 'objects'), { durable: false });
});

afterEach(async () => {
  await store.close();
  fs.rmSync(root, { recursive: true, force: true });
});

function collect(names: readonly string[], options?: CollectOptions, disk: Disk = nodeDisk) {
  const expected = names.map((name) => ({ name, file: `outputs/${name}` }));
  return collectOutputs(disk, store, folder, expected, options);
}

function write(name: string, content: string | Uint8Array): void {
  fs.writeFileSync(join(folder, 'outputs', name), content);
}

test('small files are handed over in order, empty ones too', async () => {
  write('b', 'bee');
  write('a', '');
  const result = await collect(['b', 'a']);
  if (!result.ok) return expect.fail(result.failure.reason);
  expect(result.value.map((one) => one?.name)).toEqual(['b', 'a']);
  expect(result.value[0]).toMatchObject({ kind: 'held', bytes: new TextEncoder().encode('bee') });
  expect(result.value[1]).toMatchObject({ kind: 'held', bytes: new Uint8Array() });
});

test('a large file goes into the store and is not held', async () => {
  const bytes = Buffer.alloc(9 * 1024 * 1024, 'pawl');
  write('large', bytes);
  const result = await collect(['large']);
  if (!result.ok) return expect.fail(result.failure.reason);
  expect(result.value).toEqual([
    {
      kind: 'stored',
      name: 'large',
      path: join(folder, 'outputs/large'),
      hash: hashBytes(bytes),
      size: bytes.length,
    },
  ]);
  await store.flush();
  expect(store.has(hashBytes(bytes))).toBe(true);
});

test('what is not there is missing, also when its folder is not', async () => {
  write('a', 'x');
  expect(await collect(['a', 'b'])).toEqual({
    ok: false,
    failure: { reason: 'output-missing', message: '', facts: { output: 'b', path: 'outputs/b' } },
  });
  fs.rmSync(join(folder, 'outputs'), { recursive: true });
  expect(await collect(['a'])).toMatchObject({ failure: { reason: 'output-missing' } });
});

test('a folder, a link or a FIFO is no output, and nothing is waited for', async () => {
  fs.mkdirSync(join(folder, 'outputs/folder'));
  write('real', 'x');
  fs.symlinkSync('real', join(folder, 'outputs/link'));
  fs.symlinkSync('nowhere', join(folder, 'outputs/dangling'));
  execFileSync('mkfifo', [join(folder, 'outputs/fifo')]);
  for (const name of ['folder', 'link', 'dangling', 'fifo']) {
    expect(await collect([name])).toMatchObject({
      failure: { reason: 'output-not-a-file', facts: { output: name } },
    });
  }
});

test('a file reached through a folder that is a link elsewhere is outside', async () => {
  fs.mkdirSync(join(root, 'secret'));
  fs.writeFileSync(join(root, 'secret/a'), 'x');
  fs.rmdirSync(join(folder, 'outputs'));
  fs.symlinkSync(join(root, 'secret'), join(folder, 'outputs'));
  expect(await collect(['a'])).toMatchObject({ failure: { reason: 'output-outside' } });
});

test('the size limit holds, with the facts', async () => {
  write('a', 'eleven byte');
  expect(await collect(['a'], { sizeBytesMax: 11 })).toMatchObject({ ok: true });
  expect(await collect(['a'], { sizeBytesMax: 10 })).toMatchObject({
    failure: { reason: 'output-too-large', facts: { output: 'a', size: 11, limit: 10 } },
  });
});

test.each([
  ['small', { heldBytesMax: 20, sizeBytesMax: 20 }],
  ['large', { heldBytesMax: 5, sizeBytesMax: 20 }],
])('a %s file that grows while it is looked at is too large', async (_, options) => {
  write('a', 'ten bytes.');
  const growing: Disk = {
    ...nodeDisk,
    stat(path) {
      const stat = nodeDisk.stat(path);
      if (path.endsWith('outputs/a')) fs.appendFileSync(path, 'and twenty more bytes');
      return stat;
    },
  };
  expect(await collect(['a'], options, growing)).toMatchObject({ failure: { reason: 'output-too-large' } });
});

test('a file that may not be read is no output', async () => {
  write('a', 'x');
  const forbidden: Disk = {
    ...nodeDisk,
    read: (path) => {
      throw new DiskError('EACCES', 'read', path);
    },
  };
  expect(await collect(['a'], {}, forbidden)).toMatchObject({ failure: { reason: 'output-not-a-file' } });
});
