import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { copyOfBook, edit, read, stepsCalled, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const manifest = `
pawl: 1
pipeline: letters
units: [a]
phases:
  plan:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.plan.txt" }
  write:
    prompt: { phase: t/write.md, override: mine/write.md }
    run: { function: ./phases.mjs#step }
    inputs: { plan: plan.text }
    outputs: { text: "out/{unit}.txt" }
`;

it('a removed override is called removed, and what it included is not called missing', async () => {
  const files = {
    't/write.md': 'Write. {{ inputs.plan }}',
    'mine/write.md': '{% include "t/write.md" %} Rhyme.',
  };
  const work = workspaceWith(manifest, files);
  await expectCode(work, 0, 'run');
  rmSync(join(work.root, 'mine/write.md'));
  const { stderr } = await expectCode(work, 4, 'run');
  expect(stderr).toContain("override mine/write.md was removed; the phase's own template is used");
  expect(stderr).not.toContain('is missing');
  expect(stderr).toContain('add --resume-allow-prompt-change');
  await expectCode(work, 0, 'run', '--resume-allow-prompt-change', '--reason', 'no rhymes');

  // An input of a step whose predecessor has to run first is not gone.
  rmSync(join(work.root, 'out/a.plan.txt'));
  const why = await pawl(work, 'why', 'a/write');
  expect(why.stdout).toContain('not known before a/plan is done');
  expect(why.stdout).not.toContain('gone');
});

it('an edited initial state does not accuse the shown state', async () => {
  const book = copyOfBook();
  expect((await pawlKilledAt(book, 'ch001_sc001/write started', 'run')).signal).toBe('SIGKILL');
  edit(book, 'seed-state.json', '{', '{ "weather": "rain",');
  const refused = await pawlJson<{ refusals: { guard: string }[] }>(book, 'run');
  expect(new Set(refused.refusals.map(({ guard }) => guard))).toEqual(new Set(['pre-state-differs']));
  write(book, 'state.json', '{}');
  const edited = await pawlJson<{ refusals: { guard: string }[] }>(book, 'run');
  expect(edited.refusals.map(({ guard }) => guard)).toContain('state-edited');
});

it('verify accuses no one of outputs of a phase that was renamed and ran again', async () => {
  const work = workspaceWith(manifest.slice(0, manifest.indexOf('  write:')));
  await expectCode(work, 0, 'run');
  edit(work, 'pawl.yaml', '  plan:', '  outline:');
  await expectCode(work, 0, 'run', '--force');
  expect(await pawlJson<{ findings: object[] }>(work, 'verify')).toMatchObject({ exitCode: 0, findings: [] });
  // The bytes at the old path are those of the new name by now.
  edit(work, 'pawl.yaml', 'out/{unit}.plan.txt', 'outlines/{unit}.txt');
  await expectCode(work, 0, 'run', '--rerun-changed', '--reason', 'a better place');
  expect(await pawlJson<{ findings: object[] }>(work, 'verify')).toMatchObject({ exitCode: 0, findings: [] });
});

it('a phase that gets its old name back gets its bytes back, and is neither damaged nor paid for again', async () => {
  const work = workspaceWith(manifest.slice(0, manifest.indexOf('  write:')));
  await expectCode(work, 0, 'run');
  edit(work, 'pawl.yaml', '  plan:', '  outline:');
  await expectCode(work, 0, 'run', '--force');
  edit(work, 'pawl.yaml', '  outline:', '  plan:');
  const verified = await expectCode(work, 0, 'verify');
  expect(verified.stdout).toContain('out/a.plan.txt: a recorded output is not at its path yet');
  expect((await pawl(work, 'plan')).stdout).toContain('restore  plan of a: from the content store');
  await expectCode(work, 0, 'run');
  expect(stepsCalled(work)).toEqual(['a/plan', 'a/outline']);
  expect(read(work, 'out/a.plan.txt')).toBe('a/plan\n');
  expect(await pawlJson<{ findings: object[] }>(work, 'verify')).toMatchObject({ exitCode: 0, findings: [] });
});

it('what a person wrote under the other name is no leftover: it is asked about', async () => {
  const work = workspaceWith(manifest.slice(0, manifest.indexOf('  write:')));
  await expectCode(work, 0, 'run');
  edit(work, 'pawl.yaml', '  plan:', '  outline:');
  await expectCode(work, 0, 'run', '--force');
  write(work, 'out/a.plan.txt', 'mine\n');
  await expectCode(work, 0, 'adopt', 'out/a.plan.txt', '--reason', 'better');
  edit(work, 'pawl.yaml', '  outline:', '  plan:');
  const { refusals } = await pawlJson<{ refusals: { guard: string }[] }>(work, 'run');
  expect(refusals.map(({ guard }) => guard)).toEqual(['output-edited']);
  expect(read(work, 'out/a.plan.txt')).toBe('mine\n');
});
