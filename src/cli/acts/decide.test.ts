import { afterEach, expect, test, vi } from 'vitest';
import type { Face } from '../face.ts';
import { act } from './decide.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const approve = (options: Record<string, unknown>, canAsk: boolean) =>
  act({ command: 'approve', arguments: ['a/lint'], options }, { canAsk } as Face);

test('a phase cannot decide about its own run, whatever it says', async () => {
  vi.stubEnv('PAWL_UNIT', 'a');
  vi.stubEnv('PAWL_PHASE', 'lint');
  expect(await approve({ note: 'fine', yes: true }, true)).toEqual({
    ok: false,
    failure: { reason: 'inside-phase', command: 'approve', cell: 'a/lint' },
  });
});

test('without a terminal it takes a word of its own', async () => {
  expect(await approve({ note: 'fine' }, false)).toMatchObject({
    failure: { reason: 'needs-yes', command: 'approve' },
  });
});

test('a decision has a note', async () => {
  expect(await approve({}, true)).toMatchObject({ failure: { reason: 'missing-value', option: '--note' } });
  expect(await approve({ note: '' }, true)).toMatchObject({
    failure: { reason: 'missing-value', option: '--note' },
  });
});
