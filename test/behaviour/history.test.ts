import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { events } from '../support/journal.ts';
import { canPretend, linesAt80 } from '../support/terminal.ts';
import { type TestWorkspace, withEnv, write } from '../support/workspace.ts';
import { manifest, phase, workspace } from './people-work.ts';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly by?: string;
}

const here = { by: userInfo().username, host: hostname(), channel: 'script' };

const done = async (work: TestWorkspace, ...args: string[]) => {
  const finished = await pawl(work, ...args);
  expect([0, 3], finished.stderr).toContain(finished.code);
};

const history = async (work: TestWorkspace, ...args: string[]): Promise<readonly Entry[]> =>
  (await pawlJson<{ decisions: readonly Entry[] }>(work, 'history', ...args)).decisions;

const reasonOfMany = 'the tone of the first draft is too dry for readers who come from the newsletter';

/** Two units, one of them asked about, with a decision of nearly every kind. */
async function decided(): Promise<TestWorkspace> {
  const phases = phase('draft', 'checkpoint: Draft approval') + phase('build');
  const text = manifest(phases, 'channels: [terminal, script]\npace: { concurrency: 1 }');
  const work = workspace(text.replace('units: [a]', 'units: { glob: "in/*.md" }'));
  write(work, 'in/a.md', 'a\n');
  write(work, 'in/b.md', 'b\n');
  const ann = withEnv(work, { PAWL_ACTOR: 'ann' });
  await done(work, 'run');
  await done(ann, 'reject', 'C1', '--feedback', 'shorter');
  await done(work, 'run');
  await done(work, 'approve', 'C2');
  await done(work, 'approve', 'C3', '--note', 'good');
  await done(work, 'run');
  await done(work, 'decide', 'use UTF-8', '--because', 'names', '--actor', 'planner', '--affects', 'a');
  await done(ann, 'run', '--rerun-from', 'build', '--unit', 'a', '--reason', reasonOfMany);
  write(work, 'out/b.build', 'by hand\n');
  await done(ann, 'adopt', 'out/b.build', '--reason', 'better');
  write(work, 'in/b.md', 'b, changed\n');
  await done(work, 'run');
  return work;
}

it('lists every decision with who made it, why and what it affected, the newest last', async () => {
  const work = await decided();
  const entries = await history(work);
  expect(entries).toMatchObject([
    {
      kind: 'rejected',
      subject: 'C1',
      question: 'Draft approval',
      reason: 'shorter',
      ...here,
      agent: 'ann',
      effects: [{ steps: ['a/draft'] }],
    },
    { kind: 'approved', subject: 'C2', ...here, effects: [{ steps: ['b/draft'] }] },
    { kind: 'approved', subject: 'C3', reason: 'good', effects: [{ steps: ['a/draft'] }] },
    { kind: 'decided', subject: 'RD-001 use UTF-8', reason: 'names', agent: 'planner', affects: ['a'] },
    {
      kind: 'override',
      subject: '--rerun-from build',
      reason: reasonOfMany,
      ...here,
      agent: 'ann',
      effects: [{ kind: 're-run', steps: ['a/build'] }],
    },
    { kind: 'adopted', reason: 'better', effects: [{ steps: ['b/build'], path: 'out/b.build' }] },
    { kind: 're-run by policy', policy: 'default', effects: [{ steps: ['b/draft'] }] },
  ]);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
  const used = events(work).find(({ type }) => type === 'override_used');
  expect(entries.map(({ id }) => id)).toContain(`runner#${used?.seq}`);

  expect((await history(work, 'a')).map(({ kind }) => kind)).toEqual([
    'rejected',
    'approved',
    'decided',
    'override',
  ]);
  expect((await history(work, 'b/build')).map(({ kind }) => kind)).toEqual(['adopted']);
  const unknown = await pawl(work, 'history', 'aa');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('did you mean a');
  // The older spelling still lists the questions with their answers.
  const { checkpoints } = await pawlJson<{ checkpoints: object[] }>(work, 'checkpoints', '--history');
  expect(checkpoints.length).toBeGreaterThanOrEqual(3);
  expect(checkpoints).toContainEqual(
    expect.objectContaining({ id: 'C1', decided: expect.objectContaining({ note: 'shorter' }) }),
  );
  expect((await pawl(work, 'checkpoints', '--history')).stdout).toContain('pawl history');
});

it('lists cancellation and takeover, and says where nothing was decided', async () => {
  const work = workspace(manifest(phase('draft', 'checkpoint: Draft approval')));
  await done(work, 'run');
  expect((await pawl(work, 'history')).stdout).toContain('No decision is recorded.');
  await done(withEnv(work, { PAWL_ACTOR: 'ann' }), 'run', '--takeover', '--rerun-all');
  await done(work, 'cancel', '--reason', 'enough', '--yes');
  const [created] = events(work);
  const run = ['--run', String(created?.run)];
  expect(await history(work, ...run)).toMatchObject([
    { kind: 'took over', agent: 'ann' },
    { kind: 'override', subject: '--rerun-all', effects: [{ kind: 're-run', steps: ['a/draft'] }] },
    { kind: 'cancelled', reason: 'enough', ...here },
  ]);
  expect(await history(work, 'a', ...run)).toHaveLength(1);
});

it.runIf(canPretend)('fits into 80 columns, in local time', async () => {
  const work = await decided();
  const inHonolulu = withEnv(work, { TZ: 'Pacific/Honolulu' });
  const lines = await linesAt80(inHonolulu, 'history a');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const text = lines.join('\n');
  expect(text).toContain(`  by ${here.by} on ${here.host}`);
  expect(text).toContain('reason: the tone of the first draft is too dry for readers who come from the\n');
  const [first] = await history(work);
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Honolulu', timeStyle: 'medium' });
  expect(text).toContain(`${local.format(new Date(first?.at ?? ''))}  rejected C1 Draft approval`);
});
