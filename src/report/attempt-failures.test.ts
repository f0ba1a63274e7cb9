import { expect, test } from 'vitest';
import type { AttemptFailureReason } from '../model/failure.ts';
import { failureSentence, failureTitle } from './attempt-failures.ts';

test('every failure of an attempt has its words, with its facts', () => {
  const facts: Record<AttemptFailureReason, Record<string, string | number>> = {
    'command-not-found': { command: 'lnit' },
    'command-failed': { exitCode: 3 },
    'command-killed': { signal: 'SIGKILL' },
    'function-threw': {},
    'function-missing': { module: 'phases.js', name: 'plan' },
    'timed-out': { timeoutMs: 60_000 },
    'output-missing': { output: 'prose', returned: 'text, card' },
    'output-not-a-file': { output: 'prose', path: 'prose' },
    'output-too-large': { output: 'prose', size: 3 * 1024 ** 3, limit: 2 * 1024 ** 3 },
    'output-outside': { output: 'prose', path: '../x' },
    'output-empty': { output: 'prose', path: 'draft/a.md' },
    'check-failed': { output: 'report', check: 'json-schema', path: 'draft/a.json' },
    'verdict-unreadable': { output: 'report', path: 'status' },
    'template-failed': { path: 'templates/write.md', line: 3, column: 7, name: 'unit.titel' },
    'input-unavailable': { input: 'prose', path: 'draft/a.md' },
    'revision-requested': { to: 'architect' },
    'revision-refused': { to: 'spec', valid: 'architect' },
    'agent-failed': { actor: 'executor-1' },
    'told-failed': {},
  };
  const words = Object.entries(facts).map(
    ([reason, known]) => `${reason}: ${failureSentence(reason, known)}`,
  );
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "command-not-found: the command was not found (lnit)
    command-failed: the command failed (exit code 3)
    command-killed: the command was ended from outside (SIGKILL)
    function-threw: the function threw an error
    function-missing: the function could not be loaded (phases.js#plan)
    timed-out: it took longer than its time limit (1 min)
    output-missing: a declared output was not made (output prose, returned: text, card)
    output-not-a-file: an output is not a regular file (output prose, prose)
    output-too-large: an output is too large (output prose, 3 GB, at most 2 GB)
    output-outside: an output leads out of the workspace (output prose, ../x)
    output-empty: an output is empty (output prose, draft/a.md)
    check-failed: an output did not pass its check (output report, check json-schema, draft/a.json)
    verdict-unreadable: the gate found no verdict in the report (output report, at status)
    template-failed: the prompt could not be put together (templates/write.md:3:7, unit.titel)
    input-unavailable: an input could not be read (input prose, draft/a.md)
    revision-requested: an earlier phase has to be done again first (architect)
    revision-refused: it asked for an earlier phase to be done again, and may not (spec, possible: architect)
    agent-failed: whoever had it said that it failed (executor-1)
    told-failed: another tool’s log says that it failed"
  `);
});

test('without facts only the title; a reason of another version as it stands', () => {
  expect(failureSentence('command-failed')).toBe('the command failed');
  expect(failureSentence('output-missing', { output: 'a', returned: '' })).toBe(
    'a declared output was not made (output a, nothing was returned)',
  );
  expect(failureTitle('quota-exceeded')).toBe('quota-exceeded');
  expect(failureTitle('toString')).toBe('toString');
});
