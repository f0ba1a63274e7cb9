import { expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { calls, hashes, later, type TestWorkspace, workspaceWith } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const day = 24 * 60 * 60_000;

const manifest = `
pawl: 1
pipeline: letters
pace: { concurrency: 1, stale_after: 10d }
units: [a, b]
phases:
  step:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;

/** A run that was killed in its second unit. */
async function killed(): Promise<TestWorkspace> {
  const work = workspaceWith(manifest);
  expect((await pawlKilledAt(work, 'b/step started', 'run')).signal).toBe('SIGKILL');
  return work;
}

interface StaleJson {
  readonly stale?: { readonly idleMs: number };
  readonly madeBy?: string;
}

it('an old run is shown as stale, and run and resume refuse it alike without a terminal', async () => {
  const work = await killed();
  expect(await pawlJson<StaleJson>(work, 'status')).not.toHaveProperty('stale');
  const old = later(work, 45 * day);
  const before = hashes(work);

  const status = await pawlJson<StaleJson>(old, 'status');
  expect(status.stale?.idleMs).toBeGreaterThan(44 * day);
  expect(status.madeBy).toMatch(/^\d+\.\d+\.\d+/);
  const shown = await pawl(old, 'status');
  expect(shown.stdout).toContain('STALE: nothing has happened for 45 days (pace.stale_after: 10 days)');
  expect(shown.stdout).toContain(`made by Pawl ${status.madeBy}`);
  expect((await pawl(old, 'plan')).stdout).toContain('run would ask first');

  for (const command of ['run', 'resume'])
    expect(await pawlJson(old, command)).toMatchObject({ exitCode: 4, reason: 'run-stale' });
  const { stderr } = await expectCode(old, 4, 'run');
  expect(stderr).toContain('--yes');
  expect(hashes(work)).toEqual(before);
  expect(calls(work)).toHaveLength(1);
});

it.skipIf(!canPretend)(
  'run asks about an old run in a terminal, and starts nothing without a yes',
  async () => {
    const work = await killed();
    const old = later(work, 45 * day);
    const before = hashes(work);
    const question = { question: 'Resume it?', answer: '\r' };
    expect((await inTerminal(old, 'run', question)).code).toBe(4);
    expect(hashes(work)).toEqual(before);
    expect((await inTerminal(old, 'run', { ...question, answer: 'y' })).code).toBe(0);
    expect(calls(work)).toHaveLength(2);
  },
);

it('--yes resumes an old run, and where nothing would run nothing is stale', async () => {
  const work = await killed();
  const old = later(work, 45 * day);
  expect((await pawl(old, 'run', '--dry-run', '--yes')).stdout).not.toContain('STALE');
  await expectCode(old, 0, 'run', '--yes');
  const older = later(work, 450 * day);
  await expectCode(older, 0, 'run');
  expect((await pawl(older, 'status')).stdout).not.toContain('STALE');
  // A rerun gives an old, finished run something to do.
  expect(await pawlJson(older, 'run', '--rerun-all')).toMatchObject({ exitCode: 4, reason: 'run-stale' });
  await expectCode(older, 0, 'run', '--rerun-all', '--yes');
});
