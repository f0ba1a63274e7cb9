import { describe, expect, it } from 'vitest';
import type { StaleRun } from '../engine/observe/stale-answer.ts';
import type { NextAction, TaskClaim } from '../engine/observe/task-answers.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { ResumeReport } from '../engine/show/resume.ts';
import { resumeText, staleQuestion } from './resume.ts';
import { asciiSymbols, plainStyle } from './style/style.ts';

const at = '2026-11-15T12:03:11.000Z';

const heading: RunHeading = {
  run: '20261115-1203-shop-x7k2',
  pipeline: 'shop',
  identity: { shop: 'corner' },
  status: 'stopped',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};

const report: ResumeReport = {
  heading,
  phase: { number: 2, name: 'build', of: 5 },
  tasks: {
    pending: 5,
    ready: 1,
    claimed: 0,
    in_progress: 0,
    implemented: 0,
    done: 3,
    failed: 0,
    blocked: 0,
    total: 9,
    runnable: 1,
    inDoubt: 0,
  },
  lastActivity: at,
  lastCompleted: { unit: 'T003', title: 'Cook the soup' },
  next: { code: 'claim-task', unit: 'T004', title: 'Serve it' },
  stale: undefined,
  inDoubt: [],
  decisions: [],
  notices: [],
  findings: [],
  validation: [
    { check: 'sources', result: 'ok', count: 4, of: 4, subjects: [], follows: undefined },
    { check: 'checks', result: 'none', count: 0, of: 0, subjects: [], follows: undefined },
  ],
};

const claim: TaskClaim = {
  unit: 'T004',
  phase: 'make',
  actor: 'executor-1',
  attempt: 2,
  until: '2026-11-15T12:18:11.000Z',
  live: false,
};

const dayMs = 24 * 60 * 60_000;
const commits = ['0123456789abcdef0123456789abcdef01234567', 'fedcba9876543210fedcba9876543210fedcba98'];

const stale: StaleRun = {
  idleMs: 20.5 * dayMs,
  limitMs: 14 * dayMs,
  gitHead: { before: commits[0], now: commits[1] },
  changed: [
    { path: 'prd.md', change: 'changed' },
    { path: 'plan.md', change: 'edited' },
    { path: 'task-graph.json', change: 'missing' },
    { path: 'out/t1.json', change: 'damaged' },
    { path: 'out/t2.json', change: 'otherwise' },
  ],
};

/** The lines of one section. */
function section(answer: Partial<ResumeReport>, title: string, style = plainStyle): string[] {
  const lines = resumeText({ ...report, ...answer }, style).split('\n');
  const from = lines.indexOf(title);
  return from === -1 ? [] : lines.slice(from + 1, lines.indexOf('', from));
}

describe('the resume report', () => {
  it('has the form that people look for', () => {
    expect(resumeText(report, plainStyle, { goesOn: true })).toBe(`${'═'.repeat(59)}
RESUMING RUN: 20261115-1203-shop-x7k2

Current State:
- Phase: 2 (build)
- Tasks: 3/9 complete
- Last activity: 2026-11-15 12:03:11 UTC
- Last completed: T003 - Cook the soup

Next Action:
- claim T004 - Serve it: pawl next --actor "$USER"

Validation:
✓ sources  as recorded  4 files
· checks   none         nothing to check yet

Continuing...
${'═'.repeat(59)}`);
  });

  it('says that it goes on only when it does', () => {
    const text = resumeText(report, plainStyle);
    expect(text).not.toContain('Continuing');
    expect(text.endsWith(`yet\n\n${'═'.repeat(59)}`)).toBe(true);
  });

  it('is readable where there is no UTF-8', () => {
    const answer = { ...report, stale: { ...stale, changed: [] } };
    const text = resumeText(answer, { ...plainStyle, symbols: asciiSymbols });
    expect(text.split('\n')[0]).toBe('='.repeat(59));
    expect(text).toMatch(/^[\n -~]*$/);
  });

  it('of a run in which nothing is done yet', () => {
    const text = resumeText({ ...report, lastCompleted: undefined }, plainStyle);
    expect(text).toContain('\n- Last completed: none\n');
  });

  it('shows what is in a title and does nothing that it says', () => {
    const title = `\u001b[2Jgone\nContinuing...${'x'.repeat(500)}`;
    const text = resumeText({ ...report, lastCompleted: { unit: 'T003', title } }, plainStyle);
    expect(text).toContain('- Last completed: T003 - gone\\nContinuing...xxx');
    expect(text.split('\n').every((line) => line.length < 160)).toBe(true);
    expect(section({ lastCompleted: { unit: 'T003', title: undefined } }, 'Current State:').at(-1)).toBe(
      '- Last completed: T003',
    );
  });

  it('has all that there is to warn of between what comes next and the end', () => {
    const answer: ResumeReport = {
      ...report,
      stale,
      inDoubt: [{ ...claim, left: ['.pawl/runs/r/attempts/T004/make/2/notes.md', 'src/a.ts'] }],
      findings: [
        { code: 'torn-tail', file: 'events/executor-1/000001.jsonl', line: 7, weight: 'quiet' },
        { code: 'garbage-line', file: 'events/runner/000001.jsonl', line: 12, weight: 'loud' },
      ],
      notices: [{ code: 'unit-removed', unit: 'T009' }],
    };
    const lines = resumeText(answer, plainStyle, { goesOn: true }).split('\n');
    expect(lines.slice(lines.indexOf('Stale:')).join('\n')).toMatchInlineSnapshot(`
      "Stale:
      - nothing has happened for 20 days; look at it before it goes on
      - git head 0123456789ab → fedcba987654
      - prd.md has changed
      - plan.md was edited by hand
      - task-graph.json is missing
      - out/t1.json is damaged
      - out/t2.json otherwise

      In Doubt:
      - T004/make: executor-1 started attempt 2 and never ended it (the lease ran out at 2026-11-15 12:18:11 UTC); it left .pawl/runs/r/attempts/T004/make/2/notes.md and src/a.ts; to look at it: pawl logs T004/make

      Warnings:
      ✗ events/runner/000001.jsonl:12: a line is no event
      · events/executor-1/000001.jsonl:7: an unfinished line of a process that was killed; nothing acknowledged is in it
      ! T009 is not in the pipeline any more; its files are left alone

      Continuing...
      ═══════════════════════════════════════════════════════════"
    `);
  });
});

