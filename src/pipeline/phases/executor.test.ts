import { describe, expect, it } from 'vitest';
import { loadPipeline } from '../load.ts';
import { memoryReader } from '../memory-reader.ts';

async function codes(command: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const run = JSON.stringify({ command, env });
  const manifest = `pawl: 1\npipeline: p\nunits: [u]\nphases: { a: { run: ${run}, params: { n: 1 }, outputs: { o: o.md } } }\n`;
  const result = await loadPipeline(memoryReader({ 'pawl.yaml': manifest }), 'pawl.yaml');
  if (result.ok) return [];
  return result.failure.reason === 'manifest-invalid' ? result.failure.problems.map(({ code }) => code) : [];
}

describe('a command', () => {
  it.each([
    [['node', 'tools/x.mjs', '{unit}', '--out={output.o}', '{param.n}']],
    [['node', 'tools/x.mjs', '-c', '{unit}']],
    [['python3', 'train.py', '-e', '{param.n}']],
    [['sh', '-c', 'cat "$1" > "$2"', '_', '{unit}', '{output.o}']],
    [['grep', '-e', '{unit}', 'file']],
    [['awk', '{ print $1 }', '{unit}']],
    [['xargs', '-I', '{}', 'echo', '{}']],
  ])('may be %j', async (command) => {
    expect(await codes(command)).toEqual([]);
  });

  it.each([
    [['sh', '-c', 'echo {unit}']],
    [['bash', '-o', 'pipefail', '-ec', 'echo {unit}']],
    [['/usr/bin/env', 'X=1', 'zsh', '-c', '{unit}']],
    [['docker', 'run', 'image', 'sh', '-c', '{unit}']],
    [['node', '--require', 'x', '-e', '"{unit}"']],
    [['node', '--eval', '{unit}']],
    [['python3.12', '-c', 'print("{unit}")']],
    [['PowerShell.exe', '-Command', '{unit}']],
    [['cmd.exe', '/c', '{unit}']],
  ])('must not be %j', async (command) => {
    expect(await codes(command)).toEqual(['shell-with-template']);
  });

  it('may name a field that every unit has', async () => {
    const load = async (units: string) => {
      const manifest = `pawl: 1\npipeline: p\nunits: ${units}\nphases: { a: { run: { command: [x, "{unit.n}"] } } }\n`;
      return (await loadPipeline(memoryReader({ 'pawl.yaml': manifest }), 'pawl.yaml')).ok;
    };
    expect(await load('[{ id: u, n: 1 }, { id: v, n: 2 }]')).toBe(true);
    expect(await load('[{ id: u, n: 1 }, { id: v }]')).toBe(false);
    expect(await load('[u]')).toBe(false);
  });

  it('may set variables, but none that loads what nobody sees', async () => {
    expect(
      await codes(['x'], { LANG: 'C', ENV: 'test', PATH: '/bin', PYTHONPATH: 'src', KEY: '$KEY' }),
    ).toEqual([]);
    const forbidden = {
      NODE_OPTIONS: '',
      LD_LIBRARY_PATH: '',
      DYLD_INSERT_LIBRARIES: '',
      bash_env: '',
      PAWL_UNIT: '',
    };
    expect(await codes(['x'], forbidden)).toEqual(Array(5).fill('env-forbidden'));
  });
});
