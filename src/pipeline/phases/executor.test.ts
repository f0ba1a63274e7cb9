import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { loadPipeline } from '../load.ts';

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
    [['node', '--max-old-space-size={param.n}', 'x.mjs', '--eval={unit}']],
    [['python3', '-Xfaulthandler', '-W', 'error', 'x.py', '-c{unit}']],
    [['tools/run', '--print={unit}']],
    [['timeout', '5s', 'nice', '-n', '5', './tools/{unit}.sh', '{unit}']],
    [['env', 'X={unit}', 'node', 'x.mjs']],
    [['awk', '-v', 'name={unit}', '-F', '{param.n}', '{ print name }', '{unit}.csv']],
    [['awk', '-f', 'x.awk', '{unit}']],
    [['sed', '-n', '-e', '1p', '{unit}']],
    [['npx', 'tool', '-c', '{unit}']],
    [['flock', 'x.lock', 'cp', '{unit}', 'b']],
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
    [['node', '--eval={unit}']],
    [['node', '--no-warnings', '--print={unit}']],
    [['bun', '--eval={unit}']],
    [['deno', 'eval', '{unit}']],
    [['fish', '--command={unit}']],
    [['python3', '-c{unit}']],
    [['perl', '-ne{unit}']],
    [['ruby', '-eputs "{unit}"']],
    [['php', '-r', '{unit}']],
    [['nice', '-n', '5', 'timeout', '5', 'node', '--eval={unit}']],
    [['env', '-S', '{unit} x']],
    [['env', '-S{unit} x']],
    [['env', '--split-string={unit}']],
    [['node', '--import={unit}', 'x.mjs']],
    [['node', '--import', '{unit}', 'x.mjs']],
    [['node', '--require={unit}', 'x.mjs']],
    [['tsx', '-e', '{unit}']],
    [['busybox', 'sh', '-c', '{unit}']],
    [['awk', '-F', ',', '{ print "{unit}" }', 'x.csv']],
    [['gawk', '-e', '{ print "{unit}" }', 'x.csv']],
    [['sed', 's/NAME/{unit}/', 'x.md']],
    [['nice', 'sed', '--expression=s/NAME/{unit}/', 'x.md']],
    [['npx', '-c', 'tool {unit}']],
    [['npx', '--call=tool {unit}']],
    [['su', 'user', '-c', 'tool {unit}']],
    [['script', '-qec', 'tool {unit}', '/dev/null']],
    [['flock', 'x.lock', '-c', 'tool {unit}']],
    [['elixir', '-e', '{unit}']],
  ])('must not be %j', async (command) => {
    expect(await codes(command)).toEqual(['shell-with-template']);
  });

  it.each([
    [['{unit}', 'x']],
    [['env', 'X=1', '{unit}']],
    [['timeout', '-k', '1', '5s', 'nice', '-n', '5', '{unit}']],
    [['npx', '--package', 'x', '{unit}']],
    [['flock', 'x.lock', '{unit}']],
  ])('must not take its program from a unit: %j', async (command) => {
    expect(await codes(command)).toEqual(['program-from-unit']);
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
      await codes(['x'], { LANG: 'C', PATH: '/bin', PYTHONPATH: 'src', NODE_PATH: 'lib', KEY: '$KEY' }),
    ).toEqual([]);
    const forbidden = {
      NODE_OPTIONS: '',
      LD_LIBRARY_PATH: '',
      DYLD_INSERT_LIBRARIES: '',
      bash_env: '',
      PAWL_UNIT: '',
      ENV: 'test',
      PYTHONSTARTUP: 'x.py',
      GIT_SSH_COMMAND: 'x',
      PERL5OPT: '',
      RUBYOPT: '',
    };
    expect(await codes(['x'], forbidden)).toEqual(Array(10).fill('env-forbidden'));
  });
});
