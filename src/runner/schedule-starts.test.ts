import { describe, expect, it } from 'vitest';
import { failed, started, succeeded } from '../../test/fixtures/events.ts';
import { TestClock } from '../../test/fixtures/memory.ts';
import { World } from '../../test/fixtures/world.ts';
import { formatTime } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import type { AttemptFailureReason } from '../model/failure.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { AttemptOutcome } from './attempts/run-attempt.ts';
import type { RunContext } from './context.ts';
import type { PreparedCall } from './executors/assignment.ts';
import type { Progress } from './progress.ts';
import { Schedule, Starts } from './schedule.ts';

type Phase = NonNullable<PipelineDefinition['phases']>[string];

const ask = (more: Partial<Phase> = {}): Phase => ({
  model: 's/m',
  prompt: 't.md',
  outputs: { out: 'out/{unit}.md' },
  ...more,
});

interface Desk {
  readonly world: World;
  readonly clock: TestClock;
  readonly starts: Starts;
  readonly schedule: Schedule;
  readonly told: Progress[];
  /** Starts as many as may; tells their cells. */
  begin(call?: Partial<PreparedCall>): string[];
  /** Ends an attempt that was begun, as the journal would say it; `cost` in USD. */
  end(
    step: string,
    how: 'good' | AttemptFailureReason | { pausedMs: number },
    more?: { again?: boolean; usd?: number; tokens?: number },
  ): void;
}

async function desk(definition: Partial<PipelineDefinition>, waits = false): Promise<Desk> {
  const world = await World.of(
    {
      pawl: 1,
      pipeline: 'p',
      units: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      models: { providers: { s: { function: './s.js#f' } } },
      phases: { write: ask() },
      ...definition,
    },
    { 't.md': 'Hi' },
  );
  world.begin();
  const clock = new TestClock();
  world.facts.now = formatTime(clock.now());
  const told: Progress[] = [];
  const run = {
    loaded: world.loaded,
    ledger: world.ledger,
    facts: world.facts,
    clock,
    waits,
    observe: (progress: Progress) => void told.push(progress),
  } as unknown as RunContext;
  const schedule = new Schedule(run, world.plan());
  const starts = new Starts(run, schedule);
  const running = new Map<string, { step: ReadyStep; attempt: number }>();
  return {
    world,
    clock,
    starts,
    schedule,
    told,
    begin(call = {}) {
      const begun: string[] = [];
      for (let next = starts.next(); next !== undefined; next = starts.next()) {
        const name = `${next.unit.id}/${next.phase.name}`;
        const attempt = (world.ledger.steps.find(next.unit.id, next.phase.name)?.attempts ?? 0) + 1;
        const isCall = next.phase.executor.kind === 'model';
        const prepared = { atStake: 0, inputTokens: 0, key: hashBytes(name), ...call } as PreparedCall;
        const { key, atStake = 0 } = prepared;
        world.fold(started(`${name}#${attempt}`, isCall ? { call: { model: 's/m', key, atStake } } : {}));
        starts.begun(next, isCall ? prepared : undefined);
        running.set(name, { step: next, attempt });
        begun.push(name);
      }
      return begun;
    },
    end(step, how, { again = false, usd, tokens = 0 } = {}) {
      const found = running.get(step);
      if (found === undefined) throw new Error(`${step} is not running`);
      running.delete(step);
      const at = `${step}#${found.attempt}`;
      const cost = usd === undefined ? {} : { cost: { usd, inputTokens: tokens } };
      let outcome: AttemptOutcome;
      if (how === 'good') {
        const call = { model: 's/m', ms: 1, finish: 'stop' };
        const isCall = found.step.phase.executor.kind === 'model';
        world.fold(succeeded(at, { out: step }, { ...cost, ...(isCall && { call }) }));
        outcome = { kind: 'succeeded', tokens };
      } else if (typeof how === 'string') {
        world.fold({ ...failed(at, how), ...cost } as Parameters<World['fold']>[0]);
        outcome = { kind: 'failed', failure: { reason: how, message: '' }, recorded: [], tokens };
      } else {
        const until = formatTime(clock.now() + how.pausedMs);
        const { unit, phase } = found.step;
        world.fold({
          type: 'attempt_paused',
          unit: unit.id,
          phase: phase.name,
          attempt: found.attempt,
          reason: 'rate-limited',
          message: '',
          until,
          ms: 1,
        });
        outcome = { kind: 'paused', until };
      }
      const isAgain = again || outcome.kind === 'paused' || outcome.kind === 'succeeded';
      starts.ended(found.step, outcome, isAgain);
      const { unit, phase } = found.step;
      schedule.ended(unit.id, phase.name, { again: isAgain });
      starts.planned(schedule.plans.get(unit.id));
    },
  };
}

