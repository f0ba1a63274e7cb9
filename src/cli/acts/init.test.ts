import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../index.ts';
import type { Face } from '../face.ts';
import { act } from './init.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-init-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const init = (template = 'minimal') =>
  act({ command: 'init', arguments: [template, folder], options: {} }, {} as Face);

test('what it writes runs at once, and a second run has nothing to do', async () => {
  const written = await init();
  expect(written).toMatchObject({
    ok: true,
    value: {
      answer: { template: 'minimal', files: ['pawl.yaml', 'phases.mjs', 'prompts/draft.md', 'README.md'] },
    },
  });
  expect(await run({ path: folder })).toMatchObject({
    ok: true,
    value: { kind: 'new', heading: { status: 'completed' }, ran: { succeeded: 6, failed: 0 } },
  });
  expect(readFileSync(join(folder, 'cards/lisbon.md'), 'utf8')).toBe(
    'Dear all,\nGreetings from Lisbon, where there is sun.\nYours, polish\n',
  );
  expect(await run({ path: folder })).toMatchObject({ ok: true, value: { kind: 'unchanged' } });
});

test('an existing file keeps all others away and stays as it is', async () => {
  writeFileSync(join(folder, 'README.md'), 'mine');
  expect(await init('minimal')).toMatchObject({
    ok: false,
    failure: { reason: 'files-exist', files: ['README.md'] },
  });
  expect(existsSync(join(folder, 'pawl.yaml'))).toBe(false);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
});

test('an unknown template', async () => {
  expect(await init('maximal')).toMatchObject({
    ok: false,
    failure: { reason: 'unknown-template', name: 'maximal' },
  });
});

test('the manifest names the schema of this version', async () => {
  await init();
  const [first = ''] = readFileSync(join(folder, 'pawl.yaml'), 'utf8').split('\n');
  expect(first).toMatch(/^# yaml-language-server: \$schema=.*schema\/pawl\.schema\.json$/);
});
