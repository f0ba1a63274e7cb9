import { expect, test } from 'vitest';
import type {
  Damage,
  Notice,
  Question,
  RunReason,
  SkipReason,
  StopReason,
  TelemetryReason,
} from '../../model/reason.ts';
import { plainStyle } from '../style/style.ts';
import { noticeWords } from './notices.ts';
import { damageWords, reasonWords, skipWords } from './run-reasons.ts';
import { stopWords } from './stop-reasons.ts';

type ByCode<T extends { code: string }> = { [C in T['code']]: Extract<T, { code: C }> };

const before = 'sha256:aaaaaaaa1111';
const after = 'sha256:bbbbbbbb2222';

test('every reason to run has its words', () => {
  const reasons: ByCode<RunReason> = {
    'never-ran': { code: 'never-ran' },
    interrupted: { code: 'interrupted', attempt: 2 },
    released: { code: 'released', attempt: 2 },
    waited: { code: 'waited', attempt: 2, pause: 'overloaded' },
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
    'code-changed': { code: 'code-changed', reason: undefined, policy: 'manifest' },
    'told-of-another': { code: 'told-of-another', actor: 'executor-1' },
    'file-changed': { code: 'file-changed', file: 'outline', before, after },
    rejected: { code: 'rejected', checkpoint: 'C2', feedback: 'too\nlong' },
    'revision-requested': { code: 'revision-requested', by: 'tdd#1', reason: 'no such port' },
    'pre-state-changed': { code: 'pre-state-changed', before, after },
  };
  const words = Object.values(reasons).map((why) => `${why.code}: ${reasonWords(why, plainStyle)}`);
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "never-ran: never ran
    interrupted: attempt 2 was cut off
    released: attempt 2 was released
    waited: attempt 2 was paused by an overload of the provider, and may continue now
    failed-before: attempt 3 failed: an output did not pass its check
    gate-failed: round 2: lint says fail
    input-changed: input prose changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
    output-missing: draft/a.md is missing
    output-damaged: draft/a.md is damaged: it is not a file
    rerun-requested: asked for again
    prompt-changed: its prompt changed: shorter scenes
    chain-cascade: a unit before it committed another state
    definition-changed: the definition of the phase changed: new tool
    unit-changed: the unit's own fields changed
    code-changed: the code of the phase changed (on_change: rerun)
    told-of-another: executor-1 has done another task of this id; the list was made again since
    file-changed: file outline changed (sha256:aaaaaaaa → sha256:bbbbbbbb)
    rejected: rejected (C2): too\\nlong
    revision-requested: tdd#1 asks for it to be done again: no such port
    pre-state-changed: the state that it started from changed (sha256:aaaaaaaa → sha256:bbbbbbbb)"
  `);
});

test('an attempt that asked a model and never ended says what is at stake', () => {
  const words = (atStake: number | undefined) =>
    reasonWords(
      { code: 'interrupted', attempt: 2, call: { model: 'anthropic/claude-sonnet-5', atStake } },
      plainStyle,
    );
  expect(words(0.42)).toBe(
    'attempt 2 was cut off: anthropic/claude-sonnet-5 was asked, and up to $0.42 may have been paid',
  );
  expect(words(undefined)).toBe(
    'attempt 2 was cut off: anthropic/claude-sonnet-5 was asked, and nobody knows what was paid',
  );
});

test('every reason to skip has its words', () => {
  const skips: ByCode<SkipReason> = {
    'gate-not-failed': { code: 'gate-not-failed' },
    'told-skipped': { code: 'told-skipped', actor: 'executor-1', note: 'not needed' },
    'consumers-by-hand': { code: 'consumers-by-hand' },
  };
  expect(Object.values(skips).map(skipWords)).toEqual([
    'it is only needed when the gate says so',
    'executor-1 left it out: not needed',
    'all that would be made from it was put there by hand',
  ]);
});

test('every stop has its words', () => {
  const asks: Question = {
    id: 'C1',
    question: 'gate',
    unit: 'ch001',
    phase: 'lint',
    place: 'gate',
    name: 'lint gate',
    shown: { 'lint.report': before },
    channels: ['terminal'],
    redo: 'repair',
    expiresMs: undefined,
  };
  const stops: ByCode<StopReason> = {
    'attempts-used-up': { code: 'attempts-used-up', attempts: 3, failure: 'timed-out' },
    'interruptions-used-up': { code: 'interruptions-used-up', interruptions: 5, attempt: 6, asks },
    'gate-limit': { code: 'gate-limit', stopped: 'limit', verdict: 'fail', iterations: 3, round: 3 },
    'gate-asks': {
      code: 'gate-asks',
      stopped: 'plateau',
      verdict: 'warn',
      iterations: 4,
      round: 2,
      score: 81.5,
      report: before,
      asks,
    },
    'checkpoint-asks': { code: 'checkpoint-asks', asks: { ...asks, question: 'approval', name: 'Spec' } },
    'checkpoint-rejected': { code: 'checkpoint-rejected', id: 'C1', name: 'Spec', note: 'too\nlong' },
    paused: {
      code: 'paused',
      until: '2026-11-15T12:03:11.000Z',
      pause: 'quota',
      message: 'You have used up\nyour daily quota',
    },
    blocked: { code: 'blocked', reason: 'needs a key', actor: 'executor-1' },
  };
  expect(Object.values(stops).map(stopWords).join('\n')).toMatchInlineSnapshot(`
    "3 attempts failed, as many as retries allows; the last one: it took longer than its time limit
    interrupted 5 times in a row; each attempt may have been paid; a person has to decide whether it is started again
    still fail after 3 rounds
    still warn after 4 rounds, and the score gets no better; round 2 is the best, score 81.5; a person has to decide
    waits for a person: Spec (C1)
    a person rejected it (C1): too\\nlong
    paused until 2026-11-15 12:03:11 UTC by a quota of the provider: You have used up\\nyour daily quota; it can continue from then on
    blocked by executor-1: needs a key"
  `);
});

test('every notice has its words', () => {
  const notices: ByCode<Notice> = {
    'agent-means-task': { code: 'agent-means-task', phases: ['prd', 'graph'] },
    'own-file-hidden': { code: 'own-file-hidden', by: 'input', phase: 'draft' },
    'value-changed': { code: 'value-changed', path: 'pace.wait', before: 300_000, after: 60_000 },
    'start-state-stale': { code: 'start-state-stale', unit: 'ch002', before, after },
    'gate-accepted': {
      code: 'gate-accepted',
      unit: 'ch001',
      phase: 'lint',
      stopped: 'budget',
      iterations: 2,
      round: 2,
      verdict: 'warn',
      by: 'manifest',
    },
    'input-stale': { code: 'input-stale', unit: 'f2', phase: 'audit', input: 'before', before, after },
    'edit-holds': { code: 'edit-holds', unit: 'a', phase: 'write', path: 'pages/a.md' },
    'file-unknown': {
      code: 'file-unknown',
      unit: 'f5',
      phase: 'approve',
      output: 'frame',
      path: 'approved/f5.png',
    },
    'import-rejected': {
      code: 'import-rejected',
      unit: 'planning',
      phase: 'graph',
      path: 'graph.json',
      check: 'json',
      detail: 'not JSON',
    },
    'outputs-adopted': { code: 'outputs-adopted', steps: 1, paths: ['a.md', 'b.md'], unchecked: 1 },
    'files-without-unit': { code: 'files-without-unit', paths: ['a.md', 'b.md', 'c.md', 'd.md'] },
    'files-unlisted': { code: 'files-unlisted', paths: ['notes/t1.md'] },
    'files-replaced': { code: 'files-replaced', paths: ['a.json', 'b.json', 'state.json', 'page.md'] },
    'files-written': { code: 'files-written', run: '20261115-1203-b', paths: ['a.md', 'b.md'] },
    imported: {
      code: 'imported',
      path: 'specs/001/.pipeline-state.md',
      unit: '001',
      taken: ['spec', 'clarify'],
      unverified: ['specs/001/spec.md'],
      open: [
        {
          phase: 'architect',
          line: 9,
          why: {
            code: 'check-failed',
            path: 'specs/001/adr.md',
            check: 'markdown-table',
            detail: 'row 2: empty',
          },
          handed: [],
        },
        { phase: 'programmer', line: undefined, why: { code: 'under-way' }, handed: ['src/a.ts'] },
      ],
      counts: [{ phase: 'testrunner', used: 2, max: 5 }],
      clusters: [{ defect: 'AC-06', count: 2, max: 3 }],
      notes: 1,
      approved: ['Spec approval'],
      unasked: ['Security sign-off'],
    },
    'page-complete': {
      code: 'page-complete',
      path: 'specs/001/.pipeline-state.md',
      unit: '001',
      verified: 2,
      unverified: [],
    },
    'pages-alike': {
      code: 'pages-alike',
      path: 'specs/001/.pipeline-state.md',
      other: 'specs/001/pipeline-state.md',
    },
    'projection-failed': { code: 'projection-failed', path: 'history/a.json', error: 'EISDIR' },
    'brief-aside': { code: 'brief-aside', path: 'ORCHESTRATION.yaml', why: 'needs-migration' },
    'brief-imported': {
      code: 'brief-imported',
      path: 'ORCHESTRATION.yaml',
      authored: ['next_step', 'files_to_read'],
      history: ['quality_trajectory'],
      backup: '.pawl/backups/0123456789ab-ORCHESTRATION.yaml',
    },
    'box-ticked': { code: 'box-ticked', path: 'specs/001/.pipeline-state.md', name: 'Spec approval' },
    'telemetry-failed': { code: 'telemetry-failed', why: 'unreachable', to: '127.0.0.1:4318' },
    'budget-near': { code: 'budget-near', phase: '', limit: 'budget_usd', value: 8.2, max: 10 },
    'changed-outside': { code: 'changed-outside', changes: ['prompt write', 'notes'], steps: 14 },
    'budget-short': {
      code: 'budget-short',
      phase: 'write',
      limit: 'budget_tokens',
      left: 2000,
      expected: 9000,
      atMost: 9000,
      isSure: false,
    },
    'started-fresh': {
      code: 'started-fresh',
      run: '20261115-1203-b',
      status: 'cancelled',
      reason: 'too dear',
      notes: 'specs/001/.pipeline-state.md',
    },
    'code-kept': {
      code: 'code-kept',
      phase: 'draw',
      paths: ['a.mjs', 'b.mjs', 'c.mjs', 'd.mjs'],
      results: 8,
    },
    'templates-changed': {
      code: 'templates-changed',
      paths: ['t/lint.md', 't/write.md'],
      of: 7,
      sinceStart: true,
      steps: [{ unit: 'ch001', phase: 'write' }],
    },
    'unit-removed': { code: 'unit-removed', unit: 'ch009' },
  };
  const words = Object.values(notices).map((notice) => noticeWords(notice, plainStyle));
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "phases prd and graph: write run: { task: ROLE } in place of run: { agent: ROLE }; both mean the same
    phase draft has another input called file, so it does not take the file of its unit; to take both: inputs: { source: unit.file, … }
    pace.wait changed from 5 min to 1 min; no result depends on it
    ch002 started from another state than the chain has now (sha256:aaaaaaaa → sha256:bbbbbbbb); it is kept as it is
    ch001/lint: still warn after 2 rounds, and its budget is spent; accepted by the manifest
    f2/audit was made from another before than there is now (sha256:aaaaaaaa → sha256:bbbbbbbb); it is kept as it is
    pages/a.md, an output of a/write, was edited; what depends on it waits. pawl plan shows the options
    approved/f5.png exists but was not made by this run; keep it with pawl adopt, or f5/approve moves it to aside/ when it runs
    graph.json of planning/graph fails its check json: not JSON; another tool's log is past it, and pawl run refuses before a person has chosen to keep or to replace it
    2 existing files adopted as outputs of 1 step, if 1 check by a command or function passes at the run
    a.md, b.md, c.md and 1 more match the path of an output and belong to no unit; are left alone
    notes/t1.md matches the path of an output; if its unit is listed, its step moves it to aside/
    a.json, b.json, state.json and 1 more are not of this run, and Pawl writes files there; the run moves them to aside/
    2 files at output paths were written by run 20261115-1203-b; moved to aside/ when their steps run
    specs/001/.pipeline-state.md says where 001 stands: spec and clarify taken as done; without a full hash: specs/001/spec.md; architect (line 9) not taken: specs/001/adr.md fails its check markdown-table: row 2: empty; programmer not taken: under way, and no check proves its files, continues with src/a.ts; approved by its ticked boxes: Spec approval; ticked, but no checkpoint: Security sign-off; used so far: testrunner 2/5; failure clusters: AC-06 2/3; 1 note kept
    specs/001/.pipeline-state.md says that 001 is complete; 2 files verified; to start over: pawl run --fresh
    specs/001/.pipeline-state.md and specs/001/pipeline-state.md say the same; the first is used
    history/a.json could not be written (a folder stands there: EISDIR); the next run writes it again
    ORCHESTRATION.yaml was left alone (it holds a document of version 1: pawl brief migrate shows what would become of it); the brief lies in the run's own folder
    Imported what people wrote (next_step and files_to_read) and history (quality_trajectory) from ORCHESTRATION.yaml. The original is at .pawl/backups/0123456789ab-ORCHESTRATION.yaml
    specs/001/.pipeline-state.md: "Spec approval" was ticked by hand, which decides nothing; pawl approve does
    telemetry is incomplete (no connection to 127.0.0.1:4318); the run itself is not affected
    budget of the whole run: $8.20 of $10.00 spent (82 %); a person is asked when it is used up
    2 changes outside the selection (14 steps): prompt write and notes; a run of those steps refuses or asks
    budget of write: 2,000 tokens left, and the plan may need up to 9,000 tokens; at the limit the run asks
    run 20261115-1203-b is cancelled and never gone on with: too dear; this one starts fresh; its notes are in specs/001/.pipeline-state.md
    code of phase draw changed since 8 results were made: a.mjs, b.mjs, c.mjs and 1 more; kept as outdated
    2 of 7 templates changed since this run began: t/lint.md and t/write.md; used by 1 step without a result: write of ch001
    ch009 is not in the pipeline any more; its files are left alone"
  `);
});

