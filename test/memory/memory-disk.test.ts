import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { newTempName } from '../../src/disk/write.ts';
import { type Fate, MemoryDisk, type UnsyncedEffect } from './memory-disk.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const textAt = (disk: Disk, path: string) => {
  const content = disk.read(path);
  return content === undefined ? undefined : new TextDecoder('latin1').decode(content);
};

function write(disk: Disk, path: string, ...texts: string[]): void {
  const file = disk.append(path);
  for (const text of texts) file.write(bytes(text));
  file.close();
}

/** With one file whose name and bytes are durable. */
function diskWithFile(text: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.putFile('/file', text);
  return disk;
}

/** Every content that the path has in some crash state. */
function contents(disk: MemoryDisk, path: string, limit = 10_000): Set<string | undefined> {
  return new Set([...disk.crashStates(limit)].map((state) => textAt(state.disk, path)));
}

const keepAll = () => 'keep' as const;
const writesOf = (fates: Fate[]) => {
  let next = 0;
  return (effect: UnsyncedEffect): Fate => (effect.kind === 'write' ? (fates[next++] ?? 'drop') : 'keep');
};

describe('bytes', () => {
  test('are lost without a sync and stay with one', async () => {
    const disk = diskWithFile('durable ');
    const file = disk.append('/file');
    file.write(bytes('first '));
    await file.sync();
    file.write(bytes('second'));
    expect(textAt(disk, '/file')).toBe('durable first second');
    expect(textAt(disk.crash(), '/file')).toBe('durable first ');
    expect(textAt(disk.crash(keepAll), '/file')).toBe('durable first second');
  });

  test('written while a sync is under way are not covered by it', async () => {
    const disk = diskWithFile('');
    const file = disk.append('/file');
    file.write(bytes('before '));
    const syncing = file.sync();
    file.write(bytes('meanwhile'));
    expect(textAt(disk.crash(), '/file')).toBe('');
    await syncing;
    expect(textAt(disk.crash(), '/file')).toBe('before ');
  });

  test.each<[string, Fate[], string]>([
    ['dropped at the end: not there', ['keep', 'drop'], 'Abb'],
    ['dropped before what is kept: a hole', ['drop', 'keep'], 'A\0\0cc'],
    ['size without data: zeros', ['keep', 'zeros'], 'Abb\0\0'],
    ['torn', ['keep', { keptBytes: 1 }], 'Abbc'],
    ['torn before what is kept', [{ keptBytes: 1 }, 'keep'], 'Ab\0cc'],
    ['torn before what is dropped', [{ keptBytes: 1 }, 'drop'], 'Ab'],
    ['all dropped', ['drop', 'drop'], 'A'],
  ])('%s', async (_, fates, expected) => {
    const disk = diskWithFile('A');
    write(disk, '/file', 'bb', 'cc');
    expect(textAt(disk.crash(writesOf(fates)), '/file')).toBe(expected);
  });

  test('noise has the size, other bytes, and is the same again', async () => {
    const disk = diskWithFile('A');
    write(disk, '/file', 'b'.repeat(100));
    const noise = textAt(disk.crash(writesOf(['noise'])), '/file');
    expect(noise).toHaveLength(101);
    expect(noise).not.toBe(`A${'b'.repeat(100)}`);
    expect(textAt(disk.crash(writesOf(['noise'])), '/file')).toBe(noise);
  });

  test('that a sync failed on are made durable by no later sync', async () => {
    const disk = diskWithFile('A');
    const file = disk.append('/file');
    file.write(bytes('b'));
    disk.failAt(disk.calls + 1, { kind: 'error', code: 'EIO' });
    await expect(file.sync()).rejects.toMatchObject({ code: 'EIO' });
    file.write(bytes('c'));
    await file.sync();
    expect(textAt(disk.crash(), '/file')).toBe('A\0c');
    expect(textAt(disk.crash(keepAll), '/file')).toBe('Abc');
  });

  test('of a file whose name is durable and whose bytes are not: empty, zeros or noise', async () => {
    const disk = new MemoryDisk();
    write(disk, '/new', 'xyz');
    await disk.syncFolder('/');
    const found = contents(disk, '/new');
    expect(found.has('')).toBe(true);
    expect(found.has('\0\0\0')).toBe(true);
    expect(found.has('xyz')).toBe(true);
    expect(found.has(undefined)).toBe(false);
  });
});

