import { describe, expect, it } from 'vitest';
import { failed, started, succeeded } from '../../test/fixtures/events.ts';
import { gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { EventBody } from '../model/event.ts';
import type { ManifestPhase } from '../pipeline/schema/manifest.ts';

type Limits = NonNullable<ManifestPhase['limits']>;

const limited = (limits: Limits) => line({ phases: { ...phase('one', { limits }), ...phase('two') } });

async function world(limits: Limits, ...events: EventBody[]): Promise<World> {
  const made = await World.of(limited(limits));
  made.begin();
  made.fold(...events);
  return made;
}

/** Attempts at phase `one`, each with a letter: good, failed, sent back by its gate, interrupted, or under way. */
function attempts(letters: string, unitOf: (at: number) => string = (at) => `u${at}`): EventBody[] {
  const numbers = new Map<string, number>();
  return [...letters].flatMap((letter, at): EventBody[] => {
    const unit = unitOf(at);
    const number = (numbers.get(unit) ?? 0) + 1;
    numbers.set(unit, number);
    const name = `${unit}/one#${number}`;
    const judged = (passed: boolean) => ({ verdict: 'x', judged: { passed } });
    const ends: Record<string, EventBody[]> = {
      g: [succeeded(name)],
      G: [succeeded(name, {}, judged(true))],
      f: [failed(name)],
      b: [succeeded(name, {}, judged(false))],
      i: [{ type: 'attempt_interrupted', unit, phase: 'one', attempt: number, ms: 1 }],
    };
    return [started(name), ...(ends[letter] ?? [])];
  });
}

const names = (made: World) => made.plan().limits.map(({ limit }) => limit);

describe('a limit of attempts', () => {
  it('is reached when there were so many, however they ended', async () => {
    expect(names(await world({ attempts: 5 }, ...attempts('gfbi')))).toEqual([]);
    expect((await world({ attempts: 5 }, ...attempts('gfbi.'))).plan().limits).toEqual([
      { phase: 'one', limit: 'attempts', value: 5, max: 5, attempts: 5 },
    ]);
  });

  it('counts over all units and over every resume', async () => {
    const one = await world({ attempts: 4 }, ...attempts('gg', () => 'a'));
    one.fold({ type: 'run_ended', status: 'stopped' }, { type: 'run_resumed', boot: 'boot-2' });
    one.fold(...attempts('gg', () => 'b'));
    expect(names(one)).toEqual(['attempts']);
  });

  it('is that of its own phase', async () => {
    const made = await world({ attempts: 1 }, started('a/two#1'), succeeded('a/two#1'));
    expect(made.plan().limits).toEqual([]);
    made.fold(started('a/one#1'));
    expect(made.plan().limits).toMatchObject([{ phase: 'one' }]);
  });
});

describe('a limit of bad ones in a row', () => {
  it('counts what failed and what its gate sent back', async () => {
    expect(names(await world({ consecutive_failures: 3 }, ...attempts('fb')))).toEqual([]);
    expect((await world({ consecutive_failures: 3 }, ...attempts('gfbf'))).plan().limits).toEqual([
      { phase: 'one', limit: 'consecutive_failures', value: 3, max: 3, attempts: 4 },
    ]);
  });

  it('begins again after a good one, and is not moved by one that was interrupted', async () => {
    expect(names(await world({ consecutive_failures: 3 }, ...attempts('ffgff')))).toEqual([]);
    expect(names(await world({ consecutive_failures: 3 }, ...attempts('ffGff')))).toEqual([]);
    expect(names(await world({ consecutive_failures: 3 }, ...attempts('ffif')))).toEqual([
      'consecutive_failures',
    ]);
  });
});

describe('a limit of a share', () => {
  const half = (at: number) => `u${at % 2}`;

  it('of retries counts attempts that were not a unit’s first', async () => {
    const limits = { retry_rate: 0.5, after: 4 };
    expect(names(await world(limits, ...attempts('gggg', half)))).toEqual([]);
    expect((await world(limits, ...attempts('ggggg', half))).plan().limits).toEqual([
      { phase: 'one', limit: 'retry_rate', value: 0.6, max: 0.5, attempts: 5 },
    ]);
  });

  it('of bad ones may be reached, not passed', async () => {
    const limits = { reject_rate: 0.5, after: 1 };
    expect(names(await world(limits, ...attempts('fg')))).toEqual([]);
    expect((await world(limits, ...attempts('fgb'))).plan().limits).toEqual([
      { phase: 'one', limit: 'reject_rate', value: 2 / 3, max: 0.5, attempts: 3 },
    ]);
  });

  it('is asked after so many attempts, ten when nothing is said', async () => {
    expect(names(await world({ reject_rate: 0.1, after: 3 }, ...attempts('ff')))).toEqual([]);
    expect(names(await world({ reject_rate: 0.1, after: 3 }, ...attempts('fff')))).toEqual(['reject_rate']);
    expect(names(await world({ reject_rate: 0 }, ...attempts('f'.repeat(9))))).toEqual([]);
    expect(names(await world({ reject_rate: 0 }, ...attempts('f'.repeat(10))))).toEqual(['reject_rate']);
  });

  it('does not put off the others', async () => {
    const limits = { attempts: 2, consecutive_failures: 2, retry_rate: 0, reject_rate: 0 };
    expect(names(await world(limits, ...attempts('ff', () => 'a')))).toEqual([
      'attempts',
      'consecutive_failures',
    ]);
  });
});

describe('a limit that is reached', () => {
  it('leaves the plan as it is: what would run is still told', async () => {
    const made = await world({ attempts: 1 }, ...attempts('f', () => 'a'));
    expect(made.decisions()).toMatchObject({ 'a/one': 'run failed-before', 'b/one': 'run never-ran' });
    expect(made.plan()).toMatchObject({ refusals: [], finished: false });
  });

  it('is gone past on record, and counting starts anew', async () => {
    const made = await world({ attempts: 2, consecutive_failures: 2 }, ...attempts('ff', () => 'a'));
    expect(made.override({ pastLimits: { reason: 'new paint' } })).toEqual([]);
    expect(made.plan().limits).toEqual([]);
    expect(made.ledger.overrides).toMatchObject([
      {
        guard: 'limit-reached',
        flag: '--past-limits',
        reason: 'new paint',
        facts: { limits: ['one attempts 2', 'one consecutive_failures 2'] },
      },
    ]);
    made.fold(...attempts('f', () => 'b'));
    expect(made.plan().limits).toEqual([]);
    made.fold(...attempts('f', () => 'c'));
    expect(names(made)).toEqual(['attempts', 'consecutive_failures']);
  });

  it('is not gone past by any other override, nor by this one where there is none', async () => {
    const made = await world({ attempts: 1 }, ...attempts('f', () => 'a'));
    made.override({
      forceResume: { reason: 'x' },
      force: { reason: 'x' },
      allowPromptChange: { reason: 'x' },
    });
    expect(names(made)).toEqual(['attempts']);
    const free = await world({ attempts: 9 }, ...attempts('f', () => 'a'));
    free.override({ pastLimits: { reason: 'x' } });
    expect(free.ledger.overrides).toEqual([]);
    expect(free.ledger.tallies).toMatchObject([{ attempts: 1 }]);
  });

  it('may be raised in the manifest at any time', async () => {
    const made = await world({ attempts: 1 }, ...attempts('f', () => 'a'));
    await made.change({}, limited({ attempts: 2 }));
    expect(made.plan()).toMatchObject({ limits: [], refusals: [] });
  });

  it('on a gate’s phase counts rounds', async () => {
    const phases = {
      ...phase('draw'),
      ...phase('look', { gate: gate('stop', 'draw', 3), limits: { attempts: 2 } }),
    };
    const made = await World.of(line({ units: ['a'], phases }));
    made.verdicts.set('a/look', ['fail']);
    made.makers.set('a/draw', ({ iteration: round }) => ({ out: `${round}` }));
    made.run('a/look');
    expect(names(made)).toEqual([]);
    made.run();
    expect(names(made)).toEqual(['attempts']);
  });
});
