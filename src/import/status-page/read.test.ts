import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../base/hash.ts';
import type { StatusFinding } from './findings.ts';
import { readStatusPage, statusPageLimits } from './read.ts';

const stages = ['spec', 'clarify', 'architect', 'tasks', 'tdd', 'programmer', 'testrunner', 'code-review'];
const [specHash, adrHash] = [hashBytes('spec'), hashBytes('adr')];
const full = (hash: string) => ({ kind: 'full', hash });
const bare = (hash: string) => hash.slice('sha256:'.length);

const read = (text: string) => readStatusPage(text, { stages });
const codes = (text: string) => read(text).findings.map(told);
/** `status-unknown 3 {"value":"…"}` */
const told = ({ code, line, ...facts }: StatusFinding) =>
  [code, line, ...(Object.keys(facts).length === 0 ? [] : [facts])] as unknown[];

describe('pages that people wrote', () => {
  it('are read as lists and tables', () => {
    const { page, findings } = read(`# Pipeline State

- run_id: 2026-11-15T09:30:00Z
- feature: 001-refund-export
- spec_hash: ${specHash}
- started_at: 2026-11-15T09:30:00Z
- last_updated_at: 2026-11-15T12:45:00Z
- current_stage: programmer
- status: IN_PROGRESS

## Completed Stages

| Stage | Completed At | Output Artifact | Output Hash |
|-------|:-------------|-----------------|------------:|
| spec | 2026-11-15T09:32:00Z | specs/001-refund-export/feature.spec.md | ${specHash} |
| architect | 2026-11-15T10:30:00Z | specs/001-refund-export/adr.md | ${adrHash} |

## Current Stage Detail

- stage: programmer
- dispatched_at: 2026-11-15T11:15:00Z
- job_status: RETRYING
- retry_count: 2
- last_output_summary: rows with a comma are still cut

## Iteration Counts

| Stage | Cycle Count | Budget | Status |
|-------|-------------|--------|--------|
| tdd | 1 | 3 | WITHIN_BUDGET |
| programmer | 2 | 5 | WITHIN_BUDGET |

## Failure Clusters

| Cluster | First Seen | Retry Count | Stage | Notes |
|---------|-----------|-------------|-------|-------|
| AC-06/AC-07 quoting | 2026-11-15T11:20:00Z | 2 | programmer | |

## Human Checkpoints Cleared

- [x] Spec approval
- [X] Architecture sign-off (includes Constitution Check)
- [ ] Security sign-off

## Notes

Resumed from checkpoint at 2026-11-15T12:00:00Z. Prior session ended at stage: programmer.
- 2026-11-15T12:40:00Z: AC-05 is left for later.
`);
    expect(findings).toEqual([]);
    expect(page).toEqual({
      unit: '001-refund-export',
      runId: '2026-11-15T09:30:00Z',
      specHash: full(specHash),
      startedAt: '2026-11-15T09:30:00Z',
      lastUpdatedAt: '2026-11-15T12:45:00Z',
      currentStage: 'programmer',
      status: 'IN_PROGRESS',
      retryCount: 2,
      completed: [
        {
          stage: 'spec',
          artifact: { path: 'specs/001-refund-export/feature.spec.md', hash: full(specHash) },
          completedAt: '2026-11-15T09:32:00Z',
          iterations: undefined,
          line: 15,
        },
        {
          stage: 'architect',
          artifact: { path: 'specs/001-refund-export/adr.md', hash: full(adrHash) },
          completedAt: '2026-11-15T10:30:00Z',
          iterations: undefined,
          line: 16,
        },
      ],
      current: {
        stage: 'programmer',
        attempt: undefined,
        iteration: undefined,
        startedAt: '2026-11-15T11:15:00Z',
        retryCount: 2,
        files: [],
      },
      iterations: [
        { loop: 'tdd', used: 1, max: 3, line: 30 },
        { loop: 'programmer', used: 2, max: 5, line: 31 },
      ],
      clusters: [{ defect: 'AC-06/AC-07 quoting', count: 2, max: undefined, line: 37 }],
      checkpoints: [
        box('Spec approval', true, 41),
        box('Architecture sign-off (includes Constitution Check)', true, 42),
        box('Security sign-off', false, 43),
      ],
      notes: [
        {
          at: undefined,
          text: 'Resumed from checkpoint at 2026-11-15T12:00:00Z. Prior session ended at stage: programmer.',
          line: 47,
        },
        { at: '2026-11-15T12:40:00Z', text: 'AC-05 is left for later.', line: 48 },
      ],
    });
  });

  it('are read with YAML at the top and lists below it', () => {
    const { page, findings } = read(`---
# by hand
runId: "r-17"            # ours
Spec-Hash: ${bare(specHash).toUpperCase()}
status: 'waiting-for-human'
current stage: Code Review
---

## ✅ Stages completed:

* **spec**: \`specs/002-late-fees/feature.spec.md\` (sha256 ${bare(specHash)}), 2026-11-15
* [architect] — no
* architect — [the decision](specs/002-late-fees/adr.md) — ${adrHash}
1. Test Runner -> reports/run.json, hash ABCDEF0123…, done at 2026-11-16 10:30

## CHECKPOINTS

- ✅ Spec approval (by Ann, 2026-11-15)
- Architecture: approved
- [✓] Tests (C7, by Bo, at 2026-11-16T10:30:00Z)
- Security: pending
- ☐ Release

## Iterations

- tdd: 1/3
- programmer — 2 of 5
- Code review: 1 (budget 3)

## Clusters
- AC-06: rounding (2/3)
- timeout after 30 s: 4
`);
    expect(page).toMatchObject({
      runId: 'r-17',
      specHash: full(specHash),
      status: 'WAITING_FOR_HUMAN',
      currentStage: 'code-review',
      completed: [
        {
          stage: 'spec',
          artifact: { path: 'specs/002-late-fees/feature.spec.md', hash: full(specHash) },
          completedAt: '2026-11-15',
        },
        { stage: 'architect', artifact: { path: 'specs/002-late-fees/adr.md', hash: full(adrHash) } },
        {
          stage: 'testrunner',
          artifact: { path: 'reports/run.json', hash: { kind: 'abbreviated', text: 'ABCDEF0123…' } },
          completedAt: '2026-11-16 10:30',
        },
      ],
      checkpoints: [
        { name: 'Spec approval', cleared: true, id: undefined, decidedBy: 'Ann', at: '2026-11-15' },
        { name: 'Architecture', cleared: true, decidedBy: undefined },
        { name: 'Tests', cleared: true, id: 'C7', decidedBy: 'Bo', at: '2026-11-16T10:30:00Z' },
        { name: 'Security', cleared: false },
        { name: 'Release', cleared: false },
      ],
      iterations: [
        { loop: 'tdd', used: 1, max: 3 },
        { loop: 'programmer', used: 2, max: 5 },
        { loop: 'code-review', used: 1, max: 3 },
      ],
      clusters: [
        { defect: 'AC-06: rounding', count: 2, max: 3 },
        { defect: 'timeout after 30 s', count: 4, max: undefined },
      ],
    });
    expect(findings.map(told)).toEqual([
      ['entry-unreadable', 12, { section: 'completed', text: '[architect] — no' }],
      ['hash-abbreviated', 14, { of: 'reports/run.json', value: 'ABCDEF0123…' }],
    ]);
  });

  it('are read as one block of YAML', () => {
    const { page, findings } = read(`Where we are:

\`\`\`yaml
run_id: r-18
status: Done.
spec_hash: ~
stage: done
completed_stages:
  - stage: spec
    artifact: specs/003-tax-report/feature.spec.md
    hash: ${specHash}
    completed_at: 2026-11-15T10:00:00+01:00
    iterations: 2
  - stage: architect
    files:
      - specs/003-tax-report/research.md
      - specs/003-tax-report/adr.md
    hashes:
      - ${specHash}
      - ${adrHash}
human_checkpoints:
  spec_approval: true
  release: false
jobs:
  build:
    status: FAILED
notes:
  - the build was mended
  - 2026-11-16 - shipped
\`\`\`
`);
    expect(findings.map(told)).toEqual([['keys-unknown', 1, { keys: ['where_we_are', 'jobs'], count: 2 }]]);
    const at = { completedAt: undefined, iterations: undefined, line: 14 };
    const path = 'specs/003-tax-report';
    expect(page).toMatchObject({
      runId: 'r-18',
      status: 'COMPLETE',
      specHash: undefined,
      currentStage: undefined,
      completed: [
        {
          stage: 'spec',
          artifact: { path: `${path}/feature.spec.md`, hash: full(specHash) },
          completedAt: '2026-11-15T10:00:00+01:00',
          iterations: 2,
        },
        { stage: 'architect', artifact: { path: `${path}/research.md`, hash: full(specHash) }, ...at },
        { stage: 'architect', artifact: { path: `${path}/adr.md`, hash: full(adrHash) }, ...at },
      ],
      checkpoints: [
        { name: 'spec_approval', cleared: true },
        { name: 'release', cleared: false },
      ],
      notes: [
        { at: undefined, text: 'the build was mended' },
        { at: '2026-11-16', text: 'shipped' },
      ],
    });
  });

  it('are read without headings, with tables in any order of columns', () => {
    const { page, findings } = read(`**Run ID:** r-19
**Status**: \`Aborted\`
**Last updated:** 2026-11-15 14:00 UTC

**Completed Stages**

Hash | Phase | When | File
--- | --- | --- | ---
${bare(specHash)} | **Spec** | 2026-11-15 | \`specs/004-x/feature.spec.md\`

**Human Checkpoints**

| Done | Checkpoint | Approved by | When |
|---|---|---|---|
| ✔️ | Spec approval | Ann | 2026-11-15 |
| | Architecture | | |

Current Stage: architect
Started: 2026-11-14
`);
    expect(findings).toEqual([]);
    expect(page).toMatchObject({
      runId: 'r-19',
      status: 'ABORTED',
      startedAt: '2026-11-14',
      lastUpdatedAt: '2026-11-15 14:00 UTC',
      currentStage: 'architect',
      completed: [
        {
          stage: 'spec',
          artifact: { path: 'specs/004-x/feature.spec.md', hash: full(specHash) },
          completedAt: '2026-11-15',
        },
      ],
      checkpoints: [
        { name: 'Spec approval', cleared: true, decidedBy: 'Ann', at: '2026-11-15' },
        { name: 'Architecture', cleared: false, decidedBy: undefined, at: undefined },
      ],
    });
  });

  it('are read with the facts in a table, and with headings of two lines', () => {
    const { page, findings } = read(`Pipeline State
==============

| Field | Value |
|---|---|
| Run ID | r-20 |
| Status | 🔄 In Progress |
| Owner | Ann |

Current Stage
-------------
programmer

Notes
-----
None.
`);
    expect(findings.map(told)).toEqual([['keys-unknown', 8, { keys: ['owner'], count: 1 }]]);
    expect(page).toMatchObject({
      runId: 'r-20',
      status: 'IN_PROGRESS',
      currentStage: 'programmer',
      notes: [],
    });
    expect(read('| Status | DONE |\n|---|---|\n| run id | r |').page).toMatchObject({
      status: 'COMPLETE',
      runId: 'r',
    });
    expect(read('| Run | Status | Stage |\n|---|---|---|\n| r | DONE | tasks |').page).toMatchObject({
      status: 'COMPLETE',
      runId: 'r',
      currentStage: 'tasks',
    });
  });

  it('are read with the status as a heading', () => {
    expect(read('# 005-refunds\n\n## Status\n\nCOMPLETE\n').page.status).toBe('COMPLETE');
    expect(read('# Feature: 005-refunds\n\n## Status: failed\n').page).toMatchObject({
      unit: '005-refunds',
      status: 'FAILED',
    });
    expect(read('## Status — canceled\n## Current stage - tdd').page).toMatchObject({
      status: 'CANCELLED',
      currentStage: 'tdd',
    });
  });

  it('are read with a list of all stages, each with its own status', () => {
    const page = `status: IN_PROGRESS

## Stages

| Stage | Status | Artifact | Hash |
|---|---|---|---|
| spec | ✅ Done | a.md | ${specHash} |
| clarify | approved | b.md | ${adrHash} |
| architect | IN_PROGRESS | c.md | |
| tasks | pending | | |
| tdd | | | |
| programmer | ❌ done | d.md | ${specHash} |
| testrunner | almost | | |
`;
    expect(read(page).page.completed.map(({ stage }) => stage)).toEqual(['spec', 'clarify']);
    expect(codes(page)).toEqual([
      ['stage-status-unknown', 11, { stage: 'tdd', value: '' }],
      ['stage-status-unknown', 12, { stage: 'programmer', value: '❌ done' }],
      ['stage-status-unknown', 13, { stage: 'testrunner', value: 'almost' }],
    ]);
    const list = read(
      'status: DONE\n## Stages\n- [x] spec: a.md abcdef0...\n- [ ] tasks\n- tdd: b.md\n- ✅ clarify (c.md)\n- ❌ tdd',
    );
    expect(list.page.completed.map(({ stage }) => stage)).toEqual(['spec', 'clarify']);
    expect(list.findings.map(({ code, line }) => [code, line])).toEqual([
      ['hash-abbreviated', 3],
      ['stage-status-unknown', 5],
      ['hash-missing', 6],
    ]);
  });
});

