import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafeName, parseStepName, stepName } from './names.ts';

describe('cell names', () => {
  it('are read as they are written', () => {
    const names = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(names, names, (unit, phase) => {
        expect(parseStepName(stepName(unit, phase))).toEqual({ unit, phase });
      }),
    );
  });

  it.each(['', 'unit', '/', 'unit/', '/phase', 'a/b/c', 'a//b'])('are not read from %j', (text) => {
    expect(parseStepName(text)).toBeUndefined();
  });
});

describe('isSafeName', () => {
  it.each(['a', '0', 'ch001_sc001', 'a.b-c_d', 'x'.repeat(64), 'console', 'com10'])('takes %j', (name) => {
    expect(isSafeName(name)).toBe(true);
  });

  it.each([
    '',
    'A',
    '-a',
    '.a',
    '_a',
    'a b',
    'a/b',
    'a~b',
    'a\n',
    'ä',
    'x'.repeat(65),
    'con',
    'nul.txt',
    'com1.tar.gz',
    'lpt9',
    'a.',
  ])('refuses %j', (name) => {
    expect(isSafeName(name)).toBe(false);
  });
});