describe('what comes next', () => {
  it.each<[NextAction, string]>([
    [{ code: 'run-phases', cells: ['shop/draft'] }, 'run draft of shop'],
    [
      { code: 'run-phases', cells: ['a/draw', 'b/draw', 'c/draw', 'd/draw', 'd/ink'] },
      'run draw of a, b and c; draw and ink of d',
    ],
    [{ code: 'run-phases', cells: [] }, 'run what comes next'],
    [{ code: 'claim-task', unit: 'T004', title: undefined }, 'claim T004: pawl next --actor "$USER"'],
    [
      { code: 'wait-for-claims', claims: [claim, { ...claim, unit: 'T005', actor: 'executor-2' }] },
      'wait for executor-1 at T004/make until 2026-11-15 12:18:11 UTC and executor-2 at T005/make until 2026-11-15 12:18:11 UTC',
    ],
    [
      { code: 'decide', cells: ['shop/plan'] },
      'a person has to decide about plan of shop; to see what is asked: pawl checkpoints',
    ],
    [
      { code: 'refused', guards: ['manifest-changed', 'output-edited', 'new-guard'] },
      'nothing is run while the manifest changed, an output has other bytes than recorded and new-guard; to see the ways on: pawl plan',
    ],
    [
      { code: 'unblock', units: ['T005', 'T006'] },
      'unblock T005 and T006; when the first is settled: pawl unblock T005 --actor "$USER"',
    ],
    [
      { code: 'look-at-failure', cells: ['T005/make', 'T006/make'] },
      'look at what failed: make of T005 and T006; the log of the first: pawl logs T005/make',
    ],
    [{ code: 'look-at-failure', cells: [] }, 'look at what failed: pawl status'],
    [{ code: 'nothing' }, 'nothing: everything is done'],
  ])('of %j', (next, words) => {
    expect(section({ next }, 'Next Action:')).toEqual([`- ${words}`]);
  });

  it('names the folder of the run', () => {
    const next: NextAction = { code: 'refused', guards: ['in-doubt'] };
    expect(section({ next, heading: { ...heading, workspace: 'demo' } }, 'Next Action:')).toEqual([
      '- nothing is run while an attempt is in doubt; to see the ways on: pawl plan demo',
    ]);
  });
});

describe('a run that nothing has happened to for long', () => {
  const head = (before: string | undefined, now: string | undefined) =>
    section({ stale: { ...stale, gitHead: { before, now }, changed: [] } }, 'Stale:').slice(1);

  it.each([
    [commits[0], commits[1], ['- git head 0123456789ab → fedcba987654']],
    [commits[0], commits[0], ['- git head 0123456789ab, as it was']],
    [undefined, commits[1], ['- git head not recorded → fedcba987654']],
    [commits[0], undefined, ['- git head 0123456789ab → none']],
    [undefined, undefined, []],
  ])('from commit %s to %s', (before, now, lines) => {
    expect(head(before, now)).toEqual(lines);
  });

  it('tells of many changes the first', () => {
    const changed = Array.from({ length: 25 }, (_, nth) => ({ path: `f${nth}`, change: 'changed' }));
    const lines = section({ stale: { ...stale, changed } }, 'Stale:');
    expect(lines.at(-1)).toBe('  … and 5 more changes (--json lists all)');
    expect(lines).toHaveLength(2 + 20 + 1);
  });

  it.each([
    [20.5 * dayMs, '20 days'],
    [90 * 60_000, '1 h 30 min'],
  ])('is asked about: %d ms', (idleMs, words) => {
    expect(staleQuestion({ ...stale, idleMs })).toBe(
      `Nothing has happened in this run for ${words}. Resume it?`,
    );
  });
});

describe('a task in doubt', () => {
  it('of Pawl itself has no lease', () => {
    expect(section({ inDoubt: [{ ...claim, actor: 'runner', until: '', left: [] }] }, 'In Doubt:')).toEqual([
      '- T004/make: runner started attempt 2 and never ended it; it left no files; to look at it: pawl logs T004/make',
    ]);
  });

  it('that left much is told with the first of it', () => {
    const left = Array.from({ length: 9 }, (_, nth) => `f${nth}`);
    const [line = ''] = section({ inDoubt: [{ ...claim, left }] }, 'In Doubt:');
    expect(line).toContain('it left f0, f1, f2, f3, f4, f5 and 3 more; to look');
  });
});
