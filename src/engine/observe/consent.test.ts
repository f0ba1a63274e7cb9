import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import type { JsonObject } from '../../base/json.ts';
import { definePipeline } from '../../pipeline/define.ts';
import type { Environment } from '../open/environment.ts';
import { openWorkspace } from '../open/workspace.ts';
import { planPipeline } from '../show/plan.ts';
import { showStatus } from '../show/status.ts';
import { missingConsent } from './consent.ts';

function pipeline(params: JsonObject = {}): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'notes',
    units: ['a'],
    phases: { make: { run: () => ({ text: 'x' }), params, outputs: { text: 'out/{unit}.txt' } } },
  };
}

async function isAgreed(env: Environment, definition = pipeline()): Promise<boolean> {
  const workspace = demand(await openWorkspace(env, { path: root, pipeline: definePipeline(definition) }));
  return missingConsent(env, workspace.loaded) === undefined;
}

describe('whoever runs a pipeline', () => {
  it('has agreed to it, for every later process', async () => {
    const env = memoryEnvironment();
    expect(await isAgreed(env)).toBe(false);
    await run(env, pipeline());
    expect(await isAgreed(nextProcess(env))).toBe(true);
  });

  it('has agreed to nothing else', async () => {
    const env = memoryEnvironment();
    await run(env, pipeline());
    expect(await isAgreed(env, pipeline({ word: 'other' }))).toBe(false);
    expect(await isAgreed(env, { ...pipeline(), pipeline: 'others' })).toBe(false);
  });

  it('has agreed wherever the same pipeline lies', async () => {
    const env = memoryEnvironment();
    await run(env, pipeline());
    env.disk.makeFolder('/elsewhere');
    const target = { path: '/elsewhere', pipeline: definePipeline(pipeline()) };
    const workspace = demand(await openWorkspace(env, target));
    expect(missingConsent(env, workspace.loaded)).toBeUndefined();
  });

  it('is the only one who has: the workspace does not bring it along', async () => {
    const env = memoryEnvironment();
    await run(env, pipeline());
    expect(await isAgreed({ ...env, stateFolder: '/of/another' })).toBe(false);
    expect(await isAgreed({ ...env, stateFolder: undefined })).toBe(false);
  });

  it('goes on where it cannot be kept: only others need it', async () => {
    const env = memoryEnvironment();
    env.disk.putFile('/of/nobody', 'a file');
    const nowhere = { ...env, stateFolder: '/of/nobody/state' };
    expect(await run(nowhere, pipeline())).toMatchObject({ heading: { status: 'completed' } });
    expect(await isAgreed(nowhere)).toBe(false);
  });

  it('without a place to keep it is not asked for one', async () => {
    const env = { ...memoryEnvironment(), stateFolder: undefined };
    expect(await run(env, pipeline())).toMatchObject({ heading: { status: 'completed' } });
    expect(await isAgreed(env)).toBe(false);
  });
});

describe('whoever only looks', () => {
  it('has agreed to nothing, and leaves nothing', async () => {
    const env = memoryEnvironment();
    const target = { path: root, pipeline: definePipeline(pipeline()) };
    const before = env.disk.calls;
    demand(await planPipeline(env, target));
    await showStatus(env, target);
    expect(await isAgreed(env)).toBe(false);
    expect(env.disk.calls).toBe(before);
  });
});

describe('a consent', () => {
  it('that is there already is not written again', async () => {
    const env = memoryEnvironment();
    await run(env, pipeline());
    const [name] = env.disk.list('/state/consent') ?? [];
    const before = env.disk.stat(`/state/consent/${name}`);
    await run(nextProcess(env), pipeline(), { rerunAll: true, reason: 'again' });
    expect(env.disk.stat(`/state/consent/${name}`)).toEqual(before);
    expect(env.disk.list('/state/consent')).toHaveLength(1);
  });
});

describe('PAWL_TRUST', () => {
  it('consents by the hash of this content, unless a coding agent is above', async () => {
    const env = memoryEnvironment();
    const target = { path: root, pipeline: definePipeline(pipeline()) };
    const { loaded } = demand(await openWorkspace(env, target));
    const hash = missingConsent(env, loaded) ?? '';
    const isAgreedBy = (variables: NodeJS.ProcessEnv) => missingConsent(env, loaded, variables) === undefined;
    expect(isAgreedBy({ PAWL_TRUST: hash })).toBe(true);
    expect(isAgreedBy({ PAWL_TRUST: hash.slice('sha256:'.length) })).toBe(true);
    expect(isAgreedBy({ PAWL_TRUST: hash, CLAUDECODE: '1' })).toBe(false);
    expect(isAgreedBy({ PAWL_TRUST: `${hash}0` })).toBe(false);
    expect(isAgreedBy({ PAWL_TRUST: 'sha256:' })).toBe(false);
    expect(isAgreedBy({ PAWL_TRUST: '' })).toBe(false);
  });
});
