import { describe, expect, it } from 'vitest';
import { testMachine } from '../../../../test/fixtures/doctor.ts';
import { memoryEnvironment, root } from '../../../../test/fixtures/memory.ts';
import { checkGitIgnore, isIgnored } from './git-ignore.ts';

describe('a folder is ignored', () => {
  it.each([
    ['.pawl', true],
    ['.pawl/', true],
    ['/.pawl/', true],
    ['**/.pawl', true],
    ['.pawl/*', true],
    ['.pawl/**', true],
    ['.*', true],
    ['*', true],
    ['dist/\r\n# remark\r\n.pawl/  \r\n', true],
    ['.pawl/\n!.pawl/', false],
    ['*\n!.pawl', true],
    ['# .pawl', false],
    ['.pawl/objects', false],
    ['book/.pawl', false],
    ['pawl', false],
    ['', false],
  ])('by %j: %s', (text, expected) => {
    expect(isIgnored([{ folder: '', text }], '.pawl')).toBe(expected);
  });

  it('with the folder that it lies in, and by lists nearer to it before those further up', () => {
    expect(isIgnored([{ folder: '', text: 'books/' }], 'books/ember/.pawl')).toBe(true);
    expect(isIgnored([{ folder: '', text: '/.pawl' }], 'books/.pawl')).toBe(false);
    expect(isIgnored([{ folder: 'books', text: '/.pawl' }], 'books/.pawl')).toBe(true);
    expect(
      isIgnored(
        [
          { folder: '', text: '.pawl' },
          { folder: 'books', text: '!.pawl\n!.pawl/*' },
        ],
        'books/.pawl',
      ),
    ).toBe(false);
  });
});

describe('a workspace', () => {
  const stateOf = (files: Record<string, string>, folder = root) => {
    const env = memoryEnvironment(files);
    env.disk.putFile('/home/ann/.config/git/ignore', '*.log\n');
    const machine = testMachine({ variables: { HOME: '/home/ann' } });
    return checkGitIgnore({ env, machine, start: folder, root: folder, workspace: undefined });
  };

  it('without git is nobody’s business', () => {
    expect(stateOf({ '.gitignore': '' })).toEqual([]);
  });

  it.each([
    ['nothing of ours yet', {}, 'ok'],
    ['no list', { '.pawl/next': '' }, 'warning'],
    ['the list of the repository', { '.gitignore': 'dist\n.pawl/\n' }, 'ok'],
    ['a list that is only for this clone', { '.git/info/exclude': '.pawl\n' }, 'ok'],
    ['a list in the folder itself', { '.pawl/.gitignore': '*\n' }, 'ok'],
  ])('with %s', (_, files, state) => {
    expect(stateOf({ '.git/HEAD': '', ...files })).toEqual([
      { check: 'git-ignore', state, facts: { path: '.pawl/', file: '.gitignore' } },
    ]);
  });

  it('below the repository is found by the lists on the way', () => {
    const files = { '.git/HEAD': '', 'books/ember/pawl.yaml': '', 'books/.gitignore': '.pawl\n' };
    expect(stateOf(files, `${root}/books/ember`)).toMatchObject([{ state: 'ok' }]);
    const without = { '.git/HEAD': '', 'books/ember/.pawl/next': '' };
    expect(stateOf(without, `${root}/books/ember`)).toMatchObject([{ state: 'warning' }]);
  });
});
