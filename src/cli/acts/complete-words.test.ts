import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { testIo } from '../../../test/support/test-io.ts';
import { askedKinds } from '../completion/values.ts';
import { completeWords } from './complete-words.ts';

const manifest =
  'pawl: 1\npipeline: p\nunits: [lima, oslo]\nphases: { draft: { run: { command: [ls] }, outputs: { a: "{unit}.a" } } }\n';

let folder = '/';

/** What it prints; on stderr it never prints anything, and it never throws. */
async function printed(...words: string[]): Promise<string> {
  const io = testIo({ cwd: folder, variables: {} });
  await completeWords(words, io);
  const { stdout, stderr } = io.printed();
  expect([io.exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

test('a word a line, of the workspace that is named', async () => {
  const folder = tempFolder({ 'pawl.yaml': manifest });
  expect(await printed('unit', '', '-C', folder)).toBe('lima\noslo\n');
  expect(await printed('cell', 'o', '--run', 'x', '-C', folder)).toBe('oslo/draft\n');
  expect(await printed('unit', '', '-C', '/nowhere', '-C', folder)).toBe('lima\noslo\n');
});

test('the beginning of many words has a remark', async () => {
  const units = Array.from({ length: 300 }, (_, at) => `u${String(at).padStart(3, '0')}`);
  const folder = tempFolder({ 'pawl.yaml': manifest.replace('[lima, oslo]', JSON.stringify(units)) });
  expect((await printed('unit', 'u', '-C', folder)).split('\n')[0]).toBe('u00\t...');
});

test('what can be explained, wherever one is', async () => {
  expect((await printed('reason', 'output-')).split('\n')).toContain('output-edited');
});

test('nothing at all, whatever is wrong', async () => {
  const bad = tempFolder({ 'pawl.yaml': 'pawl: [', '.pawl/runs/r/events/runner/1.jsonl': '{"torn' });
  for (const kind of askedKinds)
    for (const path of ['/nowhere', join(bad, 'pawl.yaml', 'x'), '\0'])
      expect(await printed(kind, '~', '-C', path)).toBe('');
  expect(await printed('cell', '', '-C', bad)).toBe('');
  folder = tempFolder();
  expect(await printed()).toBe('');
  expect(await printed('nonsense', 'x')).toBe('');
  expect(await printed('cell')).toBe('');
  expect(await printed('cell', '', '-C')).toBe('');
});
