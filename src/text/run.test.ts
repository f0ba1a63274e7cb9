import { expect, test } from 'vitest';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { Question, ReachedLimit } from '../model/reason.ts';
import { exitCodeOfRun, runText } from './run.ts';
import { asciiSymbols, plainStyle } from './style/style.ts';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'completed',
  workspace: 'examples/book',
  createdAt: '2026-11-15T12:03:00.000Z',
  updatedAt: '2026-11-15T12:09:00.000Z',
};

const done: RunAnswer = {
  heading,
  kind: 'unchanged',
  reopened: false,
  interrupted: false,
  cells: { units: 6, unitsFinished: 6, cells: 48, done: 41, reused: 41, skipped: 7 },
  ran: { succeeded: 0, failed: 0 },
  others: { ready: 0, claimed: 0 },
  stops: [],
  limits: [],
  refusals: [],
  notices: [],
  findings: [],
  elapsedMs: 412,
};

const open: RunAnswer = {
  ...done,
  heading: { ...heading, status: 'stopped' },
  kind: 'resumed',
  cells: { ...done.cells, unitsFinished: 3, done: 20, reused: 12 },
  ran: { succeeded: 8, failed: 1 },
  elapsedMs: 12_000,
};

const text = (answer: RunAnswer) => `${exitCodeOfRun(answer)} ${runText(answer, plainStyle)}`;

test('a run that is up to date is told in one line', () => {
  expect(text(done)).toBe('0 ✓ book: all 6 units done, 41 of 41 cells proven; nothing to do (0.4 s)');
});

test('a run that did something says how much', () => {
  const answer: RunAnswer = {
    ...done,
    kind: 'new',
    ran: { succeeded: 44, failed: 0 },
    cells: { ...done.cells, reused: 0 },
  };
  expect(text(answer)).toBe(
    '0 ✓ book: all 6 units done, 41 of 41 cells proven: 41 made now in 44 attempts (0.4 s)',
  );
});

test('a run that made something says where that lies, when it is done', () => {
  const outputs = ['examples/book/draft/', 'examples/book/'];
  const ran = { succeeded: 41, failed: 0 };
  expect(text({ ...done, kind: 'new', ran, cells: { ...done.cells, reused: 0 }, outputs })).toBe(
    [
      '0   outputs: examples/book/draft/ and examples/book/; to see where each unit stands: pawl status examples/book',
      '✓ book: all 6 units done, 41 of 41 cells proven: 41 made now (0.4 s)',
    ].join('\n'),
  );
  expect(text({ ...open, outputs })).not.toContain('outputs');
});

test('after a failure: what failed, what it said last, where the log is, how to go on', () => {
  const message = 'warming up\nError: no beat 4\n    at lint.mjs:3\n';
  const stops: RunAnswer['stops'] = [
    { unit: 'ch001', phase: 'lint', why: { code: 'failed', failure: 'command-failed', message } },
    {
      unit: 'ch002',
      phase: 'lint',
      why: { code: 'gate-limit', stopped: 'limit', verdict: 'fail', iterations: 3, round: 3 },
    },
  ];
  expect(text({ ...open, stops })).toMatchInlineSnapshot(`
    "1 ✗ ch001/lint failed: the command failed
        | warming up
        | Error: no beat 4
        |     at lint.mjs:3
        log: pawl logs ch001/lint -C examples/book
    ✗ ch002/lint still fail after 3 rounds
        to try again: pawl run --rerun-from lint --unit ch002 examples/book
        log: pawl logs ch002/lint -C examples/book
    ✗ book: stopped at 2 cells, with 3 of 6 units and 20 of 41 cells done (12 s); fix the cause, then: pawl run --failed examples/book"
  `);
});

test('where a person has to decide', () => {
  const report = 'sha256:aaaaaaaa1111';
  const why = {
    code: 'gate-asks',
    stopped: 'limit',
    verdict: 'warn',
    iterations: 3,
    round: 3,
    report,
    asks: {
      id: 'C1',
      question: 'gate',
      unit: 'ch002',
      phase: 'lint',
      place: 'gate',
      name: 'lint gate',
      shown: { 'lint.report': report },
      channels: ['terminal'],
      redo: 'repair',
      expiresMs: undefined,
    },
  } as const;
  const waiting = { ...open, heading: { ...heading, status: 'waiting_human' as const } };
  expect(text({ ...waiting, stops: [{ unit: 'ch001', phase: 'lint', why }] })).toMatchInlineSnapshot(`
    "3 ? ch001/lint still warn after 3 rounds; a person has to decide
        to see what it is about: pawl show C1 -C examples/book
        to approve: pawl approve C1 -C examples/book
        to reject with your feedback; repair then re-runs: pawl reject C1 -C examples/book
        log: pawl logs ch001/lint -C examples/book
    ? book: a person has to decide on 1 cell, with 3 of 6 units and 20 of 41 cells done (12 s); after that: pawl run examples/book"
  `);
});

