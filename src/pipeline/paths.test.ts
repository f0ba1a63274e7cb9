import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPath, cleanPath, parentFolder } from './paths.ts';

describe('checkPath', () => {
  it.each([
    'a',
    'a/b.md',
    './a',
    'draft/context/{unit}/x.json',
    'ü/é.md',
    'a b',
    '.hidden/x',
    'a..b/c',
    'com/x',
  ])('accepts %s', (path) => {
    expect(checkPath(path)).toBeUndefined();
  });

  it.each([
    ['/a', 'path-absolute'],
    ['c:x', 'path-absolute'],
    ['..', 'path-outside'],
    ['a/../b', 'path-outside'],
    ['.git/config', 'path-reserved'],
    ['a/.GIT/b', 'path-reserved'],
    ['.pawl', 'path-reserved'],
    ['a/con', 'path-reserved'],
    ['a/LPT1.txt', 'path-reserved'],
    ['a/b.', 'path-reserved'],
    ['a\u0000b', 'path-control-character'],
    ['a\u007fb', 'path-control-character'],
    ['a\u200bb', 'path-control-character'],
    ['a\\b', 'path-control-character'],
    ['', 'wrong-type'],
    ['a/', 'wrong-type'],
    ['.', 'wrong-type'],
    ['a'.repeat(256), 'out-of-range'],
    ['a/'.repeat(600), 'out-of-range'],
  ])('refuses %j', (path, code) => {
    expect(checkPath(path)?.code).toBe(code);
  });

  it('leaves nothing that leads anywhere else, however it is spelled', () => {
    const part = fc.constantFrom('..', '.', '', 'a', '.git', '.pawl', 'b.md', '/', '\\', 'C:');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = parts.join('/');
        if (checkPath(path) !== undefined) return;
        const clean = cleanPath(path);
        expect(clean).not.toMatch(/^\/|^[A-Za-z]:|(^|\/)(\.\.?|\.git|\.pawl)?(\/|$)/);
        expect(cleanPath(clean)).toBe(clean);
      }),
    );
  });
});

describe('paths', () => {
  it('have one spelling', () => {
    expect(['./a//b/./c', 'a', './.x', '.x/y'].map(cleanPath)).toEqual(['a/b/c', 'a', '.x', '.x/y']);
  });

  it('have a folder', () => {
    expect(['a/b/c', 'a'].map(parentFolder)).toEqual(['a/b', '']);
  });
});
