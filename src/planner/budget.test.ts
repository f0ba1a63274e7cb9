import { describe, expect, it } from 'vitest';
import { started, succeeded } from '../../test/fixtures/events.ts';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { EventBody } from '../model/event.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import { reachedBudgets, reachedLimits, spendings } from './budget.ts';

type Budget = NonNullable<PipelineDefinition['budget']>;

let attempt = 0;

/** An attempt at a phase that has cost so much. */
function spend(
  name: string,
  cost: { usd?: number; inputTokens?: number; outputTokens?: number },
  ms = 1,
): EventBody[] {
  attempt += 1;
  const at = `u${attempt}/${name}#1`;
  return [started(at), succeeded(at, {}, { cost, ms })];
}

async function world(
  budget: Budget | undefined,
  phases: Partial<Record<'one' | 'two', Budget>> = {},
): Promise<World> {
  const of = (name: 'one' | 'two') => ({ ...(phases[name] && { budget: phases[name] }) });
  const made = await World.of(
    line({ ...(budget && { budget }), phases: { ...phase('one', of('one')), ...phase('two', of('two')) } }),
  );
  made.begin();
  return made;
}

/** The open questions are asked, as a runner does it; tells their numbers. */
function ask(made: World): string[] {
  for (const { asks } of made.plan().limits) {
    if (asks === undefined || asks.id !== undefined) continue;
    const { question, unit, phase, place, shown, name } = asks;
    const id = `C${made.ledger.questionCount + 1}`;
    made.fold({ type: 'checkpoint_asked', id, question, unit, phase, place, shown, name });
  }
  return numbers(made);
}

const numbers = (made: World) => made.plan().limits.map(({ asks }) => asks?.id ?? 'none');

function answer(made: World, id: string, decision: 'approved' | 'rejected' = 'approved'): void {
  const asked = made.plan().limits.find(({ asks }) => asks?.id === id)?.asks;
  if (asked === undefined) throw new Error(`${id} is not open`);
  const { question, unit, phase, place, shown } = asked;
  made.fold({
    type: 'checkpoint_decided',
    id,
    question,
    unit,
    phase,
    place,
    shown,
    decision,
    by: 'ann',
    host: 'here',
    channel: 'terminal',
  });
}

const reached = (made: World) =>
  made.plan().limits.map(({ phase: of, limit, value, max }) => [of, limit, value, max]);

describe('a budget', () => {
  it('is reached when all of it is spent, and not before', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 0.75 }));
    expect(reached(made)).toEqual([]);
    made.fold(...spend('two', { usd: 0.25 }));
    expect(reached(made)).toEqual([['', 'budget_usd', 1, 1]]);
    made.fold(...spend('two', { usd: 0.5 }));
    expect(reached(made)).toEqual([['', 'budget_usd', 1.5, 1]]);
  });

  it('counts input and output together, and the time of all attempts', async () => {
    const made = await world({ tokens: 10, time: '1s' });
    made.fold(...spend('one', { inputTokens: 6, outputTokens: 3 }, 999));
    expect(reached(made)).toEqual([]);
    made.fold(...spend('one', { outputTokens: 1 }, 1));
    expect(reached(made)).toEqual([
      ['', 'budget_tokens', 10, 10],
      ['', 'budget_time', 1000, 1000],
    ]);
  });

  it('of a phase is spent by that phase alone', async () => {
    const made = await world(undefined, { one: { usd: 1 } });
    made.fold(...spend('two', { usd: 5 }));
    expect(reached(made)).toEqual([]);
    made.fold(...spend('one', { usd: 1 }));
    expect(reached(made)).toEqual([['one', 'budget_usd', 1, 1]]);
  });

  it('holds over every resume', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 0.5 }));
    made.fold({ type: 'run_ended', status: 'stopped' }, { type: 'run_resumed', boot: 'boot-2' });
    made.fold(...spend('one', { usd: 0.5 }));
    expect(reached(made)).toEqual([['', 'budget_usd', 1, 1]]);
  });

  it('is reached by as many small sums as it has', async () => {
    const made = await world({ usd: 1 });
    for (let call = 0; call < 10; call++) made.fold(...spend('one', { usd: 0.1 }));
    expect(reached(made)).toEqual([['', 'budget_usd', 1, 1]]);
  });

  it('tells how many attempts have ended', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 1 }), ...spend('two', {}));
    expect(made.plan().limits).toMatchObject([{ phase: '', attempts: 2 }]);
  });
});

