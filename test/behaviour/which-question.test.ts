import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { manifest, phase, ran, workspace } from './people-work.ts';

const pipeline = manifest(
  phase('draft', 'checkpoint: Draft approval') + phase('build', 'checkpoint: Build approval') + phase('ship'),
);

/** A run that was made in another copy of the workspace, as after a merge of two branches. */
async function withRunOf(work: TestWorkspace, other: TestWorkspace): Promise<string> {
  const folder = runFolder(other);
  cpSync(join(other.root, folder), join(work.root, folder), { recursive: true });
  return folder.slice('.pawl/runs/'.length);
}

it('an answer goes to the run that waits for it, and several are asked about', async () => {
  const [work, second, third] = [workspace(pipeline), workspace(pipeline), workspace(pipeline)];
  for (const one of [work, second, third]) expect((await pawl(one, 'run')).code).toBe(3);
  expect((await pawl(second, 'approve', 'C1', '--continue')).code).toBe(3);
  const id = runFolder(work).slice('.pawl/runs/'.length);
  // The other run waits for C2, so C1 can only mean this one.
  const other = await withRunOf(work, second);
  expect((await pawl(work, 'status')).code).toBe(5);
  const shown = await pawlJson<{ heading: { run: string } }>(work, 'show', 'C1');
  expect(shown).toMatchObject({ ok: true, heading: { run: id } });
  expect(await pawlJson(work, 'show', 'C2')).toMatchObject({ heading: { run: other } });

  const twin = await withRunOf(work, third);
  const asked = await pawlJson<{ candidates: readonly { id: string }[] }>(work, 'approve', 'C1');
  expect(asked).toMatchObject({ ok: false, exitCode: 5, reason: 'which-run' });
  expect(asked.candidates.map((run) => run.id).sort()).toEqual([id, twin].sort());

  expect((await pawl(work, 'status', '--run', twin)).stdout).toContain(
    'what waits for a decision:\n    pawl checkpoints',
  );
  expect((await pawl(work, 'approve', 'C1', '--run', twin)).code).toBe(0);
  // Answered, and not resumed yet: no question is left that could wait.
  expect((await pawl(work, 'status', '--run', twin)).stdout).toMatch(/ready.*; to go on:\n {4}pawl run/);
  const approved = await pawl(work, 'approve', 'C1', '--continue');
  expect(approved.code, approved.stderr).toBe(3);
  expect(approved.stdout).toContain('Build approval (C2)');
  expect(ran(work)).toEqual(['draft', 'build']);
}, 60_000);
