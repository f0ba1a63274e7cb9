import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asJson,
  documentIn,
  expectTrue,
  journalIn,
  pipelineOf,
  stateIn,
  textsAt,
  until,
} from '../../../test/fixtures/briefs.ts';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  memoryEnvironment,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { foldEvent, foldEvents } from '../../ledger/fold.ts';
import { emptyLedger } from '../../ledger/ledger.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { startPosition } from '../../store/position.ts';
import { briefOf } from '../brief/derive.ts';
import { sectionKey } from '../brief/yaml/render.ts';
import { readSection } from '../brief/yaml/section.ts';
import { BriefFile } from './brief-file.ts';
import { isCurrent } from './state-file.ts';

const pauseMs = 150;

function activityIn(env: TestEnvironment): unknown {
  return (documentIn(env).recovery_state as JsonObject).current_activity;
}

describe('the document is not later than what it tells of', () => {
  it('where time has passed: it is written while the phase that it names runs', async () => {
    const { env, definition, work, target } = letters();
    let named = 0;
    for (const [phase, does] of Object.entries(work)) {
      work[phase as keyof typeof work] = async (task) => {
        await until(() =>
          String(activityIn(env)).includes(`${task.unit.id}/${phase}, attempt ${task.attempt}`),
        );
        expect(isCurrent(env.disk, root, stateIn(env))).toBe(true);
        named += 1;
        return await does(task);
      };
    }
    // Once it is written time goes by.
    env.disk.watch(({ path, operation }, moment) => {
      if (moment !== 'after' || operation !== 'rename' || !path.endsWith('/RESUME.md')) return;
      queueMicrotask(() => env.clock.advance(pauseMs));
    });
    await run(env, { ...definition, pace: { concurrency: 1 } });
    expect(named).toBe(6);
    await expectTrue(env, target);
  });

  it.each([
    ['a file of the run', {}],
    ['a section of another file', { layout: { brief: 'ORCHESTRATION.yaml' } }],
  ])('else a pause later, though nothing else happens: %s', async (_, layout) => {
    const { env, definition, work, target } = letters({ units: ['ann'], ...layout });
    const { read } = work;
    let isSeen = false;
    work.read = async (task) => {
      // The phase before ended in this very moment, and that was told.
      expect(activityIn(env)).not.toContain('ann/read');
      expect(isCurrent(env.disk, root, stateIn(env))).toBe(false);
      env.clock.advance(pauseMs - 1);
      await new Promise(setImmediate);
      expect(activityIn(env)).not.toContain('ann/read');
      env.clock.advance(1);
      await until(() => String(activityIn(env)).includes('ann/read, attempt 1'));
      expect(isCurrent(env.disk, root, stateIn(env))).toBe(true);
      isSeen = true;
      return read(task);
    };
    await run(env, definition);
    expect(isSeen).toBe(true);
    expect(env.clock.sleeping).toBe(0);
    await expectTrue(env, target);
  });

  it('and nothing is planned any more once the run was given up before the writing began', async () => {
    const { env, definition, target } = letters({ units: ['ann'] });
    await run(env, definition);
    const events = journalIn(env);
    const { folder } = stateIn(env);
    const file = new BriefFile(
      {
        ...{ disk: env.disk, clock: env.clock, root, folder, actor: 'runner', ledger: foldEvents(events) },
        journal: {
          ...{ position: startPosition, lastSeq: 1, epoch: 1, fencingNumber: 1 },
          append: async () => [],
          close: async () => undefined,
        },
        others: new Map(),
        takeInNews: () => undefined,
        record: async () => undefined,
        importSection: async (section) => section,
      },
      await pipelineOf(env, target),
    );
    file.note(events);
    file.abandon();
    for (let turn = 0; turn < 5; turn++) {
      env.clock.advance(2 * pauseMs);
      await new Promise(setImmediate);
    }
    expect(env.clock.sleeping).toBe(0);
  });

  it('also where it is recorded in the middle of a writing', async () => {
    // Two phases end at once: the writing that the first brings about is under way when the second is recorded.
    const { env, definition, work, target } = letters({ layout: { brief: 'ORCHESTRATION.yaml' } });
    let waiting = 0;
    let goOn = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    work.draft = async ({ unit }) => {
      waiting += 1;
      if (waiting === 2) {
        env.clock.advance(pauseMs);
        goOn();
      }
      await both;
      return { text: unit.id };
    };
    work.seal = async ({ unit }) => {
      env.clock.advance(pauseMs);
      await until(() => String(activityIn(env)).includes('/seal'));
      return { letter: unit.id };
    };
    await run(env, definition);
    await expectTrue(env, target);
  });
});

