import { expect, test } from 'vitest';
import { demand, memoryEnvironment } from '../../../test/fixtures/memory.ts';
import { openWorkspace } from '../open/workspace.ts';
import { outputFolders } from './board.ts';

async function foldersOf(paths: readonly string[], cwd = '/work'): Promise<string[]> {
  const outputs = paths.map((path, at) => `o${at}: "${path}"`).join(', ');
  const manifest = `pawl: 1\npipeline: p\nunits: [a]\nphases: { one: { run: { command: [ls] }, outputs: { ${outputs} } } }\n`;
  const env = { ...memoryEnvironment({ 'pawl.yaml': manifest }), cwd };
  return outputFolders(demand(await openWorkspace(env, { path: '/work' })));
}

test('outputs lie in folders that are the same for every unit, none of them within another', async () => {
  expect(await foldersOf(['draft/{unit}.md', 'draft/context/{unit}/card.json', 'art/{unit}/a.png'])).toEqual([
    'art/',
    'draft/',
  ]);
  expect(await foldersOf(['{unit}.md', 'cards/{unit}.md'])).toEqual(['./', 'cards/']);
  expect(await foldersOf(['draft-{unit}.md', 'drafts/x-{unit}.md'])).toEqual(['./', 'drafts/']);
});

test('they are shown as people would type them from where they are', async () => {
  expect(await foldersOf(['cards/{unit}.md'], '/')).toEqual(['work/cards/']);
  expect(await foldersOf(['cards/{unit}.md'], '/work/cards')).toEqual(['../cards/']);
});
