import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { testIo } from '../../test/support/test-io.ts';
import { commands } from './commands.ts';
import { main } from './main.ts';

async function printed(...argv: string[]): Promise<string> {
  return await printedIn('/', ...argv);
}

async function printedIn(cwd: string, ...argv: string[]): Promise<string> {
  const io = testIo({ cwd, variables: {} });
  await main(argv, io);
  return io.printed().stdout;
}

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await printed('--version')).toBe(`${version}\n`);
  expect(await printed('-V')).toBe(`${version}\n`);
  expect(await printed('-v')).toBe(`${version}\n`);
});

test('help lists every command, in every way of asking', async () => {
  const help = await printed('--help');
  for (const { name, summary } of commands) expect(help).toMatch(new RegExp(`\\n  ${name} +${summary}\\n`));
  expect(await printed('help')).toBe(help);
  expect(await printed('-h')).toBe(help);
});

test('help begins with what is needed first: starting, looking, deciding', async () => {
  const groups = [...new Set(commands.map(({ group }) => group))];
  expect(groups).toEqual(['work', 'look', 'decide', 'tasks', 'care']);
  const looks = commands.filter(({ group }) => group === 'look').map(({ name }) => name);
  expect(looks.slice(0, 3)).toEqual(['status', 'plan', 'why']);
});

test('help on one command, in every way of asking', async () => {
  const help = await printed('help', 'run');
  expect(help).toMatch(/^pawl run: run what is not done yet, or no longer true\n/);
  expect(await printed('run', '--help')).toBe(help);
  expect(await printed('--help', 'run')).toBe(help);
});

test('-C is an option of every command', async () => {
  for (const { name } of commands) expect(await printed('help', name)).toMatch(/^ {2}-C, --dir <path> /m);
});

test('no line of help is wider than a usual terminal', async () => {
  for (const { name } of commands) {
    for (const line of (await printed('help', name)).split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(110);
  }
});

test('pawl alone says what to do next', async () => {
  expect(await printedIn(tempFolder())).toContain('pawl init book demo');
});