/** Units of one short phase each; the clock goes on by so much with every one. */
function quick(units: number, concurrency: number, stepsMs: readonly number[]) {
  const env = memoryEnvironment();
  let count = 0;
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'quick',
    durability: 'process',
    units: Array.from({ length: units }, (_, at) => `u${at}`),
    pace: { concurrency },
    phases: {
      make: {
        run: async ({ unit }) => {
          env.clock.advance(stepsMs[count++ % stepsMs.length] ?? 0);
          if (count % 3 === 0) await new Promise(setImmediate);
          return { out: unit.id };
        },
        outputs: { out: 'out/{unit}' },
      },
    },
  };
  return { env, definition, target: { path: root, pipeline: definePipeline(definition) } };
}

/** Each as the text of its values, with how many events the journal had then. */
async function prefixesOf(
  env: TestEnvironment,
  target: Parameters<typeof pipelineOf>[1],
): Promise<Set<string>> {
  const pipeline = await pipelineOf(env, target);
  const ledger = emptyLedger();
  const all = new Set<string>();
  for (const event of journalIn(env)) {
    foldEvent(ledger, event);
    all.add(canonicalJson(asJson(briefOf(pipeline, ledger))));
  }
  return all;
}

/** Each state tells of exactly the events up to where it says that the journals ended. */
async function expectHonestHeads(
  states: readonly string[],
  env: TestEnvironment,
  target: Parameters<typeof pipelineOf>[1],
): Promise<void> {
  const pipeline = await pipelineOf(env, target);
  const events = journalIn(env);
  for (const state of states.map((text) => JSON.parse(text) as JsonObject)) {
    const { runner } = state.heads as Record<string, { readonly seq: number }>;
    const told = events.filter(({ seq }) => seq <= (runner?.seq ?? 0));
    expect(state.brief).toEqual(asJson(briefOf(pipeline, foldEvents(told))));
  }
}

async function expectOnlyTruth(
  texts: readonly string[],
  env: TestEnvironment,
  target: Parameters<typeof pipelineOf>[1],
): Promise<void> {
  const prefixes = await prefixesOf(env, target);
  for (const text of texts) {
    const section = readSection(text, sectionKey);
    const said = canonicalJson(asJson(section.ok ? section.value : section.failure));
    if (!prefixes.has(said)) throw new Error(`no moment of the journal says:\n${text}`);
  }
}

describe('a fast run', () => {
  it('of 200 units writes the document a few times', async () => {
    const { env, definition, target } = quick(200, 4, [0]);
    const texts = textsAt(env, (path) => path.endsWith('/brief.yaml'));
    await run(env, definition);
    expect(journalIn(env).length).toBeGreaterThan(400);
    expect(texts.length).toBeLessThanOrEqual(3);
    await expectOnlyTruth(texts, env, target);
    await expectTrue(env, target);
  });

  it('that takes two seconds writes it at most every 150 ms', async () => {
    const { env, definition, target } = quick(200, 4, [10]);
    const texts = textsAt(env, (path) => path.endsWith('/brief.yaml'));
    await run(env, definition);
    expect(texts.length).toBeGreaterThan(6);
    expect(texts.length).toBeLessThanOrEqual(18);
    await expectOnlyTruth(texts, env, target);
  });

  it('never shows what was not', async () => {
    const steps = fc.array(fc.constantFrom(0, 1, 40, 125, 149, 150, 151, 3000), {
      minLength: 1,
      maxLength: 9,
    });
    const shapes = fc.record({
      units: fc.integer({ min: 1, max: 30 }),
      concurrency: fc.constantFrom(1, 2, 4, 16),
      steps,
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ units, concurrency, steps }) => {
        const { env, definition, target } = quick(units, concurrency, steps);
        const texts = textsAt(env, (path) => path.endsWith('/brief.yaml'));
        const states = textsAt(env, (path) => path.endsWith('/brief.json'));
        await run(env, definition);
        expect(texts.length).toBeGreaterThan(0);
        await expectOnlyTruth(texts, env, target);
        await expectHonestHeads(states, env, target);
        await expectTrue(env, target);
        expect(env.clock.sleeping).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
