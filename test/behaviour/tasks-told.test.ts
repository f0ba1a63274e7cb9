import { describe, expect, it } from 'vitest';
import type { GraphAnswer } from '../../src/engine/observe/task-answers.ts';
import { showGraph } from '../../src/engine/show/graph.ts';
import type { Finding, FindingCode } from '../../src/model/failure.ts';
import { pawlJson } from '../support/command.ts';
import { hashes, later, type TestWorkspace, write } from '../support/workspace.ts';
import { crewWith, engineAt, expectCode, next } from './tasks-work.ts';

/*
 * A directory that another tool has written, with everything in its logs that goes wrong with logs. What can be read
 * counts, what cannot is told with file and line, and nothing of it is a reason to stop.
 */

const run = 'runs/20260105-1000-crew-ab12';
const log = `${run}/events/executor-1/log.jsonl`;

const words = `
pawl: 1
pipeline: crew
inputs: { list: { path: tasks.json } }
units: { from: list }
layout: { run: "runs/{id}" }
phases:
  implement:
    run: { task: executor, lease: 10m }
    outputs: {}
foreign:
  unit: [task_id, data.task_id]
  stage: [to_phase]
  events:
    task_started: { means: started }
    task_completed: { means: succeeded }
    task_failed: { means: failed }
    task_blocked: { means: blocked }
    phase_transition: { means: stage-entered }
`;

const tasks = ['t1', 't2', 't3'].map((id) => ({ id }));

const at = (minute: number) => `2026-01-05T10:${String(minute).padStart(2, '0')}:00Z`;
const said = (minute: number, type: string, task: string) =>
  JSON.stringify({ timestamp: at(minute), event_type: type, task_id: task });

const [first, second, third] = [
  said(1, 'task_completed', 't1'),
  said(2, 'task_blocked', 't2'),
  said(3, 'task_started', 't3'),
];
const half = second.slice(0, 40);
const plain = { t1: 'done', t2: 'blocked', t3: 'in_progress' };

function toldCrew(content: string | Uint8Array): TestWorkspace {
  const work = crewWith(tasks, words);
  write(work, log, content);
  // Whatever happens to one file, the next is read.
  write(
    work,
    `${run}/events/orchestrator/log.jsonl`,
    `${JSON.stringify({ timestamp: at(0), type: 'phase_transition', to_phase: 0 })}\n`,
  );
  return work;
}

/** Without a process of its own: it is asked often. */
async function lookAt(work: TestWorkspace): Promise<GraphAnswer> {
  const shown = await showGraph(engineAt(work), { path: work.root });
  if (!shown.ok) throw new Error(shown.failure.reason);
  return shown.value;
}

/** Each with what is reported of it, `code:lines`, and with what becomes of the tasks. */
const damages: readonly [name: string, content: string | Uint8Array, told: string[], states: object][] = [
  ['nothing wrong', `${first}\n${second}\n${third}\n`, [], plain],
  ['a torn tail', `${first}\n${third}\n${half}`, ['torn-tail:3'], { ...plain, t2: 'ready' }],
  [
    'a torn tail glued to the next line',
    `${first}\n${half}${third}\n`,
    ['torn-tail-glued:2'],
    { ...plain, t2: 'ready' },
  ],
  ['no final newline', `${first}\n${second}\n${third}`, ['no-final-newline:3'], plain],
  ['NUL padding', `${first}\n${second}\n${third}\n\0\0\0\0`, ['nul-padding:4'], plain],
  [
    'half a character',
    Buffer.from(`${first}\n${third}\n${half}ö`).subarray(0, -1),
    ['broken-utf8:3'],
    { ...plain, t2: 'ready' },
  ],
  ['garbage in the middle', `${first}\n%PDF-1.4\n${second}\n${third}\n`, ['garbage-line:2'], plain],
  [
    'a byte order mark and Windows line ends',
    `\ufeff${first}\r\n${second}\r\n${third}\r\n`,
    ['byte-order-mark:1', 'carriage-return:1'],
    plain,
  ],
  ['lines that come twice', `${first}\n${second}\n${third}\n${first}\n`, ['duplicate-event:4'], plain],
  ['an empty file', '', ['empty-segment:1'], { t1: 'ready', t2: 'ready', t3: 'ready' }],
  ['what is no object', `${first}\n[1]\n"x"\n${second}\n${third}\n`, ['not-an-object:2-3'], plain],
  [
    'words that nobody knows',
    `${first}\n${second}\n${said(2, 'coffee_made', 't1')}\n${third}\n`,
    ['unknown-event:3'],
    plain,
  ],
  [
    'the marks of a merge',
    `<<<<<<< HEAD\n${first}\n=======\n${second}\n>>>>>>> other\n${third}\n`,
    ['garbage-line:1', 'garbage-line:3', 'garbage-line:5'],
    plain,
  ],
  ['another version of the format', `${first}\n${second.replace('{', '{"v":99,')}\n${third}\n`, [], plain],
];

/** Whole lines that say nothing any more: what stood there is gone, so they are louder than what a crash leaves. */
const lost = new Set<FindingCode>(['garbage-line', 'not-an-object']);

const placeOf = ({ code, line, lastLine }: Finding) =>
  `${code}:${line}${lastLine === undefined ? '' : `-${lastLine}`}`;

describe('the logs of another tool', () => {
  it.each(damages)('with %s are read as far as they go, and told of', async (_, content, told, states) => {
    const work = toldCrew(content);
    const before = hashes(work, `${run}/events`);
    const { findings, stages } = await lookAt(work);
    expect(findings.map(placeOf).sort()).toEqual([...told].sort());
    for (const { file, code, weight } of findings)
      expect({ file, weight }).toEqual({ file: log, weight: lost.has(code) ? 'warning' : 'quiet' });
    const found = stages.flatMap((stage) => stage.tasks.map(({ unit, state }) => [unit, state]));
    expect(Object.fromEntries(found)).toEqual(states);
    const gone = await expectCode(work, 75, 'resume', '--yes');
    for (const one of told) expect(gone.stderr).toContain(`${log}:${one.split(':')[1]}`);
    expect(hashes(work, `${run}/events`)).toMatchObject(before);
  });
});

describe('a run that another tool has begun', () => {
  it('is old, and refused until somebody says so; then its tasks can be claimed', async () => {
    const work = toldCrew(`${first}\n${second}\n${third}\n`);
    const refused = await pawlJson<{ idleMs: number }>(work, 'resume');
    expect(refused).toMatchObject({ exitCode: 4, reason: 'run-stale' });
    expect(refused.idleMs).toBeGreaterThan(14 * 24 * 60 * 60_000);
    await expectCode(work, 4, 'next', '--actor', 'ann');
    await expectCode(work, 75, 'resume', '--yes');
    expect(await next(work, 'ann')).toMatchObject({ exitCode: 0, task: { unit: 't3', attempt: 2 } });
    await expectCode(work, 0, 'unblock', 't2', '--actor', 'ann');
    expect(await next(work, 'ann')).toMatchObject({ task: { unit: 't2', attempt: 1 } });
    for (const unit of ['t2', 't3']) await expectCode(work, 0, 'complete', unit, '--actor', 'ann');
    expect(await next(later(work, 1000), 'bob')).toMatchObject({ exitCode: 0, none: { code: 'all-done' } });
    expect(await pawlJson(work, 'status')).toMatchObject({ heading: { status: 'completed' } });
  });
});
