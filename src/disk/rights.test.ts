import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { nodeDisk } from './node-disk.ts';
import { replaceFileNow, replaceTheirFile } from './write.ts';

const bytes = new TextEncoder().encode('new');

it('a file of somebody else keeps its rights when it is replaced; one of ours is for its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-rights-'));
  const path = join(folder, 'theirs');
  writeFileSync(path, 'old');
  chmodSync(path, 0o664);
  replaceTheirFile(nodeDisk, path, bytes, folder);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o664);
  replaceFileNow(nodeDisk, path, bytes);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('a new one follows the umask', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-rights-'));
  replaceTheirFile(nodeDisk, join(folder, 'new'), bytes, folder);
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o666 & ~process.umask());
});

it('what one has made oneself is ours, and what is not there is nobody’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-rights-'));
  expect(nodeDisk.isOurs?.(folder)).toBe(true);
  expect(nodeDisk.isOurs?.(join(folder, 'nothing'))).toBe(false);
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(folder).uid + 1);
  expect(nodeDisk.isOurs?.(folder)).toBe(false);
  vi.restoreAllMocks();
});
