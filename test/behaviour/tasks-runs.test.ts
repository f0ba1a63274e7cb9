import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawlJson } from '../support/command.ts';
import { copyOf, hashes, later, type TestWorkspace, write } from '../support/workspace.ts';
import { crew, crewWith, expectCode, next, runsOf, startedCrew } from './tasks-work.ts';

const day = 24 * 60 * 60_000;

interface Resumed {
  readonly resumed: {
    readonly heading: { readonly run: string };
    readonly phase: { readonly number: number; readonly name: string };
    readonly tasks: Readonly<Record<string, number>>;
    readonly lastActivity: string;
    readonly lastCompleted: { readonly unit: string; readonly title: string };
    readonly next: Readonly<Record<string, unknown>>;
  };
}

const idOf = (run: string | undefined) => run?.slice('runs/'.length) ?? '';

describe('the report of a run', () => {
  it('says the same as text and as data', async () => {
    const work = await startedCrew([
      { id: 't1', title: 'Set the table' },
      { id: 't2', title: 'Cook', needs: ['t1'] },
    ]);
    await next(work, 'ann');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    // The text comes from a copy, so that each is the first to go on.
    const copy = copyOf(work);
    const { resumed } = await pawlJson<Resumed>(work, 'resume');
    const { stderr } = await expectCode(copy, 75, 'resume');
    expect(resumed).toMatchObject({
      phase: { number: 0, name: 'main' },
      tasks: { done: 1, total: 2 },
      lastCompleted: { unit: 't1', title: 'Set the table' },
      next: { code: 'claim-task', unit: 't2', title: 'Cook' },
    });
    const { heading, phase, tasks, lastActivity, lastCompleted } = resumed;
    const at = lastActivity.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
    for (const line of [
      `RESUMING RUN: ${heading.run}`,
      `- Phase: ${phase.number} (${phase.name})`,
      `- Tasks: ${tasks.done}/${tasks.total} complete`,
      `- Last activity: ${at}`,
      `- Last completed: ${lastCompleted.unit} - ${lastCompleted.title}`,
      '- claim t2 - Cook',
    ])
      expect(stderr).toContain(line);
  });
});

describe('two open runs of which none replaced the other', () => {
  let work: TestWorkspace;
  let ids: string[];

  beforeAll(async () => {
    work = await startedCrew([{ id: 't1' }], asking);
    await next(work, 'ann');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    await expectCode(work, 3, 'run');
    const other = later(crewWith([{ id: 't1' }], asking), 60_000);
    await expectCode(other, 75, 'run');
    cpSync(join(other.root, 'runs'), join(work.root, 'runs'), { recursive: true });
    ids = runsOf(work).map(idOf).sort();
    expect(ids).toHaveLength(2);
  });

  it.each([[['resume']], [['next', '--actor', 'ann']], [['status']]])(
    'are listed with exit code 5, and the one that waits for a person comes first: %j',
    async (command) => {
      const asked = await pawlJson<{ candidates: { id: string; status: string }[] }>(work, ...command);
      expect(asked).toMatchObject({ exitCode: 5, reason: 'which-run' });
      expect(asked.finished.code).toBe(5);
      expect(asked.candidates.map(({ id, status }) => [id, status])).toEqual([
        [ids[0], 'waiting_human'],
        [ids[1], 'paused'],
      ]);
      const { stderr } = await expectCode(work, 5, ...command);
      expect(stderr.indexOf(ids[0] ?? '')).toBeGreaterThan(-1);
      expect(stderr.indexOf(ids[0] ?? '')).toBeLessThan(stderr.indexOf(ids[1] ?? ''));
    },
  );

  it('are each gone on with by name', async () => {
    await expectCode(work, 3, 'resume', '--run', ids[0] ?? '');
    expect(await next(work, 'ann', '--run', ids[1] ?? '')).toMatchObject({
      heading: { run: ids[1] },
      task: { unit: 't1', attempt: 1 },
    });
  });

  it('and one that cannot be read: that one is told, and is not chosen', async () => {
    const copy = copyOf(work);
    mkdirSync(join(copy.root, 'runs/20260101-1200-crew-zzzz'), { recursive: true });
    write(copy, 'runs/20260101-1200-crew-zzzz/task-graph.json', '{}');
    const asked = await pawlJson<{ candidates: { id: string; status: string }[] }>(copy, 'resume');
    expect(asked.candidates).toHaveLength(3);
    expect(asked.candidates[0]?.status).toBe('waiting_human');
    expect(asked.candidates[2]).toMatchObject({ id: '20260101-1200-crew-zzzz', status: 'damaged' });
  });
});

