import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  copyOf,
  edit,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

/** Several changes at once, files that are missing, and policies beside flags: what each answer makes of them. */

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, {
    'rules.md': 'be kind\n',
    'src/a.md': 'A\n',
    'src/b.md': 'B\n',
    'prompts/system.md': 'Be brief.\n',
    'prompts/one.md': 'One {{ unit.mood }}.\n',
  });
  expect((await pawl(done, 'run')).code).toBe(0);
});

beforeEach(() => {
  work = copyOf(done);
});

const reason = ['--reason', 'meant'];

function remove(path: string): void {
  rmSync(join(work.root, path));
}

/** Plan and run refuse alike, and nothing is recorded or run. */
async function expectRefused(...flags: string[]): Promise<string> {
  const before = hashes(work, '.pawl/runs');
  const plan = await pawl(work, 'plan', ...flags);
  expect(plan.code, plan.stdout).toBe(4);
  const { code, stderr } = await pawl(work, 'run', ...flags);
  expect(code, stderr).toBe(4);
  expect(hashes(work, '.pawl/runs')).toEqual(before);
  expect(stepsCalled(work)).toEqual([]);
  return stderr;
}

/** What ran is what the plan says; afterwards there is nothing to do. */
async function expectRun(flags: readonly string[], steps: readonly string[], kept?: number): Promise<void> {
  const plan = await pawlJson<Planned>(work, 'plan', ...flags);
  const run = await pawlJson<{ ok: boolean }>(work, 'run', ...flags);
  expect(run, run.finished.stderr).toMatchObject({ ok: true });
  const started = stepsCalled(work);
  expect(started.toSorted()).toEqual([...steps].toSorted());
  const planned = plan.plan.units.flatMap(({ cells }) => cells);
  const named = (what: string[]) =>
    planned.flatMap(({ unit, phase, decision }) => (what.includes(decision.do) ? [`${unit}/${phase}`] : []));
  expect(started).toEqual(expect.arrayContaining(named(['run'])));
  expect(named(['run', 'wait'])).toEqual(expect.arrayContaining(started));
  const { stdout } = await pawl(work, 'status');
  if (kept !== undefined) expect(stdout).toContain(`≈ ${kept} outdated`);
  else expect(stdout).not.toMatch(/outdated/);
  await expectNothingToDo(work);
}

interface Planned {
  readonly plan: {
    readonly units: readonly {
      readonly cells: readonly { unit: string; phase: string; decision: { do: string } }[];
    }[];
  };
}

describe('a declared file that is missing', () => {
  beforeEach(() => remove('rules.md'));

  it('can only be kept, and nothing else is offered', async () => {
    const said = await expectRefused('--rerun-changed', ...reason);
    expect(said).toContain('put the missing file back');
    expect(said).toContain('pawl run --keep-changed');
    expect(said).not.toContain('pawl run --rerun-changed');
    await expectRun(['--keep-changed', ...reason], [], 2);
  });

  it('stops the run before a step is paid where it would be needed', async () => {
    const said = await expectRefused('--rerun-all', '--force-resume', ...reason);
    expect(said).toContain('rules.md is missing');
    for (const policy of ['keep', 'ignore']) {
      write(work, 'pawl.yaml', manifest.replace('rules.md', `{ path: rules.md, on_change: ${policy} }`));
      expect(await expectRefused('--rerun-all')).toContain('needed by one of a and b, which would run');
    }
  });
});

it('an input that a phase no longer takes is a change of its definition, and not a missing file', async () => {
  edit(work, 'pawl.yaml', 'inputs: { file: unit.file, rules: rules }', 'inputs: { file: unit.file }');
  expect(await expectRefused()).not.toContain('is missing');
  await expectRun(['--rerun-changed', ...reason], ['a/one', 'b/one', 'a/two', 'b/two']);
});

it('what an answer would need is looked for before it is recorded', async () => {
  edit(work, 'pawl.yaml', 'pipeline: answers', 'pipeline: answers\non_change: keep');
  remove('prompts/system.md');
  for (const flags of [['--rerun-changed'], ['--rerun-all']])
    expect(await expectRefused(...flags, ...reason)).toContain('prompts/system.md is missing');
  await expectRun([], [], 2);
});

it('a module that is gone is no matter until a step has to run again', async () => {
  remove('phases.mjs');
  expect((await pawl(work, 'run')).code).toBe(0);
  for (const command of ['plan', 'run']) {
    const { code, stderr } = await pawl(work, command, '--rerun-changed', ...reason);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no file phases.mjs');
  }
  expect(eventsOf(work, 'results_superseded')).toEqual([]);
});

