import { expect, test } from 'vitest';
import type { InspectedAttempt, InspectedUnit } from '../engine/observe/inspected.ts';
import type { InspectAnswer } from '../engine/show/inspect.ts';
import { inspectText } from './inspect.ts';
import { inspectCsv } from './inspect-csv.ts';
import { plainStyle } from './style/style.ts';
import { visibleLength } from './style/table.ts';

const at = '2026-11-15T12:03:11.000Z';

function attempt(phase: string, number: number, more: Partial<InspectedAttempt> = {}): InspectedAttempt {
  return {
    phase,
    attempt: number,
    iteration: number,
    startedAt: at,
    why: undefined,
    outcome: 'succeeded',
    superseded: undefined,
    ms: 1234,
    cost: undefined,
    intent: undefined,
    call: undefined,
    verdict: undefined,
    passed: undefined,
    score: undefined,
    scores: undefined,
    defects: [],
    decision: undefined,
    failure: undefined,
    message: undefined,
    facts: undefined,
    inputs: {},
    outputs: [],
    ...more,
  };
}

const output = {
  name: 'frame',
  path: 'runs/a/approved/frame_0000.png',
  hash: 'sha256:aa',
  size: 9,
  isAdopted: false,
} as const;

function unit(name: string, more: Partial<InspectedUnit> = {}): InspectedUnit {
  return {
    unit: name,
    index: undefined,
    stage: 'frames',
    status: 'succeeded',
    cells: [],
    attemptsMost: 1,
    verdict: undefined,
    score: undefined,
    bestScore: undefined,
    attempts: [],
    gates: [],
    ...more,
  };
}

const good = unit('frame_0000', {
  attemptsMost: 2,
  score: 0.914,
  bestScore: 0.914,
  attempts: [
    attempt('generate', 1, { cost: { usd: 0.04, inputTokens: 120 } }),
    attempt('audit', 1, {
      verdict: 'rejected',
      passed: false,
      score: 0.6204,
      scores: { identity: 0.5, feet: 1 },
      defects: ['identity 0.5, at least 0.85 is needed: the colours of the scarf are far from the anchor'],
    }),
    attempt('generate', 2, { cost: { usd: 0.04, inputTokens: 120 } }),
    attempt('audit', 2, { verdict: 'approved', passed: true, score: 0.914 }),
    attempt('approve', 1, { outputs: [output] }),
  ],
});

const loop = unit('frame_0003', {
  status: 'waiting_human',
  attemptsMost: 3,
  score: 0.8,
  bestScore: 0.8,
  attempts: [0.8, 0.7, 0.75].map((score, at) =>
    attempt('audit', at + 1, {
      verdict: 'rejected',
      passed: false,
      score,
      ...(at > 0 && { superseded: 'outdone' as const }),
    }),
  ),
  gates: [
    {
      phase: 'audit',
      stopped: 'plateau',
      best: 1,
      kept: 1,
      rounds: [0.8, 0.7, 0.75].map((score, at) => ({
        round: at + 1,
        attempt: at + 1,
        verdict: 'rejected',
        passed: false,
        score,
        scores: undefined,
        defects: [],
        cost: undefined,
        outputs: [{ phase: 'generate', output: 'frame', hash: 'sha256:aa' as const }],
      })),
    },
  ],
});

const bad = unit('frame_0001', {
  status: 'failed',
  attempts: [
    attempt('generate', 1, { superseded: 'rerun-requested' }),
    attempt('generate', 2, {
      outcome: 'failed',
      failure: 'command-failed',
      facts: { exitCode: 3 },
      message: 'out of paint\n\x1b[31mred\x1b[0m\n',
    }),
    attempt('generate', 3, { outcome: 'interrupted', ms: 5 }),
    attempt('generate', 4, { outcome: 'in-doubt', ms: undefined }),
  ],
});

function answer(units: readonly InspectedUnit[], more: Partial<InspectAnswer> = {}): InspectAnswer {
  return {
    heading: {
      run: '20261115-1203-sprites-x7k2',
      pipeline: 'sprites',
      identity: { character: 'blaze' },
      status: 'stopped',
      workspace: 'demo',
      createdAt: at,
      updatedAt: at,
    },
    folder: 'runs/a',
    unitKey: 'frame',
    doneKey: 'approved',
    isNarrowed: false,
    totals: {
      units: units.length,
      unitsFinished: 1,
      attempts: 9,
      failed: 1,
      sentBack: 1,
      ms: 9_100,
      cost: { usd: 0.08, inputTokens: 240, outputTokens: 0 },
    },
    units,
    findings: [],
    ...more,
  };
}

