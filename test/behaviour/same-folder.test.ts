import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pawl, pawlKilledAt } from '../support/command.ts';
import { calls, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

/** A folder that is named by the pipeline alone: each run of a day after the first is deleted gets the same one. */
const manifest = `
pawl: 1
pipeline: letters
layout: { run: "runs/{pipeline}" }
pace: { concurrency: 1 }
units: [a, b, c]
phases:
  step:
    run: { function: ./phases.mjs#step }
    outputs: { text: "{run}/{unit}.txt" }
`;

function remove({ root }: TestWorkspace, ...paths: string[]): void {
  for (const path of paths) rmSync(join(root, path), { recursive: true });
}

/** A completed run, deleted by hand; then one in the same folder that is killed. */
async function killedAfter(moment: string, ...deleted: string[]): Promise<TestWorkspace> {
  const work = workspaceWith(manifest);
  expect((await pawl(work, 'run')).code).toBe(0);
  remove(work, ...deleted);
  expect((await pawlKilledAt(work, moment, 'run')).signal).toBe('SIGKILL');
  return work;
}

test.each([
  ['with all that Pawl kept', ['runs', '.pawl']],
  ['alone', ['runs']],
])(
  'a run in the folder of a deleted one is not measured by it: the folder deleted %s',
  async (_, deleted) => {
    const work = await killedAfter('b/step started', ...deleted);
    expect(calls(work)).toHaveLength(4);
    const resumed = await pawl(work, 'run');
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr + resumed.stdout).not.toContain('missing');
    // `a` is kept: three calls of the deleted run, `a` of the killed one, `b` and `c` now.
    expect(
      calls(work)
        .slice(3)
        .map(({ cell: step }) => step),
    ).toEqual(['a/step', 'b/step', 'c/step']);
    expect((await pawl(work, 'verify')).code).toBe(0);
  },
);
