import { expect, test } from 'vitest';
import type { Damage, Notice, RunReason, StopReason } from '../model/reason.ts';
import { damageWords, noticeWords, reasonWords, stopWords } from './reasons.ts';
import { plainStyle } from './style.ts';

type ByCode<T extends { code: string }> = { [C in T['code']]: Extract<T, { code: C }> };

const before = 'sha256:aaaaaaaa1111';
const after = 'sha256:bbbbbbbb2222';

test('every reason to run has its words', () => {
  const reasons: ByCode<RunReason> = {
    'never-ran': { code: 'never-ran' },
    interrupted: { code: 'interrupted', attempt: 2 },
    'failed-before': { code: 'failed-before', attempt: 3, failure: 'check-failed' },
    'gate-failed': { code: 'gate-failed', gate: 'lint', verdict: 'fail', iteration: 2 },
    'input-changed': { code: 'input-changed', input: 'prose', before, after },
    'output-missing': { code: 'output-missing', output: 'prose', path: 'draft/a.md' },
    'output-damaged': {
      code: 'output-damaged',
      output: 'prose',
      path: 'draft/a.md',
      damage: { kind: 'not-a-file' },
    },
    'rerun-requested': { code: 'rerun-requested', reason: undefined },
    'prompt-changed': { code: 'prompt-changed', reason: 'shorter scenes' },
    'chain-cascade': { code: 'chain-cascade' },
    'definition-changed': { code: 'definition-changed', reason: 'new tool' },
    'unit-changed': { code: 'unit-changed', reason: undefined },
    'file-changed': { code: 'file-changed', file: 'outline', before, after },
    'pre-state-changed': { code: 'pre-state-changed', before, after },
  };
  const words = Object.values(reasons).map((why) => `${why.code}: ${reasonWords(why, plainStyle)}`);
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "never-ran: never ran
    interrupted: attempt 2 was started and never ended
    failed-before: attempt 3 failed: an output did not pass its check
    gate-failed: round 2: lint says fail
    input-changed: input prose changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
    output-missing: draft/a.md is missing
    output-damaged: draft/a.md is damaged: it is not a file
    rerun-requested: asked for again
    prompt-changed: its prompt changed, and that was allowed: shorter scenes
    chain-cascade: a unit before it committed another state
    definition-changed: the phase is defined otherwise now: new tool
    unit-changed: the unit's own fields changed
    file-changed: file outline changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
    pre-state-changed: the state that it started from was adopted (sha256:aaaaaaaa → sha256:bbbbbbbb)"
  `);
});

test('every stop has its words', () => {
  const stops: ByCode<StopReason> = {
    'attempts-used-up': { code: 'attempts-used-up', attempts: 3, failure: 'timed-out' },
    'gate-limit': { code: 'gate-limit', verdict: 'fail', iterations: 3 },
    'gate-asks': { code: 'gate-asks', verdict: 'warn', iterations: 1, report: before },
    'gate-rejected': { code: 'gate-rejected', verdict: 'fail', note: 'too\nlong' },
    blocked: { code: 'blocked', reason: 'needs a key', actor: 'executor-1' },
  };
  expect(Object.values(stops).map(stopWords).join('\n')).toMatchInlineSnapshot(`
    "all 3 attempts failed; the last one: it took longer than its time limit; to try again: run with --rerun-from and --unit
    still fail after 3 rounds; to try again: run with --rerun-from and --unit
    still warn after 1 round; a person has to decide
    fail, and a person rejected it: too\\nlong; to try again: run with --rerun-from and --unit
    blocked by executor-1: needs a key; to go on: pawl unblock"
  `);
});

test('every notice has its words', () => {
  const notices: ByCode<Notice> = {
    'start-state-stale': { code: 'start-state-stale', unit: 'ch002', before, after },
    'gate-accepted': { code: 'gate-accepted', unit: 'ch001', phase: 'lint', verdict: 'warn', by: 'manifest' },
    'input-stale': { code: 'input-stale', unit: 'f2', phase: 'audit', input: 'before', before, after },
    'file-unknown': {
      code: 'file-unknown',
      unit: 'f5',
      phase: 'approve',
      output: 'frame',
      path: 'approved/f5.png',
    },
    'unit-removed': { code: 'unit-removed', unit: 'ch009' },
  };
  const words = Object.values(notices).map((notice) => noticeWords(notice, plainStyle));
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "ch002 started from another state than the chain has now (sha256:aaaaaaaa → sha256:bbbbbbbb); it is kept as it is
    ch001/lint: warn, accepted by the manifest
    f2/audit was made from another before than there is now (sha256:aaaaaaaa → sha256:bbbbbbbb); it is kept as it is
    approved/f5.png is there, and no attempt has made it; pawl adopt takes it in as frame of f5/approve, or it is moved aside when that runs
    ch009 is not in the pipeline any more; its files are left alone"
  `);
});

test('every damage has its words', () => {
  const damages: { [K in Damage['kind']]: Extract<Damage, { kind: K }> } = {
    'not-a-file': { kind: 'not-a-file' },
    'check-failed': { kind: 'check-failed', check: 'json', detail: 'empty' },
    'copy-of': { kind: 'copy-of', cell: 'ch001/write' },
  };
  expect(Object.values(damages).map(damageWords).join('\n')).toMatchInlineSnapshot(`
    "it is not a file
    its check json fails (empty)
    it is a copy of the output of ch001/write"
  `);
});
