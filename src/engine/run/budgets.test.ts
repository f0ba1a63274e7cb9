import { describe, expect, it } from 'vitest';
import type { CodePipeline } from '../../../test/fixtures/memory.ts';
import { demand, failureOf } from '../../../test/fixtures/memory.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { asking, type ModelWorld, modelWorld, of } from '../../../test/fixtures/standin.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { answerCheckpoint } from '../people/checkpoints/answer.ts';
import { listCheckpoints } from '../people/checkpoints/list.ts';
import type { RunAnswer } from './run-request.ts';

const units = ['a', 'b', 'c', 'd', 'e', 'f'];
const models = {
  providers: { standin: { function: './standin.mjs#answer' } },
  prices: { 'standin/m': { input: 1, output: 0 } },
};

/** Calls of 0.25 USD each. */
function world(): ModelWorld {
  const made = modelWorld();
  made.answer = () => ({ text: 'Hello', usage: { inputTokens: 250_000, outputTokens: 10 } });
  return made;
}

function pipeline(budget: CodePipeline['budget'], phase: Parameters<typeof asking>[0] = {}): CodePipeline {
  return asking(phase, { models, units, ...(budget && { budget }) });
}

const spent = (made: ModelWorld) => made.asked.length * 0.25;
const limitsOf = ({ limits }: RunAnswer) =>
  limits.map(({ phase, limit, value, max, asks }) => [phase, limit, value, max, asks?.id]);

async function approve(
  made: ModelWorld,
  definition: CodePipeline,
  id: string,
  decision: 'approved' | 'rejected' = 'approved',
) {
  const target = { path: made.folder, pipeline: definePipeline(definition) };
  return await answerCheckpoint(made.env, { ...target, id, decision, note: 'so be it', ...ann });
}

