import { expect, test } from 'vitest';
import type { LogsAnswer } from '../engine/observe/logs-answer.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { DiffAnswer } from '../engine/show/diff.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import type { RunsAnswer } from '../engine/show/runs.ts';
import type { WhyAnswer } from '../engine/show/why.ts';
import type { StepResult } from '../ledger/ledger.ts';
import type { Decision, StepPlan, UnitPlan } from '../planner/plan.ts';
import { adoptText, repairText, resetText, verifyText } from './acts.ts';
import { diffText } from './diff.ts';
import { initText } from './init.ts';
import { logsText } from './logs.ts';
import { planText } from './plan.ts';
import { runsText } from './runs.ts';
import { plainStyle } from './style/style.ts';
import { whyText } from './why.ts';

const at = '2026-11-15T12:03:11.000Z';
const before = 'sha256:aaaaaaaa1111';
const after = 'sha256:bbbbbbbb2222';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'stopped',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};

const result: StepResult = {
  attempt: 2,
  round: 1,
  revision: 1,
  unitData: undefined,
  inputs: undefined,
  preState: undefined,
  prompt: undefined,
  outputs: {},
  verdict: undefined,
  response: undefined,
  ms: 100,
  at,
  seq: 9,
};

const decisions: readonly Decision[] = [
  { do: 'reuse', result },
  { do: 'restore', result, outputs: ['prose'] },
  { do: 'run', why: { code: 'never-ran' }, made: { inputs: new Map(), preState: undefined }, had: undefined },
  { do: 'wait', for: ['write'], had: undefined },
  { do: 'skip', why: { code: 'gate-not-failed' } },
  { do: 'stop', why: { code: 'gate-limit', stopped: 'limit', verdict: 'fail', iterations: 3, round: 3 } },
];

function planOf(
  decisionsOfUnit: Readonly<Record<string, readonly Decision[]>>,
  rest: Partial<PlanAnswer['plan']> = {},
): PlanAnswer {
  const units = new Map<string, UnitPlan>();
  const counts = { run: 0, wait: 0, claimed: 0, reuse: 0, restore: 0, skip: 0, refuse: 0, stop: 0 };
  for (const [unit, ofUnit] of Object.entries(decisionsOfUnit)) {
    const steps = ofUnit.map(
      (decision, phase): StepPlan => ({ unit, phase: `p${phase}`, iteration: 1, decision }),
    );
    for (const { decision } of steps) counts[decision.do] += 1;
    units.set(unit, {
      unit,
      stage: 'main',
      cells: steps,
      finished: false,
      ended: false,
      isMade: false,
      refusals: [],
      notices: [],
      state: undefined,
    });
  }
  const plan = { units, refusals: [], notices: [], limits: [], finished: false, ...rest };
  return { overridden: false, heading, plan, phases: [], claimable: [], counts, findings: [] };
}

test('a plan tells what happens to each cell, those alike together', () => {
  expect(planText(planOf({ a: decisions, b: decisions }), plainStyle)).toMatchInlineSnapshot(`
    "book (book=ember) 20261115-1203-book-x7k2 stopped, 2026-11-15 12:03:11 UTC
      run      p2 of a and b: never ran
      restore  p1 of a and b: from the content store
      decide   p3 of a and b: when what they need is there
      stop     a/p5: still fail after 3 rounds
      stop     b/p5: still fail after 3 rounds
    2 to run, 2 to decide after that, 2 to restore, 2 kept, 2 skipped, 2 stopped; to do it: pawl run"
  `);
});

