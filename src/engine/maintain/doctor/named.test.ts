import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { saidBy, testMachine } from '../../../../test/fixtures/doctor.ts';
import { demand } from '../../../../test/fixtures/memory.ts';
import { realEnvironment } from '../../../../test/fixtures/real.ts';
import { tempFolder } from '../../../../test/support/temp.ts';
import { definePipeline, type PipelineDefinition } from '../../../pipeline/define.ts';
import type { PhaseFunction } from '../../../runner/executors/task.ts';
import { openWorkspace } from '../../open/workspace.ts';
import { checkNamed } from './named.ts';

async function named(
  definition: Omit<PipelineDefinition<PhaseFunction>, 'pawl' | 'pipeline' | 'units'>,
  { files = {}, variables = {} }: { files?: Record<string, string>; variables?: NodeJS.ProcessEnv } = {},
) {
  const root = tempFolder(files);
  for (const path of Object.keys(files)) if (path.startsWith('tools/')) chmodSync(`${root}/${path}`, 0o755);
  const env = realEnvironment(root);
  const pipeline = definePipeline({ pawl: 1, pipeline: 'p', units: ['a'], ...definition });
  const workspace = demand(await openWorkspace(env, { path: root, pipeline }));
  const machine = testMachine({ variables: { PATH: `${root}/tools`, ...variables } });
  return checkNamed({ env, machine, start: root, root, workspace }, workspace);
}

type Judge = { command: string[] } | { function: string };

const out = (check?: Judge) => ({ out: { path: 'out/{unit}', ...(check && { check }) } });

describe('programs', () => {
  it('are found on the path and in the workspace, whoever names them', async () => {
    const findings = await named(
      {
        phases: {
          one: {
            run: { command: ['paint', '{unit}'] },
            outputs: out({ command: ['./tools/judge', '{file}'] }),
          },
          two: { run: { command: ['paint'] }, outputs: { two: '2/{unit}' } },
        },
        notify: { command: ['./tools/judge'] },
      },
      { files: { 'tools/paint': '', 'tools/judge': '' } },
    );
    expect(saidBy(findings, 'program')).toEqual([{ state: 'ok', facts: { count: 2 } }]);
  });

  it('that are missing are named with their users; one that only tells people is no obstacle', async () => {
    const findings = await named(
      {
        phases: {
          one: { run: { command: ['paint'] }, outputs: out({ command: ['./judge.sh', '{file}'] }) },
          two: { run: { command: ['paint'] }, outputs: { two: '2/{unit}' } },
        },
        notify: [{ command: ['ring'] }, { command: ['paint'] }],
      },
      // It is there, and cannot be executed.
      { files: { 'judge.sh': '' } },
    );
    expect(saidBy(findings, 'program')).toEqual([
      { state: 'bad', facts: { program: 'paint', usedBy: ['one', 'two', 'notify'] } },
      { state: 'bad', facts: { program: './judge.sh', usedBy: ['one.out'], mayNotRun: true } },
      { state: 'warning', facts: { program: 'ring', usedBy: ['notify'] } },
    ]);
  });

  it('are looked for on the path that the phase declares', async () => {
    const findings = await named(
      {
        phases: {
          one: { run: { command: ['paint'], env: { PATH: '$OTHER' } }, outputs: out() },
        },
      },
      { files: { 'tools/paint': '' }, variables: { OTHER: '/nowhere' } },
    );
    expect(saidBy(findings, 'program')).toMatchObject([{ state: 'bad', facts: { program: 'paint' } }]);
  });
});

it('modules of phases, checks and stand-ins are looked for, and never loaded', async () => {
  const loud = 'throw new Error("loaded");';
  const findings = await named(
    {
      models: { providers: { house: { function: './standin.js#answer' } } },
      phases: {
        one: { model: 'house/any', prompt: 'ask.md', outputs: out({ function: './judge.js#good' }) },
        two: { run: { function: './phases.js#two' }, outputs: { two: '2/{unit}' } },
      },
    },
    { files: { 'phases.js': loud, 'standin.js/file': '', 'ask.md': 'Ask.' } },
  );
  expect(saidBy(findings, 'module')).toEqual([{ state: 'ok', facts: { count: 1 } }]);
  const problem = (path: string, found: string) => ({
    state: 'bad',
    facts: { problem: { code: 'file-unreadable', path, facts: { found, cause: 'ENOENT' } } },
  });
  expect(saidBy(findings, 'named-file')).toMatchObject([
    problem('models.providers.house.function', 'standin.js'),
    problem('phases.one.outputs.out.check.function', 'judge.js'),
  ]);
});

it('a module that is not there yet and may be made on the way is only told of', async () => {
  const findings = await named({
    phases: {
      build: { run: { command: ['true'] }, outputs: out() },
      one: { run: { function: './dist/one.js#one' }, outputs: { one: '1/{unit}' } },
    },
  });
  expect(saidBy(findings, 'module')).toEqual([
    { state: 'warning', facts: { module: 'dist/one.js', usedBy: ['one'] } },
  ]);
  expect(saidBy(findings, 'named-file')).toEqual([]);
});

describe('files', () => {
  const phases = {
    one: {
      run: { function: './phases.js#one' },
      prompt: { phase: 'one.md' },
      inputs: { notes: 'notes' },
      outputs: out(),
    },
  };

  it('that the manifest names are counted', async () => {
    const files = { 'one.md': 'One.', 'notes.txt': '', 'phases.js': '' };
    const findings = await named({ inputs: { notes: { path: 'notes.txt' } }, phases }, { files });
    expect(saidBy(findings, 'named-file')).toEqual([{ state: 'ok', facts: { count: 2 } }]);
  });

  it('that are missing are named one by one', async () => {
    const files = { 'phases.js': '' };
    const findings = await named({ inputs: { notes: { path: 'notes.txt' } }, phases }, { files });
    expect(saidBy(findings, 'named-file')).toMatchObject([
      { state: 'bad', facts: { problem: { code: 'template-missing', facts: { found: 'one.md' } } } },
      { state: 'bad', facts: { problem: { code: 'file-unreadable', facts: { found: 'notes.txt' } } } },
    ]);
  });
});

it('variables are named, and their values are not', async () => {
  const findings = await named(
    {
      phases: {
        one: {
          run: {
            command: ['paint'],
            env: { TOKEN: '$PAINT_TOKEN', KEY: '$PAINT_KEY', MODE: 'fast', LOG: '$PAINT_LOG?' },
          },
          outputs: out(),
        },
      },
      notify: [
        { webhook: '$HOOK_URL', headers: { authorization: 'Bearer $HOOK_TOKEN' } },
        { command: ['ring'], env: { KEY: '$PAINT_KEY' } },
      ],
    },
    {
      files: { 'tools/paint': '', 'tools/ring': '' },
      variables: { PAINT_TOKEN: 's3cret-value', HOOK_URL: ' ' },
    },
  );
  expect(saidBy(findings, 'variable')).toEqual([
    { state: 'ok', facts: { count: 1 } },
    { state: 'warning', facts: { name: 'PAINT_KEY', usedBy: ['one', 'notify'] } },
    { state: 'warning', facts: { name: 'HOOK_URL', usedBy: ['notify'] } },
    { state: 'warning', facts: { name: 'HOOK_TOKEN', usedBy: ['notify'] } },
  ]);
  expect(JSON.stringify(findings)).not.toContain('s3cret');
});
