import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOfBook,
  edit,
  has,
  readJson,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

describe('a verdict is not a status', () => {
  it('so a lint that succeeds and says fail lets no scene of the book count as clean', async () => {
    const book = copyOfBook();
    // A word count that no scene can have: the lint does its work every time, and is never content.
    edit(book, 'pawl.yaml', 'words_min: 150, words_max: 280', 'words_min: 9000, words_max: 9001');
    const run = await pawlJson<RunJson>(book, 'run');
    expect(run).toMatchObject({ ok: false, exitCode: 1, reason: 'phase-failed' });
    expect(run.stops).toMatchObject([
      { unit: 'ch001_sc001', phase: 'lint', why: { code: 'gate-limit', verdict: 'fail', iterations: 3 } },
    ]);
    const called = stepsCalled(book);
    expect(called.filter((step) => step === 'ch001_sc001/lint')).toHaveLength(3);
    expect(called.filter((step) => step === 'ch001_sc001/repair')).toHaveLength(2);
    expect(called).not.toContain('ch001_sc001/commit');
    expect(has(book, 'draft/ch001_sc001.md')).toBe(false);
    expect(run.cells.unitsFinished).toBe(0);
    const history = readJson(book, 'draft/context/phase_history/ch001_sc001.json') as History;
    expect(history.phases.lint).toMatchObject({ status: 'success', verdict: 'fail', iteration: 3 });
    expect(Object.keys(history.phases)).not.toContain('commit');

    expect((await pawl(book, 'run')).code).toBe(1);
    expect(stepsCalled(book)).toEqual(called);
  });

  it.each([
    [['pass'], 0, 1],
    [['fail', 'pass'], 0, 2],
    [['fail', 'fail', 'pass'], 0, 3],
    [['fail', 'fail', 'fail', 'pass'], 1, 3],
    [['odd'], 1, 3],
  ])('and %j in turn ends with exit %i after %i rounds', async (verdicts, code, rounds) => {
    const work = workspaceWith(manifest(verdicts, 'stop'));
    expect((await pawl(work, 'run')).code).toBe(code);
    const judged = calls(work).filter(({ cell: step }) => step === 'a/lint');
    expect(judged.map(({ iteration: round }) => round)).toEqual([1, 2, 3].slice(0, rounds));
    expect(stepsCalled(work).includes('a/commit')).toBe(code === 0);
  });

  it('and a report without a verdict is a failed attempt, not a pass', async () => {
    const work = workspaceWith(manifest(['pass'], 'stop').replace('report.status', 'report.nothing'));
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ exitCode: 1, stops: [{ why: { failure: 'verdict-unreadable' } }] });
    expect(stepsCalled(work)).not.toContain('a/commit');
  });
});