test('every unit in a line, then every attempt, on a narrow terminal', () => {
  const style = { ...plainStyle, width: 80 };
  const text = inspectText(answer([good, bad]), style);
  expect(text).toMatchInlineSnapshot(`
    "sprites (character=blaze) 20261115-1203-sprites-x7k2 stopped, 2026-11-15 12:03:11 UTC

       frame       status    attempts  score
    ✓  frame_0000  approved  2         0.914
    ✗  frame_0001  failed    1                the command failed (exit code 3)

    ✓ frame_0000 approved, 2 attempts, best score 0.914
      generate  #1      succeeded                   1.2 s  $0.04, 120 tokens in
      audit     #1      succeeded  rejected  0.62   1.2 s
          identity 0.5, feet 1
          - identity 0.5, at least 0.85 is needed: the colours of the scarf are far
            from the anchor
      generate  #2  r2  succeeded                   1.2 s  $0.04, 120 tokens in
      audit     #2  r2  succeeded  approved  0.914  1.2 s
      approve   #1      succeeded                   1.2 s

    ✗ frame_0001 failed, 1 attempt
      generate  #1      superseded   1.2 s  2026-11-15 12:03:11 UTC
      generate  #2  r2  failed       1.2 s  2026-11-15 12:03:11 UTC
          - the command failed (exit code 3)
          | out of paint
          | red
      generate  #3  r3  interrupted  5 ms   2026-11-15 12:03:11 UTC
      generate  #4  r4  in doubt            2026-11-15 12:03:11 UTC

    2 units (1 approved), 9 attempts, 1 sent back, 1 failed, 9.1 s of work, $0.08,
    240 tokens in"
  `);
  const [, ...lines] = text.split('\n');
  expect(lines.filter((line) => visibleLength(line) > 80)).toEqual([]);
});

test('one unit with the paths of its outputs, and when it all began where there is room', () => {
  const adopted = { ...output, isAdopted: true };
  const decided = { is: 'approved', by: 'ann', note: 'as it should be' } as const;
  const one = unit('frame_0002', {
    status: undefined,
    attempts: [
      attempt('audit', 1, { verdict: 'rejected', passed: false, decision: decided }),
      attempt('approve', 1, { outputs: [adopted] }),
    ],
  });
  expect(inspectText(answer([one], { isNarrowed: true }), plainStyle)).toMatchInlineSnapshot(`
    "sprites (character=blaze) 20261115-1203-sprites-x7k2 stopped, 2026-11-15 12:03:11 UTC

    - frame_0002 no longer listed, 1 attempt
      audit    #1  succeeded  rejected, approved  1.2 s  2026-11-15 12:03:11 UTC
          - approved by ann: as it should be
      approve  #1  adopted                        1.2 s  2026-11-15 12:03:11 UTC
          → runs/a/approved/frame_0000.png (edited by hand, adopted)

    1 unit (1 approved), 9 attempts, 1 sent back, 1 failed, 9.1 s of work, $0.08, 240 tokens in"
  `);
});

test('why a loop ended, and which of its rounds is the best', () => {
  expect(inspectText(answer([loop]), plainStyle)).toMatchInlineSnapshot(`
    "sprites (character=blaze) 20261115-1203-sprites-x7k2 stopped, 2026-11-15 12:03:11 UTC

    ? frame_0003 waiting for a person, 3 attempts, best score 0.8
      audit  #1      succeeded   rejected  0.8   best  1.2 s  2026-11-15 12:03:11 UTC
      audit  #2  r2  superseded  rejected  0.7         1.2 s  2026-11-15 12:03:11 UTC
      audit  #3  r3  superseded  rejected  0.75        1.2 s  2026-11-15 12:03:11 UTC
      audit: ended after 3 rounds, and the score gets no better; round 1 is the best, and stands

    1 unit (1 approved), 9 attempts, 1 sent back, 1 failed, 9.1 s of work, $0.08, 240 tokens in"
  `);
  const [, ...rows] = inspectCsv(answer([loop]))
    .trimEnd()
    .split('\r\n');
  expect(rows.map((row) => row.split(',').slice(-3, -1))).toEqual([
    ['true', 'plateau'],
    ['false', 'plateau'],
    ['false', 'plateau'],
  ]);
  expect(answer([loop])).toMatchObject({
    units: [
      { gates: [{ phase: 'audit', stopped: 'plateau', best: 1, kept: 1, rounds: [{ score: 0.8 }, {}, {}] }] },
    ],
  });
});