function box(name: string, cleared: boolean, line: number) {
  return { name, id: undefined, cleared, decidedBy: undefined, at: undefined, line };
}

describe('what is never guessed at', () => {
  const page = (...lines: string[]) => ['status: IN_PROGRESS', ...lines].join('\n');

  it.each([
    ['', [['no-known-key', 1]]],
    ['\n\n', [['no-known-key', 1]]],
    ['# Shopping\n\n- milk\n- bread: two', [['no-known-key', 1]]],
    ['## Notes\n\nstatus: DONE', [['no-known-key', 1]]],
    ['run_id: r', [['status-missing', 1]]],
    ['run_id: r\nstatus: —', [['status-missing', 1]]],
    ['## Checkpoints\n- [x] Spec approval', [['status-missing', 1]]],
    ['status: mostly done', [['status-unknown', 1, { value: 'mostly done' }]]],
    [
      'status: COMPLETE (but for security)',
      [['status-unknown', 1, { value: 'COMPLETE (but for security)' }]],
    ],
    ['status: DONE?', [['status-unknown', 1, { value: 'DONE?' }]]],
    ['status: ~~DONE~~', [['status-unknown', 1, { value: '~~DONE~~' }]]],
    ['status: ❌ COMPLETE', [['status-unknown', 1, { value: '❌ COMPLETE' }]]],
    ['status: blocked', [['status-unknown', 1, { value: 'blocked' }]]],
    ['status: not complete', [['status-unknown', 1, { value: 'not complete' }]]],
    [
      'status: IN_PROGRESS | COMPLETE | FAILED',
      [['status-unknown', 1, { value: 'IN_PROGRESS | COMPLETE | FAILED' }]],
    ],
    [
      'status: DONE\n\nStatus: failed',
      [['status-contradicts', 3, { first: 'DONE', firstLine: 1, second: 'failed' }]],
    ],
    ['status: DONE\nstatus: hm', [['status-unknown', 2, { value: 'hm' }]]],
  ])('the status of %j', (text, findings) => {
    expect(codes(text)).toEqual(findings);
    expect(read(text).page.status).toBeUndefined();
  });

  it('a status that is said twice in two spellings is one', () => {
    expect(read('---\nstatus: DONE\n---\n\n- **Status:** complete').page.status).toBe('COMPLETE');
    expect(codes('---\nstatus: DONE\n---\n\n- **Status:** complete')).toEqual([]);
  });

  it('the status of something else', () => {
    const text = page(
      '',
      '## Parallel Tasks',
      '',
      '| Task | Status |',
      '|---|---|',
      '| T1 | FAILED |',
      'status: FAILED',
    );
    expect(read(text).page.status).toBe('IN_PROGRESS');
    expect(codes(text)).toEqual([['sections-unknown', 3, { headings: ['Parallel Tasks'], count: 1 }]]);
    expect(read(page('```json', 'status: FAILED', '```')).page.status).toBe('IN_PROGRESS');
    expect(read(page('<!-- status: FAILED', 'status: DONE -->')).page.status).toBe('IN_PROGRESS');
    expect(read(page('## Current Stage', 'job_status: FAILED')).page.status).toBe('IN_PROGRESS');
  });

  it('keys with two values', () => {
    const text = page('run_id: a', 'run: b', 'started: 2026-11-15', 'started_at: 2026-11-16');
    expect(read(text).page).toMatchObject({ runId: undefined, startedAt: undefined });
    expect(codes(text)).toEqual([
      ['key-contradicts', 3, { key: 'run_id', first: 'a', firstLine: 2, second: 'b' }],
      ['key-contradicts', 5, { key: 'started_at', first: '2026-11-15', firstLine: 4, second: '2026-11-16' }],
    ]);
    const nested = page('## Completed Stages', '- stage: spec', '  artifact: a.md', '  artifact: b.md');
    expect(read(nested).page.completed).toMatchObject([{ stage: 'spec', artifact: undefined }]);
    expect(codes(nested).map(([code]) => code)).toEqual(['stage-without-artifact', 'key-contradicts']);
    const current = page('## Current Stage', '- stage: tdd', '- attempt: 1', '- attempt: 2');
    expect(read(current).page.current).toMatchObject({ stage: 'tdd', attempt: undefined });
    expect(codes(current).map(([code]) => code)).toEqual(['key-contradicts']);
  });

  it('a form that was copied and not filled in', () => {
    const text = page(
      '- run_id: <uuid or timestamp>',
      '- started_at: {{now}}',
      '- current_stage: TBD',
      '## Completed Stages',
      '| Stage | Artifact | Hash |',
      '|---|---|---|',
      '| spec | <path> | <sha256> |',
      '| <stage> | | |',
    );
    const { page: read_ } = read(text);
    expect(read_).toMatchObject({ runId: undefined, startedAt: undefined, currentStage: undefined });
    expect(codes(text).map(([code, line]) => [code, line])).toEqual([
      ['placeholder-left', 2],
      ['placeholder-left', 3],
      ['placeholder-left', 4],
      ['placeholder-left', 8],
      ['placeholder-left', 8],
      ['stage-without-artifact', 8],
      ['entry-unreadable', 9],
    ]);
  });

  it('stages that the pipeline does not have', () => {
    const text = page(
      'current_stage: red-team',
      '## Completed Stages',
      `| Stage | Artifact | Hash |`,
      '|---|---|---|',
      `| Sepc | a.md | ${specHash} |`,
      '## Iteration Counts',
      '- deploy: 1/2',
    );
    expect(read(text).page).toMatchObject({
      currentStage: 'red-team',
      completed: [{ stage: 'Sepc' }],
      iterations: [{ loop: 'deploy' }],
    });
    expect(codes(text)).toEqual([
      ['stage-unknown', 2, { stage: 'red-team', section: 'facts' }],
      ['stage-unknown', 6, { stage: 'Sepc', section: 'completed' }],
      ['stage-unknown', 8, { stage: 'deploy', section: 'iterations' }],
    ]);
    expect(readStatusPage(text).findings).toEqual([]);
    for (const where of ['current_stage: ', '## Current Stage\n\n- stage: ']) {
      const retried = page(`${where}programmer (2nd try)`);
      expect(codes(retried)).toMatchObject([['stage-unknown', {}, { stage: 'programmer (2nd try)' }]]);
      expect(read(retried).page.currentStage).toBeUndefined();
    }
    const twins = { stages: ['code-review', 'codereview'] };
    expect(readStatusPage('status: DONE\nstage: Code Review', twins).findings).toHaveLength(1);
    expect(readStatusPage('status: DONE\nstage: codereview', twins).page.currentStage).toBe('codereview');
  });

  it('what is completed', () => {
    const text = page(
      '## Completed Stages',
      '- spec: not done yet',
      '- ~~clarify~~: a.md',
      '- [?] architect: adr.md',
      '- tasks',
      '- [ ] tdd: b.md',
      '- ✅ programmer: c.md ❌',
      `- testrunner: d.md ${bare(specHash)} ${bare(adrHash)}`,
      '- code-review: still open',
      '  artifact: e.md',
      '- tdd: f.md ❌ g.md',
    );
    expect(read(text).page.completed).toMatchObject([
      { stage: 'tasks', artifact: undefined },
      { stage: 'testrunner', artifact: { path: 'd.md', hash: undefined } },
    ]);
    expect(codes(text).map(([code, line]) => [code, line])).toEqual([
      ['entry-unreadable', 3],
      ['entry-unreadable', 4],
      ['entry-unreadable', 5],
      ['stage-without-artifact', 6],
      ['entry-unreadable', 8],
      ['hash-missing', 9],
      ['entry-unreadable', 10],
      ['entry-unreadable', 12],
    ]);
  });

  it('stages that are listed twice', () => {
    const rows = (...lines: string[]) =>
      page('## Completed', '| Stage | File | Hash | At |', '|-|-|-|-|', ...lines);
    const row = (stage: string, file: string, at: string) => `| ${stage} | ${file} | ${specHash} | ${at} |`;
    const day = '2026-11-15';
    const twice = ['stage-listed-twice', 6, { stage: 'spec', firstLine: 5 }];
    expect(codes(rows(row('spec', 'a.md', day), row('spec', 'b.md', day)))).toEqual([]);
    expect(codes(rows(row('spec', 'a.md', day), row('Spec', 'a.md', day)))).toEqual([twice]);
    expect(codes(rows(row('spec', 'a.md', day), row('spec', 'b.md', '2026-11-16')))).toEqual([twice]);
    expect(read(rows(row('spec', 'a.md', day), row('spec', 'a.md', day))).page.completed).toHaveLength(2);
  });

  it('hashes', () => {
    const hashed = (hash: string) => page(`spec_hash: ${hash}`);
    expect(read(hashed(`SHA-256:${bare(specHash)}`)).page.specHash).toEqual(full(specHash));
    expect(read(hashed(`\`${specHash}\``)).page.specHash).toEqual(full(specHash));
    for (const short of [
      specHash.slice(0, -1),
      'sha256:abc…',
      'abc...',
      'ABCDEF01',
      `${bare(specHash).slice(0, 8)}…12`,
    ]) {
      expect(read(hashed(short)).page.specHash).toEqual({ kind: 'abbreviated', text: short });
      expect(codes(hashed(short))).toEqual([['hash-abbreviated', 2, { of: 'spec_hash', value: short }]]);
    }
    for (const other of ['ghi...', 'unchanged', `${specHash}0`, 'md5:aa', '12']) {
      expect(read(hashed(other)).page.specHash).toBeUndefined();
      expect(codes(hashed(other))).toEqual([['hash-unreadable', 2, { of: 'spec_hash', value: other }]]);
    }
  });

  it('times and counts', () => {
    const text = page(
      'started: yesterday',
      'updated: 2026-13-01',
      '## Current Stage',
      '- stage: tdd',
      '- attempt: second',
      '## Iteration Counts',
      '- tdd: a few',
      '- programmer',
      '## Failure Clusters',
      '| Defect | Count |',
      '|---|---|',
      '| rounding | often |',
    );
    expect(codes(text).map(([code, line]) => [code, line])).toEqual([
      ['time-unreadable', 2],
      ['time-unreadable', 3],
      ['count-unreadable', 6],
      ['count-unreadable', 8],
      ['entry-unreadable', 9],
      ['count-unreadable', 13],
    ]);
    expect(read(text).page).toMatchObject({ iterations: [], clusters: [], current: { attempt: undefined } });
  });

  it('boxes', () => {
    const text = page(
      '## Human Checkpoints',
      '- [-] Spec approval',
      '- Architecture',
      '- [x] Tests ❌',
      '- [ ] Security: approved',
      '- [x] Release (C4)',
      '- [ ] Release (C4, since 2026-11-15)',
      '- [x] Two',
      '- [ ] Two',
      '- [x]',
      '- [x] Late ❌ (by Ann)',
    );
    expect(read(text).page.checkpoints.map(({ name, id, cleared }) => [name, id, cleared])).toEqual([
      ['Spec approval', undefined, false],
      ['Architecture', undefined, false],
      ['Tests', undefined, false],
      ['Security', undefined, false],
      ['Release', 'C4', true],
      ['Release', 'C4', false],
      ['Two', undefined, true],
      ['Two', undefined, false],
      ['Late', undefined, false],
    ]);
    expect(codes(text)).toEqual([
      ['box-unreadable', 3, { name: 'Spec approval', value: '-' }],
      ['box-missing', 4, { name: 'Architecture' }],
      ['box-unreadable', 5, { name: 'Tests', value: 'x ' }],
      ['box-unreadable', 6, { name: 'Security', value: ' approved' }],
      ['checkpoint-listed-twice', 8, { id: 'C4', firstLine: 7 }],
      ['entry-unreadable', 11, { section: 'checkpoints', text: '' }],
      ['box-unreadable', 12, { name: 'Late', value: 'x ' }],
    ]);
  });

  it('which stage is the current one', () => {
    expect(codes(page('current_stage: tdd', '## Current Stage', 'stage: spec'))).toEqual([
      ['current-stage-contradicts', 4, { first: 'tdd', second: 'spec' }],
    ]);
    expect(codes(page('current_stage: done'))).toEqual([
      ['current-stage-contradicts-status', 2, { stage: 'done', status: 'IN_PROGRESS' }],
    ]);
    expect(codes('status: DONE\ncurrent_stage: done')).toEqual([]);
    expect(codes('status: DONE\n\n## Current Stage\n\n- stage: done')).toEqual([]);
    expect(codes(page('## Current Stage', '- stage: done'))).toEqual([
      ['current-stage-contradicts-status', 3, { stage: 'done', status: 'IN_PROGRESS' }],
    ]);
    expect(readStatusPage('status: FAILED\nstage: done', { stages: ['done'] }).page.currentStage).toBe(
      'done',
    );
    expect(read(page('## Current Stage', 'None.')).page).toMatchObject({
      current: undefined,
      currentStage: undefined,
    });
    expect(read(page('## Current Stage', 'waiting for Ann to decide')).page.current).toBeUndefined();
  });

  it('tables whose columns say nothing', () => {
    const text = page(
      '## Completed Stages',
      '| spec | a.md |',
      '| tdd | b.md |',
      '',
      '## Failure Clusters',
      '| a |',
      '|-|',
    );
    expect(read(text).page.completed).toEqual([]);
    expect(codes(text)).toEqual([
      ['columns-unknown', 3, { section: 'completed', columns: ['spec', 'a.md'] }],
      ['columns-unknown', 7, { section: 'clusters', columns: ['a'] }],
    ]);
  });
});

