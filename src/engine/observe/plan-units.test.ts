import fc from 'fast-check';
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
import { definePipeline } from '../../pipeline/define.ts';
import { answerCheckpoint } from '../people/checkpoints/answer.ts';
import { listCheckpoints } from '../people/checkpoints/list.ts';
import { showCheckpoint } from '../people/checkpoints/show.ts';
import { inspectRun } from '../show/inspect.ts';
import { whySteps } from '../show/why.ts';

/* A question about one unit gets the answer that a question about all of them has for it, whatever happened before. */

interface Variant {
  readonly order: 'chain' | 'free';
  readonly onEdit: 'refuse' | 'adopt' | 'ask';
  readonly onChange: 'refuse' | 'rerun' | 'keep' | 'ask';
  readonly isSwapped: boolean;
  readonly isChecked: boolean;
  readonly isAsked: boolean;
  readonly look: number;
}

const names = ['ann', 'bob', 'cat'];

function pictures({ order, onEdit, onChange, isSwapped, isChecked, isAsked, look }: Variant): CodePipeline {
  const path = (name: string) => `out/{unit}.${name}`;
  return {
    pawl: 1,
    pipeline: 'pictures',
    on_change: onChange,
    stages: [
      {
        name: 'drawing',
        units: { list: names.map((id) => ({ id, ...(id === 'bob' && { look }) })), order },
        phases: {
          sketch: {
            run: ({ unit, prompt }) => ({ out: `${unit.id} ${prompt?.text ?? ''}` }),
            prompt: { phase: 'sketch.md' },
            outputs: {
              out: {
                path: path(isSwapped ? 'ink' : 'sketch'),
                on_edit: onEdit,
                ...(isChecked && { check: 'non-empty' }),
              },
            },
          },
          ink: {
            run: ({ inputs }) => ({ out: `inked ${inputs.sketch?.text()}` }),
            inputs: { sketch: 'sketch.out' },
            outputs: { out: { path: path(isSwapped ? 'sketch' : 'ink'), on_edit: onEdit } },
            ...(isAsked && { checkpoint: 'good enough?' }),
          },
        },
      },
      {
        name: 'packing',
        units: ['box', 'bag'],
        phases: {
          fold: { run: ({ unit }) => ({ out: unit.id }), outputs: { out: path('fold') } },
          pack: {
            run: ({ inputs }) => ({ out: Object.keys(inputs).join() }),
            inputs: { all: { from: 'ink.out', of: 'every' } },
            needs: ['fold'],
            outputs: { out: path('pack') },
          },
        },
      },
    ],
  };
}

const variant: fc.Arbitrary<Variant> = fc.record({
  order: fc.constantFrom('chain', 'free'),
  onEdit: fc.constantFrom('refuse', 'adopt', 'ask'),
  onChange: fc.constantFrom('refuse', 'rerun', 'keep', 'ask'),
  isSwapped: fc.boolean(),
  isChecked: fc.boolean(),
  isAsked: fc.boolean(),
  look: fc.nat(1),
});

/** What changes between two runs: the manifest as it is then, and something that happens to a file. */
const happening = fc.record({
  change: fc.record(
    { isSwapped: fc.boolean(), isChecked: fc.boolean(), look: fc.nat(1) },
    { requiredKeys: [] },
  ),
  template: fc.option(fc.nat(2), { nil: undefined }),
  file: fc.constantFrom('ann.sketch', 'bob.sketch', 'bob.ink', 'cat.ink', 'box.fold', 'bag.pack'),
  becomes: fc.constantFrom('gone', 'edited', 'empty', 'other', 'as it is'),
  answer: fc.constantFrom('none', 'keep', 'restart'),
  goesOn: fc.boolean(),
  asked: fc.constantFrom(...names, 'box'),
});

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function touch({ disk }: TestEnvironment, { file, becomes, template }: Happening): void {
  if (template !== undefined) disk.putFile(`${root}/sketch.md`, `Sketch it ${template}.`);
  const path = `${root}/out/${file}`;
  if (becomes === 'gone') disk.remove(path);
  else if (becomes !== 'as it is')
    disk.putFile(path, becomes === 'empty' ? '' : becomes === 'edited' ? 'by hand' : 'bob Sketch it 0.');
}

