import { expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsIn } from '../support/journal.ts';
import { edit, readJson, type TestWorkspace, workspaceWith } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const manifest = `
pawl: 1
pipeline: letters
layout: { run: "runs/{pipeline}", progress: "{run}/state.json", unit_key: frame }
pace: { concurrency: 1, wait: 5m }
units: { count: 3, id: "f{index}" }
phases:
  step:
    run: { function: ./phases.mjs#step }
    outputs: { text: "{run}/{unit}.txt" }
`;

interface State {
  readonly run_status: string;
  readonly manifest_hash: string;
  readonly resume_history: readonly { readonly manifest_hash_match: boolean }[];
}

const stateOf = (work: TestWorkspace) => readJson(work, 'runs/letters/state.json') as State;
const lockOf = (work: TestWorkspace) =>
  readJson(work, 'runs/letters/manifest.lock.json') as {
    readonly history: { readonly manifest_hash: string }[];
  };
const matches = (work: TestWorkspace) => stateOf(work).resume_history.map((one) => one.manifest_hash_match);

async function killed(): Promise<TestWorkspace> {
  const work = workspaceWith(manifest);
  expect((await pawlKilledAt(work, 'f1/step started', 'run')).signal).toBe('SIGKILL');
  return work;
}

interface Noticed {
  readonly notices?: readonly object[];
  readonly plan?: { readonly notices: readonly object[] };
}

it('manifest_hash_match compares recorded hashes, and a changed count is reported with both values', async () => {
  const work = await killed();
  expect(stateOf(work).run_status).toBe('in-progress');
  await expectCode(work, 0, 'run');
  expect(matches(work)).toEqual([true]);
  edit(work, 'pawl.yaml', 'count: 3', 'count: 5');
  const change = { code: 'value-changed', path: 'units.count', before: 3, after: 5 };
  expect((await pawlJson<Noticed>(work, 'plan')).plan?.notices).toMatchObject([change]);
  const grown = await pawlJson<Noticed>(work, 'run');
  expect(grown).toMatchObject({ exitCode: 0, ran: { succeeded: 2 }, notices: [change] });
  edit(work, 'pawl.yaml', 'count: 5', 'count: 2');
  const { stdout } = await expectCode(work, 0, 'run');
  expect(stdout).toContain('units.count changed from 5 to 2');
  expect(matches(work)).toEqual([true, false, false]);
  const hashes = lockOf(work).history.map((one) => one.manifest_hash);
  expect(new Set(hashes).size).toBe(3);
  expect(stateOf(work)).toMatchObject({ run_status: 'completed', manifest_hash: hashes.at(-1) });
});

it('a changed pace is shown, and recorded with its old and new value', async () => {
  const work = await killed();
  edit(work, 'pawl.yaml', 'wait: 5m', 'wait: 90s');
  expect((await pawl(work, 'plan')).stdout).toContain('pace.wait changed from 5 min to 1 min 30 s');
  expect((await expectCode(work, 0, 'run')).stdout).toContain('pace.wait changed from 5 min');
  const [resumed] = eventsIn(work, 'runs/letters').filter(({ type }) => type === 'run_resumed');
  expect(resumed).toMatchObject({
    pace: { before: { wait: 300_000 }, after: { wait: 90_000, concurrency: 1 } },
  });
  expect(matches(work)).toEqual([true]);
  // Recorded once, and no reason to touch a run that is complete.
  edit(work, 'pawl.yaml', 'wait: 90s', 'wait: 2m');
  expect(await pawlJson(work, 'run')).toMatchObject({ kind: 'unchanged', notices: [] });
});