test('completed without the units that may fail', () => {
  const why = { code: 'gate-limit', stopped: 'limit', verdict: 'rejected', iterations: 4, round: 4 } as const;
  const answer: RunAnswer = {
    ...done,
    kind: 'resumed',
    cells: { ...done.cells, unitsFinished: 5, done: 38, reused: 30 },
    ran: { succeeded: 8, failed: 0 },
    stops: [{ unit: 'frame_0003', phase: 'audit', why }],
  };
  expect(text(answer)).toMatchInlineSnapshot(`
    "0 ✗ frame_0003/audit still rejected after 4 rounds
        to try again: pawl run --rerun-from audit --unit frame_0003 examples/book
        log: pawl logs frame_0003/audit -C examples/book
    ! book: completed with 1 failure: 5 of 6 units done, 38 of 41 cells proven: 8 made now, 30 from before (0.4 s)"
  `);
});

test('a run that has come to a limit', () => {
  const limits = [
    { phase: 'audit', limit: 'consecutive_failures', value: 6, max: 6, attempts: 11 },
    { phase: 'audit', limit: 'reject_rate', value: 9 / 11, max: 0.8, attempts: 11 },
  ] as const;
  expect(text({ ...open, limits })).toMatchInlineSnapshot(`
    "1 ✗ audit: 6 bad attempts in a row, and the limit is 6
    ✗ audit: 81.8 % of 11 attempts are bad, and the limit is 80 %
        raise the limit in the manifest, or continue past it: pawl run --past-limits --reason 'the cause was looked at' examples/book
    ✗ book: stopped at a limit, with 3 of 6 units and 20 of 41 cells done (12 s); look at the cause, then raise it or go past it"
  `);
});

test('a refusal on the way', () => {
  const refusal = {
    guard: 'pre-state-differs',
    unit: 'ch004',
    phase: 'write',
    before: 'sha256:aaaaaaaa1111',
    after: 'sha256:bbbbbbbb2222',
  } as const;
  expect(text({ ...open, refusals: [refusal] })).toMatchInlineSnapshot(`
    "4 ✗ the start state changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
        write of ch004 started from the old one
      → re-run the affected steps and what depends on them:
          pawl run --rerun-changed --reason 'state changed' examples/book
      → keep the results, marked as outdated:
          pawl run --keep-changed --reason 'state changed' examples/book
      → show the differences:
          pawl diff -C examples/book
      → or undo the change: then every result is up to date again
      → re-run write of ch004, and the phases after it:
          pawl run --rerun-from write --unit ch004 examples/book
      → or for one kind of change: add --force-resume to keep prompts, files and states
    ✗ book: refused on the way for 1 reason, with 3 of 6 units and 20 of 41 cells done (12 s); choose an option above, then: pawl run examples/book"
  `);
});

test('interrupted, and paused', () => {
  expect(text({ ...open, interrupted: true })).toBe(
    '130 ! book: interrupted with 3 of 6 units and 20 of 41 cells done (12 s); nothing is lost; to go on: pawl run examples/book',
  );
  expect(text({ ...open, heading: { ...heading, status: 'paused', workspace: '.' } })).toBe(
    '75 ! book: paused, with 3 of 6 units and 20 of 41 cells done (12 s); after that: pawl run',
  );
});

const paused = (unit: string, until: string) =>
  ({
    unit,
    phase: 'write',
    why: { code: 'paused', until, pause: 'quota', message: 'daily quota used up' },
  }) as const;

test('paused by a provider: until when, and how to wait for it', () => {
  const stops = [paused('ch001', '2026-11-16T00:00:00.000Z'), paused('ch002', '2026-11-15T13:00:00.000Z')];
  const answer: RunAnswer = { ...open, heading: { ...heading, status: 'paused' }, stops };
  expect(text(answer)).toMatchInlineSnapshot(`
    "75 ‖ ch001/write paused until 2026-11-16 00:00:00 UTC by a quota of the provider: daily quota used up; it can continue from then on
        to wait for it: pawl run examples/book --wait
        log: pawl logs ch001/write -C examples/book
    ‖ ch002/write paused until 2026-11-15 13:00:00 UTC by a quota of the provider: daily quota used up; it can continue from then on
        to wait for it: pawl run examples/book --wait
        log: pawl logs ch002/write -C examples/book
    ! book: paused until 2026-11-15 13:00:00 UTC, with 3 of 6 units and 20 of 41 cells done (12 s); nothing is lost; to wait and go on by itself: pawl run examples/book --wait"
  `);
  const others = { ready: 1, claimed: 0 };
  expect(
    text({ ...answer, others })
      .split('\n')
      .at(-1),
  ).toContain('paused until 2026-11-15 13:00:00 UTC, and 1 task waits to be claimed');
});

test('what only waits is no failure, and hides none', () => {
  const stops = [paused('ch001', '2026-11-15T13:00:00.000Z')];
  const failed = {
    unit: 'ch002',
    phase: 'write',
    why: { code: 'failed', failure: 'timed-out', message: '' },
  } as const;
  expect(text({ ...open, stops })).toMatch(/^75 /);
  expect(text({ ...open, stops: [...stops, failed] })).toMatch(/^1 .* stopped at 1 cell, /s);
  const waiting = { ...open, heading: { ...heading, status: 'waiting_human' as const } };
  expect(text({ ...waiting, stops, limits: [budget] })).toMatch(/^3 .* has to decide on 1 budget, /s);
});

