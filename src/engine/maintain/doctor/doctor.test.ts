import { describe, expect, it } from 'vitest';
import { saidBy, testMachine } from '../../../../test/fixtures/doctor.ts';
import { letters } from '../../../../test/fixtures/letters.ts';
import { demand, memoryEnvironment, root, run } from '../../../../test/fixtures/memory.ts';
import { realEnvironment } from '../../../../test/fixtures/real.ts';
import { tempFolder } from '../../../../test/support/temp.ts';
import { exampleNames } from '../../examples/examples.ts';
import { initWorkspace } from '../../examples/init.ts';
import type { Environment } from '../../open/environment.ts';
import { type DoctorRequest, examineWorkspace } from './doctor.ts';
import { systemMachine } from './machine.ts';

const manifest =
  'pawl: 1\npipeline: p\nunits: [a, b]\nphases: { one: { run: { command: [ls] }, outputs: { out: "{unit}.txt" } } }\n';

async function examined(env: Environment, request: DoctorRequest = {}) {
  return demand(await examineWorkspace(env, { machine: testMachine(), ...request }));
}

describe('outside of a workspace', () => {
  it('only the machine is examined', async () => {
    const env = memoryEnvironment();
    const { findings, workspace, counts } = await examined(env);
    expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'node-version ok',
      'pawl-version ok',
      'manifest warning',
      'state-folder ok',
      'agent-hooks ok',
    ]);
    expect(workspace).toBeUndefined();
    expect(counts).toEqual({ ok: 4, warning: 1, bad: 0 });
    expect(env.disk.calls).toBe(1);
  });

  it('a place that is named and holds nothing is bad', async () => {
    const { findings } = await examined(memoryEnvironment(), { path: 'nowhere' });
    expect(saidBy(findings, 'manifest')).toEqual([
      { state: 'bad', facts: { found: 'none', path: 'nowhere', isNamed: true } },
    ]);
  });

  it('telemetry that cannot be sent is told by the name of its variable', async () => {
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:s3cret@host' };
    const { findings } = await examined(memoryEnvironment(), { machine: testMachine({ variables }) });
    expect(saidBy(findings, 'telemetry-variables')).toEqual([
      { state: 'warning', facts: { names: ['OTEL_EXPORTER_OTLP_ENDPOINT'] } },
    ]);
    expect(JSON.stringify(findings)).not.toContain('s3cret');
  });

  it('telemetry that can be sent is well', async () => {
    const variables = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://host/v1/traces' };
    const { findings } = await examined(memoryEnvironment(), { machine: testMachine({ variables }) });
    expect(saidBy(findings, 'telemetry-variables')).toEqual([{ state: 'ok', facts: { sends: ['traces'] } }]);
  });
});

it.each(exampleNames)('nothing is amiss with the example %s as it is written', async (example) => {
  const env = { ...realEnvironment(tempFolder()), stateFolder: tempFolder() };
  const written = initWorkspace(env, { example });
  const path = written.ok ? written.value.manifest : '';
  const { findings } = await examined(env, { path });
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
});

describe('a manifest', () => {
  it('is told with its extent', async () => {
    const env = memoryEnvironment({ 'book/pawl.yaml': manifest });
    const { findings, workspace } = await examined(env, { path: 'book' });
    expect(workspace).toBe('book');
    expect(saidBy(findings, 'manifest')).toEqual([
      { state: 'ok', facts: { file: 'pawl.yaml', units: 2, phases: 1, openStages: 0 } },
    ]);
  });

  it('that is invalid is told with its first problem, and the runs are looked at all the same', async () => {
    const env = memoryEnvironment({ 'pawl.yaml': 'pawl: 1\nunits: []\n', '.pawl/runs/r/run.json': '{}' });
    const { findings, workspace } = await examined(env);
    expect(workspace).toBe('.');
    expect(saidBy(findings, 'manifest')).toMatchObject([
      { state: 'bad', facts: { found: 'invalid', file: 'pawl.yaml', first: { place: { line: 1 } } } },
    ]);
    expect(saidBy(findings, 'run-journal')).toMatchObject([
      { state: 'bad', facts: { run: 'r', first: { code: 'journal-missing' } } },
    ]);
  });

  it('that is invalid is meant as it was typed', async () => {
    const env = memoryEnvironment({ 'books/ember.yaml': 'pawl: 1\n', 'books/pawl.yaml': manifest });
    expect((await examined(env, { path: 'books/ember.yaml' })).workspace).toBe('books/ember.yaml');
  });

  it('that is gone leaves its runs to be looked at', async () => {
    const env = memoryEnvironment({ '.pawl/runs/r/run.json': '{}' });
    const { findings } = await examined(env);
    expect(saidBy(findings, 'manifest')).toMatchObject([{ state: 'warning', facts: { found: 'none' } }]);
    expect(saidBy(findings, 'run-journal')).toMatchObject([{ state: 'bad' }]);
  });

  it('is asked for among several', async () => {
    const env = memoryEnvironment({ 'one.yaml': manifest, 'two.yaml': manifest });
    const { findings } = await examined(env);
    expect(saidBy(findings, 'manifest')).toEqual([
      { state: 'warning', facts: { found: 'several', candidates: ['one.yaml', 'two.yaml'] } },
    ]);
  });

  it('in code that cannot be loaded is bad', async () => {
    const folder = tempFolder({ 'pawl.config.mjs': 'throw new Error("no");' });
    const answer = demand(
      await examineWorkspace(realEnvironment(folder), { path: folder, machine: testMachine() }),
    );
    expect(saidBy(answer.findings, 'manifest')).toEqual([
      { state: 'bad', facts: { found: 'broken', file: `${folder}/pawl.config.mjs`, detail: 'no' } },
    ]);
  });
});

it('an examination changes nothing', async () => {
  const { env, definition, target } = letters();
  await run(env, definition);
  const before = env.disk.fingerprint();
  const { counts } = await examined(env, target);
  expect(counts.bad).toBe(0);
  expect(env.disk.fingerprint()).toBe(before);
  expect(env.disk.openFiles).toBe(0);
});

it('nor does it on this machine, where nothing was run yet', async () => {
  const folder = tempFolder({ 'pawl.yaml': manifest });
  const env = realEnvironment(folder);
  const machine = { ...systemMachine({ PATH: process.env.PATH }), tempFolder: tempFolder() };
  const { findings } = demand(await examineWorkspace(env, { machine }));
  expect(saidBy(findings, 'file-operation')).toMatchObject([{ state: 'ok', facts: { place: 'temp' } }]);
  expect(env.disk.list(folder)).toEqual(['pawl.yaml']);
  expect(env.disk.list(machine.tempFolder)).toEqual([]);
});

it('a disk that fails in one place hides nothing else', async () => {
  const env = memoryEnvironment({ 'pawl.yaml': manifest, '.pawl/runs/r/run.json': '{}', '.git/HEAD': '' });
  env.disk.failWhen(({ operation, path }) =>
    operation === 'list' && path === `${root}/.pawl/runs` ? { kind: 'error', code: 'EACCES' } : undefined,
  );
  const { findings, counts } = await examined(env);
  expect(saidBy(findings, 'could-not-look')).toEqual([
    { state: 'bad', facts: { at: 'runs', code: 'EACCES', operation: 'list', path: `${root}/.pawl/runs` } },
  ]);
  expect(counts.bad).toBe(1);
  expect(saidBy(findings, 'git-ignore')).toHaveLength(1);
  expect(saidBy(findings, 'state-folder')).toHaveLength(1);
});
