import { expect, test } from 'vitest';
import type { PromptAnswer } from '../engine/show/call-answers.ts';
import { promptFacts } from './json.ts';
import { promptText } from './prompt.ts';
import { plainStyle, type Style } from './style/style.ts';

const answer: PromptAnswer = {
  heading: {
    run: '20261115-1203-book-x7k2',
    pipeline: 'book',
    identity: { book: 'ember' },
    status: 'stopped',
    workspace: 'demo',
    createdAt: '2026-11-15T12:03:11.000Z',
    updatedAt: '2026-11-15T12:03:11.000Z',
  },
  unit: 'ch001_sc002',
  phase: 'write',
  attempt: 2,
  model: 'anthropic/claude-sonnet-5',
  system: 'You write scenes.\n',
  text: '# Scene\n\n\tbeat 1\r\nbeat \u001b[31m2\u001b[0m\u202e\n',
  hash: 'sha256:aaaaaaaa1111',
  tokens: 1204,
  estimate: 0.0642,
  attachments: [
    { name: 'map', path: 'maps/harbour.png', size: 12_288 },
    { name: 'letter', path: 'letter.pdf', size: 700 },
  ],
  lastHash: 'sha256:bbbbbbbb2222',
  diff: undefined,
};

const text = (shown: PromptAnswer, style: Style = plainStyle) => promptText(shown, style);

test('what would be sent, below the facts about it', () => {
  expect(text(answer)).toMatchInlineSnapshot(`
    "ch001_sc002/write: anthropic/claude-sonnet-5, about 1,204 tokens, about $0.064, sha256:aaaaaaaa
    attempt 2 was sent another one (sha256:bbbbbbbb); to see the difference: pawl prompt ch001_sc002/write -C demo --diff
    attached: map (maps/harbour.png, 12 KB) and letter (letter.pdf, 700 bytes)

    --- system
    You write scenes.

    --- prompt
    # Scene

    	beat 1
    beat 2\\u{202e}"
  `);
});

test('a prompt without a model, a system prompt, a price or attachments, that was never sent', () => {
  const least: PromptAnswer = {
    ...answer,
    heading: undefined,
    attempt: undefined,
    model: undefined,
    system: undefined,
    text: 'go',
    estimate: undefined,
    attachments: [],
    lastHash: undefined,
  };
  expect(text(least)).toMatchInlineSnapshot(`
    "ch001_sc002/write: about 1,204 tokens, sha256:aaaaaaaa
    never sent so far

    --- prompt
    go"
  `);
  expect(text({ ...answer, lastHash: answer.hash }).split('\n')[1]).toBe('the same as attempt 2 was sent');
});

test('the difference alone, or one line that there is none', () => {
  const diff = '--- attempt 2\n+++ now\n@@ -1 +1 @@\n-# Scen\u0007\n+# Scene\n same\n';
  const paint = {
    ...plainStyle.paint,
    red: (line: string) => `<r>${line}`,
    green: (line: string) => `<g>${line}`,
  };
  expect(text({ ...answer, diff }, { ...plainStyle, paint }).split('\n')).toEqual([
    '<r>--- attempt 2',
    '<g>+++ now',
    '@@ -1 +1 @@',
    '<r>-# Scen\\u{7}',
    '<g>+# Scene',
    ' same',
  ]);
  expect(text({ ...answer, diff: '' })).toBe(
    'the prompt of ch001_sc002/write is the one that attempt 2 was sent (sha256:aaaaaaaa)',
  );
});

test('a prompt whose inputs are not there yet is none, and whoever pipes it is told', () => {
  const unavailable = { reason: 'input-unavailable', detail: 'plan.scene_card\nis not made yet' };
  const missing: PromptAnswer = { ...answer, text: '', unavailable };
  expect(text(missing)).toMatchInlineSnapshot(`
    "! ch001_sc002/write has no prompt yet: an input could not be read (plan.scene_card)
        | is not made yet
        to see where it stands: pawl status demo"
  `);
  expect(promptFacts(missing)).toEqual({
    ...missing,
    reason: 'cannot-prepare',
    next: ['to see where it stands: pawl status demo'],
  });
});

test('as data', () => {
  expect(promptFacts(answer)).toBe(answer);
});
