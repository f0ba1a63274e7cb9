import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Disk } from './disk.ts';
import { nodeDisk } from './node-disk.ts';
import { createInsideCheck } from './safe-path.ts';

let base: string;
let root: string;

beforeEach(() => {
  base = fs.mkdtempSync(join(os.tmpdir(), 'pawl-path-'));
  root = join(base, 'work');
  fs.mkdirSync(join(root, 'draft'), { recursive: true });
  fs.mkdirSync(join(root, '.git/hooks'), { recursive: true });
  fs.mkdirSync(join(base, 'outside'));
});

afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function check(path: string): string {
  const result = createInsideCheck(nodeDisk, root)(path);
  return result.ok ? result.value.replace(root, 'ROOT') : result.failure.reason;
}

describe('by its letters', () => {
  test.each([
    ['out.md', 'ROOT/out.md'],
    ['draft/out.md', 'ROOT/draft/out.md'],
    ['./draft//out.md', 'ROOT/draft/out.md'],
    ['not/there/yet/out.md', 'ROOT/not/there/yet/out.md'],
    ['..hidden/...', 'ROOT/..hidden/...'],
    ['.github/x.yml', 'ROOT/.github/x.yml'],
    ['draft/.gitignore', 'ROOT/draft/.gitignore'],
    ['ünïcode/文.md', 'ROOT/ünïcode/文.md'],
    ['', 'path-outside'],
    ['.', 'path-outside'],
    ['./', 'path-outside'],
    ['..', 'path-outside'],
    ['../work/out.md', 'path-outside'],
    ['draft/../../x', 'path-outside'],
    ['draft/../x', 'path-outside'],
    ['draft\\..\\..\\x', 'path-outside'],
    ['/etc/passwd', 'path-absolute'],
    ['C:\\x', 'path-absolute'],
    ['c:x', 'path-absolute'],
    ['\\\\host\\share', 'path-absolute'],
    ['.git/hooks/pre-commit', 'path-reserved'],
    ['.GIT/config', 'path-reserved'],
    ['.git./config', 'path-reserved'],
    ['sub/.git/config', 'path-reserved'],
    ['.pawl/objects/x', 'path-reserved'],
    ['draft/.Pawl/x', 'path-reserved'],
    ['a\0b', 'path-control-character'],
    ['a\nb', 'path-control-character'],
    ['a\u007fb', 'path-control-character'],
    ['a\u0085b', 'path-control-character'],
  ])('%j: %s', (path, expected) => {
    expect(check(path)).toBe(expected);
  });
});

describe('by where its folder really is', () => {
  test.each([
    ['a link to outside', () => join(base, 'outside'), 'path-through-link'],
    ['a relative link to outside', () => '../outside', 'path-through-link'],
    ['a link to nowhere', () => join(base, 'not-there'), 'path-through-link'],
    ['a link to a reserved folder', () => '.git', 'path-through-link'],
    ['a link into a reserved folder', () => join(root, '.git/hooks'), 'path-through-link'],
    ['a link that stays inside', () => 'draft', 'ROOT/link/out.md'],
    ['a link to the root itself', () => '.', 'ROOT/link/out.md'],
  ])('%s', (_, target, expected) => {
    fs.symlinkSync(target(), join(root, 'link'));
    expect(check('link/out.md')).toBe(expected);
    expect(check('link/deeper/out.md')).toBe(expected.replace('out.md', 'deeper/out.md'));
  });

  test('a folder beside the root with the same beginning is outside', () => {
    fs.mkdirSync(`${root}-2`);
    fs.symlinkSync(`${root}-2`, join(root, 'link'));
    expect(check('link/out.md')).toBe('path-through-link');
  });

  test('the last part may be a link: it is replaced, not followed', () => {
    fs.symlinkSync(join(base, 'outside/x'), join(root, 'draft/out.md'));
    expect(check('draft/out.md')).toBe('ROOT/draft/out.md');
  });

  test('the root may itself be reached through a link', () => {
    fs.symlinkSync(root, join(base, 'alias'));
    const result = createInsideCheck(nodeDisk, join(base, 'alias'))('draft/out.md');
    expect(result).toEqual({ ok: true, value: join(base, 'alias/draft/out.md') });
  });
});

test('a folder is asked about once, but one that is not there yet is asked about again', () => {
  let questions = 0;
  const disk: Disk = {
    ...nodeDisk,
    realpath(path) {
      questions++;
      return nodeDisk.realpath(path);
    },
  };
  const checkInside = createInsideCheck(disk, root);
  checkInside('draft/1.md');
  const before = questions;
  for (let at = 0; at < 10; at++) checkInside(`draft/${at}.md`);
  expect(questions).toBe(before);
  expect(checkInside('later/1.md').ok).toBe(true);
  fs.symlinkSync(join(base, 'outside'), join(root, 'later'));
  expect(checkInside('later/1.md').ok).toBe(false);
});

test('a root that is not there is a bug', () => {
  expect(() => createInsideCheck(nodeDisk, join(base, 'absent'))).toThrow('ENOENT');
});
