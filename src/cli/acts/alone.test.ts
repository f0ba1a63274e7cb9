import { afterEach, expect, test, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import type { Face } from '../face.ts';
import { act, hasManifest } from './alone.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const manifest =
  'pawl: 1\npipeline: postcards\nunits: [lima]\nphases: { draft: { run: { command: [ls] }, outputs: { a: "{unit}.a" } } }\n';

const go = (folder: string) => vi.spyOn(process, 'cwd').mockReturnValue(folder);

test('a folder is a workspace by what lies in it, or was run below it', async () => {
  go(tempFolder({ 'notes.yaml': 'a: 1', 'below/other.yaml': manifest }));
  expect(await hasManifest()).toBe(false);
  go(tempFolder({ 'mine.yaml': manifest }));
  expect(await hasManifest()).toBe(true);
  go(tempFolder({ 'below/pawl.yaml': manifest, 'below/.pawl/runs/r/events/runner/x': '' }));
  expect(await hasManifest()).toBe(true);
});

test('the only pipeline below is shown, though nothing was run there yet', async () => {
  go(tempFolder({ 'below/pawl.yaml': manifest }));
  expect(await hasManifest()).toBe(true);
  const call = { command: 'alone', arguments: [], options: {} };
  expect(await act(call, {} as Face)).toMatchObject({ ok: true, value: { answer: { workspace: 'below' } } });
});

test('trouble with finding it is for the act to tell', async () => {
  const used = (name: string) => ({
    [`${name}/pawl.yaml`]: manifest,
    [`${name}/.pawl/runs/r/events/runner/x`]: '',
  });
  go(tempFolder({ ...used('a'), ...used('b') }));
  expect(await hasManifest()).toBe(true);
  const call = { command: 'alone', arguments: [], options: {} };
  expect(await act(call, {} as Face)).toMatchObject({ ok: false, failure: { reason: 'which-workspace' } });
});

test('in a workspace it answers where that stands', async () => {
  go(tempFolder({ 'pawl.yaml': manifest }));
  expect(await act({ command: 'alone', arguments: [], options: {} }, {} as Face)).toMatchObject({
    ok: true,
    value: { command: 'alone', answer: { pipeline: 'postcards', workspace: '.', run: undefined } },
  });
});
