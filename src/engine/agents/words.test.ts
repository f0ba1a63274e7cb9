import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord, shellWords } from './words.ts';

describe('the words of a command line', () => {
  it.each([
    ['pawl hook claude', ['pawl', 'hook', 'claude']],
    ['  pawl\thook   claude ', ['pawl', 'hook', 'claude']],
    ['node "$DIR"/a/pawl.js hook', ['node', '$DIR/a/pawl.js', 'hook']],
    [`'a b' "c d"e \\ f`, ['a b', 'c de', ' f']],
    ['node "$(git rev-parse --show-toplevel)"/x', ['node', '$(git rev-parse --show-toplevel)/x']],
    ['node $(pwd)/x', ['node', '$(pwd)/x']],
    ['', []],
    ["''", ['']],
  ])('of %j', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });

  it.each([
    'a; b',
    'a && b',
    'a || true',
    'a | b',
    'a > f',
    'a `b`',
    'a\nb',
    '(a)',
    "'a",
    '"a',
    'a # b',
    'a \\',
  ])('are none where there is more than one command, or half of one: %j', (line) => {
    expect(shellWords(line)).toBeUndefined();
  });

  it('come back when they are put into a line', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(shellWords(words.map(shellWord).join(' '))).toEqual(words);
      }),
    );
  });

  it('are those that a shell sees', () => {
    const words = ['a b', "it's", '$HOME', '*', '', 'x=y', '-n', '"', '\\', '`', ';'];
    const line = `for word in ${words.map(shellWord).join(' ')}; do printf '%s\\n' "$word"; done`;
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('\n')}\n`);
  });
});
