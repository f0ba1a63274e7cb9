import { expect, test } from 'vitest';
import { speaksUtf8, wantsColor } from './face.ts';

test('colours: what people ask for wins over what the terminal can', () => {
  expect(wantsColor({}, true)).toBe(true);
  expect(wantsColor({}, false)).toBe(false);
  expect(wantsColor({ NO_COLOR: '1' }, true)).toBe(false);
  expect(wantsColor({ NO_COLOR: '' }, true)).toBe(true);
  expect(wantsColor({ FORCE_COLOR: '1' }, false)).toBe(true);
  expect(wantsColor({ FORCE_COLOR: '0' }, true)).toBe(false);
  expect(wantsColor({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false);
});

test('UTF-8: the first locale variable that is set decides', () => {
  expect(speaksUtf8({ LANG: 'de_DE.UTF-8' })).toBe(true);
  expect(speaksUtf8({ LANG: 'C.utf8' })).toBe(true);
  expect(speaksUtf8({ LANG: 'C' })).toBe(false);
  expect(speaksUtf8({ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' })).toBe(false);
  expect(speaksUtf8({ LC_ALL: '', LC_CTYPE: 'en_US.UTF-8', LANG: 'C' })).toBe(true);
  expect(speaksUtf8({})).toBe(true);
  expect(speaksUtf8({ TERM: 'linux' })).toBe(false);
});
