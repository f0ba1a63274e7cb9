import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../test/fixtures/memory-reader.ts';
import { loadPipeline } from './load.ts';
import { namedModules } from './modules.ts';

async function modulesIn(phases: string) {
  const manifest = `pawl: 1\npipeline: p\nunits: [u, v]\n${phases}`;
  const loaded = await loadPipeline(memoryReader({ 'pawl.yaml': manifest, 'a.md': 'A' }), 'pawl.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return namedModules(loaded.value.pipeline);
}

const one = 'one: { run: { function: ./one.mjs#one }, outputs: { out: "1/{unit}.txt" } }';
const house = 'models: { providers: { house: { function: ./house.mjs#answer } } }\n';
const two = 'two: { run: { function: ./made/two.mjs#two }, outputs: { out: "2/{unit}.txt" } }';

describe('the modules of a pipeline', () => {
  it('are told with the place of each use, in the order of the phases', async () => {
    const ask = 'ask: { model: house/any, prompt: a.md, outputs: { text: "a/{unit}" } }';
    const judge =
      'judge: { run: { function: ./one.mjs#judge }, outputs: { out: { path: "3/{unit}", check: { function: ./check.mjs#good } } } }';
    expect(await modulesIn(`${house}phases:\n  ${one}\n  ${ask}\n  ${judge}\n`)).toMatchObject([
      { module: 'one.mjs', path: 'phases.one.run.function', phase: 'one', usedBy: 'one' },
      { module: 'house.mjs', path: 'models.providers.house.function', phase: 'ask', usedBy: 'ask' },
      { module: 'one.mjs', path: 'phases.judge.run.function', phase: 'judge', usedBy: 'judge' },
      {
        module: 'check.mjs',
        path: 'phases.judge.outputs.out.check.function',
        phase: 'judge',
        usedBy: 'judge.out',
      },
    ]);
  });

  const makers: readonly [string, string, boolean][] = [
    ['a model', 'x: { model: house/any, prompt: a.md, outputs: { o: "log/{unit}" } }', false],
    ['a function', one, true],
    ['a program', 'x: { run: { command: [make] }, outputs: { o: "log/{unit}" } }', true],
    ['somebody outside', 'x: { run: { task: coder }, outputs: { o: "log/{unit}" } }', true],
  ];

  it.each(makers)('may be made by what comes before: %s', async (_, maker, mayBeMade) => {
    const uses = await modulesIn(`${house}phases:\n  ${maker}\n  ${two}\n`);
    expect(uses.at(-1)).toMatchObject({ module: 'made/two.mjs', mayBeMade });
  });

  it('are not made by what comes after', async () => {
    const build = 'build: { run: { command: [make] }, outputs: { o: "log/{unit}" } }';
    const [first] = await modulesIn(`phases:\n  ${two}\n  ${build}\n`);
    expect(first).toMatchObject({ module: 'made/two.mjs', mayBeMade: false });
  });

  it('may be made with the output that they check, unless a model answers for it', async () => {
    const checked = 'outputs: { o: { path: "x/{unit}", check: { function: ./check.mjs#good } } }';
    const [made] = await modulesIn(`phases:\n  x: { run: { command: [make] }, ${checked} }\n`);
    expect(made).toMatchObject({ module: 'check.mjs', mayBeMade: true });
    const asked = await modulesIn(`${house}phases:\n  x: { model: house/any, prompt: a.md, ${checked} }\n`);
    expect(asked.at(-1)).toMatchObject({ module: 'check.mjs', mayBeMade: false });
  });
});