describe('what is under way', () => {
  it('counts as well: in money and tokens, by phase and for the run', async () => {
    const { loaded, ledger, facts } = await world({ usd: 1, tokens: 100, time: '1s' }, { one: { usd: 1 } });
    const underWay = (of: string) => (of === '' ? { usd: 0.5, tokens: 100 } : { usd: 1, tokens: 0 });
    expect(
      spendings(loaded.pipeline, ledger, underWay).map(({ phase: of, limit, value }) => [of, limit, value]),
    ).toEqual([
      ['', 'budget_usd', 0.5],
      ['', 'budget_tokens', 100],
      ['', 'budget_time', 0],
      ['one', 'budget_usd', 1],
    ]);
    expect(reachedBudgets(loaded.pipeline, ledger, facts.now, underWay).map(({ limit }) => limit)).toEqual([
      'budget_tokens',
      'budget_usd',
    ]);
    const comingUp = { attempts: () => 0, spending: underWay };
    expect(reachedLimits(loaded.pipeline, ledger, facts.now, comingUp)).toHaveLength(2);
    expect(reachedLimits(loaded.pipeline, ledger, facts.now)).toEqual([]);
  });

  it('adds attempts that are about to be recorded to limits, beside budgets', async () => {
    const made = await World.of(
      line({ budget: { usd: 1 }, phases: { ...phase('one', { limits: { attempts: 2 } }) } }),
    );
    made.begin();
    made.fold(...spend('one', { usd: 1 }));
    const { loaded, ledger, facts } = made;
    const comingUp = { attempts: () => 1, spending: () => ({ usd: 0, tokens: 0 }) };
    expect(reachedLimits(loaded.pipeline, ledger, facts.now, comingUp).map(({ limit }) => limit)).toEqual([
      'budget_usd',
      'attempts',
    ]);
  });
});