test('a plan of a new run, a finished one, and one that would refuse', () => {
  const fresh = { ...planOf({ a: [decisions[2] as Decision] }), heading: undefined };
  expect(planText(fresh, { ...plainStyle, path: 'book' })).toMatchInlineSnapshot(`
    "a new run
      run      p0 of a: never ran
    1 to run; to do it: pawl run book"
  `);
  const finished = planOf({ a: [decisions[0] as Decision, decisions[4] as Decision] }, { finished: true });
  expect(planText(finished, plainStyle).split('\n').at(-1)).toBe(
    '✓ 1 cell proven, 1 skipped; run has nothing to do',
  );
  const refused = planOf({}, { refusals: [{ guard: 'in-doubt', unit: 'a', phase: 'p', attempt: 1 }] });
  expect(planText(refused, plainStyle).split('\n').at(-1)).toBe('✗ run would refuse and start nothing');
});

test('a plan of a run that has come to a limit starts nothing, unless there is nothing to start', () => {
  const limits = [{ phase: 'p2', limit: 'attempts', value: 60, max: 60, attempts: 60 }] as const;
  const limited = planOf({ a: [decisions[2] as Decision] }, { limits });
  expect(planText(limited, plainStyle)).toMatchInlineSnapshot(`
    "book (book=ember) 20261115-1203-book-x7k2 stopped, 2026-11-15 12:03:11 UTC
      run      p0 of a: never ran
    ✗ p2: 60 attempts in all, and the limit is 60
        raise the limit in the manifest, or continue past it: pawl run --past-limits --reason 'the cause was looked at'
    ✗ run would start nothing"
  `);
  const asks = {
    id: undefined,
    question: 'budget',
    unit: '',
    phase: '',
    place: 'budget_usd',
    name: 'budget',
    shown: {},
    channels: [],
    redo: undefined,
    expiresMs: undefined,
  } as const;
  const budget = { phase: '', limit: 'budget_usd', value: 1, max: 1, attempts: 1, asks } as const;
  const spent = planOf({ a: [decisions[2] as Decision] }, { limits: [budget] });
  expect(planText(spent, plainStyle).split('\n').slice(-3)).toEqual([
    '? the whole run: $1.00 spent, and the budget is $1.00',
    '    it is asked by the next run: pawl run',
    '? run would ask a person and start nothing',
  ]);
  const finished = planOf({ a: [decisions[0] as Decision] }, { limits, finished: true });
  expect(planText(finished, plainStyle).split('\n').at(-1)).toBe(
    '✓ 1 cell proven, 0 skipped; run has nothing to do',
  );
});

test('why: what would be done, the parts, the outputs', () => {
  const answer: WhyAnswer = {
    heading,
    unit: 'ch001',
    phase: 'write',
    status: 'failed',
    iteration: 2,
    attempts: 3,
    verdict: { do: 'run', why: { code: 'failed-before', attempt: 3, failure: 'timed-out' } },
    parts: [
      { name: 'definition', path: undefined, recorded: before, now: before, same: true },
      { name: 'template phase', path: 'templates/write.md', recorded: before, now: after, same: false },
      { name: 'file outline', path: 'outline.yaml', recorded: before, now: undefined, same: false },
    ],
    failure: { attempt: 3, reason: 'timed-out', message: 'one\ntwo\n', at },
    outputs: [
      { name: 'prose', path: 'draft/a.md', hash: before, state: 'intact' },
      { name: 'patch', path: 'draft/a.json', hash: after, state: 'edited' },
    ],
  };
  expect(whyText(answer, plainStyle)).toMatchInlineSnapshot(`
    "✗ ch001/write failed, 3 attempts, round 2
      → run starts an attempt: attempt 3 failed: it took longer than its time limit
      attempt 3 failed at 2026-11-15 12:03:11 UTC: it took longer than its time limit
        | one
        | two
        log: pawl logs ch001/write
      made from
        = definition                          sha256:aaaaaaaa
        ≠ template phase  templates/write.md  sha256:aaaaaaaa → sha256:bbbbbbbb
        ≠ file outline    outline.yaml        sha256:aaaaaaaa → gone
      outputs
        = prose  draft/a.md    sha256:aaaaaaaa
        ≠ patch  draft/a.json  sha256:bbbbbbbb  edited by hand"
  `);
});

