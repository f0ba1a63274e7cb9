import { expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { emptyLedger } from '../../ledger/ledger.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { needRun } from '../open/find-run.ts';
import { openWorkspace } from '../open/workspace.ts';
import { Origins } from './origins.ts';

function drafts(phase = 'write'): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'drafts',
    units: ['a', 'b'],
    phases: { [phase]: { run: ({ unit }) => ({ text: unit.id }), outputs: { text: 'out/{unit}.md' } } },
  };
}

/** The origins as a run sees them whose pipeline is this one now; `fresh`: as a new run would. */
async function originsOf(env: TestEnvironment, definition: CodePipeline, fresh = false): Promise<Origins> {
  const workspace = demand(await openWorkspace(env, { path: root, pipeline: definePipeline(definition) }));
  if (fresh) return new Origins(workspace, undefined, emptyLedger());
  const { folder, ledger } = demand(needRun(workspace, {}));
  return new Origins(workspace, folder, ledger);
}

const fileOf = (unit: string, phase = 'write') => ({ unit, phase, path: `out/${unit}.md` });

it('names the step of this run, listed or removed', async () => {
  const env = memoryEnvironment();
  await run(env, drafts());
  expect((await originsOf(env, drafts())).of(fileOf('a'))).toEqual({ kind: 'step', step: 'a/write' });
  const renamed = await originsOf(env, drafts('draft'));
  expect(renamed.of(fileOf('a', 'draft'))).toEqual({ kind: 'removed-step', step: 'a/write' });
});

it('names the newest other run that recorded the same bytes at the path, also without their stat', async () => {
  const env = memoryEnvironment();
  await run(env, drafts());
  env.clock.advance(60_000);
  const { heading } = await run(nextProcess(env), drafts(), { fresh: true });
  const fresh = await originsOf(env, drafts(), true);
  expect(fresh.of(fileOf('a'))).toEqual({ kind: 'run', run: heading.run });
  env.disk.remove(`${root}/out/b.md`);
  env.disk.putFile(`${root}/out/b.md`, 'b');
  expect(fresh.of(fileOf('b'))).toEqual({ kind: 'run', run: heading.run });
});

it('takes other bytes, and everything that is not a file, for the user’s', async () => {
  const env = memoryEnvironment();
  await run(env, drafts());
  env.disk.putFile(`${root}/out/a.md`, 'mine');
  const fresh = await originsOf(env, drafts(), true);
  expect(fresh.of(fileOf('a'))).toEqual({ kind: 'unknown' });
  expect(fresh.of(fileOf('a'), hashBytes('a'))).toEqual({ kind: 'unknown' });
  env.disk.remove(`${root}/out/b.md`);
  env.disk.makeFolder(`${root}/out/b.md`);
  expect(fresh.of(fileOf('b'))).toEqual({ kind: 'unknown' });
  expect(fresh.of(fileOf('c'))).toEqual({ kind: 'unknown' });
});