describe('names', () => {
  test('are lost without a sync of their folder, even when the file is synced', async () => {
    const disk = new MemoryDisk();
    const file = disk.create('/new');
    file.write(bytes('x'));
    await file.sync();
    expect(disk.crash().stat('/new')).toBeUndefined();
    await disk.syncFolder('/');
    expect(textAt(disk.crash(), '/new')).toBe('x');
  });

  test('a folder, and a name in it, are each durable by the sync of what holds them', async () => {
    const disk = new MemoryDisk();
    disk.makeFolder('/a/b');
    await disk.syncFolder('/a');
    expect(disk.crash().list('/')).toEqual([]);
    await disk.syncFolder('/');
    expect(disk.crash().list('/a')).toEqual(['b']);
  });

  test('a removed name may come back, a linked one may not be there', async () => {
    const disk = diskWithFile('x');
    disk.link('/file', '/second');
    disk.remove('/file');
    const found = new Set([...disk.crashStates(100)].map((state) => state.disk.list('/')?.join()));
    expect(found).toEqual(new Set(['file', 'file,second', 'second', '']));
  });

  test('a rename is atomic: the old file or the new one, never none', async () => {
    const disk = diskWithFile('old');
    write(disk, '/temp', 'new');
    disk.rename('/temp', '/file');
    const found = contents(disk, '/file');
    expect(found.has(undefined)).toBe(false);
    expect(found.has('old')).toBe(true);
    expect(found.has('new')).toBe(true);
    // The danger of renaming before a sync.
    expect(found.has('')).toBe(true);
  });

  test('a rename between folders: the old name, the new one or both, never none', async () => {
    const disk = new MemoryDisk();
    disk.putFile('/from/file', 'x');
    disk.putFile('/to/other', '');
    disk.rename('/from/file', '/to/file');
    const places = (state: Disk) =>
      [...(state.list('/from') ?? []), '|', ...(state.list('/to') ?? [])].join('');
    const found = (subject: MemoryDisk) =>
      new Set([...subject.crashStates(100)].map((state) => places(state.disk)));
    expect(found(disk)).toEqual(new Set(['file|other', 'file|fileother', '|fileother']));
    const targetSynced = disk.kill();
    await targetSynced.syncFolder('/to');
    expect(found(targetSynced)).toEqual(new Set(['file|fileother', '|fileother']));
    const sourceSynced = disk.kill();
    await sourceSynced.syncFolder('/from');
    expect(found(sourceSynced)).toEqual(new Set(['|fileother']));
  });

  test('a folder that moved is found in one place', async () => {
    const disk = new MemoryDisk();
    disk.putFile('/from/folder/file', 'x');
    disk.putFile('/to/other', '');
    disk.rename('/from/folder', '/to/folder');
    for (const { disk: state } of disk.crashStates(100)) {
      const places = ['/from/folder/file', '/to/folder/file'].filter(
        (path) => state.stat(path) !== undefined,
      );
      expect(places).toHaveLength(1);
    }
  });

  test('that a sync failed on are made durable by no later sync, and later ones win over them', async () => {
    const disk = new MemoryDisk();
    write(disk, '/a', 'first');
    write(disk, '/b', 'b');
    disk.failAt(disk.calls + 1, { kind: 'error', code: 'EIO' });
    await expect(disk.syncFolder('/')).rejects.toMatchObject({ code: 'EIO' });
    disk.remove('/a');
    write(disk, '/a', 'second');
    await disk.syncFolder('/');
    expect(disk.crash().list('/')).toEqual(['a']);
    expect(textAt(disk.crash(keepAll), '/a')).toBe('second');
    expect(disk.crash(keepAll).list('/')).toEqual(['a', 'b']);
  });
});

describe('metadata', () => {
  test('time and inode survive with the name, whatever becomes of the bytes', async () => {
    const disk = diskWithFile('A');
    write(disk, '/file', 'bbb');
    const before = disk.stat('/file');
    expect(disk.crash(writesOf(['zeros'])).stat('/file')).toEqual(before);
    expect(disk.crash(writesOf(['drop'])).stat('/file')).toEqual({ ...before, size: 1 });
  });

  test('times grow with every change and are the same in every replay', () => {
    const times = () => {
      const disk = new MemoryDisk();
      write(disk, '/a', 'x');
      const first = disk.stat('/a')?.mtimeMs ?? 0;
      write(disk, '/a', 'y');
      return [first, disk.stat('/a')?.mtimeMs ?? 0] as const;
    };
    const [first, second] = times();
    expect(second).toBeGreaterThan(first);
    expect(times()).toEqual([first, second]);
  });

  test('times come from the clock that is given', () => {
    const disk = new MemoryDisk({ now: () => 1234.5 });
    write(disk, '/a', 'x');
    expect(disk.stat('/a')?.mtimeMs).toBe(1234.5);
    write(disk.crash(keepAll), '/b', 'x');
    expect(disk.crash(keepAll).stat('/a')?.mtimeMs).toBe(1234.5);
  });
});