test('what was given up is named, and not promised to be tried again by itself', () => {
  const facts = { output: 'card', returned: ['cart'] };
  const why = { code: 'attempts-used-up', attempts: 3, failure: 'output-missing', facts } as const;
  const told = text({ ...open, stops: [{ unit: 'ch002', phase: 'write', why }] });
  expect(told).toContain('output card');
  expect(told).toMatch(/fix the cause, then: pawl run --rerun-from write --unit ch002 examples\/book$/);
});

const budget: ReachedLimit & { asks: Question } = {
  phase: '',
  limit: 'budget_usd',
  value: 10.02,
  max: 10,
  attempts: 40,
  asks: {
    id: 'C1',
    question: 'budget',
    unit: '',
    phase: '',
    place: 'budget_usd',
    name: 'budget of the run',
    shown: {},
    channels: ['terminal'],
    redo: undefined,
    expiresMs: undefined,
  },
};

test('a budget that is used up is asked about', () => {
  const waiting = { ...open, heading: { ...heading, status: 'waiting_human' as const }, limits: [budget] };
  expect(text(waiting)).toMatchInlineSnapshot(`
    "3 ? the whole run: $10.02 spent, and the budget is $10.00
        to see what it is about: pawl show C1 -C examples/book
        to grant as much again: pawl approve C1 -C examples/book
        or raise the budget in the manifest: it is no part of identity, and the next run simply goes on
        to leave it at that, and say why: pawl reject C1 -C examples/book
    ? book: a person has to decide on 1 budget, with 3 of 6 units and 20 of 41 cells done (12 s); after that: pawl run examples/book"
  `);
  expect(text({ ...waiting, heading: { ...heading, status: 'stopped' } })).toMatch(/^3 /);
});

test('a call of a model that failed says what helps', () => {
  const facts = { model: 'anthropic/claude-sonnet-5', status: 401, key: 'ANTHROPIC_API_KEY' };
  const stops: RunAnswer['stops'] = [
    {
      unit: 'ch001',
      phase: 'write',
      why: { code: 'failed', failure: 'not-authorized', message: 'invalid x-api-key', facts },
    },
    {
      unit: 'ch002',
      phase: 'write',
      why: { code: 'attempts-used-up', attempts: 3, failure: 'answer-truncated' },
    },
  ];
  expect(text({ ...open, stops })).toMatchInlineSnapshot(`
    "1 ✗ ch001/write failed: the provider does not accept the key (anthropic/claude-sonnet-5, HTTP 401, key in ANTHROPIC_API_KEY)
        | invalid x-api-key
        to mend it: put a key that is valid into ANTHROPIC_API_KEY; the run was stopped at once, and no attempt is used up by it
        log: pawl logs ch001/write -C examples/book
    ✗ ch002/write 3 attempts failed, as many as retries allows; the last one: the answer was cut off
        to mend it: raise max_tokens of the phase, or ask for less
        to try again: pawl run --rerun-from write --unit ch002 examples/book
        log: pawl logs ch002/write -C examples/book
    ✗ book: stopped at 2 cells, with 3 of 6 units and 20 of 41 cells done (12 s); fix the cause, then: pawl run --failed examples/book"
  `);
});

test('a run that was completed while a signal came is completed', () => {
  expect(text({ ...done, interrupted: true })).toMatch(/^0 ✓/);
});

test('very many stops end in a number', () => {
  const why = { code: 'gate-limit', stopped: 'limit', verdict: 'fail', iterations: 3, round: 3 } as const;
  const stops = Array.from({ length: 12 }, (_, at) => ({ unit: `u${at}`, phase: 'lint', why }));
  expect(text({ ...open, stops })).toContain('… and 2 more cells: pawl status examples/book');
});

test('notices and findings come before the last line', () => {
  const answer: RunAnswer = {
    ...done,
    notices: [
      { code: 'unit-removed', unit: 'ch008' },
      { code: 'unit-removed', unit: 'ch009' },
    ],
    findings: [{ code: 'torn-tail', file: 'events/runner/1.jsonl', line: 7, weight: 'quiet' }],
  };
  expect(text(answer).split('\n')).toEqual([
    '0 · events/runner/1.jsonl:7: an unfinished line of a process that was killed; nothing acknowledged is in it',
    '! ch008 and ch009 are not in the pipeline any more; their files are left alone',
    '✓ book: all 6 units done, 41 of 41 cells proven; nothing to do (0.4 s)',
  ]);
});

test('terminals without UTF-8 get ASCII only', () => {
  const stops = [
    { unit: 'a', phase: 'b', why: { code: 'failed', failure: 'timed-out', message: '' } },
  ] as const;
  const ascii = runText({ ...open, stops }, { ...plainStyle, symbols: asciiSymbols });
  expect(ascii).toMatch(/^[ -~\n]*$/);
});
