import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { events, type RawEvent } from '../support/journal.ts';
import { type TestWorkspace, withEnv, write } from '../support/workspace.ts';
import { manifest, phase, workspace } from './people-work.ts';

const here = { by: userInfo().username, host: hostname(), channel: 'script' };

const newest = (work: TestWorkspace, type: string, actor = 'runner'): RawEvent | undefined =>
  events(work, actor).findLast((event) => event.type === type);

const done = async (work: TestWorkspace, ...args: string[]) => {
  const finished = await pawl(work, ...args);
  expect([0, 3], finished.stderr).toContain(finished.code);
};

it('records who made every kind of decision', async () => {
  const work = workspace(manifest(phase('draft', 'checkpoint: Draft approval') + phase('build')));
  const ann = withEnv(work, { PAWL_ACTOR: 'ann' });
  const bot = withEnv(work, { CLAUDECODE: '1' });
  await done(work, 'run');
  await done(ann, 'reject', 'C1', '--feedback', 'shorter');
  expect(newest(work, 'checkpoint_decided', 'people')).toMatchObject({ ...here, agent: 'ann' });
  await done(work, 'run');
  await done(work, 'approve', 'C2');
  expect(newest(work, 'checkpoint_decided', 'people')).toMatchObject(here);
  expect(newest(work, 'checkpoint_decided', 'people')).not.toHaveProperty('agent');
  await done(work, 'run');

  await done(bot, 'run', '--rerun-from', 'build', '--reason', 'again');
  for (const type of ['override_used', 'results_superseded'])
    expect(newest(work, type)).toMatchObject({ ...here, agent: 'Claude Code', reason: 'again' });
  write(work, 'out/a.build', 'by hand\n');
  await done(ann, 'adopt', 'out/a.build', '--reason', 'better');
  expect(newest(work, 'artifact_adopted')).toMatchObject({ ...here, agent: 'ann' });
  write(work, 'out/a.build', 'by hand again\n');
  await done(ann, 'run', '--force-resume', '--reason', 'better still');
  for (const type of ['override_used', 'artifact_adopted'])
    expect(newest(work, type)).toMatchObject({ ...here, agent: 'ann', reason: 'better still' });
  await done(work, 'decide', 'keep it short', '--actor', 'planner');
  expect(newest(work, 'decision_recorded', 'planner')).toMatchObject({ ...here, agent: 'planner' });
  await done(work, 'decide', '--applied', 'RD-001');
  expect(newest(work, 'decision_applied', 'people')).toMatchObject(here);
  // What is no decision names nobody.
  expect(newest(work, 'attempt_succeeded')).not.toHaveProperty('by');
  expect(events(work).filter(({ status }) => status === 'completed')[0]).not.toHaveProperty('by');
});

it('records who cancelled the run, and who took it over', async () => {
  const work = workspace(manifest(phase('draft', 'checkpoint: Draft approval')));
  await done(work, 'run');
  await done(withEnv(work, { PAWL_ACTOR: 'ann' }), 'run', '--takeover', '--rerun-all');
  expect(newest(work, 'run_resumed')).toMatchObject({ ...here, agent: 'ann', takeover: true });
  await done(work, 'cancel', '--reason', 'enough', '--yes');
  expect(newest(work, 'run_ended')).toMatchObject({ ...here, status: 'cancelled', reason: 'enough' });
});
