import { describe, expect, it } from 'vitest';
import { countingIds } from '../../../../test/fixtures/memory.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { tempFolder } from '../../../../test/support/temp.ts';
import type { Disk, OpenFile } from '../../../disk/disk.ts';
import { nodeDisk } from '../../../disk/node-disk.ts';
import { tryOperations } from './trial.ts';

function diskWith(folder: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.makeFolder(folder);
  return disk;
}

describe('a trial', () => {
  it('finds nothing wrong with a good disk, and leaves nothing behind', async () => {
    const disk = diskWith('/x');
    const before = disk.fingerprint();
    expect(await tryOperations(disk, '/x', countingIds())).toMatchObject({
      failed: [],
      isCaseSensitive: true,
    });
    expect(disk.list('/x')).toEqual([]);
    expect(disk.fingerprint()).toBe(before);
    expect(disk.openFiles).toBe(0);
  });

  it('does the same on a real one', async () => {
    const folder = tempFolder();
    expect((await tryOperations(nodeDisk, folder, countingIds())).failed).toEqual([]);
    expect(nodeDisk.list(folder)).toEqual([]);
  });

  it.each([
    ['makeFolder', 'EROFS', ['write']],
    ['create', 'EACCES', ['write', 'write']],
    ['write', 'ENOSPC', ['write', 'write']],
    ['sync', 'EIO', ['sync']],
    ['syncFolder', 'EIO', ['sync-folder']],
    ['link', 'EPERM', ['link']],
    ['rename', 'EXDEV', ['rename']],
  ] as const)('says that %s fails, and leaves nothing behind', async (operation, code, expected) => {
    const disk = diskWith('/x');
    disk.failWhen((call) => (call.operation === operation ? { kind: 'error', code } : undefined));
    const { failed } = await tryOperations(disk, '/x', countingIds());
    expect(failed.map((one) => one.operation)).toEqual(expected);
    expect(new Set(failed.map((one) => one.code))).toEqual(new Set([code]));
    expect(disk.list('/x')).toEqual([]);
    expect(disk.openFiles).toBe(0);
  });

  it('names what it could not remove', async () => {
    const disk = diskWith('/x');
    disk.failWhen(({ operation }) =>
      operation === 'remove' ? { kind: 'error', code: 'EACCES' } : undefined,
    );
    const { failed } = await tryOperations(disk, '/x', countingIds());
    const [left] = disk.list('/x') ?? [];
    expect(failed).toEqual([{ operation: 'remove', code: 'EACCES', path: `/x/${left}` }]);
  });

  it('notices names that can be taken twice, and case that does not count', async () => {
    const good = diskWith('/x');
    // What some shared folders do: a second creation succeeds, and FILE is file.
    const careless: Disk = Object.create(good, {
      create: {
        value: (path: string): OpenFile => (good.stat(path) ? good.append(path) : good.create(path)),
      },
      stat: { value: (path: string) => good.stat(path.replace('FILE', 'file')) },
      ...bound(good, ['append', 'link', 'list', 'makeFolder', 'remove', 'rename', 'syncFolder']),
    });
    expect(await tryOperations(careless, '/x', countingIds())).toMatchObject({
      failed: [{ operation: 'exclusive', code: 'taken' }],
      isCaseSensitive: false,
    });
  });

  it('notices a rename that does not replace', async () => {
    const good = diskWith('/x');
    const lazy: Disk = Object.create(good, {
      rename: { value: () => undefined },
      ...bound(good, ['append', 'create', 'link', 'list', 'makeFolder', 'remove', 'stat', 'syncFolder']),
    });
    expect((await tryOperations(lazy, '/x', countingIds())).failed).toMatchObject([
      { operation: 'rename', code: 'gone' },
    ]);
  });
});

/** A disk keeps its state where only its own methods find it. */
function bound(disk: MemoryDisk, names: readonly (keyof Disk & keyof MemoryDisk)[]): PropertyDescriptorMap {
  return Object.fromEntries(names.map((name) => [name, { value: disk[name].bind(disk) }]));
}
