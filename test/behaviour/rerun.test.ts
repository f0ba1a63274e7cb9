import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOf,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'seed.json': '{"count":0,"log":[]}' });
  expect((await pawl(done, 'run')).code).toBe(0);
  expect(calls(done)).toHaveLength(9);
});

beforeEach(() => {
  work = copyOf(done);
});

describe('--rerun-from', () => {
  it('reruns the phase and all later ones, whatever they hold, and keeps the old attempts', async () => {
    const attempts = `${runFolder(work)}/attempts`;
    const before = hashes(work, attempts);
    const outputs = hashes(work, 'out');
    const rerun = await pawlJson<{ reopened: boolean }>(work, 'run', '--rerun-from', 'write');
    expect(rerun).toMatchObject({ ok: true, kind: 'resumed', reopened: true, ran: { succeeded: 6 } });
    expect(stepsCalled(work)).toEqual(['a/write', 'a/commit', 'b/write', 'b/commit', 'c/write', 'c/commit']);
    expect(hashes(work, attempts)).toMatchObject(before);
    expect(Object.keys(hashes(work, attempts))).toContain(`${attempts}/a/write/2/task.json`);
    expect(hashes(work, 'out')).toEqual(outputs);
    expect(eventsOf(work, 'results_superseded')).toMatchObject([
      { because: 'rerun-requested', steps: expect.arrayContaining(['a/write', 'c/commit']) },
    ]);
    const logs = await pawlJson<{ attempts: { superseded: boolean }[] }>(
      work,
      'logs',
      'a/write',
      '--attempt',
      'all',
    );
    expect(logs.attempts.map(({ superseded }) => superseded)).toEqual([true, false]);
    await expectNothingToDo(work);
  });

  it('is not forgotten when the run dies right after it was asked for', async () => {
    await pawlKilledAt(work, 'a/commit started', 'run', '--rerun-from', 'write');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work).filter((step) => step.endsWith('/write'))).toEqual([
      'a/write',
      'b/write',
      'c/write',
    ]);
  });

  it('lists the phases that there are when the name is wrong, and changes nothing', async () => {
    const before = hashes(work, '.pawl');
    const wrong = await pawl(work, 'run', '--rerun-from', 'wirte');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('wirte');
    for (const phase of ['plan', 'write', 'commit']) expect(wrong.stderr).toContain(phase);
    expect(hashes(work, '.pawl')).toEqual(before);
  });

  it('touches only the units that --unit names', async () => {
    const rerun = await pawl(work, 'run', '--rerun-from', 'plan', '--unit', 'b');
    expect(rerun.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['b/plan', 'b/write', 'b/commit']);
    const glob = await pawl(work, 'run', '--rerun-from', 'commit', '--unit', '?');
    expect(glob.code).toBe(0);
    expect(stepsCalled(work, 3)).toEqual(['a/commit', 'b/commit', 'c/commit']);
  });

  it('wants a unit that there is', async () => {
    const unknown = await pawl(work, 'run', '--rerun-from', 'plan', '--unit', 'bb');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('bb');
    expect(calls(work)).toEqual([]);
  });

  it('opens no guard of a cell that it does not rerun', async () => {
    write(work, 'out/a.write.txt', 'my own words\n');
    const refused = await pawl(work, 'run', '--rerun-from', 'plan', '--unit', 'b');
    expect(refused.code).toBe(4);
    expect(calls(work)).toEqual([]);
    expect(read(work, 'out/a.write.txt')).toBe('my own words\n');
  });

  it('sets an edited output that it replaces aside, and never loses it', async () => {
    write(work, 'out/a.write.txt', 'my own words\n');
    const rerun = await pawl(work, 'run', '--rerun-from', 'write', '--unit', 'a');
    expect(rerun.code).toBe(0);
    expect(read(work, 'out/a.write.txt')).not.toBe('my own words\n');
    const aside = /out\/a\.write\.txt stood in the way; moved to (\S+)/.exec(rerun.stderr)?.[1] ?? '';
    expect(read(work, aside)).toBe('my own words\n');
  });
});

describe('--rerun-all', () => {
  it('reruns everything, in the same run', async () => {
    const run = runFolder(work);
    expect((await pawl(work, 'run', '--rerun-all')).code).toBe(0);
    expect(stepsCalled(work).toSorted()).toEqual(stepsCalled(done).toSorted());
    expect(runFolder(work)).toBe(run);
  });

  it('together with --rerun-from means all', async () => {
    const all = await pawl(work, 'plan', '--rerun-all');
    const both = await pawl(work, 'plan', '--rerun-all', '--rerun-from', 'write');
    expect(both).toMatchObject({
      code: 0,
      stdout: all.stdout.replaceAll('--rerun-all', '--rerun-from write --rerun-all'),
    });
    expect(calls(work)).toEqual([]);
  });
});

describe('a unit of a chain that reran with another result', () => {
  it('is told of the units behind it, which stay as they are', async () => {
    write(work, 'seed.json', '{"count":10,"log":[]}');
    expect((await pawl(work, 'run')).code).toBe(4);
    const rerun = await pawlJson<{ notices: { code: string; unit: string }[] }>(
      work,
      'run',
      '--rerun-from',
      'plan',
      '--unit',
      'a',
    );
    expect(rerun.finished.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/plan', 'a/write', 'a/commit']);
    expect(rerun.notices).toMatchObject([{ code: 'start-state-stale', unit: 'b' }]);
    expect(read(work, 'state/c.json')).toContain('"count": 3');
  });
});

const manifest = `
pawl: 1
pipeline: rerun
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { list: [a, b, c], order: chain }
phases:
  plan:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.plan.txt" }
  write:
    state: read
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS } }
    outputs: { text: "out/{unit}.write.txt" }
  commit:
    state: write
    run: { function: ./phases.mjs#commit }
    outputs: { text: "out/{unit}.commit.txt" }
`;
