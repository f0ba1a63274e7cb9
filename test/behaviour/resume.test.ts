import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import type { PlannedSteps } from '../support/plan.ts';
import { plannedSteps } from '../support/plan.ts';
import { calls, copyOfBook, hashes, read, stepsCalled, workspaceWith } from '../support/workspace.ts';

describe('a run that stopped after a phase', () => {
  it('starts at the next phase and takes the earlier outputs as inputs', async () => {
    const book = copyOfBook();
    const stopped = await pawlKilledAt(book, 'ch001_sc001/write succeeded', 'run');
    expect(stopped.signal).toBe('SIGKILL');
    const before = calls(book).length;
    const written = hashes(book, 'draft/context/ch001_sc001');

    expect((await pawlKilledAt(book, 'ch001_sc001 finished', 'run')).signal).toBe('SIGKILL');
    expect(stepsCalled(book, before)).toEqual([
      'ch001_sc001/state_repair',
      'ch001_sc001/lint',
      'ch001_sc001/commit',
    ]);
    expect(hashes(book, 'draft/context/ch001_sc001')).toMatchObject(written);
    const scene = read(book, 'draft/ch001_sc001.md');
    const [, ...paragraphs] = read(book, 'draft/context/ch001_sc001/write.md').trim().split('\n\n');
    for (const paragraph of paragraphs) expect(scene).toContain(paragraph);
  });

  it('goes on behind a phase that failed, with the same outputs as if it had not', async () => {
    const work = workspaceWith(threePhases);
    const first = await pawlJson<RunJson>(work, 'run');
    expect(first).toMatchObject({ ok: false, exitCode: 1, reason: 'phase-failed' });
    expect(first.stops).toMatchObject([{ unit: 'a', phase: 'second', why: { code: 'failed' } }]);
    expect(first.finished.code).toBe(1);
    expect(stepsCalled(work)).toEqual(['a/first', 'a/second']);

    const second = await pawlJson<RunJson>(work, 'run');
    expect(second).toMatchObject({ ok: true, kind: 'resumed', ran: { succeeded: 2, failed: 0 } });
    expect(stepsCalled(work)).toEqual(['a/first', 'a/second', 'a/second', 'a/third']);
    expect(read(work, 'out/a.third.txt')).toBe('a/third text[a/second text[a/first]]\n');
  });

  it('says which phase is in doubt, and never that nothing happened', async () => {
    const work = workspaceWith(threePhases.replace('fails: 1', 'fails: 0'));
    await pawlKilledAt(work, 'a/second started', 'run');
    const status = await pawlJson<StatusJson>(work, 'status');
    expect(status).toMatchObject({ ok: true, heading: { status: 'interrupted' } });
    expect(status.units[0]?.cells.map((step) => step.status)).toEqual([
      'succeeded',
      'interrupted',
      'pending',
    ]);
    const resumed = await pawl(work, 'run');
    expect(resumed.stderr).toContain('a/second started (attempt 2');
    expect(resumed.code).toBe(0);
  });
});