const limited = (limits: object, more: object = {}): Partial<PipelineDefinition> => ({
  models: { providers: { s: { function: './s.js#f', ...limits } }, ...more },
});

describe('what starts', () => {
  it('is everything where nothing is in the way', async () => {
    const { begin, starts } = await desk({});
    expect(begin()).toHaveLength(8);
    expect(starts.opensAt()).toBeUndefined();
  });

  it('is as much as a provider has room for', async () => {
    const at = await desk(limited({ concurrency: 2 }));
    expect(at.begin()).toEqual(['a/write', 'b/write']);
    at.end('a/write', 'good');
    expect(at.begin()).toEqual(['c/write']);
  });

  it('is one after the other with a budget, each knowing what those before may cost', async () => {
    const { starts, world } = await desk({ budget: { usd: 1 } });
    const send = ({ unit }: ReadyStep, atStake: number) =>
      world.fold(started(`${unit.id}/write#1`, { call: { model: 's/m', key: hashBytes(unit.id), atStake } }));
    const first = starts.next() as ReadyStep;
    expect(first.unit.id).toBe('a');
    expect(starts.next()).toBeUndefined();
    expect(starts.opensAt()).toBeUndefined();
    send(first, 0.6);
    starts.begun(first, { atStake: 0.6, inputTokens: 5 } as PreparedCall);
    const second = starts.next() as ReadyStep;
    send(second, 0.4);
    starts.begun(second, { atStake: 0.4, inputTokens: 5 } as PreparedCall);
    expect(starts.next()).toBeUndefined();
    expect(starts.isOver).toBe(false);
  });

  it('goes on when a call has cost less than it might have', async () => {
    const at = await desk({ budget: { usd: 1 } });
    expect(at.begin({ atStake: 0.5 })).toEqual(['a/write', 'b/write']);
    at.end('a/write', 'good', { usd: 0.125 });
    expect(at.begin({ atStake: 0.5 })).toEqual(['c/write']);
    at.end('b/write', 'good', { usd: 0.5 });
    at.end('c/write', 'server-error', { usd: 0.375 });
    expect(at.begin()).toEqual([]);
    expect(at.starts.opensAt()).toBeUndefined();
  });

  it('is as much as calls have cost so far, with a margin, after five of them were answered', async () => {
    const units = Array.from({ length: 20 }, (_, at) => `u${at + 1}`);
    const model = { use: 's/m', max_tokens: 900 };
    for (const strict of [false, true]) {
      const at = await desk({ budget: { usd: 1, strict }, units, phases: { write: ask({ model }) } });
      for (let answered = 0; answered < 5; answered++) {
        const [first = ''] = at.begin({ atStake: 1 });
        expect(at.begin({ atStake: 1 })).toEqual([]);
        at.end(first, 'good', { usd: 0.02, tokens: 10 });
      }
      // 0.90 is left: by 0.03 each that is thirty, by the worst case one.
      expect(at.begin({ atStake: 1 })).toHaveLength(strict ? 1 : 15);
    }
  });

  it('is said to be little while what is reserved leaves no room, and not when nothing is left to start', async () => {
    const at = await desk({ budget: { usd: 1 }, units: ['a', 'b', 'c'] });
    expect(at.begin({ atStake: 0.5 })).toHaveLength(2);
    at.begin();
    expect(at.told).toEqual([{ type: 'budget-narrowed', atOnce: 2, isFirst: true }]);
    at.end('a/write', 'good', { usd: 0.1 });
    expect(at.begin({ atStake: 0.5 })).toEqual(['c/write']);
    at.begin();
    expect(at.told).toHaveLength(1);
  });

  it('counts all that a call may come to, in tokens as in money', async () => {
    // Each may be answered with as much as it was asked with, and more: four of them must not start at once.
    const at = await desk({
      budget: { tokens: 1000 },
      phases: { write: ask({ model: { use: 's/m', max_tokens: 900 } }) },
    });
    expect(at.begin({ inputTokens: 200 })).toEqual(['a/write']);
  });

  it('is nothing of a phase whose budget is spent, nor anything else', async () => {
    const at = await desk({
      phases: {
        write: ask({ budget: { usd: 1 } }),
        read: ask({ needs: [], outputs: { out: 'read/{unit}.md' } }),
      },
      pace: { concurrency: 1 },
      units: ['a', 'b'],
    });
    const begun = at.begin({ atStake: 1 });
    expect(begun[0]).toBe('a/write');
    expect(begun).toHaveLength(1);
  });
});

