import { expect, test } from 'vitest';
import type { AttemptFailureReason } from '../../model/failure.ts';
import { failureSentence, failureStep, failureTitle } from './attempt-failures.ts';

test('every failure of an attempt has its words, with its facts', () => {
  const facts: Record<AttemptFailureReason, Record<string, string | number>> = {
    'command-not-found': { command: 'lnit' },
    'command-not-executable': { command: 'tools/review.sh' },
    'command-failed': { exitCode: 3 },
    'command-killed': { signal: 'SIGKILL' },
    'function-threw': {},
    'function-missing': { module: 'phases.js', name: 'plan' },
    'timed-out': { timeoutMs: 60_000 },
    'output-missing': { output: 'prose', returned: 'text, card' },
    'output-not-a-file': { output: 'prose', path: 'prose' },
    'output-too-large': { output: 'prose', size: 3 * 1024 ** 3, limit: 2 * 1024 ** 3 },
    'output-outside': { output: 'prose', path: '../x' },
    'check-failed': { output: 'report', check: 'json-schema', path: 'draft/a.json' },
    'verdict-unreadable': { output: 'report', path: 'status' },
    'template-failed': { path: 'templates/write.md', line: 3, column: 7, name: 'unit.titel' },
    'result-file-invalid': {
      path: 'runs/r/attempts/a/b/1/result.json',
      key: 'cost_usd',
      problem: 'it must be a number, not a string',
    },
    'input-unavailable': { input: 'prose', path: 'draft/a.md' },
    'revision-requested': { to: 'architect' },
    'revision-refused': { to: 'spec', valid: 'architect' },
    'agent-failed': { actor: 'executor-1' },
    'told-failed': {},
    'not-authorized': { model: 'anthropic/claude-sonnet-5', status: 401, key: 'ANTHROPIC_API_KEY' },
    'model-unknown': { model: 'anthropic/claude-sonet', status: 404 },
    'call-refused': { model: 'openai/gpt', status: 400, detail: 'prompt is too long' },
    'server-error': { model: 'openai/gpt', status: 500 },
    'connection-lost': { model: 'openai/gpt', detail: 'ECONNRESET' },
    'provider-missing': { provider: 'openai', packages: 'ai@^6, @ai-sdk/openai@^3', key: 'OPENAI_API_KEY' },
    'provider-failed': { provider: 'standin', detail: 'x is not a function' },
    'answer-truncated': { model: 'openai/gpt', finish: 'length' },
    'answer-filtered': { model: 'openai/gpt', finish: 'content-filter' },
    'answer-calls-tool': { finish: 'tool-calls' },
    'answer-empty': { model: 'openai/gpt', finish: 'stop' },
    'answer-too-large': { model: 'openai/gpt', bytes: 3 * 1024 ** 2, limitBytes: 2 * 1024 ** 2 },
    'answer-unparsable': { model: 'openai/gpt', detail: 'no JSON at 1:1' },
  };
  const words = Object.entries(facts).map(
    ([reason, known]) => `${reason}: ${failureSentence(reason, known)}`,
  );
  const steps = Object.entries(facts).flatMap(([reason, known]) => {
    const step = failureStep(reason, known);
    return step === undefined ? [] : [`${reason}: ${step}`];
  });
  expect(steps.join('\n')).toMatchInlineSnapshot(`
    "command-not-executable: make it executable (chmod +x)
    result-file-invalid: correct what the command writes to $PAWL_RESULT; the outputs of this attempt are kept in its folder
    not-authorized: put a key that is valid into ANTHROPIC_API_KEY; the run was stopped at once, and no attempt is used up by it
    model-unknown: name a model in the manifest that the provider has; no attempt is used up by it
    call-refused: change the prompt, its inputs or the parameters; the same call would be refused again
    server-error: run it again, for it may be over by itself
    connection-lost: run it again, for it may be over by itself
    provider-missing: install ai@^6, @ai-sdk/openai@^3 and set OPENAI_API_KEY
    answer-truncated: raise max_tokens of the phase, or ask for less
    answer-filtered: change the prompt or its inputs, or ask another model
    answer-calls-tool: ask for the answer itself in the prompt: a model phase offers no tools
    answer-empty: run it again, for it may be over by itself
    answer-too-large: ask for less, or lower max_tokens of the phase
    answer-unparsable: declare prompt.repair, which is sent with what was wrong with the answer"
  `);
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "command-not-found: the command was not found (lnit)
    command-not-executable: the command is there, but may not be executed (tools/review.sh)
    command-failed: the command failed (exit code 3)
    command-killed: the command was ended from outside (SIGKILL)
    function-threw: the function threw an error
    function-missing: the function could not be loaded (phases.js#plan)
    timed-out: it took longer than its time limit (1 min)
    output-missing: a declared output was not made (output prose, returned: text, card)
    output-not-a-file: an output is not a regular file (output prose, prose)
    output-too-large: an output is too large (output prose, 3 GB, at most 2 GB)
    output-outside: an output leads out of the workspace (output prose, ../x)
    check-failed: an output did not pass its check (output report, check json-schema, draft/a.json)
    verdict-unreadable: the gate found no verdict in the report (output report, at status)
    template-failed: the prompt could not be put together (templates/write.md:3:7, unit.titel)
    result-file-invalid: the file in PAWL_RESULT cannot be used (runs/r/attempts/a/b/1/result.json, cost_usd: it must be a number, not a string)
    input-unavailable: an input could not be read (input prose, draft/a.md)
    revision-requested: an earlier phase has to be done again first (architect)
    revision-refused: it asked for an earlier phase to be done again, and may not (spec, possible: architect)
    agent-failed: whoever had it said that it failed (executor-1)
    told-failed: another tool’s log says that it failed
    not-authorized: the provider does not accept the key (anthropic/claude-sonnet-5, HTTP 401, key in ANTHROPIC_API_KEY)
    model-unknown: the provider does not know the model (anthropic/claude-sonet, HTTP 404)
    call-refused: the provider refuses this call (openai/gpt, HTTP 400, prompt is too long)
    server-error: the provider failed (openai/gpt, HTTP 500)
    connection-lost: the connection to the provider was lost (openai/gpt, ECONNRESET)
    provider-missing: the provider cannot be asked from here (openai, not installed: ai@^6, @ai-sdk/openai@^3, not set: OPENAI_API_KEY)
    provider-failed: what speaks with the provider broke (standin, x is not a function)
    answer-truncated: the answer was cut off (openai/gpt, finish reason length)
    answer-filtered: the provider held the answer back (openai/gpt, finish reason content-filter)
    answer-calls-tool: the model asked for a tool that this phase does not offer (finish reason tool-calls)
    answer-empty: the answer is empty (openai/gpt, finish reason stop)
    answer-too-large: the answer is too large (openai/gpt, 3 MB, at most 2 MB)
    answer-unparsable: the answer holds no JSON that could be read (openai/gpt, no JSON at 1:1)"
  `);
});

test('without facts only the title; a reason of another version as it stands', () => {
  expect(failureSentence('command-failed')).toBe('the command failed');
  expect(failureSentence('output-missing', { output: 'a', returned: '' })).toBe(
    'a declared output was not made (output a, nothing was returned)',
  );
  expect(failureTitle('quota-exceeded')).toBe('quota-exceeded');
  expect(failureTitle('toString')).toBe('toString');
  expect(failureStep('toString')).toBeUndefined();
  expect(failureStep('not-authorized')).toMatch(/^put a key that is valid into the environment;/);
  expect(failureStep('provider-missing')).toBe('install its packages and set its key');
});

test('a function that is missing is told by what is missing of it', () => {
  const sentence = (facts: Record<string, string | number>) =>
    failureSentence('function-missing', { module: 'phases.js', name: 'drft', ...facts });
  const title = 'the function could not be loaded';
  expect(sentence({ cause: 'ENOENT' })).toBe(`${title} (there is no module phases.js)`);
  expect(sentence({ exported: 'draft, polish', suggestion: 'draft' })).toBe(
    `${title} (phases.js exports no function drft; did you mean draft?)`,
  );
  expect(sentence({ exported: 'one, two' })).toBe(
    `${title} (phases.js exports no function drft; it exports one, two)`,
  );
  expect(sentence({ exported: '' })).toBe(`${title} (phases.js exports no function drft)`);
  expect(sentence({ path: 'text.js', line: 2, column: 13 })).toBe(`${title} (text.js:2:13)`);
  expect(failureStep('function-missing', { exported: '' })).toMatch(/^export a function of that name, or/);
  expect(failureStep('function-missing', {})).toBeUndefined();
});

test('a variable that a prompt lacks is told with the one that was meant', () => {
  const facts = { path: 't.md', line: 3, column: 7, name: 'unit.titel', code: 'template-unknown-variable' };
  expect(failureSentence('template-failed', { ...facts, suggestion: 'unit.title' })).toBe(
    'the prompt could not be put together (t.md:3:7, there is no variable unit.titel; did you mean unit.title?)',
  );
});

test('what a provider said is data, and has an end', () => {
  const detail = `\u001b[31mno\n${'x'.repeat(1000)}`;
  const sentence = failureSentence('call-refused', { model: 'a/b', status: 400, detail });
  expect(sentence).toMatch(/^the provider refuses this call \(a\/b, HTTP 400, no\\nx+\.\.\.\)$/);
  expect(sentence.length).toBeLessThan(300);
  expect(failureSentence('call-refused', { model: ['a'], status: null })).toBe(
    'the provider refuses this call',
  );
});
