import { expect, test } from 'vitest';
import { clip, jsonText, plain, plainLines } from './plain.ts';

const code = (...points: number[]) => String.fromCodePoint(...points);

test('ordinary text stays as it is, in every script', () => {
  for (const text of ['', 'draft/ch001.md', 'Zürich · 東京 · 🜂', 'a "b" \\c']) expect(plain(text)).toBe(text);
});

test('what could move the cursor or hide text is removed or shown', () => {
  const cases: [string, string][] = [
    [`${code(0x1b)}[31mred${code(0x1b)}[0m`, 'red'],
    [`${code(0x1b)}[2J${code(0x1b)}[1;1Hgone`, 'gone'],
    [`${code(0x1b)}]0;title${code(7)}text`, 'text'],
    [`${code(0x1b)}]8;;http://x${code(0x1b)}\\link${code(0x1b)}]8;;${code(0x1b)}\\`, 'link'],
    [`${code(0x1b)}`, '\\u{1b}'],
    [`${code(0x9b)}31m`, '\\u{9b}31m'],
    [`a${code(8)}b${code(0x7f)}`, 'a\\u{8}b\\u{7f}'],
    ['one\ntwo\tthree\r', 'one\\ntwo three\\u{d}'],
    [`a${code(0x202e)}txt.exe`, 'a\\u{202e}txt.exe'],
    [`a${code(0x2066)}b${code(0x2069)}`, 'a\\u{2066}b\\u{2069}'],
    [`pa${code(0x200b)}wl${code(0xfeff)}`, 'pa\\u{200b}wl\\u{feff}'],
    [`x${code(0xe0041)}y`, 'x\\u{e0041}y'],
    [`${code(0x2028)}${code(0x3164)}`, '\\u{2028}\\u{3164}'],
    ['\ud83d', '\\u{d83d}'],
  ];
  for (const [text, shown] of cases) expect(plain(text)).toBe(shown);
});

test('lines are split at every kind of line end and have no empty end', () => {
  expect(plainLines('a\r\nb\rc\n\n \n')).toEqual(['a', 'b', 'c']);
  expect(plainLines('\tx')).toEqual(['  x']);
  expect(plainLines('')).toEqual([]);
});

test('clipping leaves a mark and no half character', () => {
  expect(clip('abcdef', 6, '…')).toBe('abcdef');
  expect(clip('abcdef', 4, '…')).toBe('abc…');
  expect(clip('abcdef', 4, '...')).toBe('a...');
  expect(clip('ab🜂cd', 4, '…')).toBe('ab…');
  expect(clip('abc', 0, '…')).toBe('');
});

test('JSON keeps its value and hides nothing', () => {
  const value = { name: `a${code(0x202e)}b${code(0x200b)}${code(0x1b)}[0m${code(0xe0041)}`, list: [1] };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toMatch(/^[ -~\n]*$/);
  expect(text).toContain('\\u202e');
});
