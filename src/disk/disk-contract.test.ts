import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { type Disk, DiskError } from './disk.ts';
import { nodeDisk, visitorDisk } from './node-disk.ts';

interface Subject {
  readonly disk: Disk;
  readonly root: string;
  link(path: string, target: string): void;
  dispose(): void;
}

function nodeSubject(disk: Disk): Subject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-disk-')));
  return {
    disk,
    root,
    link: (path, target) => symlinkSync(target, path),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

function memorySubject(): Subject {
  const disk = new MemoryDisk();
  disk.makeFolder('/root');
  return {
    disk,
    root: '/root',
    link: (path, target) => disk.putLink(path, target),
    dispose: () => expect(disk.openFiles).toBe(0),
  };
}

describe.each([
  ['node', () => nodeSubject(nodeDisk)],
  ['visitor’s', () => nodeSubject(visitorDisk)],
  ['memory', memorySubject],
])('the %s disk', (_, makeSubject) => {
  let subject: Subject;
  let disk: Disk;
  const at = (name: string) => join(subject.root, name);

  beforeEach(() => {
    subject = makeSubject();
    disk = subject.disk;
  });
  afterEach(() => subject.dispose());

  function put(name: string, text: string): void {
    const file = disk.append(at(name));
    file.write(bytes(text));
    file.close();
  }

  const textOf = (name: string) => text(disk.read(at(name)));

  test('says undefined of what is not there', () => {
    put('file', 'x');
    for (const name of ['none', 'none/below', 'file/below']) {
      expect(disk.stat(at(name))).toBeUndefined();
      expect(disk.read(at(name))).toBeUndefined();
      expect(disk.readRange(at(name), 0, 1)).toBeUndefined();
      expect(disk.list(at(name))).toBeUndefined();
      expect(disk.realpath(at(name))).toBeUndefined();
    }
  });

  test('creates a file once and writes on from where it stopped', () => {
    const file = disk.create(at('a'));
    expect(file.write(bytes('one'))).toBe(3);
    expect(file.write(bytes('two'))).toBe(3);
    expect(file.stat()).toEqual(disk.stat(at('a')));
    file.close();
    expect(textOf('a')).toBe('onetwo');
    expect(disk.stat(at('a'))).toMatchObject({ kind: 'file', size: 6 });
    expect(codeOf(() => disk.create(at('a')))).toBe('EEXIST');
    expect(textOf('a')).toBe('onetwo');
  });

  test('appends behind what others appended', () => {
    const first = disk.append(at('a'));
    const second = disk.append(at('a'));
    first.write(bytes('1'));
    second.write(bytes('2'));
    first.write(bytes('3'));
    first.close();
    second.close();
    expect(textOf('a')).toBe('123');
  });

  test('writes nothing for no bytes, and an empty file is not an absent one', () => {
    const file = disk.create(at('empty'));
    expect(file.write(new Uint8Array())).toBe(0);
    file.close();
    expect(disk.read(at('empty'))).toEqual(new Uint8Array());
    expect(disk.readRange(at('empty'), 5, 5)).toEqual(new Uint8Array());
  });

  test('keeps its own copy of the bytes and gives out a copy', () => {
    const given = bytes('abc');
    const file = disk.create(at('a'));
    file.write(given);
    file.close();
    given.fill(0);
    disk.read(at('a'))?.fill(0);
    expect(textOf('a')).toBe('abc');
  });

  test('reads a range, fewer bytes at the end and none behind it', () => {
    put('a', '0123456789');
    const range = (offset: number, length: number) => text(disk.readRange(at('a'), offset, length));
    expect(range(0, 3)).toBe('012');
    expect(range(8, 10)).toBe('89');
    expect(range(10, 1)).toBe('');
    expect(range(99, 1)).toBe('');
    expect(range(3, 0)).toBe('');
  });

  test('refuses to read more than the limit', () => {
    put('a', '12345');
    expect(text(disk.read(at('a'), 5))).toBe('12345');
    expect(codeOf(() => disk.read(at('a'), 4))).toBe('EFBIG');
  });

  test('does not take a folder for a file', () => {
    disk.makeFolder(at('folder'));
    expect(codeOf(() => disk.read(at('folder')))).toBe('EISDIR');
    expect(codeOf(() => disk.readRange(at('folder'), 0, 1))).toBe('EISDIR');
    expect(codeOf(() => disk.append(at('folder')))).toBe('EISDIR');
    expect(codeOf(() => disk.create(at('folder')))).toBe('EEXIST');
    expect(disk.stat(at('folder'))?.kind).toBe('folder');
  });

  test('wants the folder of a new file to be there', () => {
    put('file', 'x');
    for (const [name, code] of [
      ['none/a', 'ENOENT'],
      ['file/a', 'ENOTDIR'],
    ] as const) {
      expect(codeOf(() => disk.create(at(name)))).toBe(code);
      expect(codeOf(() => disk.append(at(name)))).toBe(code);
      expect(codeOf(() => disk.rename(at('file'), at(name)))).toBe(code);
      expect(codeOf(() => disk.link(at('file'), at(name)))).toBe(code);
    }
    expect(codeOf(() => disk.append(at('n'.repeat(256))))).toBe('ENAMETOOLONG');
  });

  test('makes folders with those above them, again without complaint', () => {
    disk.makeFolder(at('a/b/c'));
    disk.makeFolder(at('a/b/c'));
    disk.makeFolder(at('a/b'));
    expect(disk.list(at('a/b'))).toEqual(['c']);
    put('file', 'x');
    expect(codeOf(() => disk.makeFolder(at('file')))).toBe('EEXIST');
    expect(codeOf(() => disk.makeFolder(at('file/below')))).toBe('ENOTDIR');
  });

  test('lists by code unit', () => {
    for (const name of ['b', 'B', 'ä', 'a', '10', '9', '.dot']) put(name, '');
    expect(disk.list(subject.root)).toEqual(['.dot', '10', '9', 'B', 'a', 'b', 'ä']);
    expect(disk.list(at('a'))).toBeUndefined();
  });

  test('renames over what is there and keeps inode and time', () => {
    put('old', 'old');
    put('new', 'new');
    const before = disk.stat(at('new'));
    disk.rename(at('new'), at('old'));
    expect(textOf('old')).toBe('new');
    // The change time is the one that a rename may move.
    expect(disk.stat(at('old'))).toEqual({ ...before, ctimeMs: disk.stat(at('old'))?.ctimeMs });
    expect(disk.list(subject.root)).toEqual(['old']);
    expect(codeOf(() => disk.rename(at('none'), at('x')))).toBe('ENOENT');
    expect(codeOf(() => disk.rename(at('none/a'), at('x')))).toBe('ENOENT');
  });

  test('renames between folders, and folders with what is in them', () => {
    disk.makeFolder(at('from/deep'));
    disk.makeFolder(at('to'));
    put('from/deep/a', 'x');
    disk.rename(at('from/deep'), at('to/moved'));
    expect(textOf('to/moved/a')).toBe('x');
    expect(disk.list(at('from'))).toEqual([]);
    disk.rename(at('from'), at('to/moved/a').replace(/a$/, 'from'));
    expect(disk.list(at('to/moved'))).toEqual(['a', 'from']);
  });

  test('refuses renames that would lose something', () => {
    disk.makeFolder(at('folder/below'));
    disk.makeFolder(at('empty'));
    put('file', 'x');
    expect(codeOf(() => disk.rename(at('file'), at('folder')))).toBe('EISDIR');
    expect(codeOf(() => disk.rename(at('folder'), at('file')))).toBe('ENOTDIR');
    expect(codeOf(() => disk.rename(at('empty'), at('folder')))).toBe('ENOTEMPTY');
    expect(codeOf(() => disk.rename(at('folder'), at('folder/below/x')))).toBe('EINVAL');
    disk.rename(at('folder'), at('empty'));
    expect(disk.list(at('empty'))).toEqual(['below']);
  });

  test('links: one file with two names', () => {
    put('a', 'x');
    disk.link(at('a'), at('b'));
    put('b', 'y');
    expect(textOf('a')).toBe('xy');
    expect(disk.stat(at('a'))).toEqual(disk.stat(at('b')));
    disk.rename(at('a'), at('b'));
    expect(disk.list(subject.root)).toEqual(['a', 'b']);
    disk.remove(at('a'));
    expect(textOf('b')).toBe('xy');
    disk.makeFolder(at('folder'));
    expect(codeOf(() => disk.link(at('b'), at('folder')))).toBe('EEXIST');
    expect(codeOf(() => disk.link(at('none'), at('c')))).toBe('ENOENT');
    expect(codeOf(() => disk.link(at('folder'), at('c')))).toBe('EPERM');
  });

  test('removes files and empty folders, and what is not there', () => {
    put('file', 'x');
    disk.makeFolder(at('folder/below'));
    disk.remove(at('file'));
    disk.remove(at('file'));
    disk.remove(at('none/below'));
    expect(codeOf(() => disk.remove(at('folder')))).toBe('ENOTEMPTY');
    disk.remove(at('folder/below'));
    disk.remove(at('folder'));
    expect(disk.list(subject.root)).toEqual([]);
  });

  test('an open file outlives its name', () => {
    const file = disk.create(at('a'));
    file.write(bytes('x'));
    disk.rename(at('a'), at('b'));
    file.write(bytes('y'));
    expect(textOf('b')).toBe('xy');
    disk.remove(at('b'));
    file.write(bytes('z'));
    expect(file.stat().size).toBe(3);
    file.close();
    expect(disk.list(subject.root)).toEqual([]);
  });

  test('closes twice without complaint and does nothing after', async () => {
    const file = disk.create(at('a'));
    file.close();
    file.close();
    expect(() => file.write(bytes('x'))).toThrow();
    await expect(file.sync()).rejects.toThrow();
    expect(textOf('a')).toBe('');
  });

  test('does not follow a link where a file is made, opened to append, looked at or removed', () => {
    put('target', 'x');
    subject.link(at('link'), 'target');
    subject.link(at('nowhere'), 'none');
    expect(disk.stat(at('link'))?.kind).toBe('link');
    expect(codeOf(() => disk.create(at('link')))).toBe('EEXIST');
    expect(codeOf(() => disk.create(at('nowhere')))).toBe('EEXIST');
    expect(codeOf(() => disk.append(at('link')))).toBe('ELOOP');
    expect(codeOf(() => disk.append(at('nowhere')))).toBe('ELOOP');
    expect(textOf('target')).toBe('x');
    expect(disk.stat(at('none'))).toBeUndefined();
    disk.remove(at('link'));
    expect(disk.list(subject.root)).toEqual(['nowhere', 'target']);
  });

  test('replaces a link by a rename, and not what it leads to', () => {
    put('target', 'x');
    put('new', 'y');
    subject.link(at('link'), 'target');
    disk.rename(at('new'), at('link'));
    expect(disk.stat(at('link'))?.kind).toBe('file');
    expect(textOf('target')).toBe('x');
  });

  test('reads through links and resolves them', () => {
    disk.makeFolder(at('a/b'));
    put('a/b/file', 'x');
    subject.link(at('relative'), 'a/b');
    subject.link(at('absolute'), at('relative/file'));
    subject.link(at('a/up'), '../a/b/..');
    subject.link(at('loop'), 'loop');
    expect(textOf('relative/file')).toBe('x');
    expect(textOf('absolute')).toBe('x');
    expect(disk.list(at('relative'))).toEqual(['file']);
    expect(disk.realpath(at('absolute'))).toBe(at('a/b/file'));
    expect(disk.realpath(at('a/up/b'))).toBe(at('a/b'));
    expect(disk.realpath(subject.root)).toBe(subject.root);
    expect(codeOf(() => disk.read(at('loop')))).toBe('ELOOP');
    expect(codeOf(() => disk.realpath(at('loop/x')))).toBe('ELOOP');
  });

  test('syncs files and folders, and says when there is none', async () => {
    const file = disk.create(at('a'));
    file.write(bytes('x'));
    await file.sync();
    file.close();
    await disk.syncFolder(subject.root);
    await expect(disk.syncFolder(at('none'))).rejects.toMatchObject({
      code: 'ENOENT',
      operation: 'syncFolder',
    });
    await expect(disk.syncFolder(at('a'))).rejects.toMatchObject({ code: 'ENOTDIR', path: at('a') });
  });

  test('tells operation and path with the code', () => {
    put('a', '12345');
    expect(errorOf(() => disk.create(at('a')))).toMatchObject({ operation: 'create', path: at('a') });
    expect(errorOf(() => disk.read(at('a'), 1))).toMatchObject({ operation: 'read', path: at('a') });
    expect(errorOf(() => disk.rename(at('none'), at('to')))).toMatchObject({
      operation: 'rename',
      path: at('to'),
    });
    expect(errorOf(() => disk.link(at('none'), at('to')))).toMatchObject({
      operation: 'link',
      path: at('to'),
    });
  });
});

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function text(content: Uint8Array | undefined): string | undefined {
  return content === undefined ? undefined : new TextDecoder().decode(content);
}

function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

function codeOf(call: () => unknown): string | undefined {
  const error = errorOf(call);
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(DiskError);
  return (error as DiskError).code;
}
