import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DiskCall, type Fault, MemoryDisk } from '../../test/memory/memory-disk.ts';
import { systemIds } from '../base/ids.ts';
import type { Disk } from './disk.ts';
import { nodeDisk } from './node-disk.ts';
import {
  createWhole,
  isTempName,
  makeFolderDurable,
  newTempName,
  replaceFile,
  replaceFileNow,
  writeAll,
} from './write.ts';

const oldBytes = new TextEncoder().encode('the old content');
const newBytes = new TextEncoder().encode('the new content, which is longer');

let disk: MemoryDisk;
beforeEach(() => {
  disk = new MemoryDisk();
  disk.putFile('/work/file', oldBytes);
});

const contentAt = (path: string) => {
  const content = disk.read(path);
  return content === undefined ? undefined : new TextDecoder().decode(content);
};

/** One call of this kind fails, the n-th. */
function failOnce(operation: DiskCall['operation'], fault: Fault, nth = 1): void {
  let seen = 0;
  disk.failWhen((call) => (call.operation === operation && ++seen === nth ? fault : undefined));
}

describe('writeAll', () => {
  test('goes on after short writes, down to one byte at a time', () => {
    disk.failWhen(() => ({ kind: 'short-write', bytes: 1 }));
    const file = disk.create('/work/new');
    writeAll(file, newBytes, '/work/new');
    file.close();
    expect(disk.read('/work/new')).toEqual(newBytes);
  });

  test('takes no progress for a full disk', () => {
    disk.failWhen(() => ({ kind: 'short-write', bytes: 0 }));
    const file = disk.create('/work/new');
    expect(() => writeAll(file, newBytes, '/work/new')).toThrow(
      expect.objectContaining({ code: 'ENOSPC', operation: 'write', path: '/work/new' }),
    );
    file.close();
  });

  test('writes nothing for no bytes', () => {
    disk.failWhen((call) => (call.operation === 'write' ? { kind: 'error', code: 'EIO' } : undefined));
    const file = disk.create('/work/new');
    writeAll(file, new Uint8Array(), '/work/new');
    file.close();
  });
});

