import { describe, expect, it } from 'vitest';
import { pawl, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import { calls, has, read, stepsCalled, workspaceWith, write } from '../support/workspace.ts';

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

    const commits = calls(workspace).filter(({ cell: step }) => step === 'b/commit');
    expect(commits.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(JSON.parse(read(workspace, 'state.json'))).toEqual({ count: 3, log: ['a', 'b', 'c'] });
    expect(JSON.parse(read(workspace, 'state/b.json'))).toEqual({ count: 2, log: ['a', 'b'] });
    const succeeded = eventsOf(workspace, 'attempt_succeeded').filter(({ phase }) => phase === 'commit');
    expect(succeeded.map(({ unit }) => unit)).toEqual(['a', 'b', 'c']);
    await expectSound(workspace);
  });
});

describe('a commit that runs again before units whose commits are kept', () => {
  it('leaves the state of the last unit shown, and verify knows an edit of it', async () => {
    const work = workspaceWith(prompted, {
      'seed.json': '{"count":0,"log":[]}',
      'write.md': 'Write.',
    });
    expect((await pawl(work, 'run')).code).toBe(0);
    const before = read(work, 'state.json');
    // Only the first unit comes out otherwise; the others write the same again, so that their commits are kept.
    write(work, 'write.md', 'Write.{% if unit.id == "a" %} Drier.{% endif %}');
    const again = await pawl(work, 'run', '--resume-allow-prompt-change', '--reason', 'drier');
    expect(again.code).toBe(0);
    expect(stepsCalled(work).slice(6)).toEqual(['a/write', 'a/commit', 'b/write', 'c/write']);
    expect(read(work, 'state.json')).toBe(before);
    await expectNothingToDo(work);
    await expectSound(work);

    write(work, 'state.json', '{"count":9,"log":[]}');
    const verified = await pawl(work, 'verify');
    expect(verified.code).toBe(7);
    expect(verified.stdout + verified.stderr).toContain('state.json: a recorded output was edited by hand');
  });
});

const prompted = `
pawl: 1
pipeline: prompted
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { list: [a, b, c], order: chain }
phases:
  write:
    prompt: write.md
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
  commit:
    state: write
    run: { function: ./phases.mjs#commit }
    outputs: { receipt: "out/{unit}.receipt.json" }
`;

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
