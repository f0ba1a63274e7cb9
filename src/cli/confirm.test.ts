import { expect, test } from 'vitest';
import { confirm } from './confirm.ts';
import type { Face } from './face.ts';

const call = (options: Record<string, unknown>) => ({ command: 'reset', arguments: [], options });

test('nobody is asked where nobody can answer', async () => {
  expect(await confirm(call({}), { canAsk: false } as Face, 'Sure?')).toEqual({
    ok: false,
    failure: { reason: 'needs-yes', command: 'reset' },
  });
});

test('who said yes already is not asked', async () => {
  expect(await confirm(call({ yes: true }), { canAsk: true } as Face, 'Sure?')).toEqual({
    ok: true,
    value: undefined,
  });
});
