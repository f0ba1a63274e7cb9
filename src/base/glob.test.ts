import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher, nameMatcher } from './glob.ts';

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
    expect(globMatcher(glob)(text)).toBe(matches);
  });

  it('matches what the regular expression of it does', () => {
    const glob = fc.array(fc.constantFrom('a', 'b', '/', '.', '*', '**', '**/', '?'), { maxLength: 8 });
    const text = fc.array(fc.constantFrom('a', 'b', '/', '.', '😀'), { maxLength: 8 });
    fc.assert(
      fc.property(glob, text, (parts, characters) => {
        const [written, said] = [parts.join(''), characters.join('')];
        expect(globMatcher(written)(said)).toBe(regularExpression(written).test(said));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['*a'.repeat(30), 'a'.repeat(200)],
    ['**/'.repeat(30), 'a/'.repeat(100)],
    ['**a'.repeat(30), 'a'.repeat(200)],
    ['?*'.repeat(30), 'a'.repeat(200)],
  ])('takes no more steps than glob times text: %s', (stars, text) => {
    const glob = `${stars}b.txt`;
    let visits = 0;
    const matches = globMatcher(glob, () => {
      visits += 1;
    });
    expect(matches(text)).toBe(false);
    expect(visits).toBeGreaterThan(text.length);
    expect(visits).toBeLessThanOrEqual((glob.length + 1) * text.length);
  });
});

/** What a glob means, in one expression: right, and of exponential time. */
function regularExpression(glob: string): RegExp {
  const body = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[./]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${body}$`, 'u');
}

describe('a glob over names', () => {
  it.each([
    ['sc00[34]', 'sc003', true],
    ['sc00[34]', 'sc005', false],
    ['[a-c]*', 'b1', true],
    ['[a-c]*', 'd1', false],
    ['[!a]x', 'bx', true],
    ['[!a]x', 'ax', false],
    ['[ab][12]', 'b2', true],
    ['[a-]', '-', true],
    ['a[', 'a[', true],
    ['*[0-9]', 'ab12', true],
  ])('%j and %j: %s', (glob, text, matches) => {
    expect(nameMatcher(glob)(text)).toBe(matches);
  });

  it('visits each state at most once for each character', () => {
    let visits = 0;
    const glob = '*[ab]'.repeat(30);
    const text = 'a'.repeat(200);
    expect(nameMatcher(`${glob}c`, () => visits++)(text)).toBe(false);
    expect(visits).toBeLessThanOrEqual((glob.length + 1) * text.length);
  });
});