describe('a pause', () => {
  it('closes the lane of its model and is over by itself', async () => {
    const at = await desk({ ...limited({ concurrency: 1 }), units: ['a', 'b'] });
    expect(at.begin()).toEqual(['a/write']);
    at.end('a/write', { pausedMs: 5000 });
    expect(at.begin()).toEqual([]);
    expect(at.starts.opensAt()).toBe(at.clock.now() + 5000);
    at.clock.advance(4999);
    expect(at.begin()).toEqual([]);
    at.clock.advance(1);
    expect(at.begin()).toEqual(['a/write']);
    at.end('a/write', 'good');
    expect(at.begin()).toEqual(['b/write']);
    expect(at.world.facts.now).toBe(formatTime(at.clock.now()));
  });

  it('that is longer than the pace allows is not waited for, unless somebody wants that', async () => {
    for (const waits of [false, true]) {
      const at = await desk({ units: ['a', 'b'], pace: { wait: '1m' } }, waits);
      at.begin();
      at.end('a/write', { pausedMs: 3_600_000 });
      at.end('b/write', 'good');
      expect(at.starts.opensAt()).toBe(waits ? at.clock.now() + 3_600_000 : undefined);
    }
  });

  it('from an earlier sitting is known', async () => {
    const at = await desk({ units: ['a'] });
    at.begin();
    at.end('a/write', { pausedMs: 5000 });
    const run = {
      loaded: at.world.loaded,
      ledger: at.world.ledger,
      facts: at.world.facts,
      clock: at.clock,
    } as unknown as RunContext;
    const again = new Starts(run, new Schedule(run, at.world.plan()));
    expect(again.next()).toBeUndefined();
    expect(again.opensAt()).toBe(at.clock.now() + 5000);
    at.clock.advance(5000);
    expect(again.next()?.unit.id).toBe('a');
  });

  it('holds up nobody who asks another model', async () => {
    const at = await desk({
      units: ['a', 'b'],
      phases: { write: ask(), read: ask({ model: 's/n', needs: [], outputs: { out: 'read/{unit}.md' } }) },
      ...limited({ concurrency: 1 }),
    });
    const [first = ''] = at.begin();
    at.end(first, { pausedMs: 5000 });
    const [second] = at.begin();
    expect(second?.split('/')[1]).not.toBe(first.split('/')[1]);
  });
});

describe('what cannot be mended here', () => {
  it.each(['not-authorized', 'provider-missing'] as const)('%s stops everything at once', async (reason) => {
    const at = await desk(limited({ concurrency: 1 }));
    at.begin();
    at.end('a/write', reason);
    expect(at.begin()).toEqual([]);
    expect(at.starts.opensAt()).toBeUndefined();
    expect(at.starts.halts).toEqual([{ model: 's/m', failure: reason }]);
  });

  it('a model that nobody knows is not asked again, others are', async () => {
    const at = await desk({
      units: ['a', 'b'],
      phases: { write: ask(), read: ask({ model: 's/n', needs: [], outputs: { out: 'read/{unit}.md' } }) },
      ...limited({ concurrency: 1 }),
    });
    const order: string[] = [];
    for (let [step] = at.begin(); step !== undefined; [step] = at.begin()) {
      order.push(step.split('/')[1] ?? '');
      at.end(step, step.endsWith('write') ? 'model-unknown' : 'good');
    }
    expect(order.filter((phase) => phase === 'write')).toHaveLength(1);
    expect(order.filter((phase) => phase === 'read')).toHaveLength(2);
    expect(at.starts.halts).toEqual([{ model: 's/m', failure: 'model-unknown' }]);
  });

  /** Every cell is tried so often, and fails; tells how many were ever begun. */
  async function failAll(
    tries: number,
    reason: AttemptFailureReason,
    limits: object,
  ): Promise<{ cells: number; at: Desk }> {
    const at = await desk(limited(limits));
    const seen = new Map<string, number>();
    for (let begun = at.begin(); begun.length > 0; begun = at.begin())
      for (const step of begun) {
        const count = (seen.get(step) ?? 0) + 1;
        seen.set(step, count);
        at.end(step, reason, { again: count < tries });
      }
    return { cells: seen.size, at };
  }

  it('five cells in a row leave a provider alone', async () => {
    const { cells: steps, at } = await failAll(1, 'server-error', { concurrency: 1 });
    expect(steps).toBe(5);
    expect(at.starts.halts).toEqual([{ model: 's/m', failure: 'server-error' }]);
  });

  it('also where each was tried several times before', async () => {
    expect((await failAll(3, 'server-error', { concurrency: 1 })).cells).toBe(5);
  });

  it('but not answers that could not be used: the provider has answered', async () => {
    expect((await failAll(1, 'check-failed', { concurrency: 1 })).cells).toBe(8);
    expect((await failAll(1, 'answer-truncated', { concurrency: 1 })).cells).toBe(8);
  });
});