test('why: every verdict', () => {
  const verdicts: WhyAnswer['verdict'][] = [
    { do: 'reuse', result },
    { do: 'restore', result, outputs: ['prose', 'patch'] },
    { do: 'run', why: { code: 'never-ran' } },
    { do: 'wait', for: ['plan', 'pack'] },
    { do: 'wait', for: [] },
    { do: 'skip', why: { code: 'gate-not-failed' } },
    { do: 'skip', why: { code: 'consumers-by-hand' } },
    { do: 'refuse', refusals: [] },
    { do: 'stop', why: { code: 'gate-limit', stopped: 'limit', verdict: 'fail', iterations: 2, round: 2 } },
  ];
  const lines = verdicts.map((verdict) => {
    const answer: WhyAnswer = {
      heading,
      unit: 'a',
      phase: 'b',
      status: 'ready',
      iteration: 1,
      attempts: 0,
      verdict,
      parts: [],
      failure: undefined,
      outputs: [],
    };
    return whyText(answer, plainStyle).split('\n')[1];
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "  → run keeps the result of attempt 2 (2026-11-15 12:03:11 UTC): nothing that it was made from has changed
      → run puts prose and patch of attempt 2 back from the content store
      → run starts an attempt: never ran
      → run decides when plan and pack are done
      → run decides when what comes before is done
      → run skips it: it is only needed when the gate says so
      → run skips it: all that would be made from it was put there by hand
      → run refuses and starts nothing
      → run leaves it: still fail after 2 rounds"
  `);
});

test('runs, with one that cannot be read', () => {
  const answer: RunsAnswer = {
    runs: [
      {
        ...heading,
        folder: 'runs/20261115_ember',
        units: { done: 4, total: 12 },
        cost: { usd: 0.42, tokens: 1200 },
        workedMs: 184_000,
        ageMs: 3_600_000,
      },
      {
        ...heading,
        run: '20261116-0900-book-b2',
        identity: { pipeline: 'book' },
        status: 'waiting_human',
        workspace: 'b',
        folder: 'b/.pawl/runs/20261116-0900-book-b2',
        units: { done: 3 },
        cost: { usd: 0, tokens: 1200 },
        workedMs: 900,
        ageMs: 3 * 86_400_000,
      },
      {
        run: '20261117-0900-book-c3',
        workspace: '.',
        status: 'damaged',
        findings: [{ code: 'header-unreadable', file: 'events/runner/1.jsonl', line: 1, weight: 'loud' }],
      },
    ],
  };
  expect(runsText(answer, plainStyle)).toMatchInlineSnapshot(`
    "run                      status                of          units   cost          time       age
    20261115-1203-book-x7k2  stopped               book=ember  4/12    $0.42         3 min 4 s  1 h
      runs/20261115_ember
    20261116-0900-book-b2    waiting for a person              3 done  1,200 tokens  0.9 s      3 days
      b/.pawl/runs/20261116-0900-book-b2
    20261117-0900-book-c3    damaged
      events/runner/1.jsonl:1: the first line of the journal file cannot be read"
  `);
  expect(runsText({ runs: [] }, plainStyle)).toBe('no runs yet; to start one: pawl run');
});

test('logs: what attempts left behind, as data behind a bar', () => {
  const attempt: LogsAnswer['attempts'][number] = {
    attempt: 1,
    iteration: 1,
    startedAt: at,
    outcome: 'failed',
    ms: 1200,
    failure: 'command-failed',
    message: 'boom',
    superseded: true,
    folder: '.pawl/runs/r/attempts/a/b/1',
    files: [
      { name: 'stderr.log', kind: 'error', text: `${String.fromCharCode(27)}[31mboom\n\nagain\n`, cut: true },
    ],
  };
  const rest = (['succeeded', 'interrupted', 'running', 'in-doubt'] as const).map((outcome, index) => ({
    ...attempt,
    attempt: index + 2,
    iteration: 2,
    outcome,
    ms: undefined,
    failure: undefined,
    message: undefined,
    superseded: false,
    folder: undefined,
    files: [],
  }));
  expect(
    logsText({ unit: 'a', phase: 'b', attempts: [attempt, ...rest] }, plainStyle),
  ).toMatchInlineSnapshot(`
    "a/b attempt 1, started 2026-11-15 12:03:11 UTC, failed after 1.2 s, superseded
      the command failed
      | boom
      folder: .pawl/runs/r/attempts/a/b/1
      stderr.log (only the end; the whole is in the folder)
      | boom
      |
      | again
    a/b attempt 2, round 2, started 2026-11-15 12:03:11 UTC, succeeded
    a/b attempt 3, round 2, started 2026-11-15 12:03:11 UTC, interrupted
    a/b attempt 4, round 2, started 2026-11-15 12:03:11 UTC, running
    a/b attempt 5, round 2, started 2026-11-15 12:03:11 UTC, never ended: in doubt"
  `);
  expect(logsText({ unit: 'a', phase: 'b', attempts: [] }, plainStyle)).toBe(
    'a/b never ran: there is no log',
  );
});

test('diffs', () => {
  const answer: DiffAnswer = {
    diffs: [
      {
        title: 'templates/write.md',
        before: { path: 'templates/write.md', hash: before },
        after: { path: 'templates/write.md', hash: undefined },
        lines: [
          { kind: 'gap', text: '' },
          { kind: 'same', text: 'one' },
          { kind: 'removed', text: 'two\t2' },
          { kind: 'added', text: `t${String.fromCharCode(27)}[1mwo` },
        ],
      },
    ],
    unshown: [],
  };
  expect(diffText(answer, plainStyle)).toMatchInlineSnapshot(`
    "templates/write.md
    --- templates/write.md (sha256:aaaaaaaa)
    +++ templates/write.md (not there)
    …
     one
    -two  2
    +two"
  `);
  expect(diffText({ diffs: [], unshown: [] }, plainStyle)).toBe('nothing has changed');
});

test('verify: nothing, something small, something lost', () => {
  const checked = { events: 102, outputs: 1, objects: 40 };
  const quiet = { code: 'orphan-file', file: 'draft/x.md', weight: 'quiet' } as const;
  const loud = { code: 'object-missing', file: '.pawl/objects/aa', weight: 'loud' } as const;
  const last = [[], [quiet], [quiet, loud]].map((findings) =>
    verifyText({ heading, findings, checked }, plainStyle).split('\n').at(-1),
  );
  expect(last.join('\n')).toMatchInlineSnapshot(`
    "✓ 102 events, 1 output and 40 objects checked; everything is as it was recorded
    ✓ 102 events, 1 output and 40 objects checked; 1 finding, nothing acknowledged is lost
    to keep what is still proven, and to put back what intact outputs hold: pawl repair --reason 'continue with what is readable'"
  `);
});

test('acts', () => {
  const adopted = [{ unit: 'a', phase: 'write', output: 'prose', path: 'draft/a.md', before, after }];
  const put = { run: heading.run, to: '.pawl/archive/x', files: 12, left: [] };
  const left = [
    { path: 'draft/a.md', reason: 'changed' },
    { path: 'draft/b.md', reason: 'of-another-run' },
  ] as const;
  const texts = [
    adoptText({ heading, adopted, reruns: ['a/lint', 'a/commit'], waits: ['b/lint'] }, plainStyle),
    adoptText({ heading, adopted, reruns: [], waits: ['a/lint'] }, plainStyle),
    adoptText({ heading, adopted, reruns: [], waits: [] }, plainStyle),
    resetText({ archived: [put], next: [] }, plainStyle),
    resetText({ archived: [{ ...put, left }], next: ['20261114-1203-book-k2x7'] }, plainStyle),
    resetText({ archived: [], next: [] }, plainStyle),
    repairText(
      {
        heading,
        accepted: [{ code: 'garbage-line', file: 'events/runner/1.jsonl', line: 3, weight: 'loud' }],
        facts: [{ name: 'run', value: '20261114-1203-book-k2x7', from: 'run.json' }],
        restored: [{ unit: 'a', phase: 'write', attempt: 2, from: 'snapshot' }],
        healed: ['draft/a.md'],
        lost: ['draft/b.md'],
        moved: [{ from: 'events/runner/000002.jsonl', to: 'damaged/runner-000002.jsonl' }],
      },
      plainStyle,
    ),
    initText(
      {
        example: 'minimal',
        folder: 'new',
        manifest: 'pawl.yaml',
        files: ['pawl.yaml', 'phases.mjs'],
        first: ['pawl.yaml'],
      },
      plainStyle,
    ),
    initText(
      {
        example: 'sprites',
        folder: 'demo',
        manifest: 'blaze-idle.yaml',
        files: ['blaze-idle.yaml'],
        first: ['README.md', 'blaze-idle.yaml', 'draw.mjs'],
      },
      plainStyle,
    ),
    initText(
      { example: 'sprites', folder: '.', manifest: 'blaze-idle.yaml', files: [], first: [] },
      plainStyle,
    ),
    initText({ example: 'book', folder: '.', manifest: 'pawl.yaml', files: [], first: [] }, plainStyle),
  ];
  expect(texts.join('\n')).toMatchInlineSnapshot(`
    "  draft/a.md is now output prose of a/write (sha256:aaaaaaaa → sha256:bbbbbbbb)
    ✓ 1 file adopted; the next run does a/lint and a/commit again: pawl run
      draft/a.md is now output prose of a/write (sha256:aaaaaaaa → sha256:bbbbbbbb)
    ✓ 1 file adopted; nothing runs again at once: a/lint waits; to see what for: pawl plan
      draft/a.md is now output prose of a/write (sha256:aaaaaaaa → sha256:bbbbbbbb)
    ✓ 1 file adopted; nothing depends on it
      20261115-1203-book-x7k2: 12 files kept in .pawl/archive/x
    ✓ 1 run archived; the next run starts fresh
      20261115-1203-book-x7k2: 12 files kept in .pawl/archive/x
        ! left alone: draft/a.md (it was changed meanwhile, and is not the one in the archive)
        ! left alone: draft/b.md (another run has put it there, or needs it)
    ✓ 1 run archived; the next run comes back to 20261114-1203-book-k2x7
    there was no run to archive
    ✗ events/runner/1.jsonl:3: a line is no event
      run: 20261114-1203-book-k2x7 (from run.json)
      a/write is on record again (attempt 2, the snapshot has it)
      the content store has the bytes of draft/a.md again
      the bytes of draft/b.md are lost: no intact copy was found
      events/runner/000002.jsonl moved to damaged/runner-000002.jsonl: nothing in it could be read
    ✓ 1 finding accepted and recorded, nothing was deleted; steps that nothing proves any more run again: pawl run
    ✓ the example minimal is in new: 2 files; to read first: pawl.yaml
      → to see what it would do: pawl plan new
      → to do it: pawl run new
    ✓ the example sprites is in demo: 1 file; to read first: README.md, blaze-idle.yaml and draw.mjs
      → to see what it would do: pawl plan demo/blaze-idle.yaml
      → to do it: pawl run demo/blaze-idle.yaml
    ✓ the example sprites is in this folder: 0 files; to read first: 
      → to see what it would do: pawl plan blaze-idle.yaml
      → to do it: pawl run blaze-idle.yaml
    ✓ the example book is in this folder: 0 files; to read first: 
      → to see what it would do: pawl plan
      → to do it: pawl run"
  `);
});
