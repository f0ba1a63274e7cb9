import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { testFace } from '../../../test/support/test-face.ts';
import { hasManifest, performAlone } from './alone.ts';

const manifest =
  'pawl: 1\npipeline: postcards\nunits: [lima]\nphases: { draft: { run: { command: [ls] }, outputs: { a: "{unit}.a" } } }\n';

const faceIn = (cwd: string) => testFace({}, { cwd });

test('a folder is a workspace by what lies in it, or was run below it', async () => {
  const isWorkspace = (files: Record<string, string>) => hasManifest(faceIn(tempFolder(files)).place);
  expect(await isWorkspace({ 'notes.yaml': 'a: 1', 'below/other.yaml': manifest })).toBe(false);
  expect(await isWorkspace({ 'mine.yaml': manifest })).toBe(true);
  expect(await isWorkspace({ 'below/pawl.yaml': manifest, 'below/.pawl/runs/r/events/runner/x': '' })).toBe(
    true,
  );
});

test('the only pipeline below is shown, though nothing was run there yet', async () => {
  const face = faceIn(tempFolder({ 'below/pawl.yaml': manifest }));
  expect(await hasManifest(face.place)).toBe(true);
  expect(await performAlone(face)).toMatchObject({ ok: true, value: { answer: { workspace: 'below' } } });
});

test('trouble with finding it is for the act to tell', async () => {
  const used = (name: string) => ({
    [`${name}/pawl.yaml`]: manifest,
    [`${name}/.pawl/runs/r/events/runner/x`]: '',
  });
  const face = faceIn(tempFolder({ ...used('a'), ...used('b') }));
  expect(await hasManifest(face.place)).toBe(true);
  expect(await performAlone(face)).toMatchObject({ ok: false, failure: { reason: 'which-workspace' } });
});

test('in a workspace it answers where that stands', async () => {
  expect(await performAlone(faceIn(tempFolder({ 'pawl.yaml': manifest })))).toMatchObject({
    ok: true,
    value: { command: 'alone', answer: { pipeline: 'postcards', workspace: '.', run: undefined } },
  });
});
