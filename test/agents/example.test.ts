import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { pawlJson } from '../support/command.ts';
import { edit, has, read, readJson, type TestWorkspace, write } from '../support/workspace.ts';
import {
  answersGiven,
  approvedDemo,
  expectCode,
  journalOf,
  newDemo,
  runOf,
  runScript,
  type Try,
  triesOf,
} from './crew.ts';

interface Handed {
  readonly task?: { readonly unit: string; readonly attempt: number; readonly previous?: string };
  readonly none?: { readonly code: string };
  readonly exitCode: number;
}

const tasks = Array.from({ length: 12 }, (_, at) => `T${String(at + 1).padStart(3, '0')}`);

describe('the agents of the example', () => {
  it('get nothing before a person has approved the graph', async () => {
    const demo = await newDemo();
    await expectCode(demo, 3, 'run');
    expect(await nextOf(demo, 'executor-1')).toMatchObject({ exitCode: 3, none: { code: 'asks-person' } });
    await expectCode(demo, 0, 'approve', 'C1', '--note', 'as I would do it');
    expect(await nextOf(demo, 'executor-1')).toMatchObject({
      exitCode: 0,
      task: { unit: 'T001', attempt: 1 },
    });
    const folder = runOf(demo);
    expect(folder).toMatch(/^\.agent-memory\/runs\/\d{8}-\d{4}-agents-[a-z0-9]{4}$/);
    for (const name of ['constitution.md', 'prd.md', 'plan.md', 'task-graph.json'])
      expect(has(demo, `${folder}/${name}`), name).toBe(true);
  });

  it('finish a dozen tasks though one of them is killed on the way', { timeout: 400_000 }, async () => {
    const demo = await approvedDemo();
    const team = await runScript(demo, 'agents/team.mjs', '--kill');
    expect(team.code, team.stdout + team.stderr).toBe(0);
    expect(team.stdout).toContain('executor-1 is killed');

    const events = journalOf(demo);
    expect(new Set(events.map(({ actor }) => actor))).toEqual(
      new Set(['executor-1', 'executor-2', 'people', 'runner']),
    );
    const tries = triesOf(events);
    expectEachDoneOnce(tries);
    expectNumbersAreFences(tries);
    expectApart(tries, 'T002', 'T003');
    // What the killed one had paid for was left to the other one. On a slow machine more leases may run out.
    const left = tries.filter(({ end }) => end === undefined);
    expect(left.map(({ actor }) => actor)).toContain('executor-1');
    expect(answersGiven(demo).length).toBeGreaterThanOrEqual(13);
    expect(answersGiven(demo).length).toBeLessThanOrEqual(12 + left.length);

    await expectFinished(demo);
  });

  it('are refused when they come too late, and what they made is kept', async () => {
    const demo = await newDemo();
    edit(demo, 'pawl.yaml', 'lease: 5s', 'lease: 1s');
    await expectCode(demo, 3, 'run');
    await expectCode(demo, 0, 'approve', 'C1', '--note', 'as I would do it');
    expect(await nextOf(demo, 'slow')).toMatchObject({ task: { unit: 'T001', attempt: 1 } });
    write(demo, 'work/package.json', '{ "type": "module" }\n');
    write(demo, 'work/src/index.js', '// by the slow one\n');
    const handed = await claimedInTheEnd(demo, 'quick');
    expect(handed.task).toMatchObject({ unit: 'T001', attempt: 2 });
    expect(handed.task?.previous).toMatch(/attempts\/T001\/implement\/1$/);

    const late = await pawlJson(demo, 'complete', 'T001', '--actor', 'slow', '--number', '1');
    expect(late).toMatchObject({ ok: false, reason: 'claim-lost', exitCode: 6, current: 2 });
    const refused = journalOf(demo).find(({ type }) => type === 'completion_refused');
    expect(refused).toMatchObject({ actor: 'slow', unit: 'T001', attempt: 1, reason: 'claimed-by-another' });
    expect(read(demo, `${refused?.aside}/work/src/index.js`)).toBe('// by the slow one\n');
    await expectCode(demo, 0, 'complete', 'T001', '--actor', 'quick', '--number', '2');
  });

  it('get tasks that are added while the run goes on', async () => {
    const demo = await approvedDemo();
    const path = `${runOf(demo)}/task-graph.json`;
    const task = {
      id: 'T013',
      title: 'Say whose it is',
      description: 'A licence.',
      dependencies: ['T099'],
      artifacts: ['work/LICENSE'],
      acceptance: ['it is a licence'],
    };
    addTask(demo, path, task);
    const wrong = await expectCode(demo, 2, 'next', '--actor', 'executor-1');
    expect(wrong.stderr).toContain('T099');
    expect(wrong.stderr).toMatch(/task-graph\.json:\d+:\d+/);
    edit(demo, path, '"T099"', '');
    const started = await pawlJson<Handed>(demo, 'start', 'T013', '--actor', 'executor-1');
    expect(started).toMatchObject({ exitCode: 0, task: { unit: 'T013', attempt: 1 } });
  });
});

