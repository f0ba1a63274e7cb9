import { describe, expect, it } from 'vitest';
import { commandWords } from './program-text.ts';

const words = (...argv: string[]) =>
  commandWords(argv).map(({ path, isScript }) => `${path}${isScript ? '!' : ''}`);

describe('the words of a command that may name files', () => {
  it.each([
    [['node', 'tools/draft.mjs', '{unit}'], ['tools/draft.mjs!']],
    [
      ['./run.sh', 'prompt.txt'],
      ['./run.sh!', 'prompt.txt'],
    ],
    [['bin/tool', '--fast', '{output.text}'], ['bin/tool!']],
    [
      ['python3', '-u', 'gen.py', 'data.csv'],
      ['gen.py!', 'data.csv'],
    ],
    [['env', 'A=1', 'node', 'a.mjs'], ['a.mjs!']],
    [['timeout', '5s', './run'], ['./run!']],
    [['make', 'all'], ['all']],
    [
      ['node', '--import', './hook.mjs', 'a.mjs'],
      ['./hook.mjs', 'a.mjs'],
    ],
    [
      ['/usr/bin/python3', '/work/gen.py'],
      ['/usr/bin/python3!', '/work/gen.py!'],
    ],
    [['cat', '{input.prose}', 'a{unit}b', ''], []],
    [['printf', `two\nlines`, 'x'.repeat(300)], []],
  ])('%j', (argv, expected) => {
    expect(words(...argv)).toEqual(expected);
  });

  it.each([
    ['node tools/a.mjs "$1" > out.txt && ./b.sh', ['tools/a.mjs', './b.sh']],
    ['python3 gen.py >> log.py; cat notes.txt', ['gen.py']],
    ['cat "$PAWL_INPUT_FILE" > "$PAWL_OUTPUT_TEXT"', []],
  ])('in the text of a shell are those of scripts: %s', (text, expected) => {
    expect(words('sh', '-c', text)).toEqual(expected);
  });
});