describe('a budget of a run', () => {
  it('is not passed: the run asks, and has lost nothing', async () => {
    const made = world();
    const answer = await made.run(pipeline({ usd: 1 }));
    expect(answer.heading.status).toBe('waiting_human');
    expect(spent(made)).toBe(1);
    expect(limitsOf(answer)).toEqual([['', 'budget_usd', 1, 1, 'C1']]);
    expect(answer.ran).toEqual({ succeeded: 4, failed: 0 });
    expect(answer.stops).toEqual([]);
    for (const unit of ['a', 'b', 'c', 'd']) expect(made.read(`out/${unit}.md`)).toBe('Hello\n');
  });

  it('is asked about once, however often the run is gone on with, and holds over all of it', async () => {
    const made = world();
    const definition = pipeline({ usd: 1 });
    await made.run(definition);
    for (let sitting = 0; sitting < 3; sitting++) {
      made.restart();
      expect(limitsOf(await made.run(definition))).toEqual([['', 'budget_usd', 1, 1, 'C1']]);
    }
    expect(made.asked).toHaveLength(4);
    expect(of(made.events(), 'checkpoint_asked')).toMatchObject([
      { id: 'C1', question: 'budget', unit: '', phase: '' },
    ]);
    const target = { path: made.folder, pipeline: definePipeline(definition) };
    expect(demand(await listCheckpoints(made.env, target))).toMatchObject({
      checkpoints: [
        {
          id: 'C1',
          question: 'budget',
          state: 'waiting',
          spending: { phase: '', limit: 'budget_usd', value: 1, max: 1 },
        },
      ],
    });
  });

  it('that is approved grants as much again', async () => {
    const made = world();
    const definition = pipeline({ usd: 1 });
    await made.run(definition);
    demand(await approve(made, definition, 'C1'));
    made.restart();
    const answer = await made.run(definition);
    expect(answer.heading.status).toBe('completed');
    expect(spent(made)).toBe(1.5);
  });

  it('that is approved is reached again, and is then another question', async () => {
    const made = world();
    const definition = pipeline({ usd: 0.5 });
    await made.run(definition);
    demand(await approve(made, definition, 'C1'));
    made.restart();
    expect(limitsOf(await made.run(definition))).toEqual([['', 'budget_usd', 0.5, 0.5, 'C2']]);
    expect(spent(made)).toBe(1);
    // The same word a second time is no second grant.
    expect(demand(await approve(made, definition, 'C1'))).toMatchObject({ already: true });
    made.restart();
    await made.run(definition);
    expect(spent(made)).toBe(1);
  });

  it('that is rejected stays where it is', async () => {
    const made = world();
    const definition = pipeline({ usd: 1 });
    await made.run(definition);
    demand(await approve(made, definition, 'C1', 'rejected'));
    made.restart();
    const answer = await made.run(definition);
    expect(answer.heading.status).toBe('stopped');
    expect(limitsOf(answer)).toEqual([['', 'budget_usd', 1, 1, undefined]]);
    expect(made.asked).toHaveLength(4);
  });

  it('that is raised in the manifest is simply gone on with', async () => {
    const made = world();
    await made.run(pipeline({ usd: 1 }));
    made.restart();
    const answer = await made.run(pipeline({ usd: 1.25 }));
    expect(limitsOf(answer)).toEqual([['', 'budget_usd', 1.25, 1.25, 'C2']]);
    made.restart();
    expect((await made.run(pipeline(undefined))).heading.status).toBe('completed');
    expect(of(made.events(), 'override_used')).toEqual([]);
    expect(failureOf(await approve(made, pipeline(undefined), 'C2'))).toMatchObject({
      reason: 'question-closed',
    });
  });

  it('is gone past by who says why', async () => {
    const made = world();
    const definition = pipeline({ usd: 1 });
    await made.run(definition);
    made.restart();
    const answer = await made.run(definition, { pastLimits: true, reason: 'it is worth it' });
    expect(answer.heading.status).toBe('completed');
    expect(of(made.events(), 'override_used')).toMatchObject([
      { guard: 'limit-reached', reason: 'it is worth it' },
    ]);
  });

  it('is warned of before', async () => {
    const made = world();
    const near = async (usd: number, warn_at: string) => {
      const one = world();
      const { notices } = await one.run(
        asking({}, { models, units: ['a', 'b', 'c'], budget: { usd, warn_at } }),
      );
      return notices.flatMap((notice) => (notice.code === 'budget-near' ? [[notice.value, notice.max]] : []));
    };
    expect(await near(1, '80%')).toEqual([]);
    expect(await near(1, '75%')).toEqual([[0.75, 1]]);
    expect(await near(0.9, '80%')).toEqual([[0.75, 0.9]]);
    expect(made.asked).toEqual([]);
  });

  it('may be in tokens or time as well', async () => {
    const tokens = world();
    expect(limitsOf(await tokens.run(pipeline({ tokens: 500_000 })))).toEqual([
      ['', 'budget_tokens', 500_020, 500_000, 'C1'],
    ]);
    const time = world();
    time.answer = () => {
      time.env.clock.advance(60_000);
      return 'Hello';
    };
    const answer = await time.run(pipeline({ time: '2m' }));
    expect(answer.limits).toMatchObject([{ limit: 'budget_time', max: 120_000 }]);
    expect(time.asked).toHaveLength(2);
  });

  it('counts what failed', async () => {
    const made = world();
    made.answer = () => ({ text: ' ', usage: { inputTokens: 250_000 } });
    const answer = await made.run(pipeline({ usd: 0.5 }, { retries: 9 }));
    expect(spent(made)).toBe(0.5);
    expect(limitsOf(answer)).toEqual([['', 'budget_usd', 0.5, 0.5, 'C1']]);
  });

  it('counts what calls under way may cost: not all of them start at once', async () => {
    const made = world();
    let inFlight = 0;
    let most = 0;
    made.answer = async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return { text: 'Hello', usage: { inputTokens: 250_000 } };
    };
    const dear = { ...models, prices: { 'standin/m': { input: 1, output: 100 } } };
    const phase = { model: { use: 'standin/m', max_tokens: 5000 } };
    // Each may cost half a dollar: two at a time, however many there is room for.
    const definition = asking(phase, { models: dear, units, budget: { usd: 1 }, pace: { concurrency: 6 } });
    const answer = await made.run(definition);
    expect(most).toBe(2);
    expect(answer.heading.status).toBe('waiting_human');
    expect(spent(made)).toBeLessThanOrEqual(1.25);
  });

  it('is not spent by what was reused', async () => {
    const made = modelWorld({ 'prompt.md': 'Say it.' });
    made.answer = () => ({ text: 'Hello', usage: { inputTokens: 250_000 } });
    const answer = await made.run(pipeline({ usd: 0.5 }, { reuse: 'content' }));
    expect(answer.heading.status).toBe('completed');
    expect(made.asked).toHaveLength(1);
  });

  it('that was spent by a call which died with its process counts by what it may have come to', async () => {
    const made = world();
    const { disk } = made.env;
    made.answer = () => {
      disk.failWhen(() => ({ kind: 'crash', when: 'before' }));
      return 'lost';
    };
    await made.run(pipeline({ usd: 1 })).catch(() => undefined);
    made.restart(disk.kill());
    made.answer = () => ({ text: 'Hello', usage: { inputTokens: 250_000 } });
    const answer = await made.run(pipeline({ usd: 1 }));
    expect(limitsOf(answer)).toEqual([['', 'budget_usd', 1.000002, 1, 'C1']]);
  });
});

