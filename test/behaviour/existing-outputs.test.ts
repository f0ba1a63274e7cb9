import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, pawl, pawlJson } from '../support/command.ts';
import { type PlannedSteps, plannedSteps } from '../support/plan.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import {
  copyOf,
  edit,
  has,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: notes
units: [a, b]
phases:
  draft:
    run: { function: "phases.mjs#step" }
    outputs: { text: { path: "out/{unit}.draft.md", check: non-empty } }
  polish:
    run: { function: "phases.mjs#step" }
    inputs: { text: draft.text }
    outputs: { text: { path: "out/{unit}.md", check: { regex: "polish" } } }
  log:
    run: { function: "phases.mjs#step" }
    inputs: { text: polish.text }
    outputs: { text: { path: "out/{unit}.log" } }
`;

interface Refused extends Answer {
  readonly paths: readonly string[];
  readonly next: readonly string[];
}

interface Finished extends Answer {
  readonly heading: { readonly run: string; readonly status: string };
  readonly notices: readonly { readonly code: string; readonly steps?: number }[];
}

/** A clone: the outputs are there, and `.pawl` is not. */
function cloneOf(work: TestWorkspace): TestWorkspace {
  const clone = copyOf(work);
  rmSync(join(clone.root, '.pawl'), { recursive: true });
  return clone;
}

let done: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest);
  expect((await pawl(done, 'run')).code).toBe(0);
});

describe('a new run that finds files at its output paths', () => {
  it('is refused with two commands, as its plan is, and starts nothing', async () => {
    const clone = cloneOf(done);
    const before = hashes(clone);
    for (const command of ['run', 'plan']) {
      const refused = await pawlJson<Refused>(clone, command);
      expect(refused).toMatchObject({ ok: false, exitCode: 4, reason: 'outputs-exist' });
      expect(refused.paths).toHaveLength(6);
      expect(refused.next.join('\n')).toMatch(/pawl run --adopt-existing\n.*pawl run --replace-existing/);
    }
    expect((await pawl(clone, 'run', '--adopt-existing', '--replace-existing')).code).toBe(2);
    expect(hashes(clone)).toEqual(before);
    expect(stepsCalled(clone)).toEqual([]);
  });

  it('is planned with the command that does it, and adopt names that command', async () => {
    const clone = cloneOf(done);
    edit(clone, 'pawl.yaml', 'check: non-empty', 'check: { command: ["false"] }');
    const adopting = await pawl(clone, 'plan', '--adopt-existing');
    expect(adopting.stdout).toContain('if 2 checks by a command or function pass at the run');
    const replacing = await pawl(clone, 'plan', '--replace-existing');
    expect(adopting.stdout).toContain('pawl run --adopt-existing\n');
    expect(replacing.stdout).toContain('pawl run --replace-existing\n');
    for (const { stdout } of [adopting, replacing]) {
      // There is no run yet that could adopt a file.
      expect(stdout).not.toContain('pawl adopt');
    }
    expect((await pawl(clone, 'adopt', 'out/a.md', '--reason', 'r')).stderr).toContain(
      'pawl run --adopt-existing',
    );
    expect(has(clone, '.pawl')).toBe(false);
    await pawl(clone, 'run', '--adopt-existing', '-q');
    expect(stepsCalled(clone)).toContain('a/draft');
  });

  it('adopts what passes its check at no cost, says who did, and binds it to its inputs', async () => {
    const clone = cloneOf(done);
    const planned = await pawlJson<PlannedSteps>(clone, 'plan', '--adopt-existing');
    const decisions = plannedSteps(planned);
    expect(decisions['a/polish']).toMatchObject({ do: 'reuse' });
    expect(decisions['a/log']).toMatchObject({ do: 'run' });
    const run = await pawlJson<Finished>(clone, 'run', '--adopt-existing');
    expect(run).toMatchObject({ ok: true, kind: 'new', heading: { status: 'completed' } });
    expect((await pawl(clone, 'why', 'a/polish')).stdout).toContain(
      'attempt 1: adopted; the result that counts',
    );
    expect(run.notices).toContainEqual(expect.objectContaining({ code: 'outputs-adopted', steps: 4 }));
    // An output without a check cannot be verified: its step runs, and the file moves.
    expect(stepsCalled(clone).sort()).toEqual(['a/log', 'b/log']);
    const folder = `.pawl/runs/${run.heading.run}`;
    expect(readdirSync(join(clone.root, folder, 'events/runner')).length).toBeGreaterThan(0);
    const [journal = ''] = readdirSync(join(clone.root, folder, 'events/runner')).sort();
    const adopted = read(clone, `${folder}/events/runner/${journal}`)
      .split('\n')
      .filter((line) => line.includes('"artifact_adopted"'));
    expect(adopted).toHaveLength(4);
    for (const line of adopted) expect(line).toMatch(/"by":".+?","host":".+?","channel":"script"/);

    write(clone, 'out/a.draft.md', 'another draft\n');
    expect((await pawl(clone, 'adopt', 'out/a.draft.md', '--reason', 'better')).code).toBe(0);
    expect((await pawl(clone, 'run')).code).toBe(0);
    expect(stepsCalled(clone).slice(2)).toEqual(['a/polish', 'a/log']);
  });

  it('where all is adopted, the plan names the command that does it, and the run is called new', async () => {
    const clone = cloneOf(done);
    edit(clone, 'pawl.yaml', '"out/{unit}.log"', '"out/{unit}.log", check: non-empty');
    const plan = await pawl(clone, 'plan', '--adopt-existing');
    expect(plan.stdout).toContain('to do it:\n    pawl run --adopt-existing\n');
    const run = await pawl(clone, 'run', '--adopt-existing');
    expect([run.code, run.stderr.includes('resumed'), stepsCalled(clone)]).toEqual([0, false, []]);
  });

  it('runs a step whose file fails its check, and what comes after it', async () => {
    const clone = cloneOf(done);
    write(clone, 'out/b.draft.md', '');
    expect((await pawl(clone, 'run', '--adopt-existing', '-q')).code).toBe(0);
    expect(stepsCalled(clone).sort()).toEqual(['a/log', 'b/draft', 'b/log', 'b/polish']);
  });

  it('moves all of them to aside/ when told to, where gc never deletes the only copy', async () => {
    const clone = cloneOf(done);
    write(clone, 'out/a.md', 'mine, never made by an attempt\n');
    const plan = await pawl(clone, 'plan', '--replace-existing');
    expect(plan.stdout).toContain('out/a.md exists');
    const run = await pawlJson<Finished>(clone, 'run', '--replace-existing');
    expect(run.ok).toBe(true);
    const { run: first } = run.heading;
    expect(read(clone, `.pawl/runs/${first}/aside/out__a.md`)).toContain('mine');
    expect((await pawl(clone, 'run', '--fresh', '-q')).code).toBe(0);
    const gc = await pawl(clone, 'gc', '--older-than', '0d', '--delete');
    expect(gc.stdout).toContain(`.pawl/kept/${first}/aside/out__a.md (not made by the run)`);
    expect(has(clone, `.pawl/runs/${first}`)).toBe(false);
    expect(read(clone, `.pawl/kept/${first}/aside/out__a.md`)).toContain('mine');
    expect(readdirSync(join(clone.root, `.pawl/kept/${first}/aside`))).toEqual(['out__a.md']);
    expect((await pawl(clone, 'verify')).code).toBe(0);
  });

  it.skipIf(!canPretend)('asks in a terminal', async () => {
    const clone = cloneOf(done);
    const asked = await inTerminal(clone, 'run', { question: 'Replace them', answer: '\r' });
    expect(asked.code).toBe(4);
    const adopted = await inTerminal(clone, 'run', { question: 'Replace them', answer: '\u001b[B\r' });
    expect(adopted.code).toBe(0);
    expect(stepsCalled(clone).sort()).toEqual(['a/log', 'b/log']);
  });
});

describe('files that an earlier run recorded', () => {
  it('do not count: a fresh run moves them, and its plan says so in one line', async () => {
    const work = copyOf(done);
    const plan = await pawl(work, 'run', '--fresh', '--dry-run');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('6 files at output paths were written by run');
    expect(plan.stdout).toContain('to do it:\n    pawl run --fresh\n');
    expect((await pawl(work, 'run', '--fresh', '-q')).code).toBe(0);
  });

  it('nor do those of a phase that was renamed: one line names the phase that wrote them', async () => {
    const work = copyOf(done);
    edit(work, 'pawl.yaml', '  log:', '  diary:');
    for (const args of [['plan'], ['status'], ['run', '--force', '--dry-run']]) {
      const { stdout } = await pawl(work, ...args);
      expect(stdout).toContain('2 files at output paths were written by phase log of this run');
      expect(stdout).not.toContain('not made by this run');
    }
    const run = await pawl(work, 'run', '--force', '--reason', 'a better name');
    expect([run.code, run.stdout.includes('not made by')]).toEqual([0, false]);
  });
});