describe.each([
  ['durable', (target: Disk, path: string) => replaceFile(target, path, newBytes, { durable: true })],
  ['not durable', (target: Disk, path: string) => replaceFile(target, path, newBytes, { durable: false })],
  ['at once', async (target: Disk, path: string) => replaceFileNow(target, path, newBytes)],
])('replacing a file, %s', (kind, replace) => {
  test('puts the new one in the place of the old one and leaves nothing else', async () => {
    await replace(disk, '/work/file');
    await replace(disk, '/work/another');
    expect(disk.read('/work/file')).toEqual(newBytes);
    expect(disk.list('/work')).toEqual(['another', 'file']);
    expect(disk.openFiles).toBe(0);
    expect(disk.unsynced().length === 0).toBe(kind === 'durable');
  });

  test('works on a real disk', async () => {
    const root = mkdtempSync(join(tmpdir(), 'pawl-write-'));
    try {
      await replace(nodeDisk, join(root, 'file'));
      await replace(nodeDisk, join(root, 'file'));
      expect(nodeDisk.list(root)).toEqual(['file']);
      expect(nodeDisk.read(join(root, 'file'))).toEqual(newBytes);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  test.each(['create', 'write', 'sync', 'rename'] as const)(
    'a failed %s leaves the old file and nothing else',
    async (operation) => {
      if (operation === 'sync' && kind !== 'durable') return;
      failOnce(operation, { kind: 'error', code: 'EIO' });
      await expect(replace(disk, '/work/file')).rejects.toMatchObject({ code: 'EIO', operation });
      expect(disk.read('/work/file')).toEqual(oldBytes);
      expect(disk.list('/work')).toEqual(['file']);
      expect(disk.openFiles).toBe(0);
    },
  );

  test('a disk that fills up in the middle leaves the old file', async () => {
    for (let free = 0; free < newBytes.length; free++) {
      disk.freeBytes = free;
      await expect(replace(disk, '/work/file')).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(disk.read('/work/file')).toEqual(oldBytes);
      expect(disk.list('/work')).toEqual(['file']);
    }
    disk.freeBytes = newBytes.length;
    await replace(disk, '/work/file');
    expect(disk.read('/work/file')).toEqual(newBytes);
  });

  test('the trouble that is told is the first one, not that of tidying up', async () => {
    disk.failWhen((call) => {
      if (call.operation === 'write') return { kind: 'error', code: 'ENOSPC' };
      return call.operation === 'remove' ? { kind: 'error', code: 'EIO' } : undefined;
    });
    await expect(replace(disk, '/work/file')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(disk.read('/work/file')).toEqual(oldBytes);
  });

  test('replaces a link and not what it leads to', async () => {
    disk.putLink('/work/link', 'file');
    await replace(disk, '/work/link');
    expect(disk.stat('/work/link')?.kind).toBe('file');
    expect(disk.read('/work/file')).toEqual(oldBytes);
  });
});

describe.each([true, false])('a temporary file elsewhere (durable: %s)', (durable) => {
  const options = { durable, tempFolder: '/elsewhere' };

  test('is all that a kill could leave', async () => {
    disk.makeFolder('/elsewhere');
    const created: string[] = [];
    disk.failWhen((call) => {
      if (call.operation === 'create') created.push(call.path);
      return undefined;
    });
    await replaceFile(disk, '/work/file', newBytes, options);
    expect(created).toEqual([expect.stringMatching(/^\/elsewhere\/\.pawl-.*\.tmp$/)]);
    expect(disk.read('/work/file')).toEqual(newBytes);
    expect(disk.list('/elsewhere')).toEqual([]);
  });

  test('on another file system gives way to one beside the file', async () => {
    disk.makeFolder('/elsewhere');
    failOnce('rename', { kind: 'error', code: 'EXDEV' });
    await replaceFile(disk, '/work/file', newBytes, options);
    expect(disk.read('/work/file')).toEqual(newBytes);
    expect(disk.list('/elsewhere')).toEqual([]);
    expect(disk.list('/work')).toEqual(['file']);
  });

  test('beside the file is tried once and no more', async () => {
    disk.failWhen((call) => (call.operation === 'rename' ? { kind: 'error', code: 'EXDEV' } : undefined));
    await expect(replaceFile(disk, '/work/file', newBytes, { durable })).rejects.toThrow('EXDEV');
    expect(disk.list('/work')).toEqual(['file']);
  });
});

describe('createWhole', () => {
  test('makes the file when the name is free', async () => {
    expect(await createWhole(disk, '/work/new', newBytes, { tempName: 'temp' })).toBe(true);
    expect(disk.read('/work/new')).toEqual(newBytes);
    expect(disk.list('/work')).toEqual(['file', 'new']);
    expect(disk.unsynced()).toEqual([]);
  });

  test('leaves the file alone when the name is taken', async () => {
    expect(await createWhole(disk, '/work/file', newBytes)).toBe(false);
    expect(disk.read('/work/file')).toEqual(oldBytes);
    expect(disk.list('/work')).toEqual(['file']);
  });

  test('of many at once exactly one is told that it made the file', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createWhole(disk, '/work/new', Uint8Array.of(index))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(disk.read('/work/new')).toEqual(Uint8Array.of(made.indexOf(true)));
  });

  test('a name that was taken by a process killed before its sync is durable at return', async () => {
    failOnce('syncFolder', { kind: 'crash', when: 'before' });
    await expect(createWhole(disk, '/work/new', newBytes)).rejects.toThrow('died');
    const next = disk.kill();
    expect(await createWhole(next, '/work/new', oldBytes)).toBe(false);
    expect(next.crash().read('/work/new')).toEqual(newBytes);
  });

  test('a temporary name that is taken belongs to somebody else', async () => {
    disk.putFile('/work/temp', 'not ours');
    await expect(createWhole(disk, '/work/new', newBytes, { tempName: 'temp' })).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(contentAt('/work/temp')).toBe('not ours');
    expect(disk.stat('/work/new')).toBeUndefined();
  });

  test.each(['write', 'sync', 'link'] as const)('a failed %s leaves nothing', async (operation) => {
    failOnce(operation, { kind: 'error', code: 'EIO' });
    await expect(createWhole(disk, '/work/new', newBytes)).rejects.toMatchObject({ code: 'EIO', operation });
    expect(disk.list('/work')).toEqual(['file']);
    expect(disk.openFiles).toBe(0);
  });

  describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP'])('where a hard link is answered with %s', (code) => {
    beforeEach(() => {
      disk.failWhen((call) => (call.operation === 'link' ? { kind: 'error', code } : undefined));
    });

    test('writes in place, durably', async () => {
      expect(await createWhole(disk, '/work/new', newBytes)).toBe(true);
      expect(disk.read('/work/new')).toEqual(newBytes);
      expect(disk.list('/work')).toEqual(['file', 'new']);
      expect(disk.unsynced()).toEqual([]);
    });

    test('leaves the file alone when the name is taken', async () => {
      expect(await createWhole(disk, '/work/file', newBytes)).toBe(false);
      expect(disk.read('/work/file')).toEqual(oldBytes);
    });

    test('leaves nothing when the disk is full', async () => {
      disk.freeBytes = newBytes.length + 3;
      await expect(createWhole(disk, '/work/new', newBytes)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(disk.list('/work')).toEqual(['file']);
    });
  });
});

describe('makeFolderDurable', () => {
  test('makes all levels durable', async () => {
    await makeFolderDurable(disk, '/work/a/b/c');
    expect(disk.unsynced()).toEqual([]);
    expect(disk.crash().list('/work/a/b')).toEqual(['c']);
  });

  test('after a kill anywhere, the next call makes all levels durable', async () => {
    await makeFolderDurable(disk, '/work/a/b/c');
    const calls = disk.calls;
    for (let number = 1; number <= calls; number++) {
      for (const when of ['before', 'after'] as const) {
        const dying = new MemoryDisk();
        dying.putFile('/work/file', oldBytes);
        dying.failAt(number, { kind: 'crash', when });
        await expect(makeFolderDurable(dying, '/work/a/b/c')).rejects.toThrow('died');
        const next = dying.kill();
        await makeFolderDurable(next, '/work/a/b/c');
        expect(next.unsynced()).toEqual([]);
        expect(next.list('/work/a/b')).toEqual(['c']);
      }
    }
  });

  test('is content with a folder in one that it may not read', async () => {
    disk.failWhen((call) => (call.path === '/' ? { kind: 'error', code: 'EACCES' } : undefined));
    await makeFolderDurable(disk, '/work/a');
    expect(disk.list('/work')).toEqual(['a', 'file']);
  });

  test('passes on every other trouble', async () => {
    disk.failWhen((call) => (call.operation === 'syncFolder' ? { kind: 'error', code: 'EIO' } : undefined));
    await expect(makeFolderDurable(disk, '/work/a')).rejects.toMatchObject({ code: 'EIO' });
    await expect(makeFolderDurable(new MemoryDisk(), '/')).resolves.toBeUndefined();
    const other = new MemoryDisk();
    other.putFile('/file', '');
    await expect(makeFolderDurable(other, '/file')).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolderDurable(other, '/file/below')).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

test('temporary names are known as such and do not repeat', () => {
  const names = Array.from({ length: 100 }, () => newTempName());
  expect(new Set(names).size).toBe(100);
  expect(names.every(isTempName)).toBe(true);
  expect(isTempName(newTempName(systemIds))).toBe(true);
  for (const name of [
    'file',
    '.hidden.tmp',
    '.pawl',
    '.pawl-.tmp',
    `${newTempName()}.bak`,
    `a${newTempName()}`,
  ]) {
    expect(isTempName(name)).toBe(false);
  }
});
