import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { expectNothingToDo } from '../support/library.ts';
import { type PlannedSteps, plannedSteps } from '../support/plan.ts';
import {
  calls,
  copyOf,
  copyOfBook,
  edit,
  hashes,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

interface PlanCase {
  readonly name: string;
  /** Brings a finished workspace into the state that is planned for. */
  readonly before: (work: TestWorkspace) => unknown;
  readonly args?: readonly string[];
  /** How many cells it comes to in the end. */
  readonly executed: number;
}

const cases: PlanCase[] = [
  { name: 'nothing has changed', before: () => undefined, executed: 0 },
  { name: 'an output is missing', before: (work) => remove(work, 'out/a.plan.txt'), executed: 1 },
  {
    name: 'an output is to be put back',
    before: (work) => remove(work, 'out/a.plan.txt'),
    args: ['--restore'],
    executed: 0,
  },
  { name: 'all is to be run again', before: () => undefined, args: ['--rerun-all'], executed: 8 },
  { name: 'a rerun is asked for', before: () => undefined, args: ['--rerun-from', 'write'], executed: 6 },
  {
    name: 'a rerun of one unit is asked for',
    before: () => undefined,
    args: ['--rerun-from', 'write', '--unit', 'b'],
    executed: 3,
  },
  {
    name: 'a changed prompt is allowed',
    before: (work) => write(work, 't.md', 'Write better. {{ inputs.text }}'),
    args: ['--resume-allow-prompt-change', '--reason', 'so'],
    executed: 6,
  },
  {
    name: 'a changed prompt is forced',
    before: (work) => write(work, 't.md', 'Write better. {{ inputs.text }}'),
    args: ['--force-resume', '--reason', 'so'],
    executed: 0,
  },
  {
    name: 'an edit was adopted',
    before: async (work) => {
      write(work, 'out/b.write.txt', 'mine\n');
      await pawl(work, 'adopt', 'b/write', '--reason', 'so');
    },
    executed: 2,
  },
  {
    name: 'it was killed in the middle of a rerun',
    before: (work) => pawlKilledAt(work, 'a/lint succeeded', 'run', '--rerun-from', 'write'),
    executed: 4,
  },
];

let done: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 't.md': 'Write. {{ inputs.text }}' });
  expect((await pawl(done, 'run')).code).toBe(0);
});

describe('run does what plan has said', () => {
  it.each(cases)('when $name', async ({ before, args = [], executed }) => {
    const work = copyOf(done);
    await before(work);
    await expectAsPlanned(work, args, executed);
  });

  it('in a book that was killed in the middle of its loop', async () => {
    const book = copyOfBook();
    await pawlKilledAt(book, 'ch001_sc002/repair succeeded', 'run');
    await expectAsPlanned(book, [], 37);
  });

  it('and refuses what plan has refused, for the same reasons', async () => {
    const work = copyOf(done);
    write(work, 't.md', 'Write better. {{ inputs.text }}');
    write(work, 'out/a.lint.json', '{"status":"pass","of":"nothing"}');
    edit(work, 'pawl.yaml', 'word: short', 'word: long');
    const plan = await pawlJson<PlannedSteps>(work, 'plan');
    const run = await pawlJson<{ refusals: { guard: string }[] }>(work, 'run');
    expect(plan.finished.code).toBe(4);
    expect(run.finished.code).toBe(4);
    expect(run.refusals).toEqual(plan.plan.refusals);
    expect(new Set(run.refusals.map(({ guard }) => guard))).toEqual(
      new Set(['manifest-changed', 'prompt-changed', 'output-edited']),
    );
  });

  it('and a manifest that changed goes on with --force, keeping what is finished', async () => {
    const work = copyOf(done);
    edit(work, 'pawl.yaml', 'word: short', 'word: long');
    const refused = await pawl(work, 'run');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(/phases\.commit\.params\.word: "?short"? → "?long"?/);
    await expectAsPlanned(work, ['--force'], 0);
  });
});

/** Plans, sees that this changed nothing, runs, and compares what was executed with what was said. */
async function expectAsPlanned(
  work: TestWorkspace,
  args: readonly string[],
  executed: number,
): Promise<void> {
  const bytes = hashes(work);
  const plan = await pawlJson<PlannedSteps>(work, 'plan', ...args);
  expect(plan.finished.code).toBe(0);
  expect(hashes(work)).toEqual(bytes);
  const planned = plannedSteps(plan);
  const steps = (...kinds: string[]) =>
    Object.keys(planned).filter((step) => kinds.includes(planned[step]?.do ?? ''));

  const before = calls(work).length;
  expect((await pawl(work, 'run', ...args)).code).toBe(0);
  const ran = stepsCalled(work, before);
  expect(ran).toHaveLength(executed);
  expect(ran).toEqual(expect.arrayContaining(steps('run')));
  // What waits is decided when what it waits for is done: it may run, and may turn out to be still true.
  expect([...steps('run', 'wait'), ...steps('skip')]).toEqual(expect.arrayContaining(ran));
  expect(ran.filter((step) => steps('reuse', 'restore').includes(step))).toEqual([]);
  await expectNothingToDo(work);
}

function remove(work: TestWorkspace, path: string): void {
  rmSync(join(work.root, path));
}

const manifest = `
pawl: 1
pipeline: planned
units: [a, b]
pace: { concurrency: 1 }
phases:
  plan:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.plan.txt" }
  write:
    prompt: t.md
    run: { function: ./phases.mjs#step }
    inputs: { text: plan.text }
    outputs: { text: "out/{unit}.write.txt" }
  lint:
    run: { function: ./phases.mjs#judge }
    inputs: { text: write.text }
    outputs: { report: { path: "out/{unit}.lint.json", check: json } }
  commit:
    run: { function: ./phases.mjs#step }
    params: { word: short }
    inputs: { text: lint.report }
    outputs: { text: "out/{unit}.commit.txt" }
`;
