import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { systemClock } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import { FileIndex } from '../disk/file-index.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { promote, setAside, stage, stageFile } from './staging.ts';
import { proveOutput } from './verify-output.ts';

let root: string;
let staging: string;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-promotion-'));
  staging = join(root, '.pawl/runs/r1/staging');
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** As if the staging folder and the workspace were on two file systems. */
function acrossFileSystems(disk: Disk): Disk {
  return {
    ...disk,
    rename(from, to) {
      if (from.startsWith(staging) !== to.startsWith(staging)) throw new DiskError('EXDEV', 'rename', to);
      disk.rename(from, to);
    },
  };
}

describe('stage and promote', () => {
  test('what was recorded at staging is true of the promoted file', () => {
    const staged = stage(nodeDisk, staging, 'a.write.1.prose', bytesOf('words'));
    const target = join(root, 'draft/chapter/one.md');
    expect(promote(nodeDisk, staged.path, target)).toEqual({ ok: true, value: undefined });
    expect(fs.readFileSync(target, 'utf8')).toBe('words');
    expect(fs.existsSync(staged.path)).toBe(false);
    const record = { path: 'draft/chapter/one.md', hash: hashBytes('words'), size: staged.size };
    const files = new FileIndex(nodeDisk, systemClock, join(root, 'index'));
    files.note(record.path, staged, record.hash);
    const noReading: Disk = { ...nodeDisk, readRange: () => expect.fail('it must not be read') };
    expect(proveOutput(noReading, target, record, { deep: false, files })).toEqual({ kind: 'intact' });
  });

  test('a leftover of the same name is replaced by a fresh file', () => {
    const first = stage(nodeDisk, staging, 'name', bytesOf('left by an attempt that died, and longer'));
    fs.linkSync(first.path, join(root, 'kept'));
    const second = stage(nodeDisk, staging, 'name', bytesOf('new'));
    expect(fs.readFileSync(second.path, 'utf8')).toBe('new');
    expect(fs.readFileSync(join(root, 'kept'), 'utf8')).toMatch(/^left by/);
    expect(second.size).toBe(3);
  });

  test('an existing target is replaced, and a link is not followed', () => {
    const target = join(root, 'out.md');
    const elsewhere = join(root, 'elsewhere.md');
    fs.writeFileSync(elsewhere, 'untouched');
    fs.symlinkSync(elsewhere, target);
    for (const words of ['one', 'two']) {
      const staged = stage(nodeDisk, staging, 'name', bytesOf(words));
      expect(promote(nodeDisk, staged.path, target).ok).toBe(true);
      expect(fs.readFileSync(target, 'utf8')).toBe(words);
    }
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('untouched');
  });

  test('a folder in the way is told, and nothing is lost', () => {
    const target = join(root, 'out.md');
    fs.mkdirSync(target);
    const staged = stage(nodeDisk, staging, 'name', bytesOf('words'));
    expect(promote(nodeDisk, staged.path, target)).toEqual({
      ok: false,
      failure: { reason: 'target-is-folder', path: target },
    });
    expect(fs.existsSync(staged.path)).toBe(true);
  });

  test('a file on the way is told', () => {
    fs.writeFileSync(join(root, 'draft'), 'not a folder');
    const staged = stage(nodeDisk, staging, 'name', bytesOf('words'));
    expect(promote(nodeDisk, staged.path, join(root, 'draft/deep/out.md'))).toEqual({
      ok: false,
      failure: { reason: 'parent-not-a-folder', path: join(root, 'draft') },
    });
  });

  test('nothing staged is told, and the target stays as it is', () => {
    fs.writeFileSync(join(root, 'out.md'), 'promoted before');
    expect(promote(nodeDisk, join(staging, 'name'), join(root, 'out.md'))).toMatchObject({
      failure: { reason: 'staged-missing' },
    });
    expect(fs.readFileSync(join(root, 'out.md'), 'utf8')).toBe('promoted before');
  });

  test('another file system: copied beside the target, then renamed', () => {
    const disk = acrossFileSystems(nodeDisk);
    const target = join(root, 'draft/out.md');
    const staged = stage(disk, staging, 'name', Buffer.alloc(3 * 1024 * 1024, 'pawl'));
    expect(promote(disk, staged.path, target).ok).toBe(true);
    expect(fs.readFileSync(target).equals(Buffer.alloc(3 * 1024 * 1024, 'pawl'))).toBe(true);
    expect(fs.existsSync(staged.path)).toBe(false);
    expect(fs.readdirSync(join(root, 'draft'))).toEqual(['out.md']);
  });

  test('another file system and a folder in the way: no copy is left behind', () => {
    const disk = acrossFileSystems(nodeDisk);
    fs.mkdirSync(join(root, 'draft/out.md'), { recursive: true });
    const staged = stage(disk, staging, 'name', bytesOf('words'));
    expect(promote(disk, staged.path, join(root, 'draft/out.md'))).toMatchObject({
      failure: { reason: 'target-is-folder' },
    });
    expect(fs.readdirSync(join(root, 'draft'))).toEqual(['out.md']);
    expect(fs.existsSync(staged.path)).toBe(true);
  });

  test('other trouble of the disk is loud', () => {
    const disk = new MemoryDisk();
    disk.makeFolder('/staging');
    const staged = stage(disk, '/staging', 'name', bytesOf('words'));
    disk.failWhen((call) => (call.operation === 'rename' ? { kind: 'error', code: 'EROFS' } : undefined));
    expect(() => promote(disk, staged.path, '/out.md')).toThrow('EROFS');
  });

  test('a full disk is loud at staging, and the file is closed', () => {
    const disk = new MemoryDisk();
    disk.freeBytes = 2;
    expect(() => stage(disk, '/staging', 'name', bytesOf('words'))).toThrow('ENOSPC');
    expect(disk.openFiles).toBe(0);
  });
});