test('telemetry that was not sent says why', () => {
  const to = '127.0.0.1:4318';
  const whys = {
    'variable-unusable': 'OTEL_EXPORTER_OTLP_TIMEOUT',
    unreachable: to,
    'timed-out': to,
    'http-status': to,
    refused: to,
    'queue-full': to,
    broken: to,
  } satisfies Record<Exclude<TelemetryReason, 'packages-missing'>, string>;
  const words = Object.entries(whys).map(([why, at]) =>
    noticeWords({ code: 'telemetry-failed', why: why as TelemetryReason, to: at }, plainStyle),
  );
  const packages = ['@opentelemetry/api@1.9', '@opentelemetry/resources@2.9'];
  words.push(noticeWords({ code: 'telemetry-failed', why: 'packages-missing', to, packages }, plainStyle));
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "telemetry is incomplete (OTEL_EXPORTER_OTLP_TIMEOUT cannot be used); the run itself is not affected
    telemetry is incomplete (no connection to 127.0.0.1:4318); the run itself is not affected
    telemetry is incomplete (127.0.0.1:4318 did not answer in time); the run itself is not affected
    telemetry is incomplete (127.0.0.1:4318 answered with an error); the run itself is not affected
    telemetry is incomplete (127.0.0.1:4318 refused a part of it); the run itself is not affected
    telemetry is incomplete (127.0.0.1:4318 receives it too slowly); the run itself is not affected
    telemetry is incomplete (OpenTelemetry's packages failed); the run itself is not affected
    no telemetry is sent to 127.0.0.1:4318 without these packages: npm install @opentelemetry/api@1.9 @opentelemetry/resources@2.9"
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
