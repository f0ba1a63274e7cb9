import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import { copyOf, edit, stepsCalled, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'tools/check.sh': 'exit 0\n' });
  expect((await pawl(done, 'run')).code).toBe(0);
});

beforeEach(() => {
  work = copyOf(done);
});

const answer = ['--rerun-changed', '--reason', 'stricter'];

describe('a changed check', () => {
  it('is refused until it is answered', async () => {
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "word" }');
    const { code, stderr } = await pawl(work, 'run');
    expect(code).toBe(4);
    expect(stderr).toContain('phases.one.outputs.text.check');
    expect(stepsCalled(work)).toEqual([]);
  });

  it('that all stored outputs pass re-runs nothing, and they are up to date', async () => {
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "a/one|b/one" }');
    const plan = await pawlJson<{ counts: object }>(work, 'plan', ...answer);
    expect(plan.counts).toMatchObject({ run: 0, wait: 0, reuse: 4 });
    const run = await pawl(work, 'run', ...answer);
    expect(run.code).toBe(0);
    expect(run.stdout).not.toContain('outdated');
    expect(stepsCalled(work)).toEqual([]);
    expect(eventsOf(work, 'results_kept')).toMatchObject([{ rechecked: true, steps: ['a/one', 'b/one'] }]);
    await expectNothingToDo(work);
  });

  it('re-runs those that fail it, and plan knows which', async () => {
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "b/one|again" }');
    const plan = await pawl(work, 'plan', ...answer);
    expect(plan.stdout).toMatch(/run +one of a:/);
    // What is made again passes only where the phase itself says so; here the check fails again.
    expect((await pawl(work, 'run', ...answer)).code).toBe(1);
    expect(new Set(stepsCalled(work))).toEqual(new Set(['a/one']));
  });

  it('that is a command is asked first by run, and named by plan', async () => {
    write(work, 'tools/check.sh', 'grep -q a/one "$1" || test -e made\n');
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { command: [sh, tools/check.sh, "{file}"] }');
    const plan = await pawl(work, 'plan', ...answer);
    expect(plan.stdout).toContain('one of a and b: checked first, re-run if it fails');
    write(
      work,
      'pawl.yaml',
      manifest.replace('check: non-empty', 'check: { command: [grep, -q, /one, "{file}"] }'),
    );
    expect((await pawl(work, 'run', ...answer)).code).toBe(0);
    expect(stepsCalled(work)).toEqual([]);
    await expectNothingToDo(work);
  });

  it('runs by itself where the manifest says on_change: rerun', async () => {
    edit(work, 'pawl.yaml', 'check: non-empty', 'check: { regex: "/one" }');
    edit(work, 'pawl.yaml', 'pipeline: checked', 'pipeline: checked\non_change: rerun');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual([]);
  });
});

const manifest = `
pawl: 1
pipeline: checked
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: { path: "out/{unit}-one.txt", check: non-empty } }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}-two.txt" }
`;