async function nextOf(demo: TestWorkspace, actor: string): Promise<Handed> {
  return await pawlJson<Handed>(demo, 'next', '--actor', actor);
}

/** Asks until there is something: a lease of a second runs out long before that. */
async function claimedInTheEnd(demo: TestWorkspace, actor: string): Promise<Handed> {
  let handed = await nextOf(demo, actor);
  for (let asked = 1; asked < 100 && handed.task === undefined; asked++) handed = await nextOf(demo, actor);
  return handed;
}

/** T004 was sent back once: that is a second round, and not a second result of the first. */
function expectEachDoneOnce(tries: readonly Try[]): void {
  const done = tries.filter(({ end }) => end === 'attempt_succeeded').map(({ unit }) => unit);
  expect(done.sort()).toEqual([...tasks, 'T004'].sort());
  expect(tries.filter(({ end }) => end === 'attempt_failed' || end === 'attempt_interrupted')).toEqual([]);
}

/** Each number is given once, and the next one only when the one before had ended or its lease had run out. */
function expectNumbersAreFences(tries: readonly Try[]): void {
  for (const unit of tasks) {
    const own = tries.filter((one) => one.unit === unit).sort((a, b) => a.number - b.number);
    expect(own.map(({ number }) => number)).toEqual(own.map((_, at) => at + 1));
    own.slice(1).forEach(({ from }, at) => {
      expect(from >= (own[at]?.until ?? ''), `${unit} number ${at + 2}`).toBe(true);
    });
  }
}

/** Tasks that touch one file were never worked on at the same time. */
function expectApart(tries: readonly Try[], one: string, other: string): void {
  for (const a of tries.filter(({ unit }) => unit === one))
    for (const b of tries.filter(({ unit }) => unit === other))
      expect(a.until <= b.from || b.until <= a.from, `${one} and ${other}`).toBe(true);
}

async function expectFinished(demo: TestWorkspace): Promise<void> {
  const again = await pawlJson(demo, 'run');
  expect(again).toMatchObject({ exitCode: 0, kind: 'unchanged', heading: { status: 'completed' } });
  expect(await nextOf(demo, 'executor-1')).toMatchObject({ exitCode: 0, none: { code: 'all-done' } });
  await expectCode(demo, 0, 'verify');
  expect(read(demo, 'work/src/index.js').trimEnd().split('\n')).toEqual([
    '// What Lexis offers: a line for each part, by file.',
    "export { frequency } from './frequency.js';",
    "export { readability } from './readability.js';",
    "export { readingTime } from './reading-time.js';",
    "export { sentences } from './sentences.js';",
    "export { syllables } from './syllables.js';",
    "export { words } from './words.js';",
  ]);
  const measured = spawnSync(process.execPath, ['work/src/cli.js', 'idea.md'], {
    cwd: demo.root,
    encoding: 'utf8',
  });
  expect(measured.stdout).toContain('reading ease: ');
  const memory = read(demo, `${runOf(demo)}/memory.md`);
  expect(memory).toContain('12 tasks, done in 13 rounds.');
  expect(memory).toContain('T004 (Count syllables) was sent back');
}

function addTask(demo: TestWorkspace, path: string, task: object): void {
  const graph = readJson(demo, path) as { tasks: object[] };
  const more = { ...graph, status: 'approved', tasks: [...graph.tasks, task] };
  write(demo, path, `${JSON.stringify(more, null, 2)}\n`);
}
