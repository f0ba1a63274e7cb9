import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { next, runFolder, startedWorld } from '../../../test/fixtures/claimed.ts';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { answerCheckpoint } from '../people/checkpoints/answer.ts';
import { blockTask } from '../tasks/end.ts';
import { type CandidateRequest, candidatesMax, findCandidates } from './candidates.ts';

const manifestOf = (units: readonly string[]) =>
  `pawl: 1\npipeline: p\nunits: ${JSON.stringify(units)}\nphases:\n  draft: { run: { command: [ls] }, outputs: { a: "{unit}.a" } }\n  polish: { run: { command: [ls] }, outputs: { b: "{unit}.b" } }\n`;

const withUnits = (...units: string[]) => memoryEnvironment({ 'pawl.yaml': manifestOf(units) });

async function words(
  env: TestEnvironment,
  kind: CandidateRequest['kind'],
  prefix = '',
  more: Partial<CandidateRequest> = {},
): Promise<string[]> {
  const found = await findCandidates(env, { kind, prefix, ...more });
  return found.map(({ word, isBeginning }) => (isBeginning ? `${word}…` : word));
}

describe('what the manifest says', () => {
  it('is offered before anything has run', async () => {
    const env = withUnits('oslo', 'lima', 'quito');
    expect(await words(env, 'unit')).toEqual(['lima', 'oslo', 'quito']);
    expect(await words(env, 'unit', 'l')).toEqual(['lima']);
    expect(await words(env, 'phase')).toEqual(['draft', 'polish']);
    expect(await words(env, 'cell', 'l')).toEqual(['lima/draft', 'lima/polish']);
    expect(await words(env, 'cell', 'lima/p')).toEqual(['lima/polish']);
    expect(await words(env, 'cell', 'lim/p')).toEqual([]);
    expect(await words(env, 'run')).toEqual([]);
    expect(await words(env, 'question')).toEqual([]);
  });

  it('is that of the workspace which is named', async () => {
    const env = memoryEnvironment({ 'a/pawl.yaml': manifestOf(['one']), 'b/pawl.yaml': manifestOf(['two']) });
    expect(await words(env, 'unit', '', { path: 'b' })).toEqual(['two']);
    expect(await words(env, 'unit', '', { path: 'b/pawl.yaml' })).toEqual(['two']);
    expect(await words(env, 'unit', '', { path: 'c' })).toEqual([]);
  });

  it('is nothing where it is wrong, or not there', async () => {
    expect(await words(memoryEnvironment({ 'pawl.yaml': 'pawl: 1\nunits: [' }), 'unit')).toEqual([]);
    expect(await words(memoryEnvironment(), 'cell')).toEqual([]);
  });
});

describe('a long list', () => {
  const units = Array.from({ length: 3_000 }, (_, at) => `ch${String(at).padStart(4, '0')}`);

  it('is told by beginnings that tell of all of it', async () => {
    const env = withUnits(...units);
    const beginnings = await words(env, 'unit');
    expect(beginnings).toHaveLength(30);
    expect(beginnings.slice(0, 2)).toEqual(['ch00…', 'ch01…']);
    expect((await words(env, 'unit', 'ch01')).slice(0, 2)).toEqual(['ch0100', 'ch0101']);
  });

  it('of cells is one of units first', async () => {
    const env = withUnits(...units);
    expect((await words(env, 'cell', 'ch01')).slice(0, 2)).toEqual(['ch0100/draft', 'ch0100/polish']);
    expect((await words(env, 'cell', 'ch0')).slice(0, 2)).toEqual(['ch000…', 'ch001…']);
    const some = withUnits(...units.slice(0, 150));
    expect((await words(some, 'cell')).slice(0, 2)).toEqual(['ch0000/…', 'ch0001/…']);
  });

  it('hides no word, whatever the words are', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,4}[a-z0-9]$/), {
      minLength: candidatesMax + 1,
      maxLength: 600,
    });
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), async (all, pick) => {
        const env = memoryEnvironment();
        for (const name of all) env.disk.makeFolder(`${root}/.pawl/runs/${name}`);
        const prefix = (all[pick % all.length] ?? '').slice(0, pick % 3);
        const found = await findCandidates(env, { kind: 'run', prefix });
        const fitting = all.filter((name) => name.startsWith(prefix));
        expect(found.length).toBeLessThanOrEqual(candidatesMax);
        for (const name of fitting) expect(found.some(({ word }) => name.startsWith(word))).toBe(true);
        for (const { word, isBeginning } of found) {
          expect(fitting.some((name) => (isBeginning ? name.startsWith(word) : name === word))).toBe(true);
          expect(word.length > prefix.length || word === prefix).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it('offers nothing that a shell could read as more than a word', async () => {
  const env = memoryEnvironment();
  for (const name of ['good', '$(reboot)', 'a b', "it's", 'a\nb', '`x`', '-rf', '\u001b[31m', 'a;b', '*'])
    env.disk.makeFolder(`${root}/.pawl/runs/${name}`);
  expect(await words(env, 'run')).toEqual(['good']);
});

describe('what the journal says', () => {
  it('is offered to those who work on tasks', async () => {
    const env = await startedWorld();
    expect(await words(env, 'task')).toEqual(['plan', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']);
    expect(await words(env, 'task', 't4/')).toEqual(['t4/implement', 't4/verify']);
    expect(await words(env, 'claim')).toEqual([]);
    const { task } = demand(await next(env, 'bob'));
    expect(await words(env, 'claim')).toEqual([task?.unit]);
    expect(await words(env, 'claim', `${task?.unit}/`)).toEqual([`${task?.unit}/${task?.phase}`]);
    demand(await blockTask(env, { path: root, actor: 'bob', unit: 't7', reason: 'no paper' }));
    expect(await words(env, 'blocked')).toEqual(['t7']);
    const id = runFolder(env).slice('runs/'.length);
    expect(await words(env, 'run', id.slice(0, 4))).toEqual([id]);
    expect(await words(env, 'claim', '', { run: 'another' })).toEqual([]);
  });

  it('lists questions until they are decided', async () => {
    const env = memoryEnvironment();
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'p',
      units: ['u'],
      phases: { make: { run: () => ({ out: 'x' }), outputs: { out: 'x.txt' }, checkpoint: 'Is it good?' } },
    };
    await run(env, definition);
    expect(await words(nextProcess(env), 'question')).toEqual(['C1']);
    const pipeline = definePipeline(definition);
    demand(await answerCheckpoint(env, { path: root, pipeline, id: 'C1', decision: 'approved', ...ann }));
    expect(await words(nextProcess(env), 'question')).toEqual([]);
  });

  it('stands for a manifest that is a program: no key that is pressed runs one', async () => {
    const env = memoryEnvironment({ 'pawl.config.mjs': 'throw new Error("was run")' });
    await run(env, {
      pawl: 1,
      pipeline: 'p',
      units: ['a', 'b'],
      phases: { make: { run: ({ unit }) => ({ out: unit.id }), outputs: { out: '{unit}.txt' } } },
    });
    expect(await words(nextProcess(env), 'cell')).toEqual(['a/make', 'b/make']);
  });
});
