import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { runFolder, segments } from '../support/journal.ts';
import { calls, copyOf, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* What an agent has completed is not handed out again because a line of the agent's own journal was lost. */

let whole: TestWorkspace;

beforeAll(async () => {
  whole = workspaceWith(manifest);
  expect((await pawl(whole, 'run')).code).toBe(75);
  expect((await pawl(whole, 'start', 'a', '--actor', 'ann')).code).toBe(0);
  write(whole, 'pages/a.md', 'a page\n');
  expect((await pawl(whole, 'complete', 'a', '--actor', 'ann')).code).toBe(0);
  expect((await pawl(whole, 'run')).code).toBe(0);
});

/** A copy without what saves time: nothing but the journal tells what was done. */
function withoutSnapshot(): TestWorkspace {
  const work = copyOf(whole);
  for (const name of ['snapshot', 'settled']) rmSync(join(work.root, runFolder(work), name), { force: true });
  return work;
}

/** The agent's segment without the line of this type. */
function lose(work: TestWorkspace, type: string): void {
  const path = segments(work, 'ann').find((one) => read(work, one).includes(`"${type}"`)) ?? '';
  const lines = read(work, path).split('\n');
  write(work, path, lines.filter((line) => !line.includes(`"${type}"`)).join('\n'));
}

interface Repaired {
  readonly restored: readonly object[];
}

async function repaired(work: TestWorkspace): Promise<readonly object[]> {
  expect((await pawl(work, 'run')).code).toBe(7);
  const answer = await pawlJson<Repaired>(work, 'repair', '--yes', '--reason', 'looked at it');
  expect(answer.finished.code, answer.finished.stdout).toBe(0);
  const run = await pawl(work, 'run');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  const next = await pawlJson<{ task?: object }>(work, 'next', '--actor', 'bob');
  expect([next.finished.code, next.task ?? undefined]).toEqual([0, undefined]);
  expect((await pawl(work, 'verify')).code).toBe(0);
  expect(calls(work)).toEqual([]);
  return answer.restored;
}

describe('a damaged journal of an agent', () => {
  it.each(['attempt_started', 'attempt_succeeded'])(
    'without its %s costs nothing where a snapshot stands for it',
    async (type) => {
      const work = copyOf(whole);
      lose(work, type);
      expect(await repaired(work)).toEqual([{ unit: 'a', phase: 'write', attempt: 1, from: 'snapshot' }]);
      // The snapshot can be deleted at any time.
      rmSync(join(work.root, runFolder(work), 'snapshot'));
      expect((await pawl(work, 'run')).code).toBe(0);
      expect(calls(work)).toEqual([]);
    },
  );

  it('that is empty costs nothing either', async () => {
    const work = copyOf(whole);
    for (const path of segments(work, 'ann')) write(work, path, '');
    expect(await repaired(work)).toHaveLength(1);
  });

  it('without the line that says that an attempt starts costs nothing while its result is intact', async () => {
    const work = withoutSnapshot();
    lose(work, 'attempt_started');
    expect(await repaired(work)).toEqual([{ unit: 'a', phase: 'write', attempt: 1, from: 'success' }]);
  });
});

const manifest = `
pawl: 1
pipeline: claims
units: [a]
phases:
  write:
    run: { task: writer, lease: 10m }
    outputs: { page: "pages/{unit}.md" }
  make:
    run: { function: ./phases.mjs#step }
    inputs: { page: write.page }
    outputs: { text: "out/{unit}.txt" }
`;
