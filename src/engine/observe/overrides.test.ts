import { describe, expect, it } from 'vitest';
import { line } from '../../../test/fixtures/pipelines.ts';
import { World } from '../../../test/fixtures/world.ts';
import { noOverrides } from '../../planner/overrides.ts';
import type { OverrideRequest } from '../open/requests.ts';
import { readOverrides } from './overrides.ts';

const reason = 'I know why';

async function read(request: OverrideRequest) {
  const world = await World.of(line({ units: ['ch001_sc001', 'ch001_sc002', 'ch002_sc001'] }));
  return readOverrides(world.loaded.pipeline, request);
}

describe('what was asked for', () => {
  it('is nothing when nothing was', async () => {
    expect(await read({})).toEqual({ ok: true, value: noOverrides });
    expect(await read({ reason, restore: true })).toEqual({ ok: true, value: noOverrides });
  });

  it.each<[OverrideRequest, object]>([
    [{ allowPromptChange: true, reason }, { allowPromptChange: { reason } }],
    [{ forceResume: true, reason }, { forceResume: { reason } }],
    [{ force: true }, { force: { reason: undefined } }],
    [{ force: true, reason }, { force: { reason } }],
    [{ rerunFrom: 'two' }, { rerun: { from: 'two', units: undefined } }],
    [{ rerunAll: true }, { rerun: { from: undefined, units: undefined } }],
  ])('by %j is that and nothing more', async (request, overrides) => {
    expect(await read(request)).toEqual({ ok: true, value: { ...noOverrides, ...overrides } });
  });

  it('of some units is a glob over their names', async () => {
    const overrides = await read({ rerunFrom: 'two', unit: 'ch001_*' });
    const units = overrides.ok ? overrides.value.rerun?.units : undefined;
    expect(['ch001_sc001', 'ch001_sc002', 'ch002_sc001'].map((unit) => units?.(unit))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each<[OverrideRequest, object]>([
    [{ allowPromptChange: true }, { code: 'reason-required', flag: '--resume-allow-prompt-change' }],
    [
      { allowPromptChange: true, reason: '' },
      { code: 'reason-required', flag: '--resume-allow-prompt-change' },
    ],
    [{ forceResume: true }, { code: 'reason-required', flag: '--force-resume' }],
    [{ noDeps: true }, { code: 'needs-flag', flag: '--no-deps', with: '--unit' }],
    [{ rerunFrom: 'tow' }, { code: 'unknown-phase', name: 'tow', valid: ['one', 'two', 'three'] }],
    [
      { rerunAll: true, unit: 'ch001_sc003' },
      { code: 'unknown-unit', name: 'ch001_sc003', near: expect.arrayContaining(['ch001_sc001']) },
    ],
    [
      { rerunAll: true, unit: 'x*' },
      { code: 'unknown-unit', name: 'x*', near: [] },
    ],
  ])('by %j cannot be meant', async (request, problem) => {
    expect(await read(request)).toEqual({ ok: false, failure: { reason: 'usage', problem } });
  });
});
