import { describe, expect, it } from 'vitest';
import { isShared, mountOf } from './mounts.ts';

const table = [
  'overlay / overlay rw,relatime 0 0',
  'proc /proc proc rw 0 0',
  '/dev/sda1 /home ext4 rw 0 0',
  'server:/share /home/ann/share nfs4 rw 0 0',
  'C:\\134 /mnt/my\\040disk 9p rw 0 0',
  'ann@host: /home/ann/far fuse.sshfs rw 0 0',
  'tmpfs /home/ann/far tmpfs rw 0 0',
  'broken',
  '',
].join('\n');

describe('the mount of a path', () => {
  it.each([
    ['/', '/', 'overlay'],
    ['/srv/work', '/', 'overlay'],
    ['/home', '/home', 'ext4'],
    ['/home/ann', '/home', 'ext4'],
    ['/homely', '/', 'overlay'],
    ['/home/ann/share/book', '/home/ann/share', 'nfs4'],
    ['/home/ann/shared', '/home', 'ext4'],
    ['/mnt/my disk/book', '/mnt/my disk', '9p'],
    ['/home/ann/far', '/home/ann/far', 'tmpfs'],
  ])('of %s is %s', (path, mount, type) => {
    expect(mountOf(table, path)).toEqual({ mount, type });
  });

  it('is not known without a table', () => {
    expect(mountOf('', '/work')).toBeUndefined();
  });
});

it.each([
  ['nfs', true],
  ['cifs', true],
  ['9p', true],
  ['fuse.sshfs', true],
  ['fuse', true],
  ['fuseblk', false],
  ['fuse.fuse-overlayfs', false],
  ['ext4', false],
  ['overlay', false],
  ['tmpfs', false],
])('%s is shared: %s', (type, expected) => {
  expect(isShared({ mount: '/', type })).toBe(expected);
});
