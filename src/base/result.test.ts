import { expect, it } from 'vitest';
import { fail, ok, unreachable } from './result.ts';

it('tells success from failure by one field', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 });
  expect(fail('no')).toEqual({ ok: false, failure: 'no' });
});

it('is loud about a value that no type allows', () => {
  expect(() => unreachable({ code: 'odd' } as never)).toThrow('{"code":"odd"}');
});
