import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { completionScripts } from './completion-scripts.ts';

interface Offered {
  readonly words: readonly string[];
  /** How `pawl` was called, a word a line. */
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

/** What a real bash offers at the end of a line that it has split into these words. */
function offered(line: readonly string[], { answers = '', before = '' } = {}): Offered {
  const folder = tempFolder({ 'pawl.bash': `${completionScripts.bash}\n`, answers, pawl: fakePawl });
  chmodSync(join(folder, 'pawl'), 0o755);
  const { stdout, stderr, output } = spawnSync(
    'bash',
    ['--norc', '--noprofile', '-c', `${before}\n${harness}`, 'bash', ...line],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: '/home/ann' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  expect(stderr).toBe('status 0\n');
  return {
    words: stdout.split('\n').filter((one) => one !== ''),
    asked: readFileSync(join(folder, 'pawl.asked'), 'utf8').split('\n').slice(0, -1),
    compopt: (output[3] ?? '').trim(),
  };
}

it.each([
  ['bash', 'put this line into ~/.bashrc: eval "$(pawl completion bash)"'],
  ['zsh', 'put this line into ~/.zshrc, below compinit: eval "$(pawl completion zsh)"'],
  ['fish', 'pawl completion fish > ~/.config/fish/completions/pawl.fish'],
] as const)('the script for %s says on top how to install it', (shell, how) => {
  const [first, second] = completionScripts[shell].split('\n');
  const line = shell === 'zsh' ? second : first;
  expect(line).toMatch(new RegExp(`^# Completion of pawl for ${shell}. To install it`));
  expect(line?.endsWith(how)).toBe(true);
  expect(completionScripts[shell]).toContain(`pawl __complete ${shell} `);
});

describe('bash', () => {
  it('hands on the words of the line, each as one word', () => {
    const line = ['pawl', 'why', '-C', 'a\\ b', '--dir', '=', '$(touch x)', "'c", ''];
    expect(offered(line).asked).toEqual(['__complete', 'bash', ...line.slice(1)]);
    expect(offered(['pawl', '']).asked).toEqual(['__complete', 'bash', '']);
  });

  it('takes each line of the answer for one word that is nothing but itself', () => {
    const answers = 'words\nch001/write\n$(touch x)\na b\n*\nch00\t...\nstatus\tshow a run\n';
    expect(offered(['pawl', 'why', ''], { answers })).toMatchObject({
      words: ['ch001/write', '$(touch x)', 'a b', '*', 'ch00', 'status'],
      compopt: '',
    });
  });

  it('completes paths itself', () => {
    expect(offered(['pawl', 'run', ''], { answers: 'file\n' })).toMatchObject({
      words: [],
      compopt: '-o default',
    });
    expect(offered(['pawl', 'init', 'x', ''], { answers: 'folder\n' }).compopt).toBe('-o dirnames');
    expect(offered(['pawl', 'adopt', '--reason', ''], { answers: 'nothing\n' })).toMatchObject({
      words: [],
      compopt: '',
    });
  });

  it('works whatever the shell is set to', () => {
    const before = 'set -u; IFS=o; alias pawl=false; shopt -s nocasematch extglob';
    const answers = 'words\ntext\nmermaid\njson\n';
    expect(offered(['pawl', 'graph', '--format', ''], { before, answers }).words).toEqual([
      'text',
      'mermaid',
      'json',
    ]);
  });
});