describe('the question about a budget', () => {
  it('is asked once, about the run or about a phase', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 1 }));
    expect(made.plan().limits[0]?.asks).toMatchObject({
      id: undefined,
      question: 'budget',
      unit: '',
      phase: '',
      place: 'budget_usd',
      name: 'budget',
    });
    expect(ask(made)).toEqual(['C1']);
    made.fold(...spend('one', { usd: 0.5 }));
    made.fold({ type: 'run_ended', status: 'waiting_human' }, { type: 'run_resumed', boot: 'boot-2' });
    expect(ask(made)).toEqual(['C1']);
  });

  it('that is approved grants as much again from there, and is another one then', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 1.25 }));
    ask(made);
    answer(made, 'C1');
    expect(reached(made)).toEqual([]);
    made.fold(...spend('one', { usd: 0.75 }));
    expect(reached(made)).toEqual([]);
    made.fold(...spend('one', { usd: 0.25 }));
    expect(reached(made)).toEqual([['', 'budget_usd', 1, 1]]);
    expect(ask(made)).toEqual(['C2']);
  });

  it('that is rejected is not asked again, and nothing more starts', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 1 }));
    ask(made);
    answer(made, 'C1', 'rejected');
    expect(made.plan().limits).toHaveLength(1);
    expect(numbers(made)).toEqual(['none']);
  });

  it('is another one for another limit of the manifest, and none where that grants more', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 3 }));
    ask(made);
    await made.change({}, line({ budget: { usd: 2 }, phases: { ...phase('one'), ...phase('two') } }));
    expect(numbers(made)).toEqual(['none']);
    expect(ask(made)).toEqual(['C2']);
    await made.change({}, line({ budget: { usd: 4 }, phases: { ...phase('one'), ...phase('two') } }));
    expect(made.plan().limits).toEqual([]);
    await made.change({}, line({ budget: { usd: 1 }, phases: { ...phase('one'), ...phase('two') } }));
    expect(numbers(made)).toEqual(['C1']);
  });

  it('about one thing stays open when another one is granted', async () => {
    const made = await world({ usd: 1, tokens: 10 });
    made.fold(...spend('one', { usd: 1, inputTokens: 10 }));
    expect(ask(made)).toEqual(['C1', 'C2']);
    answer(made, 'C1');
    expect(made.plan().limits).toMatchObject([{ limit: 'budget_tokens', asks: { id: 'C2' } }]);
    answer(made, 'C2');
    expect(made.plan().limits).toEqual([]);
  });

  it('of one phase is not that of another with the same budget', async () => {
    const made = await world(undefined, { one: { usd: 1 }, two: { usd: 1 } });
    made.fold(...spend('one', { usd: 1 }));
    expect(ask(made)).toEqual(['C1']);
    answer(made, 'C1');
    made.fold(...spend('two', { usd: 1 }));
    expect(made.plan().limits).toMatchObject([{ phase: 'two', asks: { id: undefined, phase: 'two' } }]);
    expect(ask(made)).toEqual(['C2']);
    answer(made, 'C2');
    expect(made.plan().limits).toEqual([]);
  });

  it('of a phase is not that of the run with the same budget', async () => {
    const made = await world({ usd: 1 }, { one: { usd: 1 } });
    made.fold(...spend('one', { usd: 1 }));
    expect(ask(made)).toEqual(['C1', 'C2']);
    answer(made, 'C1');
    answer(made, 'C2');
    expect(made.plan().limits).toEqual([]);
  });
});

describe('a warning', () => {
  const warnings = (made: World) =>
    made
      .plan()
      .notices.flatMap((notice) =>
        notice.code === 'budget-near' ? [[notice.phase, notice.limit, notice.value, notice.max]] : [],
      );

  it('is told from its share on, and no more when the budget is reached', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 0.79 }));
    expect(warnings(made)).toEqual([]);
    made.fold(...spend('one', { usd: 0.01 }));
    expect(warnings(made)).toEqual([['', 'budget_usd', 0.8, 1]]);
    made.fold(...spend('one', { usd: 0.2 }));
    expect(warnings(made)).toEqual([]);
    expect(reached(made)).toHaveLength(1);
  });

  it('is from where the manifest says, of each budget by itself', async () => {
    const made = await world({ tokens: 100, warn_at: '10%' }, { two: { tokens: 20, warn_at: '100%' } });
    made.fold(...spend('two', { inputTokens: 19 }));
    expect(warnings(made)).toEqual([['', 'budget_tokens', 19, 100]]);
  });

  it('is of what was granted last', async () => {
    const made = await world({ usd: 1 });
    made.fold(...spend('one', { usd: 1 }));
    ask(made);
    answer(made, 'C1');
    expect(warnings(made)).toEqual([]);
    made.fold(...spend('one', { usd: 0.875 }));
    expect(warnings(made)).toEqual([['', 'budget_usd', 0.875, 1]]);
  });
});

describe('who goes past limits', () => {
  it('has all budgets anew', async () => {
    const made = await world({ usd: 1, tokens: 5 }, { one: { usd: 1 } });
    made.fold(...spend('one', { usd: 2, inputTokens: 9 }));
    expect(made.plan().limits).toHaveLength(3);
    expect(made.override({ pastLimits: { reason: 'it is worth it' } })).toEqual([]);
    expect(made.plan().limits).toEqual([]);
    made.fold(...spend('one', { usd: 1 }));
    expect(reached(made)).toEqual([
      ['', 'budget_usd', 1, 1],
      ['one', 'budget_usd', 1, 1],
    ]);
  });
});