describe('copies', () => {
  test('a killed process leaves all that it wrote, as durable as it was', async () => {
    const disk = diskWithFile('A');
    write(disk, '/file', 'b');
    const next = disk.kill();
    expect(textAt(next, '/file')).toBe('Ab');
    expect(next.unsynced()).toEqual(disk.unsynced());
    expect(textAt(next.crash(), '/file')).toBe('A');
  });

  test('each goes its own way', async () => {
    const disk = diskWithFile('A');
    disk.makeFolder('/folder');
    const killed = disk.kill();
    const crashed = disk.crash(keepAll);
    write(disk, '/file', '1');
    write(killed, '/file', '2');
    write(crashed, '/file', '3');
    write(disk, '/folder/one', '');
    write(killed, '/folder/two', '');
    write(crashed, '/folder/three', '');
    await disk.syncFolder('/folder');
    expect([disk, killed, crashed].map((each) => textAt(each, '/file'))).toEqual(['A1', 'A2', 'A3']);
    expect([disk, killed, crashed].map((each) => each.list('/folder'))).toEqual([
      ['one'],
      ['two'],
      ['three'],
    ]);
    expect(killed.crash(keepAll).list('/folder')).toEqual(['two']);
  });

  test('states can be looked at while the disk is written on', async () => {
    const disk = diskWithFile('A');
    write(disk, '/file', 'b');
    const found: (string | undefined)[] = [];
    for (const state of disk.crashStates(100)) {
      write(disk, '/file', 'more');
      write(state.disk, '/file', '!');
      found.push(textAt(state.disk, '/file'));
    }
    expect(found.slice(0, 2)).toEqual(['A!', 'Ab!']);
    expect(textAt(disk, '/file')).toBe(`Ab${'more'.repeat(found.length)}`);
  });

  test('what others put there is durable at once', () => {
    const disk = new MemoryDisk();
    disk.putFile('/a/b/file', 'one');
    const { ino } = disk.stat('/a/b/file') ?? {};
    disk.putFile('/a/b/file', 'two');
    disk.putLink('/link', 'a/b');
    disk.putOther('/fifo');
    expect(disk.unsynced()).toEqual([]);
    expect(disk.stat('/a/b/file')?.ino).toBe(ino);
    expect(textAt(disk.crash(), '/link/file')).toBe('two');
    expect(disk.stat('/fifo')?.kind).toBe('other');
    expect(() => disk.read('/fifo')).toThrow('EINVAL');
    expect(() => disk.append('/fifo')).toThrow('EINVAL');
    expect(() => disk.putFile('/a', 'x')).toThrow('EISDIR');
  });
});

describe('fingerprint', () => {
  test('is equal for equal content, however it came about', () => {
    const one = new MemoryDisk();
    write(one, '/a', 'x', 'y');
    write(one, '/b', '');
    const other = new MemoryDisk();
    write(other, '/b', '');
    write(other, '/c', 'xy');
    other.rename('/c', '/a');
    expect(one.fingerprint()).toBe(other.fingerprint());
    expect(one.crash(keepAll).fingerprint()).toBe(other.fingerprint());
  });

  test('is another for every visible difference', () => {
    const base = new MemoryDisk();
    base.putFile('/folder/file', 'x');
    const changes: ((disk: MemoryDisk) => void)[] = [
      () => {},
      (disk) => disk.putFile('/folder/file', 'y'),
      (disk) => disk.putFile('/folder/file', ''),
      (disk) => disk.putFile('/file', 'x'),
      (disk) => disk.makeFolder('/empty'),
      (disk) => disk.putLink('/link', 'x'),
      (disk) => disk.putLink('/link', 'y'),
      (disk) => disk.putOther('/link'),
      (disk) => disk.remove('/folder/file'),
      (disk) => disk.rename('/folder/file', '/folder/file2'),
      (disk) => disk.rename('/folder', '/folder2'),
    ];
    const prints = changes.map((change) => {
      const disk = base.kill();
      change(disk);
      return disk.fingerprint();
    });
    expect(new Set(prints).size).toBe(changes.length);
  });

  test('takes all temporary names for one', () => {
    const print = (...names: string[]) => {
      const disk = new MemoryDisk();
      for (const name of names) write(disk, `/${name}`, 'x');
      return disk.fingerprint();
    };
    expect(print(newTempName())).toBe(print(newTempName()));
    expect(print(newTempName(), newTempName())).not.toBe(print(newTempName()));
    expect(print(newTempName())).not.toBe(print('temp'));
    expect(print(newTempName())).not.toBe(print());
  });
});
