import { describe, expect, it } from 'vitest';
import { endingVariable, handedVariable, variableIn } from './secrets.ts';

describe('a variable', () => {
  it.each([
    ['$API_KEY', 'API_KEY'],
    ['$_', '_'],
    [`$${'x'.repeat(128)}`, 'x'.repeat(128)],
  ])('%s is named', (written, name) => {
    expect(variableIn(written)).toBe(name);
    expect(endingVariable(written)).toEqual({ before: '', name });
  });

  it.each(['', '$', '$5', 'API_KEY', '$A-B', '$A ', '$(A)', `$${'x'.repeat(129)}`, '$A\n'])(
    '%j names none',
    (written) => {
      expect(variableIn(written)).toBeUndefined();
      expect(endingVariable(written)).toBeUndefined();
    },
  );

  it.each([
    ['$A', { name: 'A', isOptional: false }],
    ['$A?', { name: 'A', isOptional: true }],
    ['$A??', undefined],
    ['$?', undefined],
    ['really?', undefined],
    ['Bearer $A?', undefined],
  ])('%j hands on to a program: %j', (written, handed) => {
    expect(handedVariable(written)).toEqual(handed);
  });

  it.each([
    ['Bearer $TOKEN', 'Bearer ', 'TOKEN'],
    ['a\nb $TOKEN', 'a\nb ', 'TOKEN'],
    ['$A$B', '$A', 'B'],
    ['$$A', '$', 'A'],
  ])('%j ends in one, and is none', (written, before, name) => {
    expect(endingVariable(written)).toEqual({ before, name });
    expect(variableIn(written)).toBeUndefined();
  });
});
