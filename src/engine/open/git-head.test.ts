import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { nodeDisk } from '../../disk/node-disk.ts';
import { gitHead } from './git-head.ts';

const sha1 = '8b57f7b4f0b0bd6aa6f4e1d1c9b0a2d3e4f50617';
const other = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';
const sha256 = 'f'.repeat(64);
const root = '/home/me/book';

function diskWith(files: Readonly<Record<string, string>>): MemoryDisk {
  const disk = new MemoryDisk();
  disk.makeFolder(root);
  for (const [path, text] of Object.entries(files)) disk.putFile(`${root}/${path}`, text);
  return disk;
}

const head = (files: Readonly<Record<string, string>>) => gitHead(diskWith(files), root);

describe('the commit of a folder', () => {
  it.each([sha1, sha256])('is what a detached HEAD says: %s', (commit) => {
    expect(head({ '.git/HEAD': `${commit}\n` })).toBe(commit);
  });

  it('is that of the branch', () => {
    expect(head({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${sha1}\n` })).toBe(sha1);
  });

  it('is that of a packed branch, found by its whole name', () => {
    const packed = [
      '# pack-refs with: peeled fully-peeled sorted ',
      `${other} refs/heads/ma`,
      `${other} refs/heads/main2`,
      `${sha1} refs/heads/main`,
      `${other} refs/tags/v1`,
      `^${other}`,
      '',
    ].join('\n');
    expect(head({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': packed })).toBe(sha1);
    expect(head({ '.git/HEAD': 'ref: refs/heads/main3\n', '.git/packed-refs': packed })).toBeUndefined();
  });

  it('is the loose one where a branch is also packed: that is the newer', () => {
    const files = {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/refs/heads/main': `${sha1}\n`,
      '.git/packed-refs': `${other} refs/heads/main\n`,
    };
    expect(head(files)).toBe(sha1);
  });

  it('is followed from ref to ref', () => {
    const files = {
      '.git/HEAD': 'ref: refs/heads/now\n',
      '.git/refs/heads/now': 'ref: refs/heads/main\n',
      '.git/refs/heads/main': sha1,
    };
    expect(head(files)).toBe(sha1);
  });

  it('is that of the repository above', () => {
    const disk = diskWith({});
    disk.putFile('/home/me/.git/HEAD', sha1);
    expect(gitHead(disk, root)).toBe(sha1);
  });

  it('is its own where there is a repository above too', () => {
    const disk = diskWith({ '.git/HEAD': sha1 });
    disk.putFile('/home/me/.git/HEAD', other);
    expect(gitHead(disk, root)).toBe(sha1);
  });

  it('is found where a link leads to the repository', () => {
    const disk = diskWith({});
    disk.putFile('/var/book.git/HEAD', sha1);
    disk.putLink(`${root}/.git`, '/var/book.git');
    expect(gitHead(disk, root)).toBe(sha1);
  });

  it('is that of the worktree, with the branches of the repository', () => {
    const disk = diskWith({ '.git': 'gitdir: /var/book/.git/worktrees/w\n' });
    disk.putFile('/var/book/.git/HEAD', other);
    disk.putFile('/var/book/.git/worktrees/w/HEAD', 'ref: refs/heads/side\n');
    disk.putFile('/var/book/.git/worktrees/w/commondir', '../..\n');
    disk.putFile('/var/book/.git/refs/heads/side', sha1);
    expect(gitHead(disk, root)).toBe(sha1);
  });

  it('is that of the submodule', () => {
    const disk = diskWith({ '.git': 'gitdir: ../.git/modules/book' });
    disk.putFile('/home/me/.git/modules/book/HEAD', sha1);
    expect(gitHead(disk, root)).toBe(sha1);
  });
});

describe('no commit is told', () => {
  const loop = { '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a': 'ref: refs/heads/a' };

  it.each<[string, Readonly<Record<string, string>>]>([
    ['without a repository', {}],
    ['before the first commit', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['of an empty HEAD', { '.git/HEAD': '' }],
    ['of a HEAD that is no ref and no commit', { '.git/HEAD': `${sha1.slice(0, 39)}\n` }],
    ['of a HEAD with more than a line', { '.git/HEAD': `${sha1}\n${sha1}\n` }],
    ['of a HEAD that is larger than any', { '.git/HEAD': `${sha1}${' '.repeat(5000)}` }],
    ['of refs that lead in a circle', loop],
    ['of a ref that is a folder', { '.git/HEAD': 'ref: refs/heads', '.git/refs/heads/main': sha1 }],
    ['of a ref outside the refs', { '.git/HEAD': 'ref: secret', '.git/secret': sha1 }],
    ['of a ref that leads out', { '.git/HEAD': 'ref: refs/../../secret', secret: sha1 }],
    ['of refs kept in tables', { '.git/HEAD': 'ref: refs/heads/.invalid', '.git/refs/heads/.invalid': sha1 }],
    ['of a file that names no folder', { '.git': 'gitdir:\n' }],
    ['of a file that is something else', { '.git': sha1 }],
    ['of a folder that is gone', { '.git': 'gitdir: /nowhere' }],
    ['of a packed line without a commit', { '.git/HEAD': 'ref: refs/a', '.git/packed-refs': 'x refs/a\n' }],
  ])('%s', (_, files) => {
    expect(head(files)).toBeUndefined();
  });

  it('when the disk fails', () => {
    const disk = diskWith({ '.git/HEAD': sha1 });
    disk.failWhen(({ operation }) => (operation === 'read' ? { kind: 'error', code: 'EIO' } : undefined));
    expect(gitHead(disk, root)).toBeUndefined();
  });
});

describe('of a repository that git itself has made', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-git-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Without what the user or the machine configures. */
  const git = (at: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      cwd: at,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CEILING_DIRECTORIES: folder,
      },
    }).trim();

  const isThere = (() => {
    try {
      execFileSync('git', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();

  const commit = (at: string) => git(at, 'commit', '--allow-empty', '--quiet', '--message', 'a');
  const repository = () => {
    const at = join(folder, 'book');
    mkdirSync(at);
    git(at, 'init', '--quiet');
    return at;
  };

  it.runIf(isThere)('before and after each commit', () => {
    const at = repository();
    expect(gitHead(nodeDisk, at)).toBeUndefined();
    for (let nth = 0; nth < 2; nth++) {
      commit(at);
      expect(gitHead(nodeDisk, at)).toBe(git(at, 'rev-parse', 'HEAD'));
    }
  });

  it.runIf(isThere)('packed, detached, and in a folder below', () => {
    const at = repository();
    commit(at);
    git(at, 'checkout', '--quiet', '-b', 'feature/one');
    commit(at);
    git(at, 'tag', '--annotate', 'v1', '--message', 'a');
    git(at, 'pack-refs', '--all');
    expect(gitHead(nodeDisk, at)).toBe(git(at, 'rev-parse', 'HEAD'));
    git(at, 'checkout', '--quiet', '--detach', 'HEAD~1');
    mkdirSync(join(at, 'deep', 'down'), { recursive: true });
    expect(gitHead(nodeDisk, join(at, 'deep', 'down'))).toBe(git(at, 'rev-parse', 'HEAD'));
  });

  it.runIf(isThere)('in a worktree, before and after its branch is packed', () => {
    const at = repository();
    commit(at);
    const side = join(folder, 'side');
    git(at, 'worktree', 'add', '--quiet', '-b', 'side', side);
    commit(side);
    const expected = git(side, 'rev-parse', 'HEAD');
    expect(expected).not.toBe(git(at, 'rev-parse', 'HEAD'));
    expect(gitHead(nodeDisk, side)).toBe(expected);
    git(at, 'pack-refs', '--all');
    expect(gitHead(nodeDisk, side)).toBe(expected);
    writeFileSync(join(side, '.git'), 'gitdir: \0\n');
    expect(gitHead(nodeDisk, side)).toBeUndefined();
  });
});
