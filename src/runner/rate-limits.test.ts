import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../test/fixtures/memory.ts';
import type { CallLimits, Models, Phase } from '../model/definition.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import { RateLimits } from './rate-limits.ts';

const none: CallLimits = { concurrency: undefined, requestsPerMinute: undefined, tokensPerMinute: undefined };

function models(
  providers: Record<string, Partial<CallLimits>>,
  limits: Record<string, Partial<CallLimits>> = {},
): Models {
  return {
    providers: Object.entries(providers).map(([name, own]) => ({
      name,
      api: { kind: 'openai-compatible' },
      baseUrl: undefined,
      key: undefined,
      headers: {},
      limits: { ...none, ...own },
    })),
    prices: {},
    limits: Object.fromEntries(Object.entries(limits).map(([name, own]) => [name, { ...none, ...own }])),
  };
}

/** A cell that asks this model; without one it runs a program. */
function cell(id: string, model?: string): ReadyStep {
  const [provider = '', ...name] = (model ?? '').split('/');
  const executor =
    model === undefined ? { kind: 'command' } : { kind: 'model', provider, model: name.join('/') };
  const phase = { name: 'write', executor } as unknown as Phase;
  return {
    unit: { id, needs: [], data: {} },
    phase,
    iteration: 1,
    why: { code: 'never-ran' },
    made: { inputs: new Map(), preState: undefined },
  } as unknown as ReadyStep;
}

const good = { tokens: 0, isGivenUp: false };
const givenUp = { tokens: 0, isGivenUp: true };
const retried = { tokens: 0, isGivenUp: undefined, isRetried: true };

/** RateLimits with a line of cells in front of them. */
class Road {
  readonly clock = new TestClock();
  readonly limits: RateLimits;
  readonly #line: ReadyStep[];
  taken = 0;

  constructor(given: Models, ...line: ReadyStep[]) {
    this.limits = new RateLimits(given, this.clock);
    this.#line = line;
  }

  add(...steps: ReadyStep[]): void {
    this.#line.push(...steps);
  }

  /** Starts what may start; tells their names. */
  start(max = Number.POSITIVE_INFINITY): string {
    const started: string[] = [];
    while (started.length < max) {
      const next = this.next();
      if (next === undefined) break;
      started.push(next.unit.id);
    }
    return started.join('');
  }

  next(): ReadyStep | undefined {
    const next = this.limits.take({ take: () => this.#line.shift() });
    if (next !== undefined) this.limits.started(next);
    return next;
  }

  /** How long until something opens, for who is so patient. */
  opensWithin(patienceMs: number): number | undefined {
    const at = this.limits.opensAt(this.clock.now() + patienceMs);
    return at === undefined ? undefined : at - this.clock.now();
  }

  get opensIn(): number | undefined {
    return this.opensWithin(Number.POSITIVE_INFINITY);
  }
}

const many = (model: string, ids: string) => [...ids].map((id) => cell(id, model));

describe('without limits', () => {
  it('everything starts in its order', () => {
    const road = new Road(models({ p: {} }), ...many('p/m', 'abc'), cell('d'), ...many('q/x', 'e'));
    expect(road.start()).toBe('abcde');
    expect(road.opensIn).toBeUndefined();
  });
});

describe('so many at a time', () => {
  it('start, and the next when one has ended', () => {
    const steps = many('p/m', 'abcd');
    const road = new Road(models({ p: { concurrency: 2 } }), ...steps);
    expect(road.start()).toBe('ab');
    expect(road.opensIn).toBeUndefined();
    road.limits.ended(steps[1] as ReadyStep, good);
    expect(road.start()).toBe('c');
    expect(road.start()).toBe('');
    road.limits.ended(steps[0] as ReadyStep, good);
    road.limits.ended(steps[2] as ReadyStep, good);
    expect(road.start()).toBe('d');
  });

  it('of a model do not hold up another model, nor who asks none', () => {
    const given = models({ p: { concurrency: 3 } }, { 'p/m': { concurrency: 1 } });
    const road = new Road(given, ...many('p/m', 'abc'), ...many('p/n', 'xyz'), cell('q'));
    expect(road.start()).toBe('axyq');
  });

  it('of a provider are those of all its models together', () => {
    const steps = [...many('p/m', 'ab'), ...many('p/n', 'xy')];
    const road = new Road(models({ p: { concurrency: 3 } }), ...steps);
    expect(road.start()).toBe('abx');
    road.limits.ended(steps[0] as ReadyStep, good);
    expect(road.start()).toBe('y');
  });

  it('go before what comes later, in the order in which they came', () => {
    const steps = many('p/m', 'abcd');
    const road = new Road(models({ p: { concurrency: 1 } }), ...steps);
    expect(road.start()).toBe('a');
    road.add(...many('p/m', 'ef'), cell('q'));
    expect(road.start()).toBe('q');
    for (const [at, expected] of ['b', 'c', 'd', 'e', 'f'].entries()) {
      road.limits.ended(at < 4 ? (steps[at] as ReadyStep) : cell('e', 'p/m'), good);
      expect(road.start()).toBe(expected);
    }
  });
});

describe('so many requests a minute', () => {
  it('start, and the next a minute after the first', () => {
    const road = new Road(models({ p: { requestsPerMinute: 2 } }), ...many('p/m', 'abcd'));
    expect(road.start(1)).toBe('a');
    road.clock.advance(10_000);
    expect(road.start()).toBe('b');
    expect(road.opensIn).toBe(50_000);
    road.clock.advance(49_999);
    expect(road.start()).toBe('');
    road.clock.advance(1);
    expect(road.start()).toBe('c');
    expect(road.opensIn).toBe(10_000);
    road.clock.advance(10_000);
    expect(road.start()).toBe('d');
    expect(road.opensIn).toBeUndefined();
  });

  it('are counted when they start, also those that have not ended or have failed', () => {
    const steps = many('p/m', 'abc');
    const road = new Road(models({ p: { requestsPerMinute: 2 } }), ...steps);
    road.start();
    for (const one of steps) road.limits.ended(one, givenUp);
    expect(road.start()).toBe('');
  });

  it('are never more in any minute, at whatever times they are asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(40_000), { maxLength: 30 }),
        (limit, waits) => {
          const road = new Road(models({ p: { requestsPerMinute: limit } }), ...many('p/m', 'x'.repeat(60)));
          const starts: number[] = [];
          for (const ms of waits) {
            road.clock.advance(ms);
            while (road.next() !== undefined) starts.push(road.clock.now());
            const opens = road.opensIn;
            expect(opens).toBeDefined();
            expect(opens).toBeGreaterThan(0);
          }
          for (const at of starts)
            expect(starts.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(
              limit,
            );
        },
      ),
    );
  });
});

