import { describe, expect, it } from 'vitest';
import { answer, ask } from '../../test/fixtures/people.ts';
import { book, bookFiles, line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import { findStep } from '../ledger/ledger.ts';
import type { ChangePolicy } from '../model/definition.ts';
import type { EventBody } from '../model/event.ts';
import type { GuardName } from '../model/reason.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import { guardRules } from './guards.ts';
import { changeNames } from './open-guards.ts';
import type { Opener, Overrides } from './overrides.ts';

const reason = 'I know why';

/** What is asked for by each opener; the manifest and a person's answer need no asking. */
const asking: { readonly [By in Opener]: Partial<Overrides> } = {
  manifest: {},
  answer: {},
  force: { force: { reason } },
  allowPromptChange: { allowPromptChange: { reason } },
  forceResume: { forceResume: { reason } },
  pastLimits: { pastLimits: { reason } },
  failed: { failed: { reason } },
  outdated: { outdated: { reason } },
  rerun: { rerun: { from: undefined, units: undefined } },
  rerunNamed: {},
  keepNamed: {},
  rerunChanged: { rerunChanged: { reason } },
  keepChanged: { keepChanged: { reason } },
};

/** The events of an answer to all changes, and of the same answer by name. */
function answers(guard: GuardName, rerun: readonly string[], keep: readonly string[]) {
  const withFlag = (flag: string, events: readonly string[]) =>
    events.map((event) => event.replace('FLAG', flag));
  const events = [`override_used ${guard} FLAG`, ...rerun];
  const kept = [`override_used ${guard} FLAG`, ...keep];
  return {
    rerunNamed: withFlag('--rerun-change', events),
    rerunChanged: withFlag('--rerun-changed', events),
    keepNamed: withFlag('--keep-change', kept),
    keepChanged: withFlag('--keep-changed', kept),
  };
}

/** An answer by name names every change that there is. */
function askingIn(world: World, by: Opener): Partial<Overrides> {
  if (by !== 'rerunNamed' && by !== 'keepNamed') return asking[by];
  return { [by]: { names: changeNames(world.plan()), reason } };
}

/** The events in short, without the new revision; of a guard that only opens elsewhere with a world of its own. */
type Expected =
  | 'shut'
  | readonly string[]
  | { readonly in: () => Promise<World>; readonly are: readonly string[] };

interface Row {
  readonly world: () => Promise<World>;
  readonly by: { readonly [By in Opener]: Expected };
}

const shut = {
  manifest: 'shut',
  answer: 'shut',
  force: 'shut',
  allowPromptChange: 'shut',
  forceResume: 'shut',
  pastLimits: 'shut',
  failed: 'shut',
  outdated: 'shut',
  rerun: 'shut',
  rerunNamed: 'shut',
  keepNamed: 'shut',
  rerunChanged: 'shut',
  keepChanged: 'shut',
} as const;

/** `a` is finished, of `b` only the first phase is done; then something changes. */
async function halfDone(
  definition: PipelineDefinition,
  files: Readonly<Record<string, string>>,
  change: (world: World) => Promise<void> | void,
): Promise<World> {
  const world = await World.of(definition, files);
  world.run('b/two');
  await change(world);
  return world;
}

const units = (title: string) => ({
  'list.json': JSON.stringify({ all: ['a', 'b'].map((id) => ({ id, title })) }),
});
const listed = line({ inputs: { list: 'list.json' }, units: { from: 'list.all', on_change: 'refuse' } });
const withCheck = (check: 'non-empty' | 'json', on_change: ChangePolicy) =>
  line({
    phases: {
      ...phase('one', { on_change, outputs: { out: { path: 'out/{unit}.one', check } } }),
      ...phase('two'),
    },
  });
const withState = (on_change: ChangePolicy) =>
  line({
    on_change,
    state: { path: 'state.json', initial: 'seed.json' },
    units: ['a'],
    phases: { ...phase('one', { state: 'read' }), ...phase('two') },
  });
const withPolicy = (on_change: ChangePolicy, definition: PipelineDefinition): PipelineDefinition => ({
  ...definition,
  on_change,
});
const withParams = (count: number) =>
  line({ phases: { ...phase('one', { params: { count } }), ...phase('two') } });
const withPrompt = line({ phases: { ...phase('one', { prompt: { phase: 'one.md' } }), ...phase('two') } });
const askedUnits = line({ inputs: { list: 'list.json' }, units: { from: 'list.all', on_change: 'ask' } });
const withCode = (code: ChangePolicy) =>
  line({ phases: { ...phase('one', { code: { on_change: code, files: ['lib.py'] } }), ...phase('two') } });
const script = (text: string) => ({ 'lib.py': text });
const withFile = (on_change: 'block' | 'ask') =>
  line({
    inputs: { idea: { path: 'idea.md', on_change } },
    phases: { ...phase('one', { inputs: { idea: 'idea' } }), ...phase('two') },
  });
const withOutput = (on_edit: 'refuse' | 'adopt' | 'ask') =>
  line({
    phases: { ...phase('one', { outputs: { out: { path: 'out/{unit}.one', on_edit } } }), ...phase('two') },
  });

async function scene(until: string, change: (world: World) => Promise<void> | void): Promise<World> {
  const world = await World.of(book({ units: { list: ['s1', 's2'], order: 'chain' } }), bookFiles);
  world.run(until);
  await change(world);
  return world;
}

const editOne = (world: World) => void world.edit('out/a.one', 'mine');
const changeIdea = (world: World) => world.change({ 'idea.md': 'a ship' });

/** Everything that a rerun discards is in one event. */
const rerunLine = [
  'override_used rerun-requested --rerun-all',
  'results_superseded rerun-requested a/one a/two b/one',
];

const matrix: { readonly [Guard in GuardName]: Row } = {
  'manifest-changed': {
    world: () => halfDone(withParams(1), {}, (world) => world.change({}, withParams(2))),
    by: {
      ...shut,
      force: [
        'override_used manifest-changed --force',
        'results_kept manifest-changed a/one',
        'results_superseded definition-changed b/one',
      ],
      ...answers(
        'manifest-changed',
        ['override_used definition-changed FLAG', 'results_superseded definition-changed a/one b/one'],
        ['override_used definition-changed FLAG', 'results_kept definition-changed a/one b/one'],
      ),
    },
  },
  'definition-changed': {
    // A revision that damage has swallowed proves nothing.
    world: () =>
      halfDone(withParams(1), {}, ({ ledger }) => {
        for (const unit of ['a', 'b']) {
          const result = findStep(ledger, unit, 'one')?.results[0];
          if (result !== undefined) result.revision = 9;
        }
      }),
    by: {
      ...shut,
      force: [
        'override_used definition-changed --force',
        'results_kept definition-changed a/one',
        'results_superseded definition-changed b/one',
      ],
      manifest: {
        in: async () => {
          const world = await halfDone(withCheck('non-empty', 'rerun'), {}, (w) =>
            w.change({}, withCheck('json', 'rerun')),
          );
          Object.assign(world.facts, { checksOnly: new Set(['1 one']) });
          return world;
        },
        are: ['results_superseded definition-changed a/one b/one'],
      },
      answer: {
        in: () =>
          halfDone(withCheck('non-empty', 'ask'), {}, async (world) => {
            await world.change({}, withCheck('json', 'ask'));
            ask(world);
            answer(world, 'C1', 'approved');
          }),
        are: ['results_kept definition-changed a/one b/one'],
      },
      ...answers(
        'definition-changed',
        ['results_superseded definition-changed a/one b/one'],
        ['results_kept definition-changed a/one b/one'],
      ),
    },
  },
  'unit-changed': {
    world: () => halfDone(listed, units('old'), (world) => world.change(units('new'))),
    by: {
      ...shut,
      force: [
        'override_used unit-changed --force',
        'results_kept unit-changed a/one',
        'results_kept unit-changed a/two',
        'results_kept unit-changed a/three',
        'results_superseded unit-changed b/one',
      ],
      answer: {
        in: () =>
          halfDone(askedUnits, units('old'), async (world) => {
            await world.change(units('new'));
            ask(world);
            answer(world, 'C1', 'approved');
            answer(world, 'C2', 'approved', { restart: 'two' });
          }),
        are: [
          'results_kept unit-changed a/one',
          'results_kept unit-changed a/two',
          'results_kept unit-changed a/three',
          'results_kept unit-changed b/one',
        ],
      },
      ...answers(
        'unit-changed',
        ['results_superseded unit-changed a/one a/two a/three', 'results_superseded unit-changed b/one'],
        ['a/one', 'a/two', 'a/three', 'b/one'].map((step) => `results_kept unit-changed ${step}`),
      ),
      rerun: [
        'override_used rerun-requested --rerun-all',
        'results_superseded rerun-requested a/one a/two a/three b/one',
      ],
    },
  },
  'pre-state-differs': {
    world: () => scene('s2/plan', (world) => world.change({ 'seed.json': '{"new":true}' })),
    by: {
      ...shut,
      answer: {
        in: () =>
          halfDone(withState('ask'), { 'seed.json': '{}' }, async (world) => {
            await world.change({ 'seed.json': '{"new":true}' });
            ask(world);
            answer(world, 'C1', 'approved');
          }),
        are: ['results_kept pre-state-differs a/one'],
      },
      forceResume: ['s1/write', 's1/state_repair', 's1/commit'].flatMap((step) => [
        'override_used pre-state-differs --force-resume',
        `results_kept pre-state-differs ${step}`,
      ]),
      rerun: [
        'override_used rerun-requested --rerun-all',
        'results_superseded rerun-requested s1/plan s1/write s1/state_repair s1/lint s1/commit',
      ],
      ...answers(
        'pre-state-differs',
        ['results_superseded state-changed s1/write s1/state_repair s1/commit'],
        [],
      ),
      ...Object.fromEntries(
        (['keepNamed --keep-change', 'keepChanged --keep-changed'] as const).map((text) => {
          const [by = '', flag = ''] = text.split(' ');
          const events = ['s1/write', 's1/state_repair', 's1/commit'].flatMap((step) => [
            `override_used pre-state-differs ${flag}`,
            `results_kept pre-state-differs ${step}`,
          ]);
          return [by, events];
        }),
      ),
    },
  },
  'prompt-changed': {
    world: () => halfDone(withPrompt, { 'one.md': 'old' }, (world) => world.change({ 'one.md': 'new' })),
    by: {
      ...shut,
      allowPromptChange: [
        'override_used prompt-changed --resume-allow-prompt-change',
        'results_superseded prompt-changed a/one b/one',
      ],
      forceResume: ['override_used prompt-changed --force-resume', 'results_kept prompt-changed a/one b/one'],
      answer: {
        in: () =>
          halfDone(withPolicy('ask', withPrompt), { 'one.md': 'old' }, async (world) => {
            await world.change({ 'one.md': 'new' });
            ask(world);
            answer(world, 'C1', 'approved');
          }),
        are: ['results_kept prompt-changed a/one b/one'],
      },
      ...answers(
        'prompt-changed',
        ['results_superseded prompt-changed a/one b/one'],
        ['results_kept prompt-changed a/one b/one'],
      ),
    },
  },
  'output-edited': {
    world: () => halfDone(withOutput('refuse'), {}, editOne),
    by: {
      ...shut,
      manifest: {
        in: () => halfDone(withOutput('adopt'), {}, editOne),
        are: ['artifact_adopted a/one.out'],
      },
      answer: {
        in: () =>
          halfDone(withOutput('ask'), {}, (world) => {
            editOne(world);
            ask(world);
            answer(world, 'C1', 'approved');
          }),
        are: ['artifact_adopted a/one.out', 'results_kept output-edited a/two'],
      },
      forceResume: ['override_used output-edited --force-resume', 'artifact_adopted a/one.out'],
      ...answers(
        'output-edited',
        ['artifact_adopted a/one.out'],
        ['artifact_adopted a/one.out', 'results_kept output-edited a/two'],
      ),
      rerun: rerunLine,
    },
  },
  'file-changed': {
    world: () => halfDone(withFile('block'), { 'idea.md': 'a boat' }, changeIdea),
    by: {
      ...shut,
      answer: {
        in: () =>
          halfDone(withFile('ask'), { 'idea.md': 'a boat' }, async (world) => {
            await changeIdea(world);
            ask(world);
            answer(world, 'C1', 'approved', { restart: 'two' });
          }),
        are: ['results_kept file-changed a/one b/one', 'results_superseded rerun-requested a/two'],
      },
      forceResume: ['override_used file-changed --force-resume', 'results_kept file-changed a/one b/one'],
      ...answers(
        'file-changed',
        ['results_superseded file-changed a/one b/one'],
        ['results_kept file-changed a/one b/one'],
      ),
      rerun: rerunLine,
    },
  },
  'code-changed': {
    world: () => halfDone(withCode('refuse'), script('old'), (world) => world.change(script('new'))),
    by: {
      ...shut,
      answer: {
        in: () =>
          halfDone(withCode('ask'), script('old'), async (world) => {
            await world.change(script('new'));
            ask(world);
            answer(world, 'C1', 'approved');
          }),
        are: ['results_kept code-changed a/one b/one'],
      },
      ...answers(
        'code-changed',
        ['results_superseded code-changed a/one b/one'],
        ['results_kept code-changed a/one b/one'],
      ),
      rerun: rerunLine,
    },
  },
  'state-edited': {
    world: () => scene('s2/plan', (world) => void world.editState('{"mine":true}')),
    by: {
      ...shut,
      forceResume: ['override_used state-edited --force-resume', 'artifact_adopted s1/commit.state'],
      ...answers('state-edited', ['artifact_adopted s1/commit.state'], ['artifact_adopted s1/commit.state']),
    },
  },
  'in-doubt': {
    world: async () => {
      const world = await World.of(line({ phases: phase('one', { on_interrupt: 'ask' }) }));
      world.die('a/one');
      return world;
    },
    by: {
      ...shut,
      rerun: ['override_used rerun-requested --rerun-all', 'results_superseded rerun-requested a/one'],
    },
  },
};

const rows = Object.entries(matrix).map(([guard, row]) => ({ guard: guard as GuardName, ...row }));
const cases = rows.flatMap(({ guard, world, by }) =>
  Object.entries(by).map(([opener, expected]) => ({ guard, world, by: opener as Opener, expected })),
);
const opening = cases.flatMap(({ guard, world, by, expected }) => {
  if (expected === 'shut') return [];
  return 'in' in expected
    ? [{ guard, by, world: expected.in, events: expected.are }]
    : [{ guard, by, world, events: expected }];
});

describe('a guard', () => {
  it.each(rows)('$guard is the only one in its world', async ({ guard, world }) => {
    expect(new Set((await world()).plan().refusals.map((refusal) => refusal.guard))).toEqual(
      new Set([guard]),
    );
  });

  it.each(rows)('$guard has every opening listed here, and no other', ({ guard, by }) => {
    const listed = Object.entries(by).flatMap(([opener, expected]) => (expected === 'shut' ? [] : [opener]));
    expect(Object.keys(guardRules[guard]).sort()).toEqual(listed.sort());
  });

  it.each(opening)('$guard opens by $by, with its events', async ({ world: make, by, events }) => {
    const world = await make();
    const recorded = recordedBy(world);
    expect(world.override(askingIn(world, by))).toEqual([]);
    expect(recorded).toEqual(events);
  });

  it.each(opening)('$guard opened by $by needs no flag the next time', async ({ world: make, by }) => {
    const world = await make();
    world.override(askingIn(world, by));
    const plan = world.plan();
    expect(plan.refusals).toEqual([]);
    const recorded = recordedBy(world);
    expect(world.override({})).toEqual([]);
    expect(recorded).toEqual([]);
    expect(world.plan()).toEqual(plan);
  });

  it.each(cases.filter(({ expected }) => expected === 'shut'))(
    '$guard stays shut for $by, and nothing is recorded',
    async ({ world: make, by }) => {
      const world = await make();
      const { refusals } = world.plan();
      const recorded = recordedBy(world);
      expect(world.override(askingIn(world, by))).toEqual(refusals);
      expect(recorded).toEqual([]);
    },
  );

  it.each(opening)(
    '$guard is opened by $by once, whatever else is asked for',
    async ({ world: make, by }) => {
      const world = await make();
      const recorded = recordedBy(world);
      const all = Object.assign({}, ...Object.values(asking)) as Overrides;
      expect(world.override({ ...all, ...askingIn(world, by) })).toEqual([]);
      const flags = recorded.flatMap((event) => event.match(/^override_used .*(--(?!rerun).*)/)?.[1] ?? []);
      expect(new Set(flags).size).toBeLessThanOrEqual(1);
      expect(world.plan().refusals).toEqual([]);
    },
  );
});

describe('what is written of an opened guard', () => {
  const factsOf = (world: World) => world.ledger.overrides.map(({ facts }) => facts);

  it('names a forced file as the file that it is', async () => {
    const world = await matrix['file-changed'].world();
    world.override(asking.forceResume);
    const file = { path: 'idea.md', before: hashBytes('a boat'), after: hashBytes('a ship') };
    expect(factsOf(world)).toEqual([{ files: [file] }]);
  });

  it('says what changed in the manifest, and how much was kept', async () => {
    const world = await matrix['manifest-changed'].world();
    world.override(asking.force);
    expect(factsOf(world)).toEqual([{ changes: ['phases.one.params.count'], kept: 1 }]);
  });

  it('stands once for each guard that one flag opens', async () => {
    const world = await World.of(withFile('block'), { 'idea.md': 'a boat' });
    world.run('b/two');
    world.edit('out/a.one', 'mine');
    await changeIdea(world);
    world.override(asking.forceResume);
    expect(world.ledger.overrides.map(({ guard, facts }) => [guard, Object.keys(facts)])).toEqual([
      ['output-edited', ['path']],
      ['file-changed', ['files']],
    ]);
  });

  it('is understood where an earlier version has called a forced file a prompt', async () => {
    const now = await matrix['file-changed'].world();
    now.override(asking.forceResume);
    const { revision, revisions } = now.ledger;
    const [recorded] = [...revisions.values()].filter((one) => one.revision === revision);
    const before = await matrix['file-changed'].world();
    before.fold(
      recorded as EventBody,
      {
        type: 'override_used',
        guard: 'prompt-changed',
        flag: '--force-resume',
        reason,
        facts: { templates: [] },
      },
      { type: 'results_kept', steps: ['a/one', 'b/one'], revision, guard: 'prompt-changed', reason },
    );
    expect(before.plan().refusals).toEqual([]);
    expect(before.decisions()).toEqual(now.decisions());
  });
});

it('keeps a result that began with no state where its phase takes one now', async () => {
  const reading = (state: 'read' | undefined) =>
    line({
      state: { path: 'state.json', initial: 'seed.json' },
      units: ['a'],
      phases: { ...phase('one', state === undefined ? {} : { state }), ...phase('two') },
    });
  const world = await World.of(reading(undefined), { 'seed.json': '{}' });
  world.run();
  await world.change({}, reading('read'));
  const { refusals } = world.plan();
  expect(refusals).toMatchObject([{ guard: 'manifest-changed' }, { guard: 'pre-state-differs' }]);
  // In one call: what is kept for its start state must not undo what is kept for its definition.
  expect(world.override({ ...asking.force, ...asking.forceResume })).toEqual([]);
  expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  expect(world.ledger.steps.get('a/one')?.results[0]?.preState).toEqual({
    path: 'seed.json',
    hash: hashBytes('{}'),
  });
});

/** What is recorded from here on, in short; a new revision is of no interest. */
function recordedBy(world: World): string[] {
  const recorded: string[] = [];
  const { fold } = world;
  world.fold = (...bodies) => {
    recorded.push(...bodies.filter(({ type }) => type !== 'revision_recorded').map(inShort));
    fold.apply(world, bodies);
  };
  return recorded;
}

function inShort(event: EventBody): string {
  switch (event.type) {
    case 'override_used':
      return `${event.type} ${event.guard} ${event.flag}`;
    case 'results_kept':
      return `${event.type} ${event.guard} ${event.steps.join(' ')}`;
    case 'results_superseded':
      return `${event.type} ${event.because} ${event.steps.join(' ')}`;
    case 'artifact_adopted':
      return `${event.type} ${event.unit}/${event.phase}.${event.output}`;
    default:
      return event.type;
  }
}
