import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentOf, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { later, projectRoot, read, type TestWorkspace, withEnv, write } from '../support/workspace.ts';
import {
  crew,
  crewWith,
  expectCode,
  journalOf,
  leaseMs,
  type NextJson,
  next,
  runsOf,
  startedCrew,
} from './tasks-work.ts';

describe('many that ask at once', () => {
  it.each([
    [50, 'each under a name of its own', (nth: number) => `agent-${nth}`, 40],
    [16, 'all under one name', () => 'agent', 16],
  ])(
    '%i of them, %s, are each given another task',
    { timeout: 600_000 },
    async (askers, _, actorOf, tasks) => {
      const work = await startedCrew(Array.from({ length: tasks }, (_, nth) => ({ id: `t${nth}` })));
      const answers = await askAtOnce(
        work,
        Array.from({ length: askers }, (_, nth) => actorOf(nth)),
      );
      const given = answers.flatMap(({ task }) =>
        task === undefined ? [] : [`${task.unit}#${task.attempt}`],
      );
      expect(given.sort()).toEqual(Array.from({ length: tasks }, (_, nth) => `t${nth}#1`).sort());
      const none = answers.filter(({ task }) => task === undefined);
      expect(none.map((answer) => [answer.exitCode, answer.none?.code])).toEqual(
        Array.from({ length: askers - tasks }, () => [75, 'nothing-now']),
      );
      const claims = journalOf(work).filter(({ type }) => type === 'attempt_started');
      expect(claims.map(({ unit, attempt }) => `${unit}#${attempt}`).sort()).toEqual(given);
      expect(await pawlJson(work, 'graph')).toMatchObject({ tasks: { claimed: tasks, total: tasks } });
      await expectCode(work, 0, 'verify');
    },
  );
});

describe('a completion', () => {
  it('under an old number is refused with exit code 6, is on record, and what it came with is kept', async () => {
    const work = await startedCrew([{ id: 't1', artifacts: ['src/a.ts'] }]);
    expect(await next(work, 'ann')).toMatchObject({ exitCode: 0, task: { unit: 't1', attempt: 1 } });
    write(work, 'src/a.ts', 'of ann\n');
    const after = later(work, leaseMs);
    expect(await next(after, 'bob')).toMatchObject({ task: { unit: 't1', attempt: 2, mode: 'fresh' } });

    const late = await pawlJson<{ aside: string; holder: object }>(
      after,
      'complete',
      't1',
      '--actor',
      'ann',
      '--number',
      '1',
    );
    expect(late).toMatchObject({ exitCode: 6, reason: 'claim-lost', holder: { actor: 'bob' } });
    expect(late.finished.code).toBe(6);
    expect(read(work, `${late.aside}/src/a.ts`)).toBe('of ann\n');
    expect(journalOf(work).find(({ type }) => type === 'completion_refused')).toMatchObject({
      actor: 'ann',
      unit: 't1',
      attempt: 1,
      reason: 'claimed-by-another',
      aside: late.aside,
    });

    write(work, 'src/a.ts', 'of bob\n');
    await expectCode(after, 0, 'complete', 't1', '--actor', 'bob', '--number', '2');
    expect(read(work, `${late.aside}/src/a.ts`)).toBe('of ann\n');
    await expectCode(after, 6, 'complete', 't1', '--actor', 'ann');
    expect(await next(after, 'ann')).toMatchObject({ exitCode: 0, none: { code: 'all-done' } });
  });

  it('is refused with exit code 4 until everything is there, and then said twice and recorded once', async () => {
    const work = await startedCrew([{ id: 't1', artifacts: ['src/a.ts', 'src/b.ts'] }]);
    await next(work, 'ann');
    write(work, 'src/b.ts', 'b');
    const complete = ['complete', 't1', '--actor', 'ann'];
    const refused = await expectCode(work, 4, ...complete);
    expect(refused.stderr).toContain('src/a.ts');
    expect(refused.stderr).not.toContain('src/b.ts');
    write(work, 'src/a.ts', 'a');
    write(work, 'notes.md', '');
    const empty = await expectCode(work, 4, ...complete, '--output', 'notes=notes.md');
    expect(empty.stderr).toContain('notes');
    write(work, 'notes.md', 'easy\n');
    await expectCode(work, 0, ...complete, '--output', 'notes=notes.md', '--note', 'easy');
    expect(read(work, `${runsOf(work)[0]}/notes/t1.md`)).toBe('easy\n');
    expect(await pawlJson(work, ...complete)).toMatchObject({ exitCode: 0, again: true });
    expect(journalOf(work).filter(({ type }) => type === 'attempt_succeeded')).toHaveLength(1);
  });
});