describe('a budget of a phase', () => {
  const two = (plan: object, write: object, more: Partial<CodePipeline> = {}): CodePipeline => ({
    ...asking(),
    models,
    units,
    phases: {
      plan: { model: 'standin/m', prompt: 'prompt.md', outputs: { card: 'plan/{unit}.md' }, ...plan },
      write: { model: 'standin/m', prompt: 'prompt.md', outputs: { text: 'out/{unit}.md' }, ...write },
    },
    ...more,
  });

  it('is asked about under its own name, each in its turn, though they are the same', async () => {
    const made = world();
    const budget = { usd: 1 };
    const definition = two({ budget }, { budget });
    const first = await made.run(definition);
    expect(limitsOf(first)).toHaveLength(1);
    const asked = new Set<string>();
    let answer = first;
    for (let sitting = 0; sitting < 6 && answer.heading.status !== 'completed'; sitting++) {
      expect(answer.heading.status).toBe('waiting_human');
      for (const { phase, asks } of answer.limits) {
        asked.add(phase);
        demand(await approve(made, definition, asks?.id ?? ''));
      }
      made.restart();
      answer = await made.run(definition);
    }
    expect(answer.heading.status).toBe('completed');
    expect([...asked].sort()).toEqual(['plan', 'write']);
    expect(
      of(made.events(), 'checkpoint_asked')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['plan budget', 'write budget']);
  });

  it('and that of the run are two questions, and each is asked once', async () => {
    const made = world();
    const definition = two({ budget: { usd: 1 } }, {}, { budget: { usd: 1 }, pace: { concurrency: 1 } });
    let answer = await made.run(definition);
    for (let sitting = 0; sitting < 9 && answer.heading.status === 'waiting_human'; sitting++) {
      for (const { asks } of answer.limits) demand(await approve(made, definition, asks?.id ?? ''));
      made.restart();
      answer = await made.run(definition);
    }
    expect(answer.heading.status).toBe('completed');
    expect(spent(made)).toBe(3);
    // Three dollars, one at a time: the run asks twice; the phase, which spends half of it, once.
    expect(
      of(made.events(), 'checkpoint_asked')
        .map(({ phase }) => phase)
        .sort(),
    ).toEqual(['', '', 'plan']);
  });

  it('stops the others as well: nobody is asked behind anybody’s back', async () => {
    const made = world();
    const answer = await made.run(two({ budget: { usd: 0.25 } }, {}));
    expect(limitsOf(answer)).toEqual([['plan', 'budget_usd', 0.25, 0.25, 'C1']]);
    expect(made.asked).toHaveLength(1);
  });
});

describe('two budgets at once', () => {
  it('are two questions, and answering one leaves the other as it was asked', async () => {
    const made = world();
    const definition = pipeline({ usd: 1, tokens: 1_000_000 });
    const answer = await made.run(definition);
    expect(limitsOf(answer).map(([, limit, , , id]) => [limit, id])).toEqual([
      ['budget_usd', 'C1'],
      ['budget_tokens', 'C2'],
    ]);
    demand(await approve(made, definition, 'C1'));
    demand(await approve(made, definition, 'C2'));
    made.restart();
    expect((await made.run(definition)).heading.status).toBe('completed');
    expect(of(made.events(), 'checkpoint_asked')).toHaveLength(2);
  });
});
