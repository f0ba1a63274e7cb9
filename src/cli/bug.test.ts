import { expect, test } from 'vitest';
import { bugJson, bugText } from './bug.ts';

function errorWith(stack: string): Error {
  return Object.assign(new Error('boom'), { stack });
}

test('an error out of our own files is a bug in pawl', () => {
  const [first, second] = bugText(new Error('boom')).split('\n');
  expect(first).toBe('pawl: this is a bug in pawl; nothing that was acknowledged is lost');
  expect(second).toBe('Error: boom');
  expect(bugJson('thrown text')).toMatchObject({ ok: false, exitCode: 70, reason: 'bug' });
});

test('an error that a phase let escape is not', () => {
  const error = errorWith('Error: boom\n    at file:///home/me/book/phases.js:3:1');
  expect(bugText(error)).toBe(
    [
      'pawl: code that was loaded by pawl let an error escape; nothing that was acknowledged is lost',
      'Error: boom',
      '    at file:///home/me/book/phases.js:3:1',
    ].join('\n'),
  );
  expect(bugJson(error)).toMatchObject({ reason: 'uncaught-error' });
});
