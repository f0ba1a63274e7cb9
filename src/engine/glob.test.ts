import { describe, expect, it } from 'vitest';
import { globPattern } from './glob.ts';

describe('a glob', () => {
  it.each([
    ['ch001_*', 'ch001_sc001', true],
    ['ch001_*', 'ch002_sc001', false],
    ['*', 'anything', true],
    ['*', 'a/b', false],
    ['s?', 's1', true],
    ['s?', 's', false],
    ['s?', 's12', false],
    ['?', '/', false],
    ['**', 'a/b/c', true],
    ['src/**/x.md', 'src/x.md', true],
    ['src/**/x.md', 'src/a/b/x.md', true],
    ['src/**/x.md', 'src/ax.md', false],
    ['src/*.md', 'src/a.md', true],
    ['src/*.md', 'src/a/b.md', false],
    ['a.b', 'a.b', true],
    ['a.b', 'axb', false],
    ['a+(b)[c]{d}^$|\\', 'a+(b)[c]{d}^$|\\', true],
    ['😀?', '😀😀', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j and %j: %s', (glob, text, matches) => {
    expect(globPattern(glob).test(text)).toBe(matches);
  });
});
