import { expect, test } from 'vitest';
import type { Hash } from '../../base/hash.ts';
import type { GuardName, Refusal } from '../../model/reason.ts';
import { plainStyle } from '../style/style.ts';
import { groupRefusals, refusalLines } from './refusals.ts';

const before: Hash = 'sha256:aaaaaaaa1111';
const after: Hash = 'sha256:bbbbbbbb2222';
const step = { unit: 'ch001', phase: 'write' };

const refusals: { [G in GuardName]: Extract<Refusal, { guard: G }> } = {
  'manifest-changed': {
    guard: 'manifest-changed',
    names: ['phases.draw'],
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
    ...step,
    role: 'phase',
    path: 'templates/write.md',
    before,
    after,
  },
  'output-edited': {
    guard: 'output-edited',
    ...step,
    output: 'prose',
    path: 'draft/ch001.md',
    before,
    after,
  },
  'state-edited': { guard: 'state-edited', unit: 'ch001', path: 'state.json', before, after },
  'pre-state-differs': { guard: 'pre-state-differs', ...step, before, after },
  'file-changed': {
    guard: 'file-changed',
    ...step,
    file: 'outline',
    path: 'outline.yaml',
    before,
    after,
  },
  'definition-changed': { guard: 'definition-changed', ...step, before, after },
  'unit-changed': { guard: 'unit-changed', ...step, before, after },
  'code-changed': { guard: 'code-changed', ...step, paths: ['tools/write.mjs'], before, after },
  'in-doubt': { guard: 'in-doubt', ...step, attempt: 2 },
};

test('every refusal says what changed, whom it affects and the safe ways on', () => {
  expect(
    refusalLines(Object.values(refusals), { ...plainStyle, path: 'examples/book' }).join('\n'),
  ).toMatchInlineSnapshot(`
    "✗ the manifest changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        phases.write.params.words: 190 → 250 (line 39, column 22)
        phases.lint.timeout: added "1m" (line 80, column 5)
        pace: removed, was {"concurrency":4}
    ✗ templates/write.md changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        prompt of write of ch001
    ✗ draft/ch001.md was edited by hand (sha256:aaaaaaaa → sha256:bbbbbbbb)
        output prose of ch001/write
    ✗ state.json was edited by hand (sha256:aaaaaaaa → sha256:bbbbbbbb)
        the state that ch001 committed
    ✗ the start state changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        write of ch001 started from the old one
    ✗ outline.yaml changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        file outline, taken by write of ch001
    ✗ the definition of phase write changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        made with the old one: write of ch001
    ✗ the fields of ch001 changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        made with the old one: write of ch001
    ✗ the code of phase write changed: tools/write.mjs
        made with the old one: write of ch001
    ✗ ch001/write: attempt 2 was started and never ended; nobody knows what it did
      → re-run the affected steps and what depends on them:
          pawl run --rerun-changed --reason 'phases.draw and 8 more changed' examples/book
      → keep the results, marked as outdated:
          pawl run --keep-changed --reason 'phases.draw and 8 more changed' examples/book
      → answer one by one with --rerun-change NAME or --keep-change NAME: phases.draw, templates/write.md, draft/ch001.md, state.json, state, outline.yaml, phases.write, units.ch001, code.write
      → show the differences:
          pawl diff -C examples/book
      → or undo the change: then every result is up to date again
      → keep one edit:
          pawl adopt draft/ch001.md --reason 'edited by hand' -C examples/book
      → get its recorded bytes back: move draft/ch001.md away, then:
          pawl run --restore examples/book
      → get the recorded state back: move state.json away, then:
          pawl run examples/book
      → re-run write of ch001, and the phases after it:
          pawl run --rerun-from write --unit ch001 examples/book
      → see what it left behind:
          pawl logs ch001/write -C examples/book
      → re-run write of ch001:
          pawl run --rerun-from write --unit ch001 examples/book
      → or for one kind of change: add --resume-allow-prompt-change to re-run changed prompts; add --force to accept a changed manifest and keep finished units; add --force-resume to keep prompts, files and states"
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

test('a missing file can be kept where there is a result, and is to be put back where there is none', () => {
  const missing = { ...refusals['file-changed'], after: undefined };
  const finished = refusalLines([missing], plainStyle).join('\n');
  expect(finished).toContain('outline.yaml is missing (sha256:aaaaaaaa → gone)');
  expect(finished).toContain('put the missing file back');
  expect(finished).toContain('--keep-changed');
  expect(finished).not.toContain('--rerun-changed');
  const needed = refusalLines([{ ...missing, wouldRun: true }], plainStyle).join('\n');
  expect(needed).toContain('needed by write of ch001, which would run');
  expect(needed).not.toMatch(/--(keep|rerun|force)/);
});

test('the commands of a refusal name the run and give a reason', () => {
  const lines = refusalLines([refusals['file-changed']], { ...plainStyle, path: 'examples/book' });
  expect(lines.map((line) => line.trim()).filter((line) => line.startsWith('pawl '))).toEqual([
    "pawl run --rerun-changed --reason 'outline.yaml changed' examples/book",
    "pawl run --keep-changed --reason 'outline.yaml changed' examples/book",
    'pawl diff -C examples/book',
  ]);
});