describe('an attempt in doubt', () => {
  const doubtful = (policy: string) =>
    threePhases.replace('    params: { fails: 1 }', `    on_interrupt: ${policy}`);

  it('is asked about where the manifest says so', async () => {
    const work = workspaceWith(doubtful('ask'));
    await pawlKilledAt(work, 'a/second started', 'run');
    const refused = await pawlJson<{ refusals: object[]; next: string[] }>(work, 'run');
    expect(refused.finished.code).toBe(4);
    expect(refused.next).toEqual([
      'see what it left behind: pawl logs a/second',
      're-run second of a: pawl run --rerun-from second --unit a',
    ]);
    expect(refused.refusals).toEqual([{ guard: 'in-doubt', unit: 'a', phase: 'second', attempt: 1 }]);
    expect(stepsCalled(work)).toEqual(['a/first']);
    expect((await pawl(work, 'run', '--rerun-from', 'second', '--unit', 'a')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/first', 'a/second', 'a/third']);
  });

  it('hands on what it left where the manifest says so', async () => {
    const work = workspaceWith(doubtful('continue').replaceAll('#step', '#stepwise'));
    const { door, workspace } = await openDoor(work, ['a/second']);
    const run = start(workspace, ['run']);
    const visit = await door.visit('a/second');
    expect(visit.more.mode).toBe('fresh');
    run.kill('SIGKILL');
    await run.ended;
    const again = start(workspace, ['run']);
    const second = await door.visit('a/second');
    expect(second.more).toEqual({ mode: 'continue', found: 'half of it' });
    second.answer('go');
    expect((await again.ended).code).toBe(0);
  });
});

describe('a loop that was killed between repair and state_repair', () => {
  it('runs exactly state_repair and lint again', async () => {
    const book = copyOfBook();
    await pawlKilledAt(book, 'ch001_sc002/repair succeeded', 'run');
    const before = calls(book).length;
    expect(stepsCalled(book).filter((step) => step === 'ch001_sc002/lint')).toHaveLength(1);

    const plan = plannedSteps(await pawlJson<PlannedSteps>(book, 'plan'));
    expect(plan['ch001_sc002/repair']).toMatchObject({ do: 'reuse' });
    expect(plan['ch001_sc002/state_repair']).toMatchObject({ do: 'run', why: { code: 'input-changed' } });
    expect(plan['ch001_sc002/lint']).toMatchObject({ do: 'wait' });

    await pawlKilledAt(book, 'ch001_sc002 finished', 'run');
    const stateRepairs = eventsOf(book, 'attempt_succeeded').filter(
      ({ unit, phase }) => unit === 'ch001_sc002' && phase === 'state_repair',
    );
    expect(stateRepairs).toMatchObject([{ attempt: 1 }, { attempt: 2, round: 2 }]);
    expect(calls(book).slice(before)).toEqual([
      { cell: 'ch001_sc002/state_repair', attempt: undefined, iteration: 2 },
      { cell: 'ch001_sc002/lint', attempt: 2, iteration: 2 },
      { cell: 'ch001_sc002/commit', attempt: 1, iteration: 1 },
    ]);
  });
});

describe('attempts', () => {
  it('are numbered on over every resume, and leave what earlier ones left', async () => {
    const work = workspaceWith(commandThatFails(3));
    const folder = () => `${runFolder(work)}/attempts/a/only`;
    let kept: Record<string, string> = {};
    for (const attempt of [1, 2, 3]) {
      expect((await pawl(work, 'run')).code).toBe(1);
      expect(hashes(work, folder())).toMatchObject(kept);
      kept = hashes(work, folder());
      expect(Object.keys(kept)).toContain(`${folder()}/${attempt}/stderr.log`);
    }
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(hashes(work, folder())).toMatchObject(kept);
    expect(calls(work).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(eventsOf(work, 'attempt_failed').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('use up one budget over all resumes', async () => {
    const work = workspaceWith(`${commandThatFails(9)}    retries: { attempts: 3, backoff: 0 }\n`);
    await pawlKilledAt(work, 'a/only failed', 'run');
    expect(calls(work)).toHaveLength(1);
    const second = await pawlJson<RunJson>(work, 'run');
    expect(second).toMatchObject({
      exitCode: 1,
      stops: [{ why: { code: 'attempts-used-up', attempts: 3 } }],
    });
    expect(calls(work).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);

    expect((await pawlJson<RunJson>(work, 'run')).exitCode).toBe(1);
    expect(calls(work)).toHaveLength(3);
    expect((await pawl(work, 'run', '--rerun-from', 'only')).code).toBe(1);
    expect(calls(work).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('climb the declared ladder within one sitting', async () => {
    const work = workspaceWith(`${commandThatFails(2)}    retries: { attempts: 3, backoff: 0 }\n`);
    expect(await pawlJson(work, 'run')).toMatchObject({ ok: true, ran: { succeeded: 1, failed: 2 } });
  });
});

interface RunJson {
  readonly exitCode: number;
  readonly stops: readonly { unit: string; phase: string }[];
}

interface StatusJson {
  readonly units: readonly { cells: readonly { status: string }[] }[];
}

const threePhases = `
pawl: 1
pipeline: three
units: [a]
phases:
  first:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.first.txt" }
  second:
    run: { function: ./phases.mjs#step }
    params: { fails: 1 }
    inputs: { text: first.text }
    outputs: { text: "out/{unit}.second.txt" }
  third:
    run: { function: ./phases.mjs#step }
    inputs: { text: second.text }
    outputs: { text: "out/{unit}.third.txt" }
`;

function commandThatFails(attempts: number): string {
  return `
pawl: 1
pipeline: failing
units: [a]
phases:
  only:
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS, TEST_FAILS: "${attempts}" } }
    outputs: { text: "out/{unit}.txt" }
`;
}
