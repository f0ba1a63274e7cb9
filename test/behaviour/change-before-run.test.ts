import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { hashes, stepsCalled, workspaceWith, write } from '../support/workspace.ts';

const files = {
  'prompts/one.md': 'One {{ unit.id }}.\n',
  'prompts/two.md': 'Two.\n',
  'prompts/three.md': 'Three.\n',
  'prompts/four.md': 'Four.\n',
  'mine/three.md': 'My three.\n',
};

it('templates of steps that only failed or never ran are reported before anything runs', async () => {
  const work = workspaceWith(manifest, files);
  expect((await pawl(work, 'run')).code).toBe(1);
  write(work, 'prompts/two.md', 'Two, better.\n');
  write(work, 'mine/three.md', 'My third.\n');
  const words =
    '2 of 5 templates changed since this run began: mine/three.md and prompts/two.md; used by 2 steps without a result';
  const plan = await pawl(work, 'plan');
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain(words);
  const resumed = await pawl(work, 'resume', '--no-input');
  expect(resumed.stderr).toMatch(/sources +changed +mine\/three.md and prompts\/two.md/);
});

it('a changed template is refused for results, with the steps that failed named besides', async () => {
  const work = workspaceWith(manifest, files);
  expect((await pawl(work, 'run')).code).toBe(1);
  write(work, 'prompts/one.md', 'Other {{ unit.id }}.\n');
  const before = hashes(work, '.pawl');
  expect((await pawl(work, 'run')).code).toBe(4);
  expect(hashes(work, '.pawl')).toEqual(before);
});

it('a missing template of a later step stops the run before a step is paid, and cannot be answered', async () => {
  const work = workspaceWith(manifest.replace('fails: 9', 'fails: 1'), files);
  expect((await pawl(work, 'run')).code).toBe(1);
  const called = stepsCalled(work).length;
  rmSync(`${work.root}/prompts/four.md`);
  const refused = await pawlJson<{ refusals: object[] }>(work, 'run');
  expect(refused).toMatchObject({ exitCode: 4, refusals: [{ path: 'prompts/four.md', wouldRun: true }] });
  for (const flag of ['--rerun-changed', '--keep-changed'])
    expect((await pawl(work, 'run', flag, '--reason', 'x')).code).toBe(4);
  expect(stepsCalled(work)).toHaveLength(called);
});

it('a missing override of a later step falls back to the template of the phase', async () => {
  const work = workspaceWith(manifest.replace('fails: 9', 'fails: 1'), files);
  expect((await pawl(work, 'run')).code).toBe(1);
  rmSync(`${work.root}/mine/three.md`);
  expect((await pawl(work, 'run')).code).toBe(0);
  expect(stepsCalled(work)).toEqual(['a/one', 'a/two', 'a/two', 'a/three', 'a/four']);
});

const manifest = `
pawl: 1
pipeline: found
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    prompt: prompts/one.md
    outputs: { text: "out/{unit}-one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    prompt: prompts/two.md
    inputs: { text: one.text }
    params: { fails: 9 }
    outputs: { text: "out/{unit}-two.txt" }
  three:
    run: { function: ./phases.mjs#step }
    prompt: { phase: prompts/three.md, override: mine/three.md }
    inputs: { text: two.text }
    outputs: { text: "out/{unit}-three.txt" }
  four:
    run: { function: ./phases.mjs#step }
    prompt: prompts/four.md
    inputs: { text: three.text }
    outputs: { text: "out/{unit}-four.txt" }
`;
