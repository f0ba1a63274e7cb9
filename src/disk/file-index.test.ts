import { beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { hashBytes } from '../base/hash.ts';
import { FileIndex } from './file-index.ts';

const path = '/work/.pawl/files';
const one = hashBytes('one');
const two = hashBytes('two');
const stamp = { ino: 7, mtimeMs: 1_700_000_000_000.25, size: 3 };

let disk: MemoryDisk;
const open = () => new FileIndex(disk, testClock(), path);
const text = () => Buffer.from(disk.read(path) ?? []).toString();

beforeEach(() => {
  disk = new MemoryDisk();
  disk.makeFolder('/work/.pawl');
});

describe('the index of files', () => {
  test('knows a file by its path and stamp, also in another process', () => {
    const index = open();
    index.note('draft/a b.md', stamp, one);
    index.save();
    for (const known of [index, open()]) {
      expect(known.hashOf('draft/a b.md', stamp)).toBe(one);
      expect(known.isUntouched('draft/a b.md', { ...stamp, size: 0 }, one)).toBe(true);
      expect(known.changedAtMs('draft/a b.md')).toBe(stamp.mtimeMs);
      for (const other of [{ ino: 8 }, { mtimeMs: 1 }, { size: 4 }])
        expect(known.hashOf('draft/a b.md', { ...stamp, ...other })).toBeUndefined();
      expect(known.hashOf('draft/b.md', stamp)).toBeUndefined();
    }
  });

  test('writes nothing for a look', () => {
    open().note('a', stamp, one);
    expect(disk.stat(path)).toBeUndefined();
  });

  test('knows a staged file once it has its path, and the file before it until then', () => {
    const index = open();
    index.note('a', stamp, one);
    index.stage('a', { ...stamp, ino: 8 }, two);
    expect(index.hashOf('a', stamp)).toBe(one);
    index.place('a');
    expect(index.hashOf('a', stamp)).toBeUndefined();
    expect(index.hashOf('a', { ...stamp, ino: 8 })).toBe(two);
    index.place('never staged');
  });

  test('gives what any prefix of its file holds, and nothing else', () => {
    const index = open();
    for (const name of ['a', 'b', 'c']) index.note(name, stamp, one);
    index.save();
    const whole = text();
    for (let length = 0; length <= whole.length; length++) {
      disk.putFile(path, whole.slice(0, length));
      const cut = open();
      const known = ['a', 'b', 'c'].filter((name) => cut.hashOf(name, stamp) === one);
      expect(known).toHaveLength(whole.slice(0, length).split('\n').length - 1);
      cut.note('d', stamp, two);
      cut.save();
      expect(open().hashOf('a', stamp)).toBe(known.includes('a') ? one : undefined);
    }
  });

  test.each(['', '\0\0\0\n', '{}\n', `7 1 3 ${one}\n`, `7 x 3 ${one} a\n`, `7 1 3 sha256:12 a\n`])(
    'knows nothing of a file that holds %j',
    (content) => {
      disk.putFile(path, content);
      expect(open().hashOf('a', stamp)).toBeUndefined();
    },
  );

  test('is written anew when most of its lines are out of date', () => {
    const index = open();
    for (let n = 0; n < 1500; n++) index.note('a', { ...stamp, ino: n }, one);
    index.save();
    const next = open();
    next.note('b', stamp, two);
    next.save();
    expect(text().split('\n')).toHaveLength(3);
    expect(open().hashOf('a', { ...stamp, ino: 1499 })).toBe(one);
  });

  test('is done without where it cannot be read or written', () => {
    disk.failWhen(({ path: at }) => (at.startsWith(path) ? { kind: 'error', code: 'EIO' } : undefined));
    const index = open();
    index.note('a', stamp, one);
    index.save();
    expect(index.hashOf('a', stamp)).toBe(one);
    expect(open().hashOf('a', stamp)).toBeUndefined();
  });
});
