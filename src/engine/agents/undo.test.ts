import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { insertedRanges, originOf, rememberOrigin, withoutRanges } from './undo.ts';

const environment = () => {
  const stateFolder = join(tempFolder(), 'state');
  return { ...realEnvironment('/'), stateFolder };
};

describe('the parts of a text that were put in', () => {
  it('are those without which the other is left', () => {
    expect(insertedRanges('ab', 'axb')).toEqual([[1, 2]]);
    expect(insertedRanges('', 'abc')).toEqual([[0, 3]]);
    expect(insertedRanges('abc', 'abc')).toEqual([]);
    expect(insertedRanges('abc', 'ac')).toBeUndefined();
  });

  it('are found wherever they were put', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pieces) => {
        const before = pieces.map(([kept]) => kept).join('');
        const after = pieces.flat().join('');
        expect(withoutRanges(after, insertedRanges(before, after) ?? [[0, after.length]])).toBe(before);
      }),
    );
  });
});

describe('the memory of what was there', () => {
  it('lasts as long as the file is as it was left', () => {
    const env = environment();
    rememberOrigin(env, '/a', '{"x": 1}', { kind: 'text', text: '{}' });
    expect(originOf(env, '/a', '{"x": 1}')).toEqual({ kind: 'text', text: '{}' });
    expect(originOf(env, '/a', '{"x": 2}')).toBeUndefined();
    expect(originOf(env, '/b', '{"x": 1}')).toBeUndefined();
    rememberOrigin(env, '/a', 'new', { kind: 'none' });
    expect(originOf(env, '/a', 'new')).toEqual({ kind: 'none' });
    rememberOrigin(env, '/a', undefined, undefined);
    expect(originOf(env, '/a', 'new')).toBeUndefined();
  });

  it('holds no word of the file', () => {
    const env = environment();
    rememberOrigin(env, '/a', '{"token": "geheim", "x": 1}', { kind: 'text', text: '{"token": "geheim"}' });
    const [name = ''] = readdirSync(join(env.stateFolder, 'agents'));
    expect(readFileSync(join(env.stateFolder, 'agents', name), 'utf8')).not.toContain('geheim');
  });

  it('is not believed when it is damaged, and not kept where there is no place for it', () => {
    const env = environment();
    rememberOrigin(env, '/a', 'text', { kind: 'none' });
    const [name = ''] = readdirSync(join(env.stateFolder, 'agents'));
    const path = join(env.stateFolder, 'agents', name);
    const whole = readFileSync(path, 'utf8');
    for (let length = 0; length < whole.length - 1; length++) {
      writeFileSync(path, whole.slice(0, length));
      expect(originOf(env, '/a', 'text')).toBeUndefined();
    }
    for (const inserted of [
      '"some"',
      '[[2,1]]',
      '[[1,2],[0,1]]',
      '[[0.5,1]]',
      '[["0",1]]',
      '[[0]]',
      'null',
    ]) {
      writeFileSync(path, whole.replace('"all"', inserted));
      expect(originOf(env, '/a', 'text')).toBeUndefined();
    }
    const without = { ...env, stateFolder: undefined };
    rememberOrigin(without, '/a', 'text', { kind: 'none' });
    expect(originOf(without, '/a', 'text')).toBeUndefined();
  });
});
