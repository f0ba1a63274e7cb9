import { expect, test } from 'vitest';
import { troubleJson } from './trouble-json.ts';

test('a failure: reason, facts, words and ways on', () => {
  const place = { file: 'pawl.yaml', line: 3, column: 1, source: 'units: []' };
  const problem = { code: 'no-units', path: 'units', place, facts: {} } as const;
  const json = troubleJson({ reason: 'manifest-invalid', file: 'pawl.yaml', problems: [problem] }, 'run', {
    path: undefined,
  });
  expect(json).toEqual({
    ok: false,
    command: 'run',
    exitCode: 2,
    reason: 'manifest-invalid',
    file: 'pawl.yaml',
    problems: [{ ...problem, message: 'units: there are no units; list at least one' }],
    message: '1 problem in pawl.yaml; nothing was started',
    next: ['fix it and try again', 'to see all that a manifest may hold: pawl schema'],
  });
});

test('the path that was typed is part of the ways on', () => {
  expect(troubleJson({ reason: 'no-run', workspace: 'a b' }, 'resume', { path: 'a b' })).toMatchObject({
    next: ["to start one: pawl run 'a b'"],
  });
});