describe('so many tokens a minute', () => {
  it('are counted when a call has ended', () => {
    const steps = many('p/m', 'abcd');
    const road = new Road(models({ p: { tokensPerMinute: 100, concurrency: 1 } }), ...steps);
    road.start();
    road.limits.ended(steps[0] as ReadyStep, { tokens: 60, isGivenUp: false });
    road.clock.advance(1000);
    expect(road.start()).toBe('b');
    road.limits.ended(steps[1] as ReadyStep, { tokens: 60, isGivenUp: false });
    expect(road.start()).toBe('');
    // When the first 60 are a minute old there is room again.
    expect(road.opensIn).toBe(59_000);
    road.clock.advance(59_000);
    expect(road.start()).toBe('c');
  });

  it('that are more than a minute has at once are waited for, and no longer', () => {
    const steps = many('p/m', 'ab');
    const road = new Road(models({ p: { tokensPerMinute: 10 } }), ...steps);
    expect(road.start(1)).toBe('a');
    road.limits.ended(steps[0] as ReadyStep, { tokens: 5000, isGivenUp: false });
    expect(road.start()).toBe('');
    expect(road.opensIn).toBe(60_000);
    road.clock.advance(60_000);
    expect(road.start()).toBe('b');
  });
});

describe('a lane that is closed', () => {
  it('opens at its time, and holds up nothing else', () => {
    const steps = many('p/m', 'ab');
    const road = new Road(models({ p: {} }), ...steps, ...many('p/n', 'x'), cell('q'));
    road.start(1);
    road.limits.ended(steps[0] as ReadyStep, good);
    road.limits.closeUntil(steps[0] as ReadyStep, road.clock.now() + 5000);
    expect(road.start()).toBe('xq');
    expect(road.opensIn).toBe(5000);
    road.clock.advance(5000);
    expect(road.start()).toBe('b');
  });

  it('is not opened by one who was told an earlier time', () => {
    const [a, b] = many('p/m', 'ab') as [ReadyStep, ReadyStep];
    const road = new Road(models({ p: {} }), b);
    road.limits.closeUntil(a, road.clock.now() + 5000);
    road.limits.closeUntil(a, road.clock.now() + 1000);
    expect(road.start()).toBe('');
    expect(road.opensIn).toBe(5000);
  });

  it('tells the time of the first that opens, of all that wait', () => {
    const [a] = many('p/m', 'a') as [ReadyStep];
    const [b] = many('p/n', 'b') as [ReadyStep];
    const road = new Road(models({ p: {} }), a, b);
    road.limits.closeUntil(a, road.clock.now() + 9000);
    road.limits.closeUntil(b, road.clock.now() + 3000);
    expect(road.start()).toBe('');
    expect(road.opensIn).toBe(3000);
  });
});

