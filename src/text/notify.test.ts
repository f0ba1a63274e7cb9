import { describe, expect, it } from 'vitest';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { Question, Refusal } from '../model/reason.ts';
import type { Notification } from '../runner/notify/notification.ts';
import type { Stop } from '../runner/outcome.ts';
import { missedWords, notificationWords } from './notify.ts';
import { plainStyle } from './style/style.ts';

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
  kind: 'new',
  reopened: false,
  interrupted: false,
  cells: { units: 6, unitsFinished: 6, cells: 48, done: 41, reused: 0, skipped: 7 },
  ran: { succeeded: 41, failed: 0 },
  others: { ready: 0, claimed: 0 },
  stops: [],
  limits: [],
  refusals: [],
  notices: [],
  findings: [],
  elapsedMs: 412,
};

const ended = (status: RunHeading['status'], more: Partial<RunAnswer> = {}): RunAnswer => ({
  ...done,
  heading: { ...heading, status },
  cells: { ...done.cells, unitsFinished: 3 },
  ...more,
});
const words = (answer: RunAnswer) => notificationWords({ kind: 'answered', answer });

const question = (id: string, unit = 'sc1'): Question => ({
  id,
  question: 'gate',
  name: 'lint',
  unit,
  phase: 'lint',
  place: 'gate',
  shown: {},
  channels: ['terminal'],
  redo: undefined,
  expiresMs: undefined,
});
const gate = (id: string, unit: string, verdict = 'fail'): Stop => ({
  unit,
  phase: 'lint',
  why: {
    code: 'gate-asks',
    stopped: 'limit',
    verdict,
    iterations: 3,
    round: 3,
    report: 'sha256:00',
    asks: question(id, unit),
  },
});
const asks = gate('C1', 'sc1');
const changed: Refusal = {
  guard: 'file-changed',
  unit: 'sc1',
  phase: 'write',
  file: 'idea',
  path: 'idea.md',
  before: undefined,
  after: undefined,
  asks: { ...question('C3', ''), question: 'change', name: 'idea', phase: '' },
};
const budget = {
  phase: '',
  limit: 'budget_usd',
  value: 10.02,
  max: 10,
  attempts: 9,
  asks: { ...question('C9', ''), question: 'budget', phase: '' },
} as const;
const broken: Stop = {
  unit: 'sc2',
  phase: 'write',
  why: { code: 'failed', failure: 'command-failed', message: 'long story', facts: { exitCode: 1 } },
};

