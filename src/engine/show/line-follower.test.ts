import { expect, it } from 'vitest';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { LineFollower } from './line-follower.ts';

const path = '/log';

it('gives every line once, and half of a line when it is the last', () => {
  const disk = new MemoryDisk();
  const lines = new LineFollower(disk, path);
  expect(lines.read(false)).toEqual([]);
  disk.putFile(path, 'one\ntwo\nth');
  expect(lines.read(false)).toEqual(['one', 'two']);
  expect(lines.read(false)).toEqual([]);
  expect(lines.read(true)).toEqual(['th']);
});

it('continues at the same line of a file that took its place', () => {
  const disk = new MemoryDisk();
  const lines = new LineFollower(disk, path);
  disk.putFile(path, 'my secret\ntwo\n');
  expect(lines.read(false)).toEqual(['my secret', 'two']);
  disk.remove(path);
  disk.putFile(path, 'my [KEY]\ntwo\nthree\n');
  expect(lines.read(true)).toEqual(['three']);
});