describe('a run whose journal is gone or unreadable', () => {
  const lost = (work: TestWorkspace, run: string) =>
    rmSync(join(work.root, run, 'events'), { recursive: true });
  const damages: [string, (work: TestWorkspace, run: string) => void][] = [
    ['gone', lost],
    [
      'garbage',
      (work, run) => {
        for (const actor of readdirSync(join(work.root, run, 'events')))
          for (const name of readdirSync(join(work.root, run, 'events', actor)))
            writeFileSync(join(work.root, run, 'events', actor, name), 'garbage\n');
      },
    ],
    [
      'empty',
      (work, run) => {
        for (const actor of readdirSync(join(work.root, run, 'events')))
          for (const name of readdirSync(join(work.root, run, 'events', actor)))
            writeFileSync(join(work.root, run, 'events', actor, name), '');
      },
    ],
  ];

  it.each(damages)('is listed as damaged, told by resume, and never taken for new: %s', async (_, damage) => {
    const work = await startedCrew([{ id: 't1' }]);
    await next(work, 'ann');
    const [run = ''] = runsOf(work);
    damage(work, run);
    const listed = await pawlJson<{ runs: object[] }>(work, 'runs');
    expect(listed.runs).toMatchObject([{ run: idOf(run), status: 'damaged' }]);
    const before = hashes(work, run);
    for (const command of damage === lost
      ? [['resume'], ['run'], ['next', '--actor', 'ann']]
      : [['resume']]) {
      const { stderr } = await expectCode(work, 7, ...command);
      expect(stderr).toContain(run);
    }
    expect(runsOf(work)).toEqual([run]);
    expect(hashes(work, run)).toEqual(before);
  });

  it('does not keep anybody from starting a new one', async () => {
    const work = await startedCrew([{ id: 't1' }]);
    lost(work, runsOf(work)[0] ?? '');
    await expectCode(work, 75, 'run', '--fresh');
    expect(runsOf(work)).toHaveLength(2);
  });
});

describe('a run to which nothing has happened for long', () => {
  it('is flagged with what has changed, and refused', async () => {
    const work = await startedCrew([{ id: 't1' }, { id: 't2' }]);
    await next(work, 'ann');
    write(work, 'notes.md', 'x');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann', '--output', 'notes=notes.md');
    const [run = ''] = runsOf(work);
    write(work, `${run}/notes/t1.md`, 'edited');
    const old = later(work, 15 * day);
    const before = hashes(work, `${run}/events`);
    const refused = await pawlJson<{ idleMs: number }>(old, 'resume');
    expect(refused).toMatchObject({ exitCode: 4, reason: 'run-stale', run: idOf(run) });
    expect(refused.idleMs).toBeGreaterThan(14 * day);
    const { stderr } = await expectCode(old, 4, 'resume');
    expect(stderr).toContain('15 days');
    expect(stderr).toContain(`${run}/notes/t1.md`);
    expect(stderr).toContain('--yes');
    expect(hashes(work, `${run}/events`)).toEqual(before);
  });

  it('is gone on with by --yes, and is fresh again from then on', async () => {
    const work = await startedCrew([{ id: 't1' }]);
    const old = later(work, 15 * day);
    await expectCode(old, 4, 'resume');
    await expectCode(old, 75, 'resume', '--yes');
    await expectCode(old, 75, 'resume');
  });

  it('may be old in fewer days, as the manifest says', async () => {
    const work = await startedCrew([{ id: 't1' }], `${crew}pace: { stale_after: 2h }\n`);
    await expectCode(later(work, 60 * 60_000), 75, 'resume');
    await expectCode(later(work, 4 * 60 * 60_000), 4, 'resume');
  });
});

describe('a manifest that spells a task `agent: ROLE`', () => {
  it('has the hash of the new spelling: its run continues, and the plan names the phases', async () => {
    const old = crew.replace('{ task: executor', '{ agent: executor');
    expect(old).not.toBe(crew);
    const work = await startedCrew([{ id: 't1' }, { id: 't2' }], old);
    await next(work, 'ann');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    const warned = await expectCode(work, 0, 'plan');
    expect(warned.stdout).toContain('write run: { task: ROLE } in place of run: { agent: ROLE }');
    write(work, 'pawl.yaml', crew);
    const renamed = await expectCode(work, 0, 'plan');
    expect(renamed.stdout).not.toContain('write run:');
    expect(renamed.stdout).not.toContain('changed');
    await next(work, 'ann');
    await expectCode(work, 0, 'complete', 't2', '--actor', 'ann');
  });
});

/** What is implemented is judged bad, and a person is asked. */
const asking = crew.replace(
  /phases:[\s\S]*/,
  `phases:
  implement:
    run: { task: executor, lease: 10m }
    outputs: {}
  check:
    run: { function: ./phases.mjs#judge }
    params: { verdicts: [fail] }
    outputs: { report: { path: "{run}/checked/{unit}.json", check: json } }
    gate: { verdict: report.status, pass: [good], back_to: check, iterations: 1, then: ask }
`,
);