describe('a page that is too much', () => {
  it('is not read', () => {
    const { charactersMax, linesMax } = statusPageLimits;
    const long = `status: DONE\n${'x'.repeat(charactersMax)}`;
    expect(codes(long)).toEqual([['page-too-large', 1, { what: 'characters', limit: charactersMax }]]);
    expect(read(long).page.status).toBeUndefined();
    const high = `status: DONE${'\n'.repeat(linesMax)}`;
    expect(codes(high)).toEqual([['page-too-large', 1, { what: 'lines', limit: linesMax }]]);
    expect(read(high).page.status).toBeUndefined();
  });

  it('is read up to a number of entries', () => {
    const notes = `status: DONE\n## Notes\n${'- again\n'.repeat(1500)}`;
    expect(read(notes).page.notes).toHaveLength(1000);
    expect(codes(notes)).toEqual([['too-many-entries', 1003, { section: 'notes', limit: 1000 }]]);
  });

  it('is read up to a number of files', () => {
    const files = Array(200).fill('a.md').join(', ');
    const rows = `status: DONE\n## Completed\n| Stage | File |\n|-|-|\n| spec | ${files} |\n- tdd: ${files}`;
    expect(read(`${rows}\n## Current Stage\n- files: ${files}`).page.current?.files).toHaveLength(100);
    expect(read(rows).page.completed).toHaveLength(100);
    expect(codes(rows).map(([code]) => code)).toEqual(
      expect.arrayContaining(['too-many-entries', 'entry-unreadable', 'stage-listed-twice']),
    );
  });

  it('says the same only so often', () => {
    const boxes = `status: DONE\n## Checkpoints\n${'- again\n'.repeat(900)}`;
    expect(codes(boxes)).toHaveLength(100);
  });

  it('is rid of what cannot be seen', () => {
    const text = '\ufeffsta\u200btus: D\u202eONE\r\nrun_id:\tr\u0000\r\n## Notes\r- a\tb';
    expect(read(text).page).toMatchObject({
      status: 'COMPLETE',
      runId: 'r',
      notes: [{ text: 'a    b', line: 4 }],
    });
    expect(codes(text)).toEqual([['hidden-characters', 1, { count: 3 }]]);
  });
});