describe('several changes of one step', () => {
  it('are all kept by --keep-changed, also what a policy would run again', async () => {
    write(work, 'src/b.md', 'B, better\n');
    edit(work, 'pawl.yaml', 'mood: glad', 'mood: sad');
    await expectRun(['--keep-changed', ...reason], [], 2);
  });

  it('can be named one by one, whatever their policies are', async () => {
    write(work, 'src/b.md', 'B, better\n');
    edit(work, 'pawl.yaml', 'mood: glad', 'mood: sad');
    const names = ['--keep-change', 'src/b.md', '--keep-change', 'units.b'];
    const plan = await pawlJson(work, 'plan', ...names, ...reason);
    expect(plan).toMatchObject({ ok: true, counts: { run: 0, wait: 0 } });
    // A policy re-runs what only the other change is kept for.
    await expectRun(['--keep-change', 'units.b', ...reason], ['b/one', 'b/two']);
  });

  it('are re-run by policy beside a kept one, also where a flag keeps prompts and files', async () => {
    write(work, 'pawl.yaml', manifest.replace('rules.md', '{ path: rules.md, on_change: rerun }'));
    write(work, 'rules.md', 'be harsh\n');
    write(work, 'prompts/system.md', 'Be long.\n');
    await expectRun(['--force-resume', ...reason], ['a/one', 'b/one', 'a/two', 'b/two']);
  });
});

it('a part of the manifest that a policy treats needs no answer', async () => {
  edit(work, 'pawl.yaml', '  two:\n', '  two:\n    on_change: keep\n');
  edit(work, 'pawl.yaml', 'word: first', 'word: other');
  edit(work, 'pawl.yaml', 'word: second', 'word: another');
  await expectRun(['--rerun-change', 'phases.one', ...reason], ['a/one', 'b/one', 'a/two', 'b/two']);
});

it('the policy of the pipeline is about the rest of the manifest, too', async () => {
  write(work, 'other.md', read(work, 'rules.md'));
  edit(work, 'pawl.yaml', 'rules: rules.md', 'rules: other.md');
  await expectRefused();
  edit(work, 'pawl.yaml', 'pipeline: answers', 'pipeline: answers\non_change: keep');
  await expectRun([], []);
});

describe('a changed check', () => {
  it('that the manifest would re-run can be kept', async () => {
    edit(work, 'pawl.yaml', 'pipeline: answers', 'pipeline: answers\non_change: rerun');
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "a/one" }');
    await expectRun(['--keep-change', 'phases.one', ...reason], [], 2);
  });

  it('that was kept is applied before anything runs again', async () => {
    edit(work, 'pawl.yaml', 'pipeline: answers', 'pipeline: answers\non_change: keep');
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "/one" }');
    expect((await pawl(work, 'run')).stdout).toContain('2 outdated (kept)');
    await expectRun(['--rerun-changed', ...reason], []);
  });
});

it('a kept result is outdated in every view, and what consumed it has a note', async () => {
  write(work, 'prompts/system.md', 'Be long.\n');
  const ran = await pawl(work, 'run', '--keep-changed', ...reason);
  expect(ran.stdout).toContain('2 outdated (kept)');
  const views = [['status'], ['plan'], ['why', 'a/one'], ['verify']];
  for (const view of views) {
    const { code, stdout } = await pawl(work, ...view);
    expect(code, view.join(' ')).toBe(0);
    expect(stdout, view.join(' ')).toContain('outdated');
  }
  expect((await pawl(work, 'report', '-o', 'page.html')).code).toBe(0);
  expect(read(work, 'page.html')).toContain('title="outdated">one');
  expect((await pawl(work, 'status')).stdout).toContain('input outdated: two of a and b');
  expect((await pawl(work, 'verify', '--strict')).code).toBe(4);
  for (const view of ['status', 'plan', 'verify']) {
    const { finished } = await pawlJson(work, view);
    expect(finished.stdout, view).toContain('"outdated"');
  }
  // What is made again has the same bytes but for the prompt: the consumers run again only for other bytes.
  expect((await pawl(work, 'run', '--outdated')).code).toBe(0);
  expect(stepsCalled(work).toSorted()).toEqual(['a/one', 'a/two', 'b/one', 'b/two']);
});

it('one change has one answer', async () => {
  write(work, 'prompts/system.md', 'Be long.\n');
  const name = 'prompts/system.md';
  for (const flags of [
    ['--rerun-change', name, '--keep-change', name],
    ['--rerun-changed', '--keep-changed'],
  ])
    expect((await pawl(work, 'run', ...flags, ...reason)).code).toBe(2);
  expect((await pawl(work, 'run', '--keep-changed')).code).toBe(2);
  expect(stepsCalled(work)).toEqual([]);
});

it('a name that no change has is refused by plan as by run', async () => {
  write(work, 'prompts/system.md', 'Be long.\n');
  for (const command of ['plan', 'run']) {
    const { code, stderr } = await pawl(work, command, '--keep-change', 'prompts/none.md', ...reason);
    expect(code).toBe(2);
    expect(stderr).toContain('prompts/system.md');
  }
});

const manifest = `
pawl: 1
pipeline: answers
inputs: { rules: rules.md }
units:
  list:
    - { id: a, mood: calm, src: src/a.md }
    - { id: b, mood: glad, src: src/b.md }
  file: src
phases:
  one:
    prompt: { system: prompts/system.md, phase: prompts/one.md }
    run: { function: ./phases.mjs#step }
    params: { word: first }
    inputs: { file: unit.file, rules: rules }
    outputs: { text: { path: "out/{unit}-one.txt", check: non-empty } }
  two:
    run: { function: ./phases.mjs#step }
    params: { word: second }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}-two.txt" }
`;