describe('a lease', () => {
  it('is kept by heartbeats, and the task is in doubt when it has run out', async () => {
    const work = await startedCrew([{ id: 't1' }]);
    const { task } = await next(work, 'ann');
    await expectCode(later(work, leaseMs / 2), 0, 'heartbeat', 't1', '--actor', 'ann');
    expect(await next(later(work, leaseMs), 'bob')).toMatchObject({
      exitCode: 75,
      none: { code: 'nothing-now' },
    });
    const late = later(work, 2 * leaseMs);
    expect(await pawlJson(late, 'graph')).toMatchObject({
      tasks: { in_progress: 1, inDoubt: 1, runnable: 1 },
    });
    const told = await pawlJson<{ resumed: { inDoubt: object[] } }>(late, 'resume');
    expect(told.resumed.inDoubt).toMatchObject([
      { unit: 't1', actor: 'ann', attempt: 1, live: false, left: [`${task?.folder}/task.json`] },
    ]);
    expect(await next(late, 'bob')).toMatchObject({
      task: { attempt: 2, why: { code: 'interrupted', attempt: 1 } },
    });
  });
});

describe('the exit code of next', () => {
  it('is 0 with a task and when all is done, 75 while others are at work', async () => {
    const work = await startedCrew([{ id: 't1' }]);
    expect((await next(work, 'ann')).finished.code).toBe(0);
    expect((await next(work, 'bob')).finished.code).toBe(75);
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    const done = await next(work, 'bob');
    expect(done).toMatchObject({ none: { code: 'all-done' }, heading: { status: 'completed' } });
    expect(done.finished.code).toBe(0);
  });

  it('is 75 where the next step is Pawl’s own or for another role', async () => {
    const work = await startedCrew([{ id: 't1' }], staged);
    const other = await next(work, 'ann', '--role', 'reviewer');
    expect(other).toMatchObject({ exitCode: 75, none: { code: 'other-role', roles: ['executor'] } });
    await next(work, 'ann', '--role', 'executor');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    expect(await next(work, 'bob')).toMatchObject({
      exitCode: 75,
      none: { code: 'for-the-runner', cells: ['t1/check'] },
    });
    await expectCode(work, 75, 'run');
    expect(await next(work, 'bob')).toMatchObject({ exitCode: 0, task: { unit: 't1', phase: 'review' } });
  });

  it('is 3 where a person has to decide first', async () => {
    const work = await startedCrew([{ id: 't1', verdicts: ['fail'] }], staged);
    await next(work, 'ann');
    await expectCode(work, 0, 'complete', 't1', '--actor', 'ann');
    await expectCode(work, 3, 'run');
    expect(await next(work, 'bob')).toMatchObject({
      exitCode: 3,
      none: { code: 'asks-person', cells: ['t1/check'] },
    });
  });

  it('is 1 where what is left has failed for good or is blocked', async () => {
    const work = await startedCrew([{ id: 't1' }, { id: 't2' }]);
    for (const attempt of [1, 2, 3]) {
      expect(await pawlJson<NextJson>(work, 'start', 't1', '--actor', 'ann')).toMatchObject({
        task: { attempt },
      });
      await expectCode(work, 0, 'fail', 't1', '--actor', 'ann', '--reason', `no idea ${attempt}`);
    }
    await expectCode(work, 0, 'block', 't2', '--actor', 'ann', '--reason', 'needs a key');
    expect(await next(work, 'bob')).toMatchObject({
      exitCode: 1,
      none: { code: 'stuck', failed: ['t1'], blocked: ['t2'] },
    });
    await expectCode(work, 4, 'start', 't1', '--actor', 'bob');
  });

  it('is 2 for a call that makes no sense, and 5 before there is a run', async () => {
    const work = await startedCrew([{ id: 't1' }]);
    await expectCode(work, 2, 'next');
    await expectCode(work, 2, 'next', '--actor', 'runner');
    await expectCode(work, 2, 'next', '--actor', 'ann', '--role', 'boss');
    await expectCode(work, 2, 'start', 't9', '--actor', 'ann');
    await expectCode(work, 2, 'fail', 't1', '--actor', 'ann');
    expect(journalOf(work).map(({ actor }) => actor)).not.toContain('ann');
    await expectCode(crewWith([{ id: 't1' }]), 5, 'next', '--actor', 'ann');
  });
});