describe('the words for those who do not look', () => {
  it.each<[string, RunAnswer, string, number]>([
    ['done', done, 'completed, 6 of 6 units done', 0],
    [
      'done without some',
      ended('completed', { stops: [broken] }),
      'completed with 3 failures, 3 of 6 units done',
      0,
    ],
    [
      'a person',
      ended('waiting_human', { stops: [asks, gate('C2', 'sc3')] }),
      'a person has to decide: sc1/lint still fail after 3 rounds; a person has to decide (and 1 more question); 3 of 6 units done',
      3,
    ],
    [
      'a changed file',
      ended('waiting_human', { refusals: [changed, { ...changed, unit: 'sc2' }] }),
      'a person has to decide: idea.md changed; waits for a person: idea (C3); 3 of 6 units done',
      3,
    ],
    [
      'a failure',
      ended('stopped', { stops: [asks, broken] }),
      'stopped: sc2/write failed: the command failed (exit code 1); 3 of 6 units done',
      1,
    ],
    [
      'a limit',
      ended('stopped', {
        limits: [{ phase: 'write', limit: 'attempts', value: 10, max: 10, attempts: 10 }],
      }),
      'stopped at a limit; 3 of 6 units done',
      1,
    ],
    [
      'a guard',
      ended('stopped', { refusals: [{ guard: 'in-doubt', unit: 'sc1', phase: 'write', attempt: 1 }] }),
      'refused on the way for 1 reason; 3 of 6 units done',
      4,
    ],
    [
      'others',
      ended('paused', { others: { ready: 2, claimed: 0 } }),
      '2 tasks wait to be claimed with pawl next; 3 of 6 units done',
      75,
    ],
    [
      'a provider',
      ended('paused', {
        stops: [
          {
            unit: 'sc1',
            phase: 'write',
            why: { code: 'paused', until: '2026-11-15T13:00:00.000Z', pause: 'quota', message: 'no more' },
          },
        ],
      }),
      'paused until 2026-11-15 13:00:00 UTC; 3 of 6 units done',
      75,
    ],
    [
      'a budget',
      ended('waiting_human', { limits: [budget] }),
      'a person has to decide: the whole run: $10.02 spent, and the budget is $10.00; waits for a person: lint (C9); 3 of 6 units done',
      3,
    ],
  ])('%s', (_, answer, message, exitCode) => {
    expect(words(answer)).toMatchObject({ message: `book (book=ember): ${message}`, exitCode });
  });

  it('list what a person has to decide, and nothing else', () => {
    expect(words(ended('stopped', { stops: [asks, broken] })).waiting).toEqual([
      { id: 'C1', unit: 'sc1', phase: 'lint', question: 'still fail after 3 rounds; a person has to decide' },
    ]);
    expect(words(ended('waiting_human', { refusals: [changed, changed] })).waiting).toMatchObject([
      { id: 'C3', unit: '', phase: '' },
    ]);
    const many = Array.from({ length: 1000 }, (_, nth) => gate(`C${nth}`, 'sc1'));
    expect(words(ended('waiting_human', { stops: many })).waiting).toHaveLength(50);
  });

  it('hold nothing that a terminal would obey, and have an end', () => {
    const escapeCode = String.fromCharCode(27);
    const evil = `${escapeCode}]9;x\u0007fail\u202e\n${'long '.repeat(1000)}`;
    const { message, waiting } = words(ended('waiting_human', { stops: [gate('C1', 'sc1', evil)] }));
    for (const text of [message, waiting[0]?.question ?? '']) {
      expect(text).toMatch(/^[ -~]+$/);
      expect(text.length).toBeLessThanOrEqual(400);
    }
  });

  it('say why a sitting broke off', () => {
    const failure = { reason: 'disk-failed', code: 'ENOSPC', operation: 'write', path: 'x' } as const;
    const told = notificationWords({ kind: 'broke-off', heading, failure });
    expect(told).toMatchObject({ waiting: [], exitCode: 7 });
    expect(told.message).toMatch(/^book \(book=ember\): broke off: /);
  });
});

describe('whoever could not be told', () => {
  const missed = (more: Partial<Notification & { ok: false }>) =>
    missedWords(
      { via: 'webhook', to: 'example.org', event: 'failed', ok: false, reason: 'timed-out', ...more },
      plainStyle,
    );

  it('is named in one line', () => {
    expect(missed({ reason: 'http-status', facts: { status: 500 } })).toBe(
      '! not told of "failed" by webhook example.org: it answered with 500; the run is not touched by it',
    );
  });

  it.each<[Partial<Notification & { ok: false }>, string]>([
    [{ reason: 'timed-out', facts: { timeoutMs: 10_000 } }, 'time limit (10 s)'],
    [{ reason: 'unreachable', facts: { code: 'ECONNREFUSED' } }, 'cannot be reached (ECONNREFUSED)'],
    [{ reason: 'unreachable' }, 'cannot be reached;'],
    [{ reason: 'variable-missing', facts: { name: 'TOKEN' } }, 'TOKEN is not set'],
    [{ reason: 'variable-unusable', facts: { name: 'TOKEN' } }, 'TOKEN holds cannot be used'],
    [{ reason: 'interrupted' }, 'not waited for'],
    [{ reason: 'cannot-start', facts: { code: 'ENOSPC' } }, 'could not be started (ENOSPC)'],
    [{ via: 'bell', reason: 'cannot-start', facts: { code: 'EIO' } }, 'by bell:'],
    [
      { via: 'command', to: 'say', reason: 'command-not-found', message: 'say', facts: { command: 'say' } },
      'by command say: the command was not found (say);',
    ],
    [
      {
        via: 'command',
        to: 'say',
        reason: 'command-failed',
        message: 'first\nlast\n',
        facts: { exitCode: 2 },
      },
      'the command failed (exit code 2): last;',
    ],
    [{ via: 'command', to: 'say', reason: 'command-killed', facts: { signal: 'SIGKILL' } }, 'SIGKILL'],
  ])('%j', (more, words) => {
    const line = missed(more);
    expect(line).toContain(words);
    expect(line).not.toContain('\n');
  });
});