const usual: Variant = {
  order: 'chain',
  onEdit: 'refuse',
  onChange: 'refuse',
  isSwapped: false,
  isChecked: false,
  isAsked: false,
  look: 0,
};
const nothing: Happening = {
  change: {},
  template: undefined,
  file: 'ann.sketch',
  becomes: 'as it is',
  answer: 'none',
  goesOn: false,
  asked: 'ann',
};

/** Where what is recorded for one unit changes another one: an answer that re-runs, and a check that a policy applies. */
const examples: [Variant, string | undefined, Happening[]][] = [
  [
    { ...usual, onEdit: 'ask' },
    'bob',
    [
      { ...nothing, becomes: 'empty', goesOn: true },
      { ...nothing, file: 'cat.ink', becomes: 'gone', answer: 'restart' },
      { ...nothing, becomes: 'gone' },
    ],
  ],
  [
    { ...usual, onChange: 'rerun', isChecked: true },
    undefined,
    [{ ...nothing, change: { isChecked: false }, becomes: 'gone' }],
  ],
];

it('is answered as among all', async () => {
  await fc.assert(
    fc.asyncProperty(
      variant,
      fc.constantFrom(undefined, 'ann', 'bob'),
      fc.array(happening, { minLength: 1, maxLength: 3 }),
      async (first, only, happenings) => {
        let env = memoryEnvironment({ 'sketch.md': 'Sketch it 0.' });
        let definition = pictures(first);
        await run(env, definition, { unit: only });
        for (const one of happenings) {
          definition = pictures({ ...first, ...one.change });
          touch(env, one);
          env = nextProcess(env);
          await compare(env, definition, one.asked);
          const target = { path: root, pipeline: definePipeline(definition) };
          const { checkpoints } = demand(await listCheckpoints(env, target));
          const [asked] = checkpoints.flatMap(({ id }) => id ?? []);
          if (asked !== undefined && one.answer !== 'none') {
            const by = { by: 'ann', host: 'here', channel: 'terminal' } as const;
            const how = one.answer === 'keep' ? { keep: true } : { restart: 'sketch' };
            const isChange = checkpoints.some(({ id, question }) => id === asked && question === 'change');
            const request = { ...target, ...by, id: asked, ...(isChange && how) };
            await answerCheckpoint(env, { ...request, decision: 'approved' });
            await compare(env, definition, one.asked);
          }
          if (!one.goesOn) continue;
          await run(env, definition).catch(isRefusal);
          await compare(env, definition, one.asked);
        }
      },
    ),
    { numRuns: Number(process.env.PAWL_TEST_RUNS ?? 12), examples },
  );
});

it('sees what another unit has recorded at the same path', async () => {
  const drawn = (ann: string, bob: string): CodePipeline => ({
    pawl: 1,
    pipeline: 'drawn',
    on_change: 'keep',
    units: [
      { id: 'ann', at: ann },
      { id: 'bob', at: bob },
    ],
    phases: { draw: { run: ({ unit }) => ({ out: unit.id }), outputs: { out: 'out/{at}.txt' } } },
  });
  const env = memoryEnvironment();
  await run(env, drawn('one', 'two'));
  const later = nextProcess(env);
  await run(later, drawn('two', 'six'), { unit: 'ann', rerunAll: true, reason: 'so' });
  await compare(nextProcess(later), drawn('two', 'six'), 'ann');
  await compare(nextProcess(later), drawn('two', 'six'), 'bob');
});

function isRefusal(error: unknown): void {
  if (!(error instanceof Error && error.message.startsWith('refused'))) throw error;
}

async function compare(env: TestEnvironment, definition: CodePipeline, unit: string): Promise<void> {
  const target = { path: root, pipeline: definePipeline(definition) };
  const { steps } = demand(await whySteps(env, target));
  const { units } = demand(await inspectRun(env, target));
  const why = demand(await whySteps(env, { ...target, unit }));
  expect(why.steps).toEqual(steps.filter((step) => step.unit === unit));
  const inspected = demand(await inspectRun(env, { ...target, unit }));
  expect(inspected.units).toEqual(units.filter((one) => one.unit === unit));
  const { checkpoints } = demand(await listCheckpoints(env, { ...target, history: true }));
  const view = checkpoints.find((one) => one.unit === unit && one.id !== undefined);
  if (view?.id === undefined) return;
  expect(demand(await showCheckpoint(env, { ...target, id: view.id })).checkpoint).toEqual(view);
}
