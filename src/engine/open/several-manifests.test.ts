import { describe, expect, it } from 'vitest';
import {
  demand,
  failureOf,
  memoryEnvironment,
  root,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { releaseAfter } from './hold.ts';
import { locateManifest } from './locate.ts';
import { lockNewRun } from './new-run.ts';
import { openWorkspace, placeWorkspace } from './workspace.ts';

/* A folder with more than one manifest, none of which has the usual name. */

const manifest = (move: string) => `# Sprites
pawl: 1
pipeline: sprites
identity: { character: blaze, move: ${move} }
units: [a]
phases: { one: { run: { command: [ls] }, outputs: { out: "{run}/{unit}.txt" } } }
layout: { run: "runs/{date}_{character}_{move}" }
`;
const two = { 'blaze-idle.yaml': manifest('idle'), 'blaze-idle-2.yml': manifest('idle_2') };

/** A new run of a manifest, which does nothing. */
async function begin(env: TestEnvironment, path: string): Promise<string> {
  const opened = demand(await openWorkspace(env, { path }));
  const workspace = placeWorkspace(opened, undefined);
  const hold = demand(await lockNewRun(workspace, { takeover: false, fresh: true }));
  if (hold === undefined) throw new Error('no run');
  env.clock.ms += 60_000;
  return demand(await releaseAfter(workspace, hold, async () => ({ ok: true as const, value: hold.id })));
}

describe('of several manifests', () => {
  it('one has to be named', () => {
    const env = memoryEnvironment(two);
    const which = { reason: 'which-workspace', candidates: ['blaze-idle-2.yml', 'blaze-idle.yaml'] };
    expect(failureOf(locateManifest(env, undefined))).toEqual(which);
    expect(failureOf(locateManifest(env, '.'))).toEqual(which);
    expect(demand(locateManifest(env, 'blaze-idle.yaml'))).toBe('/work/blaze-idle.yaml');
  });

  it('the one with the usual name is meant', () => {
    const env = memoryEnvironment({ ...two, 'pawl.yaml': manifest('run') });
    expect(demand(locateManifest(env, undefined))).toBe('/work/pawl.yaml');
  });

  it('the only one is meant, whatever else lies there', () => {
    const env = memoryEnvironment({
      'blaze-idle.yaml': manifest('idle'),
      'outline.yaml': 'scenes: [a]\n',
      'notes.md': manifest('idle'),
      'deep/other.yaml': manifest('other'),
      'comment.yaml': '# pawl: 1\nx: 1\n',
      'nested.yaml': 'x:\n  pawl: 1\n',
      'word.yaml': 'pawl: yes\n',
    });
    env.disk.makeFolder(`${root}/folder.yaml`);
    expect(demand(locateManifest(env, undefined))).toBe('/work/blaze-idle.yaml');
  });

  it.each([
    ['with a byte order mark', `\uFEFFpawl: 1\npipeline: p\n`],
    ['with lines as Windows ends them', 'pipeline: p\r\npawl: 1\r\n'],
    ['with much space', 'pawl:   1\n'],
    ['of a later version', 'pawl: 2\n'],
  ])('one is one %s', (_, text) => {
    expect(demand(locateManifest(memoryEnvironment({ 'x.yaml': text }), undefined))).toBe('/work/x.yaml');
  });

  it('below, one has to be named as well', async () => {
    const files = Object.entries(two).map(([name, text]) => [`demo/${name}`, text]);
    const env = memoryEnvironment({ ...Object.fromEntries(files), 'demo/.pawl/runs/x/events/runner/y': '' });
    expect(failureOf(locateManifest(env, undefined))).toEqual({
      reason: 'which-workspace',
      candidates: ['demo/blaze-idle-2.yml', 'demo/blaze-idle.yaml'],
    });
  });

  it('a workspace is shown by its file', async () => {
    const workspace = demand(await openWorkspace(memoryEnvironment(two), { path: 'blaze-idle.yaml' }));
    expect(workspace).toMatchObject({ root, shownRoot: '.', shownPath: 'blaze-idle.yaml' });
  });
});

describe('a run', () => {
  it('says of which manifest it is', async () => {
    const env = memoryEnvironment(two);
    const idle = await begin(env, 'blaze-idle.yaml');
    const second = await begin(env, 'blaze-idle-2.yml');
    expect(demand(locateManifest(env, undefined, idle))).toBe('/work/blaze-idle.yaml');
    expect(demand(locateManifest(env, undefined, second))).toBe('/work/blaze-idle-2.yml');
    expect(demand(await openWorkspace(env, { run: second })).manifest).toBe('blaze-idle-2.yml');
  });

  it('says so by the beginning of its id, and by its folder', async () => {
    const env = memoryEnvironment(two);
    const idle = await begin(env, 'blaze-idle.yaml');
    await begin(env, 'blaze-idle-2.yml');
    for (const name of [idle.slice(0, 13), '20261115_blaze_idle'])
      expect(demand(locateManifest(env, undefined, name))).toBe('/work/blaze-idle.yaml');
    expect(demand(locateManifest(env, undefined, '20261115_blaze_idle_'))).toBe('/work/blaze-idle-2.yml');
  });

  it('says nothing when it might be one of several', async () => {
    const env = memoryEnvironment(two);
    await begin(env, 'blaze-idle.yaml');
    await begin(env, 'blaze-idle-2.yml');
    expect(failureOf(locateManifest(env, undefined, '20261115'))).toMatchObject({
      reason: 'which-workspace',
    });
    expect(failureOf(locateManifest(env, undefined, 'unknown'))).toMatchObject({ reason: 'which-workspace' });
  });

  it('says enough when several are of one manifest', async () => {
    const env = memoryEnvironment(two);
    await begin(env, 'blaze-idle.yaml');
    await begin(env, 'blaze-idle.yaml');
    expect(demand(locateManifest(env, undefined, '20261115'))).toBe('/work/blaze-idle.yaml');
  });

  it('whose manifest is gone does not bring it back', async () => {
    const env = memoryEnvironment(two);
    const idle = await begin(env, 'blaze-idle.yaml');
    env.disk.remove(`${root}/blaze-idle.yaml`);
    expect(demand(locateManifest(env, undefined, idle))).toBe('/work/blaze-idle-2.yml');
  });

  it('does not overrule a manifest that is named', async () => {
    const env = memoryEnvironment(two);
    const idle = await begin(env, 'blaze-idle.yaml');
    expect(demand(locateManifest(env, 'blaze-idle-2.yml', idle))).toBe('/work/blaze-idle-2.yml');
  });
});
