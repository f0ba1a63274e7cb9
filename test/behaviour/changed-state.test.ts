import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOf,
  edit,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

/** Another initial state under every answer, and changed units of a chain. */

const files = { 'seed.json': '{"count":0,"log":[]}', 'units.yaml': units('snow') };
const reason = ['--reason', 'meant'];

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, files);
  expect((await pawl(done, 'run')).code).toBe(0);
});

beforeEach(() => {
  work = copyOf(done);
});

function changeState(count: number): void {
  write(work, 'seed.json', JSON.stringify({ count, log: [] }));
}

describe('an initial state that changed', () => {
  it('is kept where the policy says so, and shown as outdated until it is answered', async () => {
    edit(work, 'pawl.yaml', 'pipeline: chain', 'pipeline: chain\non_change: keep');
    changeState(5);
    const { code, stdout } = await pawl(work, 'run');
    expect(code).toBe(0);
    expect(stdout).toContain('2 outdated (kept)');
    for (const command of ['status', 'verify', 'plan'])
      expect((await pawl(work, command)).stdout, command).toMatch(/outdated.*state changed/);
    expect(stepsCalled(work)).toEqual([]);
    expect((await pawl(work, 'run', '--rerun-changed', ...reason)).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/plan', 'a/commit']);
  });

  it('is asked about where the policy says so, with its lines; the answer holds for these bytes', async () => {
    edit(work, 'pawl.yaml', 'pipeline: chain', 'pipeline: chain\non_change: ask');
    changeState(5);
    expect((await pawl(work, 'plan')).code).toBe(3);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'show', 'C1')).stdout).toContain('+{"count":5,"log":[]}');
    expect((await pawl(work, 'approve', 'C1', '--keep')).code).toBe(0);
    expect((await pawl(work, 'run')).stdout).toContain('2 outdated (kept)');
    expect(stepsCalled(work)).toEqual([]);
    await expectNothingToDo(work);
    changeState(7);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'approve', 'C2', '--restart-from', 'plan')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/plan', 'a/commit']);
  });

  it('is no edit of the shown state, which a killed run has left', async () => {
    const killed = workspaceWith(manifest, files);
    expect((await pawlKilledAt(killed, 'a/plan succeeded', 'run')).signal).toBe('SIGKILL');
    for (const flag of ['--rerun-changed', '--keep-changed', '--force-resume']) {
      work = copyOf(killed);
      changeState(5);
      expect((await pawl(work, 'plan')).code).toBe(4);
      const plan = await pawl(work, 'plan', flag, ...reason);
      expect(plan.code, plan.stdout).toBe(0);
      expect((await pawl(work, 'run', flag, ...reason)).code).toBe(0);
      const again = flag === '--rerun-changed' ? ['a/plan'] : [];
      expect(stepsCalled(work)).toEqual([...again, 'a/commit', 'b/plan', 'b/commit']);
    }
  });

  it('may run again what a later unit began with, where the rest of that unit runs again; plan says so', async () => {
    edit(work, 'pawl.yaml', 'pipeline: chain', 'pipeline: chain\non_change: keep');
    changeState(5);
    const plan = await pawl(work, 'plan', '--rerun-from', 'commit');
    expect(plan.stdout).toMatch(/decide +plan and commit of b/);
    expect((await pawl(work, 'run', '--rerun-from', 'commit')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/commit', 'b/plan', 'b/commit']);
  });
});

it('changed units of a chain are all kept, also those that wait for one before them', async () => {
  write(work, 'units.yaml', units('fog'));
  const plan = await pawlJson(work, 'plan', '--keep-changed', ...reason);
  expect(plan).toMatchObject({ counts: { run: 0, wait: 0 } });
  expect((await pawl(work, 'run', '--keep-changed', ...reason)).stdout).toContain('4 outdated (kept)');
  expect(calls(work)).toEqual([]);
  await expectNothingToDo(work);
});

function units(mood: string): string {
  return ['a', 'b'].map((id) => `- { id: ${id}, mood: ${mood} }\n`).join('');
}

const manifest = `
pawl: 1
pipeline: chain
channels: [script]
inputs: { list: units.yaml }
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { from: list, order: chain }
phases:
  plan:
    state: read
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.plan.txt" }
  commit:
    state: write
    run: { function: ./phases.mjs#commit }
    outputs: { receipt: "out/{unit}.receipt.json" }
`;
