import { expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { calls, edit, stepsCalled, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const manifest = `
pawl: 1
pipeline: letters
pace: { concurrency: 1 }
inputs: { tone: { path: tone.md, on_change: block } }
units: [a, b]
phases:
  plan:
    run: { function: ./phases.mjs#step }
    params: { word: calm }
    inputs: { tone: tone }
    outputs: { text: "out/{unit}.plan.txt" }
  write:
    prompt: write.md
    run: { function: ./phases.mjs#step }
    inputs: { plan: plan.text }
    outputs: { text: "out/{unit}.txt" }
`;

const files = { 'tone.md': 'kind', 'write.md': 'Write.' };

async function finished(): Promise<TestWorkspace> {
  const work = workspaceWith(manifest, files);
  await expectCode(work, 0, 'run');
  return work;
}

it('an id that names no run or several lists the candidates, and a completed run can run again', async () => {
  const work = workspaceWith(manifest, files);
  expect((await pawlKilledAt(work, 'a/write started', 'run')).signal).toBe('SIGKILL');
  const id = runFolder(work).split('/').at(-1) ?? '';
  const unknown = await expectCode(work, 5, 'run', '--resume', 'NOPE');
  expect(unknown.stderr).toMatch(new RegExp(`${id} +letters +interrupted, 1 step done, `));

  // Without an id it is the run of the manifest. A word that names no run may be the manifest.
  await expectCode(work, 0, 'run', '--resume', '.');
  const completed = await expectCode(work, 4, 'run', '--resume');
  const command = `pawl run --resume ${id} --rerun-from plan`;
  expect(completed.stderr).toContain(command);
  expect(completed.stderr).toContain(`pawl run --run ${id}`);
  const before = calls(work).length;
  await expectCode(work, 0, ...command.split(' ').slice(1));
  expect(calls(work).length - before).toBe(4);

  await expectCode(work, 0, 'run', '--fresh');
  const shared = id.slice(0, 4);
  const ambiguous = await pawlJson<{ candidates: { id: string }[] }>(work, 'run', '--resume', shared);
  expect(ambiguous).toMatchObject({ exitCode: 5, reason: 'run-not-found' });
  expect(ambiguous.candidates).toHaveLength(2);
  expect((await pawl(work, 'run', '--resume=.')).stderr).toContain('there is no run .');
});

it('a kept change that is undone leaves everything up to date', async () => {
  const work = await finished();
  const undone: [() => void, () => void, string][] = [
    [() => write(work, 'write.md', 'Paint.'), () => write(work, 'write.md', 'Write.'), '--force-resume'],
    [() => write(work, 'tone.md', 'rude'), () => write(work, 'tone.md', 'kind'), '--force-resume'],
    [
      () => edit(work, 'pawl.yaml', 'word: calm', 'word: wild'),
      () => edit(work, 'pawl.yaml', 'word: wild', 'word: calm'),
      '--force',
    ],
  ];
  for (const [change, undo, flag] of undone) {
    change();
    await expectCode(work, 4, 'run');
    await expectCode(work, 0, 'run', flag, '--reason', 'it fits');
    undo();
    const plan = await pawlJson<{ plan: { refusals: object[]; finished: boolean } }>(work, 'plan');
    expect(plan.plan, flag).toMatchObject({ refusals: [], finished: true });
    await expectCode(work, 0, 'run');
  }
  expect(calls(work)).toHaveLength(4);
});

it('the flags combine: each opens its own guard, with one reason', async () => {
  const work = await finished();
  write(work, 'write.md', 'Paint.');
  write(work, 'out/a.plan.txt', 'by hand\n');
  const before = calls(work).length;
  const flags = ['--resume-allow-prompt-change', '--force-resume', '--reason', 'both are meant'];
  await expectCode(work, 0, 'run', ...flags);
  expect(stepsCalled(work, before)).toEqual(['a/write', 'b/write']);
  write(work, 'write.md', 'Sing.');
  const again = calls(work).length;
  await expectCode(
    work,
    0,
    'run',
    ...['--rerun-from', 'plan', '--rerun-all', '--resume-allow-prompt-change', '--reason', 'anew'],
  );
  expect(calls(work).length - again).toBe(4);
});

it('a completed run is resumed for steps that failed', async () => {
  const allowing = manifest.replace('pipeline: letters', 'pipeline: letters\nfailures: allow');
  const work = workspaceWith(
    allowing.replace('params: { word: calm }', 'params: { fails: 1 }\n    retries: 1'),
    files,
  );
  await expectCode(work, 0, 'run');
  const before = calls(work).length;
  const again = await expectCode(work, 0, 'run', '--resume', '--failed');
  expect(again.stdout).toContain('2 of 2 selected steps done');
  expect(stepsCalled(work, before)).toEqual(['a/plan', 'b/plan']);
});
