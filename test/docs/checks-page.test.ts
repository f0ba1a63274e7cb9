import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkMarkdownTable } from '../../src/checks/markdown-table.ts';
import { loadPipeline } from '../../src/pipeline/load.ts';
import { memoryReader } from '../fixtures/memory-reader.ts';
import { projectRoot } from '../support/workspace.ts';
import { checkKinds } from './made/manifest-keys.ts';
import { blocksOf } from './page.ts';

const page = readFileSync(join(projectRoot, 'docs/reference/checks.md'), 'utf8');

it('has a part about every check', () => {
  const parts = Array.from(page.matchAll(/^## ([a-z-]+)$/gm), ([, name]) => name);
  expect(parts.toSorted()).toEqual([...new Set(checkKinds())].toSorted());
});

it('shows a table that passes the check of its manifest', async () => {
  const [table] = blocksOf(page).filter(({ language }) => language === 'markdown');
  const check = await checkOfManifest();
  if (check?.kind !== 'markdown-table') expect.fail('the manifest has no such check');
  expect(checkMarkdownTable(check.table, new TextEncoder().encode(table?.text))).toEqual({ passed: true });
});

async function checkOfManifest() {
  const files = blocksOf(page).map(({ info, text }) => [info, text] as const);
  const loaded = await loadPipeline(memoryReader(Object.fromEntries(files)), 'pawl.yaml');
  const [stage] = loaded.ok ? loaded.value.pipeline.stages : [];
  return stage?.phases[0]?.outputs.find(({ name }) => name === 'adr')?.check;
}