describe('stageFile', () => {
  test('takes a large file only with the bytes that were hashed', async () => {
    const source = join(root, 'large');
    const bytes = Buffer.alloc(2 * 1024 * 1024 + 3, 'pawl');
    fs.writeFileSync(source, bytes);
    const staged = await stageFile(nodeDisk, staging, 'name', source, hashBytes(bytes));
    expect(staged).toMatchObject({ size: bytes.length, path: join(staging, 'name') });
    expect(fs.readFileSync(join(staging, 'name')).equals(bytes)).toBe(true);
    fs.appendFileSync(source, 'more');
    expect(await stageFile(nodeDisk, staging, 'name', source, hashBytes(bytes))).toBeUndefined();
    expect(fs.readdirSync(staging)).toEqual([]);
    expect(await stageFile(nodeDisk, staging, 'name', `${source}.absent`, hashBytes(bytes))).toBeUndefined();
  });
});

describe('setAside', () => {
  const aside = () => join(root, '.pawl/runs/r1/aside');

  test('moves a file to a free name', () => {
    fs.mkdirSync(join(root, 'draft'));
    for (const [at, name] of ['draft__out.md', 'draft__out.md.1', 'draft__out.md.2'].entries()) {
      fs.writeFileSync(join(root, 'draft/out.md'), `damaged ${at}`);
      expect(setAside(nodeDisk, root, 'draft/out.md', aside())).toBe(`.pawl/runs/r1/aside/${name}`);
      expect(fs.readFileSync(join(aside(), name), 'utf8')).toBe(`damaged ${at}`);
    }
    expect(fs.readdirSync(join(root, 'draft'))).toEqual([]);
  });

  test('moves a folder with what is in it, a link, a FIFO', () => {
    fs.mkdirSync(join(root, 'folder'));
    fs.writeFileSync(join(root, 'folder/inside'), 'x');
    fs.symlinkSync('nowhere', join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'fifo')]);
    for (const name of ['folder', 'link', 'fifo']) {
      expect(setAside(nodeDisk, root, name, aside())).toBe(`.pawl/runs/r1/aside/${name}`);
    }
    expect(fs.readFileSync(join(aside(), 'folder/inside'), 'utf8')).toBe('x');
    expect(fs.readdirSync(root)).toEqual(['.pawl']);
  });

  test('nothing there: nothing done', () => {
    expect(setAside(nodeDisk, root, 'draft/out.md', aside())).toBeUndefined();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('a path longer than a name can be', () => {
    const path = `${'a'.repeat(120)}/${'b'.repeat(120)}/${'c'.repeat(120)}.md`;
    fs.mkdirSync(join(root, path, '..'), { recursive: true });
    fs.writeFileSync(join(root, path), 'x');
    const moved = setAside(nodeDisk, root, path, aside()) ?? '';
    expect(fs.readFileSync(join(root, moved), 'utf8')).toBe('x');
    expect(moved.endsWith('.md')).toBe(true);
  });
});
