import { describe, expect, it } from 'vitest';
import { start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf } from '../support/journal.ts';
import { expectSound } from '../support/library.ts';
import { calls, has, read, workspaceWith } from '../support/workspace.ts';

describe('a commit that is killed between its effect and the record of it', () => {
  it('has advanced the state once, after three resumes', async () => {
    const made = workspaceWith(manifest, { 'seed.json': '{"count":0,"log":[]}' });
    const { door, workspace } = await openDoor(made, ['b/commit']);
    for (const attempt of [1, 2, 3]) {
      const run = start(workspace, ['run']);
      const commit = await door.visit('b/commit');
      expect(commit.attempt).toBe(attempt);
      // Its whole new state is written; only the runner does not know it yet.
      process.kill(run.pid, 'SIGKILL');
      expect((await run.ended).signal).toBe('SIGKILL');
      expect(JSON.parse(read(workspace, 'state.json'))).toEqual({ count: 1, log: ['a'] });
      expect(has(workspace, 'state/b.json')).toBe(false);
    }
    const last = start(workspace, ['run']);
    (await door.visit('b/commit')).answer('go');
    expect((await last.ended).code).toBe(0);

    const commits = calls(workspace).filter(({ cell }) => cell === 'b/commit');
    expect(commits.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(JSON.parse(read(workspace, 'state.json'))).toEqual({ count: 3, log: ['a', 'b', 'c'] });
    expect(JSON.parse(read(workspace, 'state/b.json'))).toEqual({ count: 2, log: ['a', 'b'] });
    const succeeded = eventsOf(workspace, 'phase_succeeded').filter(({ phase }) => phase === 'commit');
    expect(succeeded.map(({ unit }) => unit)).toEqual(['a', 'b', 'c']);
    await expectSound(workspace);
  });
});

const manifest = `
pawl: 1
pipeline: commits
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { list: [a, b, c], order: chain }
phases:
  write:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
  commit:
    state: write
    run:
      command: [node, tool.mjs, after]
      env: { TEST_CALLS: $TEST_CALLS, TEST_DOOR: $TEST_DOOR, TEST_DOOR_CELLS: $TEST_DOOR_CELLS }
    outputs: { receipt: "out/{unit}.receipt.txt" }
`;
