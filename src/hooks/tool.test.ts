import { describe, expect, it } from 'vitest';
import { readTool } from './tool.ts';

describe('readTool', () => {
  it.each([
    ['Write', { file_path: 'a', content: 'x' }],
    ['write_file', { file_path: 'a', content: 'x' }],
    ['create', { path: 'a', file_text: 'x' }],
    ['create_file', { filePath: 'a', content: 'x' }],
    ['NotebookEdit', { notebook_path: 'a', new_source: 'x' }],
  ])('sees that %s replaces a file', (name, input) => {
    expect(readTool(name, input, false).writes).toEqual([
      { path: 'a', edits: [{ before: undefined, after: 'x', everywhere: false }] },
    ]);
  });

  it('sees each edit of several', () => {
    const edits = [
      { old_string: '1', new_string: '2' },
      { old_string: '3', new_string: '4', replace_all: true },
      'odd',
      { old_string: '5' },
    ];
    expect(readTool('MultiEdit', { file_path: 'a', edits }, false).writes).toEqual([
      {
        path: 'a',
        edits: [
          { before: '1', after: '2', everywhere: false },
          { before: '3', after: '4', everywhere: true },
        ],
      },
    ]);
  });

  it.each([
    ['Read', { file_path: 'a' }],
    ['Bash', { command: 'echo x > a' }],
    ['Write', { content: 'x' }],
    ['Write', null],
    ['Write', [1]],
    ['Write', 'no json'],
    ['', undefined],
  ])('sees no write in %s %j', (name, input) => {
    expect(readTool(name, input, false).writes).toEqual([]);
  });

  it('sees the files of a patch, whatever the tool is called', () => {
    const patch = [
      "apply_patch <<'EOF'",
      '*** Begin Patch',
      '*** Add File: new.md',
      '+one',
      '+two',
      '*** Update File: old.md',
      '*** Move to: moved.md',
      '@@ def',
      ' kept',
      '-gone',
      '+come',
      '@@',
      '-x',
      '+y',
      '*** Delete File: dead.md',
      '*** End Patch',
      'EOF',
    ].join('\n');
    const expected = [
      { path: 'new.md', edits: [{ before: undefined, after: 'one\ntwo', everywhere: false }] },
      { path: 'old.md', edits: [] },
      {
        path: 'moved.md',
        edits: [
          { before: 'kept\ngone', after: 'kept\ncome', everywhere: false },
          { before: 'x', after: 'y', everywhere: false },
        ],
      },
      { path: 'dead.md', edits: [] },
    ];
    expect(readTool('shell', { command: patch }, false).writes).toEqual(expected);
    expect(readTool('apply_patch', patch, false).writes).toEqual(expected);
    expect(readTool('apply_patch', { patchText: patch }, false).writes).toEqual(expected);
  });
});
