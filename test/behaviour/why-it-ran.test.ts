import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf, type RawEvent } from '../support/journal.ts';
import { canPretend, linesAt80 } from '../support/terminal.ts';
import { edit, read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';
import { manifest as people, phase, workspace } from './people-work.ts';

const step = (name: string, fails: number) => `
  ${name}:
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS, TEST_FAILS: "${fails}" } }
    outputs: { text: "out/{unit}.${name}.txt" }
    retries: { attempts: 2, backoff: 0s }`;

const manifest = (fails = 0) => `
pawl: 1
pipeline: story
units: [a, b]
phases:${step('one', fails)}${step('two', 0)}
`;

interface Attempts {
  readonly attempts: readonly { readonly attempt: number; readonly why?: object }[];
}

const startsOf = (work: TestWorkspace, unit: string, phase: string): RawEvent[] =>
  eventsOf(work, 'attempt_started').filter((event) => event.unit === unit && event.phase === phase);

describe('the reason of every attempt', () => {
  it('is in its attempt_started event; the first attempt of a step that never ran takes no room', async () => {
    const work = workspaceWith(manifest(1));
    expect((await pawl(work, 'run')).code).toBe(0);
    const [first, second] = startsOf(work, 'a', 'one');
    expect(first).not.toHaveProperty('why');
    expect(second?.why).toEqual({ code: 'failed-before', attempt: 1, failure: 'command-failed' });
  });

  it('names the decision that caused a re-run, and the input that changed', async () => {
    const work = workspaceWith(manifest());
    await pawl(work, 'run');
    await pawl(work, 'run', '--rerun-from', 'two', '--unit', 'a', '--reason', 'wrong tone');
    const [superseded] = eventsOf(work, 'results_superseded');
    const rerun = { code: 'rerun-requested', reason: 'wrong tone', decision: `runner#${superseded?.seq}` };
    expect(startsOf(work, 'a', 'two').at(-1)?.why).toEqual(rerun);
    edit(work, 'out/a.one.txt', 'one', 'ONE');
    await pawl(work, 'adopt', 'out/a.one.txt', '--reason', 'louder');
    await pawl(work, 'run');
    const changed = { code: 'input-changed', input: 'text' };
    expect(startsOf(work, 'a', 'two').at(-1)?.why).toMatchObject(changed);

    const logs = await pawlJson<Attempts>(work, 'logs', 'a/two', '--attempt', 'all');
    expect(logs.attempts).toMatchObject([{ why: { code: 'never-ran' } }, { why: rerun }, { why: changed }]);
    const inspect = await pawlJson<{ units: Attempts[] }>(work, 'inspect', '--unit', 'a');
    expect(inspect.units[0]?.attempts.map(({ why }) => why)).toMatchObject([
      { code: 'never-ran' },
      { code: 'never-ran' },
      rerun,
      changed,
    ]);
    const csv = await pawl(work, 'inspect', '--csv');
    expect(csv.stdout).toContain(',rerun-requested');
    await pawl(work, 'report', '-o', 'page.html');
    expect(read(work, 'page.html')).toContain('re-run requested: wrong tone');
    if (!canPretend) return;
    for (const command of ['logs a/two --attempt all', 'inspect --unit a']) {
      const lines = await linesAt80(work, command);
      // What an attempt left behind is data and shown as it is, behind a bar.
      expect(lines.filter((line) => line.length > 80 && line.includes('why:'))).toEqual([]);
      expect(lines.join('\n')).toContain('why: re-run requested: wrong tone');
      expect(lines.join('\n')).toContain('why: input text changed');
    }
  });

  it('is that of the question that was answered no', async () => {
    const work = workspace(people(phase('draft', 'checkpoint: Draft approval')));
    await pawl(work, 'run');
    await pawl(work, 'reject', 'C1', '--feedback', 'shorter');
    await pawl(work, 'run');
    expect(startsOf(work, 'a', 'draft').at(-1)?.why).toEqual({
      code: 'rejected',
      checkpoint: 'C1',
      feedback: 'shorter',
    });
  });

  it('is recorded for what was cut off', async () => {
    const work = workspaceWith(manifest());
    await pawlKilledAt(work, 'a/one started', 'run');
    await pawl(work, 'run');
    expect(startsOf(work, 'a', 'one').at(-1)?.why).toEqual({ code: 'interrupted', attempt: 1 });
  });
});
