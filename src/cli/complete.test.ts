import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { testIo } from '../../test/support/test-io.ts';
import { commands } from './commands.ts';
import { completeWords } from './complete.ts';

const manifest =
  'pawl: 1\npipeline: p\nunits: [lima, oslo]\nphases: { draft: { run: { command: [ls] }, outputs: { a: "{unit}.a" } } }\n';
const names = commands.map(({ name }) => name);

let folder = '/';

/** The lines that it prints; it never prints on stderr, and never throws. */
async function lines(shell: string, ...words: string[]): Promise<string[]> {
  const io = testIo({ cwd: folder, variables: { HOME: folder } });
  await completeWords([shell, ...words], io);
  const { stdout, stderr } = io.printed();
  expect([io.exitCode, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1);
}

async function offered(...words: string[]): Promise<string[]> {
  const [kind, ...rest] = await lines('bash', ...words);
  expect(kind).toBe('words');
  return rest.map((line) => line.split('\t')[0] ?? '');
}

describe('offers', () => {
  it('commands with their summaries', async () => {
    expect(await lines('zsh', '')).toEqual([
      'words',
      ...commands.map(({ name, summary }) => `${name}\t${summary}`),
    ]);
    expect(await offered('re')).toEqual(names.filter((name) => name.startsWith('re')));
    expect(await offered('help', 'stat')).toEqual(['status', 'statusline']);
    expect(await offered('nonsense')).toEqual([]);
    expect(await lines('bash', 'nonsense', '')).toEqual(['nothing']);
  });

  it('options of the command, and of all commands', async () => {
    expect(await offered('graph', '-')).toEqual(
      expect.arrayContaining([
        '-C',
        '--dir',
        '--run',
        '--format',
        '-o',
        '--out',
        '--json',
        '--quiet',
        '--help',
      ]),
    );
    expect(await lines('fish', 'graph', '--js')).toEqual([
      'words',
      '--json\tone JSON document on stdout; progress stays on stderr',
    ]);
    expect(await offered('run', '--rerun')).toEqual([
      '--rerun-changed',
      '--rerun-change',
      '--rerun-from',
      '--rerun-all',
    ]);
    expect(await offered('--v')).toEqual(['--version']);
    expect(await offered('status', '--v')).toEqual([]);
    expect(await offered('--quiet', 'run', '--rerun-f')).toEqual(['--rerun-from']);
  });

  it('values that are few, also behind an equals sign', async () => {
    expect(await offered('graph', '--format', '')).toEqual(['text', 'mermaid', 'svg', 'json']);
    expect(await offered('graph', '--format', '=')).toEqual(['text', 'mermaid', 'svg', 'json']);
    expect(await offered('graph', '--format', '=', 's')).toEqual(['svg']);
    expect(await lines('zsh', 'graph', '--format=s')).toEqual(['words', 'svg']);
    expect(await offered('cost', '--by', 'm')).toEqual(['model']);
    expect(await offered('init', '')).toEqual(['minimal', 'book', 'sprites', 'agents', 'feature']);
    expect(await offered('agents', 'in')).toEqual(['install']);
    expect(await offered('agents', 'install', 'c')).toEqual(['claude', 'codex', 'cursor', 'copilot']);
    expect(await offered('agents', '--dry-run', 'install', '-C', 'x', 'cl')).toEqual(['claude']);
    expect(await offered('init', '"b')).toEqual(['book']);
  });

  it('nothing for free text', async () => {
    expect(await lines('bash', 'adopt', '--reason', '')).toEqual(['nothing']);
    expect(await lines('bash', 'why', 'a/b', '')).toEqual(['nothing']);
  });

  it('paths, which the shell itself completes', async () => {
    expect(await lines('bash', 'run', '')).toEqual(['file']);
    expect(await lines('bash', 'graph', '-o', '')).toEqual(['file']);
    expect(await lines('bash', 'adopt', 'a', 'b', '')).toEqual(['file']);
    expect(await lines('bash', 'init', 'book', '')).toEqual(['folder']);
  });
});

describe('looks up', () => {
  it('what only the workspace knows, in the workspace that the line names', async () => {
    folder = tempFolder({ 'my book/pawl.yaml': manifest });
    const cells = ['lima/draft', 'oslo/draft'];
    expect(await offered('why', '-C', 'my\\ book', '')).toEqual(cells);
    expect(await offered('why', '-C', 'my\\ book', '--run', 'x', 'o')).toEqual(['oslo/draft']);
    expect(await offered('why', '--dir', '=', '~/my\\ book', '')).toEqual(cells);
    expect(await lines('zsh', 'why', '--dir=my book', '')).toEqual(['words', ...cells]);
    expect(await offered('-C', "'my book'", 'why', 'l')).toEqual(['lima/draft']);
    expect(await offered('plan', "'my book'", '--unit', 'o')).toEqual(['oslo']);
    expect(await offered('run', '-C', "'my book'", '--rerun-from', '')).toEqual(['draft']);
    expect(await offered('why', '-C', '/nowhere', '-C', join(folder, 'my book'), '')).toEqual(cells);
    expect(await offered('why', '--', '-C')).toEqual([]);
  });

  it('many words by their beginnings, which have a remark', async () => {
    const units = Array.from({ length: 300 }, (_, at) => `u${String(at).padStart(3, '0')}`);
    folder = tempFolder({ 'pawl.yaml': manifest.replace('[lima, oslo]', JSON.stringify(units)) });
    expect((await lines('zsh', 'run', '--unit', 'u'))[1]).toBe('u00\t...');
  });

  it('what can be explained, in any folder', async () => {
    expect(await offered('explain', 'output-')).toContain('output-edited');
  });
});

test('whatever is wrong, nothing is offered', async () => {
  const bad = tempFolder({ 'pawl.yaml': 'pawl: [', '.pawl/runs/r/events/runner/1.jsonl': '{"torn' });
  for (const argument of [['why'], ['run', '--unit'], ['run', '--run'], ['approve'], ['start'], ['complete']])
    for (const path of ['/nowhere', join(bad, 'pawl.yaml', 'x'), '\0', bad])
      expect((await lines('fish', '-C', path, ...argument, '~')).slice(1)).toEqual([]);
  folder = tempFolder();
  expect(await lines('bash')).toEqual([]);
  expect((await lines('nonsense', 'x')).slice(1)).toEqual([]);
  expect((await lines('fish', 'why', '')).slice(1)).toEqual([]);
  expect((await lines('fish', 'why', '-C', '')).slice(1)).toEqual([]);
});
