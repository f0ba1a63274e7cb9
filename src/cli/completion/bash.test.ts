import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { commands, globalOptions } from '../commands.ts';
import { bashScript } from './bash.ts';
import { completionOf } from './model.ts';

const script = bashScript(completionOf(commands, globalOptions));
const names = commands.map(({ name }) => name);

interface Offered {
  readonly words: readonly string[];
  /** How `pawl` was asked, a word a line. */
  readonly asked: readonly string[];
  /** What the shell itself was asked to complete. */
  readonly compopt: string;
}

const harness = `
compopt() { echo "$*" >&3; }
pawl() { echo "a function of the same name" >&2; }
source ./pawl.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_pawl pawl "\${COMP_WORDS[COMP_CWORD]}"
echo "status $?" >&2
for word in \${COMPREPLY[@]+"\${COMPREPLY[@]}"}; do printf '%s\\n' "$word"; done
`;

const fakePawl = `#!/bin/sh
printf '%s\\n' "$@" > "$0.asked"
cat "\${0%/*}/answers"
`;

/** What a real bash offers at the end of a line that it has taken apart into these words. */
function offered(line: readonly string[], { answers = '', before = '' } = {}): Offered {
  const folder = tempFolder({ 'pawl.bash': `${script}\n`, answers, pawl: fakePawl });
  chmodSync(join(folder, 'pawl'), 0o755);
  const program = `${before}
${harness}`;
  const { stdout, stderr, output } = spawnSync(
    'bash',
    ['--norc', '--noprofile', '-c', program, 'bash', ...line],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: '/home/ann' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  expect(stderr).toBe('status 0\n');
  const linesOf = (text: string) => text.split('\n').filter((one) => one !== '');
  return { words: linesOf(stdout), asked: askedIn(folder), compopt: (output[3] ?? '').trim() };
}

function askedIn(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'pawl.asked'), 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

const words = (...line: string[]) => offered(['pawl', ...line]).words;
const asked = (...line: string[]) => offered(['pawl', ...line]).asked;

it('says on top how to install it', () => {
  expect(script.split('\n', 1)[0]).toBe(
    '# Completion of pawl for bash. To install it, put this line into ~/.bashrc: eval "$(pawl completion bash)"',
  );
});

describe('bash completes', () => {
  it('commands', () => {
    expect(words('')).toEqual(names);
    expect(words('re')).toEqual(names.filter((name) => name.startsWith('re')));
    expect(words('help', 'stat')).toEqual(['status', 'statusline']);
    expect(words('nonsense')).toEqual([]);
    expect(words('nonsense', '')).toEqual([]);
  });

  it('options of the command, and of all commands', () => {
    expect(words('graph', '-')).toEqual(
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
    expect(words('run', '--rerun')).toEqual([
      '--rerun-changed',
      '--rerun-change',
      '--rerun-from',
      '--rerun-all',
    ]);
    expect(words('--v')).toEqual(['--version']);
    expect(words('status', '--v')).toEqual([]);
    expect(words('--quiet', 'run', '--rerun-f')).toEqual(['--rerun-from']);
  });

  it('values that are few, also behind an equals sign', () => {
    expect(words('graph', '--format', '')).toEqual(['text', 'mermaid', 'svg', 'json']);
    expect(words('graph', '--format', '=')).toEqual(['text', 'mermaid', 'svg', 'json']);
    expect(words('graph', '--format', '=', 's')).toEqual(['svg']);
    expect(words('cost', '--by', 'm')).toEqual(['model']);
    expect(words('init', '')).toEqual(['minimal', 'book', 'sprites', 'agents', 'feature']);
    expect(words('agents', 'in')).toEqual(['install']);
    expect(words('agents', 'install', 'c')).toEqual(['claude', 'codex', 'cursor', 'copilot']);
    expect(words('agents', '--dry-run', 'install', '-C', 'x', 'cl')).toEqual(['claude']);
    expect(words('init', '"b')).toEqual(['book']);
  });

  it('nothing where words are the person’s own', () => {
    expect(offered(['pawl', 'adopt', '--reason', ''])).toEqual({ words: [], asked: [], compopt: '' });
    expect(offered(['pawl', 'why', 'a/b', ''])).toEqual({ words: [], asked: [], compopt: '' });
  });

  it('paths through the shell itself', () => {
    expect(offered(['pawl', 'run', '']).compopt).toBe('-o default');
    expect(offered(['pawl', 'graph', '-o', '']).compopt).toBe('-o default');
    expect(offered(['pawl', 'adopt', 'a', 'b', '']).compopt).toBe('-o default');
    expect(offered(['pawl', 'init', 'book', '']).compopt).toBe('-o dirnames');
  });
});

describe('bash asks pawl', () => {
  it('for what only the workspace knows', () => {
    expect(asked('why', 'ch0')).toEqual(['__complete', 'cell', 'ch0']);
    expect(asked('run', '--rerun-from', '')).toEqual(['__complete', 'phase', '']);
    expect(asked('approve', '')).toEqual(['__complete', 'question', '']);
    expect(asked('run', '--resume', '2026')).toEqual(['__complete', 'run', '2026']);
    expect(asked('unblock', '')).toEqual(['__complete', 'blocked', '']);
  });

  it('about the workspace and the run that the line names', () => {
    expect(asked('why', '-C', 'a\\ b', '--run', '2026', '')).toEqual([
      '__complete',
      'cell',
      '',
      '-C',
      'a b',
      '--run',
      '2026',
    ]);
    expect(asked('why', '--dir', '=', '~/book', '')).toEqual([
      '__complete',
      'cell',
      '',
      '-C',
      '/home/ann/book',
    ]);
    expect(asked('-C', 'demo', 'why', 'ch')).toEqual(['__complete', 'cell', 'ch', '-C', 'demo']);
    expect(asked('plan', "'my book'", '--unit', 'ch')).toEqual(['__complete', 'unit', 'ch', '-C', 'my book']);
    expect(asked('why', '--', '-C')).toEqual(['__complete', 'cell', '-C']);
  });

  it('and takes each line of the answer for one word that is nothing but itself', () => {
    const answers = 'ch001/write\n$(touch x)\na b\n*\nch00\t...\n';
    expect(offered(['pawl', 'why', ''], { answers }).words).toEqual([
      'ch001/write',
      '$(touch x)',
      'a b',
      '*',
      'ch00',
    ]);
  });

  it('whatever the shell is set to', () => {
    const before = 'set -u; IFS=o; alias pawl=false; shopt -s nocasematch extglob';
    expect(offered(['pawl', 'graph', '--format', ''], { before }).words).toEqual([
      'text',
      'mermaid',
      'svg',
      'json',
    ]);
    expect(offered(['pawl', 'why', 'x'], { before }).asked).toEqual(['__complete', 'cell', 'x']);
  });
});