test('of many units those in full that need somebody', () => {
  const many = Array.from({ length: 13 }, (_, index) => ({ ...good, unit: `frame_${index}` }));
  const lines = inspectText(answer([...many, bad]), plainStyle).split('\n');
  expect(lines.filter((line) => line.includes('generate  #1'))).toHaveLength(1);
  expect(lines.at(-1)).toBe(
    'for one of them: pawl inspect 20261115-1203-sprites-x7k2 --unit frame_0 -C demo',
  );
});

test('CSV: a line for each attempt, under a header that callers build on', () => {
  const csv = inspectCsv(answer([{ ...good, index: 0 }, bad]));
  expect(`${csv}\n`.split('\r\n')).toMatchInlineSnapshot(`
    [
      "run,unit,index,stage,unit_status,phase,attempt,round,started_at,outcome,superseded,adopted,verdict,passed,decision,score,scores,defects,failure,message,ms,usd,input_tokens,output_tokens,outputs,best_round,gate_stopped,why",
      "20261115-1203-sprites-x7k2,frame_0000,0,frames,succeeded,generate,1,1,2026-11-15T12:03:11.000Z,succeeded,,false,,,,,,,,,1234,0.04,120,,,,,",
      "20261115-1203-sprites-x7k2,frame_0000,0,frames,succeeded,audit,1,1,2026-11-15T12:03:11.000Z,succeeded,,false,rejected,false,,0.6204,"identity=0.5; feet=1","identity 0.5, at least 0.85 is needed: the colours of the scarf are far from the anchor",,,1234,,,,,false,,",
      "20261115-1203-sprites-x7k2,frame_0000,0,frames,succeeded,generate,2,2,2026-11-15T12:03:11.000Z,succeeded,,false,,,,,,,,,1234,0.04,120,,,,,",
      "20261115-1203-sprites-x7k2,frame_0000,0,frames,succeeded,audit,2,2,2026-11-15T12:03:11.000Z,succeeded,,false,approved,true,,0.914,,,,,1234,,,,,false,,",
      "20261115-1203-sprites-x7k2,frame_0000,0,frames,succeeded,approve,1,1,2026-11-15T12:03:11.000Z,succeeded,,false,,,,,,,,,1234,,,,runs/a/approved/frame_0000.png,,,",
      "20261115-1203-sprites-x7k2,frame_0001,,frames,failed,generate,1,1,2026-11-15T12:03:11.000Z,succeeded,rerun-requested,false,,,,,,,,,1234,,,,,,,",
      "20261115-1203-sprites-x7k2,frame_0001,,frames,failed,generate,2,2,2026-11-15T12:03:11.000Z,failed,,false,,,,,,,command-failed,out of paint\\nred\\n,1234,,,,,,,",
      "20261115-1203-sprites-x7k2,frame_0001,,frames,failed,generate,3,3,2026-11-15T12:03:11.000Z,interrupted,,false,,,,,,,,,5,,,,,,,",
      "20261115-1203-sprites-x7k2,frame_0001,,frames,failed,generate,4,4,2026-11-15T12:03:11.000Z,in-doubt,,false,,,,,,,,,,,,,,,,",
      "",
    ]
  `);
});

test('CSV: nothing that a spreadsheet would carry out, and no record on two lines', () => {
  const hostile = unit('u', {
    attempts: [
      attempt('p', 1, { score: -0.5, verdict: '=1+1', defects: ['@SUM(A1)', 'b'], message: '-2\r\n"+3"' }),
      attempt('p', 2, { verdict: '\t=cmd', failure: '+x', message: 'a "quoted", word; and more' }),
    ],
  });
  const [, first = '', second = ''] = inspectCsv(answer([hostile])).split('\r\n');
  expect(first).toContain(',\'=1+1,,,-0.5,,"\'@SUM(A1); b",,"\'-2\\u{d}\\n""+3""",');
  expect(second).toContain(`,' =cmd,,,,,,'+x,"a ""quoted"", word; and more",`);
});
