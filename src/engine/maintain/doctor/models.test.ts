import { expect, it } from 'vitest';
import { saidBy, testMachine } from '../../../../test/fixtures/doctor.ts';
import { demand, memoryEnvironment, root } from '../../../../test/fixtures/memory.ts';
import { definePipeline, type PipelineDefinition } from '../../../pipeline/define.ts';
import type { PhaseFunction } from '../../../runner/executors/task.ts';
import { openWorkspace } from '../../open/workspace.ts';
import type { Machine } from './machine.ts';
import { checkModels } from './models.ts';

type Definition = Omit<PipelineDefinition<PhaseFunction>, 'pawl' | 'pipeline' | 'units'>;

async function models(definition: Definition, machine: Partial<Machine> = {}) {
  const env = memoryEnvironment({ 'ask.md': 'Ask.' });
  const pipeline = definePipeline({ pawl: 1, pipeline: 'p', units: ['a'], ...definition });
  const workspace = demand(await openWorkspace(env, { path: root, pipeline }));
  return await checkModels({ env, machine: testMachine(machine), start: root, root, workspace }, workspace);
}

const asking = (...names: string[]): NonNullable<Definition['phases']> =>
  Object.fromEntries(
    names.map((model, at) => [`p${at}`, { model, prompt: 'ask.md', outputs: { out: `${at}/{unit}` } }]),
  );

it('a pipeline without models has nothing to be asked about', async () => {
  expect(await models({ phases: { one: { run: () => ({ out: '' }), outputs: { out: '{unit}' } } } })).toEqual(
    [],
  );
});

it('a stand-in needs nothing and costs nothing', async () => {
  const findings = await models({
    models: { providers: { house: { function: './standin.js#answer' } } },
    phases: asking('house/any'),
  });
  expect(findings).toEqual([{ check: 'model-price', state: 'ok', facts: { models: ['house/any'] } }]);
});

it('keys are told by name, set or not, and never by value', async () => {
  const phases = asking('anthropic/claude-sonnet-5', 'anthropic/claude-haiku-4-5', 'openai/gpt-5');
  const variables = { ANTHROPIC_API_KEY: 's3cret-value' };
  const findings = await models({ phases }, { variables });
  expect(saidBy(findings, 'provider-key')).toEqual([
    { state: 'ok', facts: { provider: 'anthropic', phases: ['p0', 'p1'], names: ['ANTHROPIC_API_KEY'] } },
    { state: 'bad', facts: { provider: 'openai', phases: ['p2'], names: ['OPENAI_API_KEY'] } },
  ]);
  expect(saidBy(findings, 'provider-package')).toEqual([
    { state: 'ok', facts: { provider: 'anthropic' } },
    { state: 'ok', facts: { provider: 'openai' } },
  ]);
  expect(JSON.stringify(findings)).not.toContain('s3cret');
});

it('every variable of a provider is named at once', async () => {
  const findings = await models(
    {
      models: {
        providers: {
          lab: {
            base_url: '$LAB_URL',
            key: '$LAB_KEY',
            headers: { 'x-team': '$LAB_TEAM', 'x-proto': '$__proto__' },
          },
        },
      },
      phases: asking('lab/small'),
    },
    { variables: Object.assign(Object.create(null), { LAB_TEAM: 'blue' }) },
  );
  expect(saidBy(findings, 'provider-key')).toEqual([
    { state: 'bad', facts: { provider: 'lab', phases: ['p0'], names: ['LAB_KEY', '__proto__', 'LAB_URL'] } },
  ]);
});

it('models without a price are named', async () => {
  const findings = await models({
    models: { prices: { 'openai/new': { input: 1, output: 2 } } },
    phases: asking('openai/new', 'openai/newer', 'openai/gpt-5'),
  });
  expect(saidBy(findings, 'model-price')).toEqual([
    { state: 'warning', facts: { models: ['openai/newer'] } },
  ]);
});

it('pictures are asked about only where an output has to be one', async () => {
  const phases = {
    draw: {
      run: () => ({ frame: '' }),
      outputs: { frame: { path: '{unit}.webp', check: 'image' }, notes: '{unit}.md' },
    },
  } as const;
  const pictureTrouble = async () => 'sharp is not installed';
  expect(await models({ phases }, { pictureTrouble })).toEqual([
    {
      check: 'picture-check',
      state: 'warning',
      facts: { outputs: ['draw.frame'], detail: 'sharp is not installed' },
    },
  ]);
  expect(await models({ phases })).toEqual([
    { check: 'picture-check', state: 'ok', facts: { outputs: ['draw.frame'] } },
  ]);
});