describe('a blocked task', () => {
  it('is given to nobody until somebody has settled it', async () => {
    const work = await startedCrew([{ id: 't1' }, { id: 't2', needs: ['t1'] }]);
    await next(work, 'ann');
    const blocked = await expectCode(work, 0, 'block', 't1', '--actor', 'ann', '--reason', 'needs a key');
    expect(blocked.stdout).toContain('needs a key');
    expect(await pawlJson(work, 'start', 't1', '--actor', 'bob')).toMatchObject({
      exitCode: 4,
      reason: 'not-claimable',
      why: 'blocked',
      for: ['needs a key'],
    });
    expect(await pawlJson(work, 'graph')).toMatchObject({ tasks: { blocked: 1, pending: 1 } });
    await expectCode(work, 6, 'complete', 't1', '--actor', 'ann');
    await expectCode(work, 0, 'unblock', 't1', '--actor', 'cat', '--note', 'under the mat');
    expect(await pawlJson(work, 'unblock', 't1', '--actor', 'cat')).toMatchObject({
      exitCode: 0,
      again: true,
    });
    expect(await next(work, 'bob')).toMatchObject({ task: { unit: 't1', attempt: 2 } });
  });
});

/** Starts them all, lets them all go at once, and gives what each was told. */
async function askAtOnce(work: TestWorkspace, actors: readonly string[]): Promise<NextJson[]> {
  const { door, workspace } = await openDoor(work, ['gate']);
  const preload = pathToFileURL(join(projectRoot, 'test/support/wait-at-door.mjs')).href;
  const waiting = withEnv(workspace, { NODE_OPTIONS: `--import=${preload}` });
  const askers = actors.map((actor) => start(waiting, ['next', '--actor', actor, '--json']));
  const gates = await Promise.all(askers.map(() => door.visit('gate')));
  for (const gate of gates) gate.answer('go');
  const finished = await Promise.all(askers.map(({ ended }) => ended));
  const answers: NextJson[] = [];
  for (const [nth, one] of finished.entries()) {
    const answer = documentOf(one) as NextJson;
    // On a slow machine the desk may have been taken for longer than anybody waits: then one comes again.
    answers.push(answer.reason === 'run-held' ? await next(work, actors[nth] ?? '') : answer);
  }
  return answers;
}

/** What is implemented is checked by Pawl itself, and then reviewed by somebody else. */
const staged = crew.replace(
  /phases:[\s\S]*/,
  `phases:
  implement:
    run: { task: executor, lease: 10m }
    outputs: {}
  check:
    run: { function: ./phases.mjs#judge }
    outputs: { report: { path: "{run}/checked/{unit}.json", check: json } }
    gate: { verdict: report.status, pass: [pass], back_to: check, iterations: 1, then: ask }
  review:
    run: { task: reviewer, lease: 10m }
    outputs: {}
`,
);
