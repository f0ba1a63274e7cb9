import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MarkdownBlock, readMarkdown } from './markdown.ts';

/** `2 Title` for a heading; `a,b / 1,2` for a table and its rows. */
function read(...lines: string[]): string[] {
  return readMarkdown(lines.join('\n')).map(show);
}

function show(block: MarkdownBlock): string {
  if (block.kind === 'heading') return `${block.level} ${block.text}`;
  return [block.header, ...block.rows].map((cells) => cells.join(',')).join(' / ');
}

const table = ['| a | b |', '|---|---|', '| 1 | 2 |'];

describe('headings', () => {
  test.each([
    ['# Title', '1 Title'],
    ['###### Title', '6 Title'],
    ['   ## Title', '2 Title'],
    ['##\tTitle  ', '2 Title'],
    ['## Title ##', '2 Title'],
    ['## Title ####  ', '2 Title'],
    ['## C#', '2 C#'],
    ['## Title <!-- required -->', '2 Title'],
    ['##', '2 '],
    ['## ##', '2 '],
  ])('%j', (line, expected) => {
    expect(read(line)).toEqual([expected]);
  });

  test.each([
    '####### Title',
    '##Title',
    '    ## Title',
    '\t# Title',
    '#5 is fixed',
    '\\# Title',
    '> # Title',
  ])('%j is none', (line) => {
    expect(read(line)).toEqual([]);
  });

  test.each<[string[], string[]]>([
    [['Title', '==='], ['1 Title']],
    [['Title', '-'], ['2 Title']],
    [['Title', '   ---  '], ['2 Title']],
    [['Two', 'lines', '---'], ['2 Two lines']],
    [['Two', '      lines', '---'], ['2 Two lines']],
    [['text', '', 'Title', '---'], ['2 Title']],
    [['- item', '', 'Title', '==='], ['1 Title']],
  ])('underlined: %j', (lines, expected) => {
    expect(read(...lines)).toEqual(expected);
  });

  test.each<[string[]]>([
    [['', '---']],
    [['- item', '---']],
    [['1. item', '---']],
    [['> quote', '---']],
    [['- item', 'goes on', '---']],
    [['    code', '---']],
    [['Title', '', '---']],
    [['Title', '    ---']],
    [['Title', '--- -']],
    [['Title', '<!-- note -->', '---']],
    [['```', 'Title', '---', '```']],
  ])('not underlined: %j', (lines) => {
    expect(read(...lines)).toEqual([]);
  });
});

