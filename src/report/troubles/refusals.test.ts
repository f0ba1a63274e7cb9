import { expect, test } from 'vitest';
import type { Hash } from '../../base/hash.ts';
import type { GuardName, Refusal } from '../../model/reason.ts';
import { plainStyle } from '../words/style.ts';
import { groupRefusals, refusalLines, waysOn } from './refusals.ts';

const before: Hash = 'sha256:aaaaaaaa1111';
const after: Hash = 'sha256:bbbbbbbb2222';
const cell = { unit: 'ch001', phase: 'write' };

const refusals: { [G in GuardName]: Extract<Refusal, { guard: G }> } = {
  'manifest-changed': {
    guard: 'manifest-changed',
    before,
    after,
    changes: [
      { path: 'phases.write.params.words', before: 190, after: 250, line: 39, column: 22 },
      { path: 'phases.lint.timeout', before: undefined, after: '1m', line: 80, column: 5 },
      { path: 'pace', before: { concurrency: 4 }, after: undefined },
    ],
  },
  'prompt-changed': {
    guard: 'prompt-changed',
    ...cell,
    role: 'phase',
    path: 'templates/write.md',
    before,
    after,
  },
  'output-edited': {
    guard: 'output-edited',
    ...cell,
    output: 'prose',
    path: 'draft/ch001.md',
    before,
    after,
  },
  'state-edited': { guard: 'state-edited', unit: 'ch001', path: 'state.json', before, after },
  'pre-state-differs': { guard: 'pre-state-differs', ...cell, before, after },
  'file-changed': {
    guard: 'file-changed',
    ...cell,
    file: 'outline',
    path: 'outline.yaml',
    before,
    after: undefined,
  },
  'definition-changed': { guard: 'definition-changed', ...cell, before, after },
  'unit-changed': { guard: 'unit-changed', ...cell, before, after },
  'in-doubt': { guard: 'in-doubt', ...cell, attempt: 2 },
};

test('every refusal says what changed, whom it affects and the safe ways on', () => {
  expect(
    refusalLines(Object.values(refusals), { ...plainStyle, path: 'examples/book' }).join('\n'),
  ).toMatchInlineSnapshot(`
    "✗ the manifest changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        phases.write.params.words: 190 → 250 (line 39, column 22)
        phases.lint.timeout: added "1m" (line 80, column 5)
        pace: removed, was {"concurrency":4}
      → to see what changed: pawl diff -C examples/book
      → to go on with the new manifest (finished units are kept): add --force
      → or undo the change
    ✗ templates/write.md changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        prompt of write of ch001
      → to see what changed: pawl diff -C examples/book
      → to run these phases again, and what depends on them: add --resume-allow-prompt-change and a --reason
      → to keep the results as they are: add --force-resume and a --reason
      → or undo the change
    ✗ draft/ch001.md was edited by hand (sha256:aaaaaaaa → sha256:bbbbbbbb)
        output prose of ch001/write
      → to see what changed: pawl diff -C examples/book
      → to keep the edit (what depends on it runs again): pawl adopt with the path, or add --force-resume; both take a --reason
      → to have the recorded bytes back: move the file away and add --restore
    ✗ state.json was edited by hand (sha256:aaaaaaaa → sha256:bbbbbbbb)
        the state that ch001 committed
      → to see what changed: pawl diff -C examples/book
      → to keep the edit (what depends on it runs again): pawl adopt with the path, or add --force-resume; both take a --reason
      → to have the recorded state back: move the file away
    ✗ the start state is another one now (sha256:aaaaaaaa → sha256:bbbbbbbb)
        write of ch001 began with the old one
      → to make them again: add --rerun-from with the phase to begin with
      → to keep the results as they are: add --force-resume and a --reason
    ✗ outline.yaml is missing (sha256:aaaaaaaa → gone)
        file outline, taken by write of ch001
      → to see what changed: pawl diff -C examples/book
      → to make them again: add --rerun-from with the phase to begin with
      → to keep the results as they are: add --force-resume and a --reason
      → or undo the change
    ✗ phase write is defined otherwise now (sha256:aaaaaaaa → sha256:bbbbbbbb)
        results made by the old one: write of ch001
      → to see what changed: pawl diff -C examples/book
      → to go on with the new definition (finished units are kept): add --force
      → to make them again: add --rerun-from with the phase to begin with
      → or undo the change
    ✗ the fields of ch001 changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        results made from the old ones: write of ch001
      → to go on with what it is now (finished units are kept): add --force
      → to make them again: add --rerun-from with the phase to begin with
      → or undo the change
    ✗ ch001/write: attempt 2 was started and never ended; nobody knows what it did
      → to see what it left behind: pawl logs, with the cell
      → to run it again: add --rerun-from with the phase, and --unit with the unit"
  `);
});

test('a call in doubt says who was asked and what is at stake', () => {
  const call = { model: 'anthropic/claude-sonnet-5', atStake: 0.0312 };
  const [group] = groupRefusals([{ ...refusals['in-doubt'], call }], plainStyle);
  expect(group?.title).toBe(
    'ch001/write: attempt 2 was started and never ended; anthropic/claude-sonnet-5 was asked, and up to $0.031 may have been paid',
  );
});

test('one changed template that affects thirty cells is one entry', () => {
  const many = Array.from({ length: 10 }, (_, at) => `u${at}`).flatMap((unit) =>
    ['write', 'repair', 'lint'].map((phase) => ({ ...refusals['prompt-changed'], unit, phase })),
  );
  expect(groupRefusals(many, plainStyle)).toEqual([
    {
      guard: 'prompt-changed',
      title: 'templates/write.md changed (sha256:aaaaaaaa → sha256:bbbbbbbb)',
      details: ['prompt of write, repair and lint of 10 units'],
    },
  ]);
});

test('causes are told apart by file and by hash, and very many end in a number', () => {
  const edited = Array.from({ length: 25 }, (_, at) => ({
    ...refusals['output-edited'],
    path: `draft/${at}.md`,
  }));
  const lines = refusalLines(edited, plainStyle);
  expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(20);
  expect(lines).toContain('  … and 5 more of this kind');
});

test('of long values the part that differs is shown', () => {
  const long = (end: string) => `${'x'.repeat(200)}${end}`;
  const change = { path: 'p', before: long('old'), after: long('new') };
  const [group] = groupRefusals([{ ...refusals['manifest-changed'], changes: [change] }], plainStyle);
  expect(group?.details).toEqual([`p: ...${'x'.repeat(30)}old" → ...${'x'.repeat(30)}new"`]);
});

test('a manifest whose old bytes are lost says so', () => {
  const [group] = groupRefusals([{ ...refusals['manifest-changed'], changes: [] }], plainStyle);
  expect(group?.details).toEqual(['what it said before cannot be read any more']);
});

test('no way on is a whole command that discards or overrides', () => {
  for (const guard of Object.keys(refusals) as GuardName[]) {
    for (const way of waysOn(guard, plainStyle)) expect(way).not.toMatch(/pawl \w+ (\S+ )?--/);
  }
});
