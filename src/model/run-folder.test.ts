import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { completedScenes } from '../../test/fixtures/scenes.ts';
import { runFileNames, runFileUse } from './run-folder.ts';

it('the page about files on disk lists what a run keeps in its folder', () => {
  const page = readFileSync(new URL('../../docs/formats/README.md', import.meta.url), 'utf8');
  const [, tree = ''] = /^ {2}runs\/<run-id>\/\n((?: {4}.*\n)+)/m.exec(page) ?? [];
  const entries = [...tree.matchAll(/^ {4}([^\s,]+(?:, [^\s,]+)*)/gm)].flatMap(([, listed = '']) =>
    listed.split(', '),
  );
  const names = entries.map((entry) => entry.split('/', 1)[0]);
  expect(names.sort()).toEqual([...runFileNames].sort());
});

it('a run has nothing else in its folder', async () => {
  const { env, folder } = await completedScenes();
  const strangers = (env.disk.list(folder) ?? []).filter((name) => runFileUse(name) === undefined);
  expect(strangers).toEqual([]);
});

it('a name that every object has is none of them', () => {
  expect(runFileUse('constructor')).toBeUndefined();
});