describe('tables', () => {
  test.each<[string, string[], string]>([
    ['with bars all round', table, 'a,b / 1,2'],
    ['without them', ['a | b', '--- | ---', '1 | 2'], 'a,b / 1,2'],
    ['aligned', ['| a | b |', '|:--|:-:|', '| 1 | 2 |'], 'a,b / 1,2'],
    ['of one column', ['| a |', '| - |', '| 1 |'], 'a / 1'],
    ['without rows', ['| a |', '| - |'], 'a'],
    ['with short and long rows', ['|a|b|', '|-|-|', '|1|', '|1|2|3|'], 'a,b / 1 / 1,2,3'],
    ['with empty cells', ['|a|b|', '|-|-|', '|| |'], 'a,b / ,'],
    ['with escaped bars', ['|a|b|', '|-|-|', '|1\\|2|`3\\|4`|'], 'a,b / 1|2,`3|4`'],
    ['with an escaped backslash before a bar', ['|a|b|', '|-|-|', '|1\\\\|2|'], 'a,b / 1\\\\,2'],
    ['a little indented', table.map((line) => `   ${line}`), 'a,b / 1,2'],
    ['behind text', ['Some text', ...table], 'a,b / 1,2'],
    ['before text', [...table, 'Some text'], 'a,b / 1,2'],
    ['before a line', [...table, '---'], 'a,b / 1,2'],
    ['before code', [...table, '```', '| 3 | 4 |', '```'], 'a,b / 1,2'],
    ['before a quote', [...table, '> | 3 | 4 |'], 'a,b / 1,2'],
    ['ended by an empty line', [...table, '', '| 3 | 4 |'], 'a,b / 1,2'],
    ['with a comment in a cell', ['|a|b|', '|-|-|', '|1|<!-- 2 -->|'], 'a,b / 1,'],
    ['with a comment between rows', [...table, '<!-- |5|6| -->', '| 3 | 4 |'], 'a,b / 1,2 / 3,4'],
    ['with a long comment', [...table, '<!--', '', '|5|6|', '-->', '| 3 | 4 |'], 'a,b / 1,2 / 3,4'],
    ['with a row indented far', [...table, '      | 3 | 4 |'], 'a,b / 1,2 / 3,4'],
    ['with numbered rows and no bar before them', ['a|b', '-|-', '1. x | 2'], 'a,b / 1. x,2'],
  ])('%s', (_, lines, expected) => {
    expect(read(...lines)).toEqual([expected]);
  });

  test.each<[string, string[]]>([
    ['no line of dashes', ['| a | b |', '| 1 | 2 |']],
    ['too few dashes', ['| a | b |', '|---|', '| 1 | 2 |']],
    ['words between dashes', ['| a | b |', '|---|x|']],
    ['no columns', ['|', '|']],
    ['indented as code is', table.map((line) => `    ${line}`)],
    ['in a fence', ['```', ...table, '```']],
    ['in a fence of tildes with words', ['~~~ md `x`', ...table, '~~~']],
    ['in a fence around a fence', ['````', '```', ...table, '```', '````']],
    ['in a fence that never ends', ['```', ...table, '``', '~~~', '    ```']],
    ['in a comment', ['<!--', ...table, '-->']],
    ['in a comment that begins on its line', ['<!-- | a | b |', '|---|---|', '| 1 | 2 | -->']],
    ['in a comment that never ends', ['<!--', ...table, '--', '->']],
    ['in preformatted text', ['<PRE class="x">', ...table, '</pre>']],
    ['in a quote', table.map((line) => `> ${line}`)],
  ])('%s: none', (_, lines) => {
    expect(read(...lines)).toEqual([]);
  });

  test('what hides them ends where it ends', () => {
    expect(read('```', ...table, '```', ...table)).toEqual(['a,b / 1,2']);
    expect(read('~~~', ...table, '~~~~~', ...table)).toEqual(['a,b / 1,2']);
    expect(read('<!-- x -->', ...table)).toEqual(['a,b / 1,2']);
    expect(read('<!--', '## x', 'y --> z', ...table)).toEqual(['a,b / 1,2']);
    expect(read('```x``` is code in a line', ...table)).toEqual(['a,b / 1,2']);
    expect(read('the sign <!-- opens nothing here', '', ...table)).toEqual(['a,b / 1,2']);
  });

  test('several, in order, among headings', () => {
    expect(read('# A', ...table, '', 'x|y', '-|-', '## B', ...table)).toEqual([
      '1 A',
      'a,b / 1,2',
      'x,y',
      '2 B',
      'a,b / 1,2',
    ]);
  });
});

test.each(['\n', '\r\n', '\r'])('lines that end in %j', (end) => {
  const text = ['# A', 'B', '---', ...table, ''].join(end);
  expect(readMarkdown(text).map(show)).toEqual(['1 A', '2 B', 'a,b / 1,2']);
});

test('a byte order mark', () => {
  expect(read('\uFEFF# A')).toEqual(['1 A']);
});

const piece = fc.constantFrom(
  ...[
    '#',
    '# ',
    '|',
    '\\',
    '-',
    '---',
    '=',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<pre>',
    '>',
    '- ',
    '1. ',
    ' ',
    '\t',
  ],
  ...['a', '😀', '\ud800', '\0', '\n', '\n\n', '\r\n', '\r', '|-|\n', '|a|b|\n|-|-|\n'],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
);

test('whatever the text holds: cells and headings come out of it, and nothing is thrown', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const block of readMarkdown(text)) {
        if (block.kind === 'heading') expect(block.level).toBeOneOf([1, 2, 3, 4, 5, 6]);
        else expect(block.header.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('what is put between a fence and its end changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const hidden = text.replaceAll('~', '');
      expect(read('# A', '~~~~', hidden, '~~~~', ...table)).toEqual(['1 A', 'a,b / 1,2']);
    }),
  );
});
