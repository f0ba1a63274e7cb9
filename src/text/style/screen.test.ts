import { describe, expect, it } from 'vitest';
import { screenText } from './screen.ts';

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;

describe('text for a screen', () => {
  it('has every command on a line of its own, also where there is no terminal', () => {
    expect(screenText('done; to continue: pawl run book', undefined)).toBe(
      'done; to continue:\n    pawl run book',
    );
    expect(screenText('  → for acme: npm install acme', undefined)).toBe(
      '  → for acme:\n      npm install acme',
    );
    expect(screenText('a word: pawlish', undefined)).toBe('a word: pawlish');
  });

  it('is broken between words, below the text of a list item', () => {
    expect(screenText('✗ one two three four', 12)).toBe('✗ one two\n  three four');
    expect(screenText('    one two three four', 14)).toBe('    one two\n    three four');
    expect(screenText('one two three four', undefined)).toBe('one two three four');
  });

  it('is broken below the last column of a table', () => {
    const row = '  --run <id>  a run, by the beginning of its id';
    expect(screenText(row, 32)).toBe(
      '  --run <id>  a run, by the\n              beginning of its\n              id',
    );
  });

  it('counts what is seen: colours take no room, and wide characters take two columns', () => {
    expect(screenText(`${bold('one')} two`, 7)).toBe(`${bold('one')} two`);
    expect(screenText('日本 日本 日本', 9)).toBe('日本 日本\n日本');
  });

  it('leaves commands, excerpts, lines of a diff and long words whole', () => {
    const whole = [
      "    pawl run --rerun-changed --reason 'a long reason'",
      '    | what a command has said about it',
      '+  a line that was added',
      '-a line that was removed',
      'draft/a-path-that-is-longer-than-the-screen.md',
    ];
    for (const line of whole) expect(screenText(line, 20)).toBe(line);
  });
});