describe('a provider that fails and fails', () => {
  /** So many cells of a line end so, one after the other; tells how many were started. */
  function endAll(road: Road, how: (nth: number) => { tokens: number; isGivenUp: boolean }): number {
    let count = 0;
    for (let next = road.next(); next !== undefined; next = road.next()) {
      count += 1;
      road.limits.ended(next, how(count));
    }
    return count;
  }

  it('is left alone after five cells in a row, with all its models', () => {
    const road = new Road(models({ p: {} }), ...many('p/m', 'abcdefg'), ...many('p/n', 'x'));
    expect(endAll(road, () => givenUp)).toBe(5);
    expect(road.limits.isGivenUp(cell('x', 'p/n'))).toBe(true);
    expect(road.limits.isGivenUp(cell('x', 'q/n'))).toBe(false);
    expect(road.opensIn).toBeUndefined();
    road.clock.advance(3_600_000);
    expect(road.start()).toBe('');
  });

  it('is asked on where one in between has gone well', () => {
    const road = new Road(models({ p: {} }), ...many('p/m', 'abcdefghij'));
    expect(endAll(road, (nth) => (nth % 5 === 0 ? good : givenUp))).toBe(10);
  });

  it('is asked nothing new while five cells wait for another try, and on as soon as it answers one', () => {
    const steps = many('p/m', 'abcdefg');
    const road = new Road(models({ p: {} }), ...steps);
    for (const one of steps.slice(0, 5)) {
      expect(road.next()).toBe(one);
      road.limits.ended(one, retried);
    }
    expect(road.start()).toBe('');
    expect(road.opensIn).toBeUndefined();
    const [a] = steps as [ReadyStep];
    road.add(a);
    expect(road.next()).toBe(a);
    road.limits.ended(a, good);
    expect(road.start()).toBe('fg');
  });

  it('is left alone when those five are given up as well', () => {
    const steps = many('p/m', 'abcdefg');
    const road = new Road(models({ p: {} }), ...steps);
    for (const one of steps.slice(0, 5)) {
      road.next();
      road.limits.ended(one, retried);
    }
    for (const one of steps.slice(0, 5)) {
      road.add(one);
      expect(road.next()).toBe(one);
      road.limits.ended(one, givenUp);
    }
    expect(road.start()).toBe('');
    expect(road.limits.isGivenUp(steps[5] as ReadyStep)).toBe(true);
  });

  it('whose model is given up is asked for its others', () => {
    const road = new Road(models({ p: {} }), ...many('p/m', 'ab'), ...many('p/n', 'x'));
    road.limits.giveUp(cell('z', 'p/m'));
    expect(road.start()).toBe('x');
    expect(road.opensIn).toBeUndefined();
  });

  it('stays given up when a call that was under way comes back', () => {
    const [a, b, c] = many('p/m', 'abc') as [ReadyStep, ReadyStep, ReadyStep];
    const road = new Road(models({ p: {} }), a, b, c);
    road.start(2);
    road.limits.ended(a, givenUp);
    road.limits.giveUp(a);
    road.limits.ended(b, good);
    expect(road.limits.isGivenUp(c)).toBe(true);
    expect(road.start()).toBe('');
  });
});

describe('whoever waits', () => {
  it('always comes to its turn, each lane in its own order, and none twice', () => {
    const step = fc.record({ end: fc.nat(), ms: fc.nat(30_000), close: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('p/m', 'p/n', 'q/x', ''), { maxLength: 20 }),
        fc.array(step, { maxLength: 20 }),
        (names, steps) => {
          const cells = names.map((name, at) => cell(String(at), name === '' ? undefined : name));
          const given = models(
            { p: { concurrency: 2 }, q: { requestsPerMinute: 3 } },
            { 'p/n': { concurrency: 1, tokensPerMinute: 50 } },
          );
          const road = new Road(given, ...cells);
          const running: ReadyStep[] = [];
          const started: ReadyStep[] = [];
          const startAll = () => {
            for (let next = road.next(); next !== undefined; next = road.next()) {
              running.push(next);
              started.push(next);
            }
          };
          const endOne = (nth: number) => {
            const [one] = running.splice(nth % Math.max(1, running.length), 1);
            if (one !== undefined) road.limits.ended(one, { tokens: 30, isGivenUp: false });
            return one;
          };
          for (const { end, ms, close } of steps) {
            startAll();
            const one = endOne(end);
            if (one !== undefined && close) road.limits.closeUntil(one, road.clock.now() + ms);
            road.clock.advance(ms);
          }
          for (let round = 0; round < 200 && started.length < cells.length; round++) {
            startAll();
            if (endOne(0) === undefined) road.clock.advance(Math.max(1, road.opensIn ?? 1));
          }
          expect(new Set(started).size).toBe(cells.length);
          expect(started.length).toBe(cells.length);
          for (const name of ['p/m', 'p/n', 'q/x', '']) {
            const order = started
              .filter((one) => names[Number(one.unit.id)] === name)
              .map((one) => Number(one.unit.id));
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('for a provider that asks for more than patience is not told of, unlike limits of one’s own', () => {
    const [a, b] = many('p/m', 'ab') as [ReadyStep, ReadyStep];
    const road = new Road(models({ p: { requestsPerMinute: 1 } }), a, b);
    expect(road.start()).toBe('a');
    expect(road.opensWithin(1000)).toBe(60_000);
    road.limits.closeUntil(a, road.clock.now() + 5000);
    expect(road.opensWithin(4999)).toBeUndefined();
    expect(road.opensWithin(5000)).toBe(60_000);
  });
});