describe('when the rounds are used up', () => {
  it('`then: accept` goes on and says so', async () => {
    const work = workspaceWith(manifest(['fail'], 'accept'));
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ ok: true, exitCode: 0 });
    expect(run.notices).toMatchObject([
      { code: 'gate-accepted', unit: 'a', verdict: 'fail', by: 'manifest' },
    ]);
    expect(stepsCalled(work)).toContain('a/commit');
    expect((await pawl(work, 'run')).stdout).toMatch(/lint.*fail/);
  });

  it('`then: ask` waits for a person, who may approve', async () => {
    const work = await asking();
    expect(await pawlJson(work, 'status')).toMatchObject({ heading: { status: 'waiting_human' } });
    const approved = await pawl(work, 'approve', 'C1', '--note', 'good enough');
    expect(approved.code).toBe(0);
    expect(stepsCalled(work)).not.toContain('a/commit');
    expect(eventsOf(work, 'checkpoint_decided', 'people')).toMatchObject([
      {
        id: 'C1',
        unit: 'a',
        phase: 'lint',
        shown: { 'lint.report': reportHash(work) },
        decision: 'approved',
        note: 'good enough',
        channel: 'script',
      },
    ]);

    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ ok: true, exitCode: 0, ran: { succeeded: 1 } });
    expect(run.notices).toMatchObject([{ code: 'gate-accepted', by: 'person' }]);
    expect(stepsCalled(work).at(-1)).toBe('a/commit');
    await expectNothingToDo(work);
  });

  it('or reject: then the loop begins again with the feedback, and the person is asked again', async () => {
    const work = await asking();
    const before = stepsCalled(work).length;
    expect((await pawl(work, 'reject', 'C1', '--feedback', 'too dull')).code).toBe(0);
    expect(stepsCalled(work)).toHaveLength(before);
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ exitCode: 3, stops: [{ why: { code: 'gate-asks', asks: { id: 'C2' } } }] });
    expect(stepsCalled(work).slice(before)).toContain('a/repair');
    expect(stepsCalled(work)).not.toContain('a/commit');
    const again = eventsOf(work, 'attempt_started')
      .filter(({ phase }) => phase === 'repair')
      .at(-1);
    expect(again).toMatchObject({ feedback: expect.stringMatching(/^sha256:/) });
    expect((await pawl(work, 'approve', 'C2', '--continue')).code).toBe(0);
    expect(stepsCalled(work).at(-1)).toBe('a/commit');
  });

  it('asks again when there is another report, for the approval was of the old one', async () => {
    const work = await asking();
    expect((await pawl(work, 'approve', 'C1', '--note', 'good enough')).code).toBe(0);
    write(work, 'out/a.write.txt', 'other words\n');
    expect((await pawl(work, 'adopt', 'out/a.write.txt', '--reason', 'mine')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(stepsCalled(work)).not.toContain('a/commit');
  });

  it('takes no decision from a program unless the manifest says so', async () => {
    const work = await asking('');
    for (const word of [['approve'], ['reject', '--feedback', 'no']] as const) {
      const [command, ...rest] = word;
      const refused = await pawlJson(work, command, 'C1', ...rest);
      expect(refused).toMatchObject({
        exitCode: 4,
        reason: 'channel-closed',
        channel: 'script',
        allowed: ['terminal', 'page'],
      });
      expect(refused.finished.code).toBe(4);
    }
    expect(eventsOf(work, 'checkpoint_decided', 'people')).toEqual([]);
    expect((await pawl(work, 'run')).code).toBe(3);
  });

  it('takes no decision where there is nothing to decide, and none from a phase of the run itself', async () => {
    const work = await asking();
    for (const name of ['C7', 'a/lint', 'a/write']) expect((await pawl(work, 'approve', name)).code).toBe(2);
    const phase = withEnv(work, { PAWL_UNIT: 'a', PAWL_PHASE: 'lint' });
    expect((await pawl(phase, 'approve', 'C1')).code).toBe(4);
    const silent = await pawl(work, 'reject', 'C1');
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain('--feedback');
    // Without a terminal nobody chooses, and there is no answer that stands for none.
    expect((await pawl(work, 'approve')).code).toBe(2);
    expect(eventsOf(work, 'checkpoint_decided', 'people')).toEqual([]);
  });
});

/** Nobody sits at a terminal here: the manifest lets programs answer, unless a test says otherwise. */
async function asking(channels = 'channels: [terminal, script]'): Promise<TestWorkspace> {
  const work = workspaceWith(manifest(['fail'], 'ask', channels));
  const run = await pawlJson<RunJson>(work, 'run');
  expect(run).toMatchObject({ exitCode: 3, reason: 'waits-for-person' });
  expect(run.finished.code).toBe(3);
  expect((await pawl(work, 'run')).code).toBe(3);
  expect(stepsCalled(work)).not.toContain('a/commit');
  return work;
}

function reportHash(work: TestWorkspace): unknown {
  const last = eventsOf(work, 'attempt_succeeded').findLast(({ phase }) => phase === 'lint');
  return (last as unknown as { outputs: { report: { hash: string } } }).outputs.report.hash;
}

interface RunJson {
  readonly exitCode: number;
  readonly stops: readonly object[];
  readonly notices: readonly object[];
  readonly cells: { readonly unitsFinished: number };
}

interface History {
  readonly phases: Readonly<Record<string, object>>;
}

function manifest(verdicts: readonly string[], then: string, channels = ''): string {
  return `
pawl: 1
pipeline: gates
${channels}
units:
  - { id: a, verdicts: [${verdicts.join(', ')}] }
phases:
  write:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.write.txt" }
  repair:
    when: gate-failed
    run: { function: ./phases.mjs#step }
    inputs: { text: [repair.text, write.text] }
    outputs: { text: "out/{unit}.repair.txt" }
  lint:
    needs: [write, repair]
    run: { function: ./phases.mjs#judge }
    inputs: { text: [repair.text, write.text] }
    outputs: { report: { path: "out/{unit}.lint.json", check: json } }
    gate: { verdict: report.status, pass: [pass], back_to: repair, iterations: 3, then: ${then} }
  commit:
    run: { function: ./phases.mjs#step }
    inputs: { text: [repair.text, write.text] }
    outputs: { text: "out/{unit}.commit.txt" }
`;
}
