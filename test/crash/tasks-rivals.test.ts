import { describe, expect, test } from 'vitest';
import { isVisited } from '../support/sample.ts';
import { checkTeam } from './tasks-check.ts';
import { sleepingAt } from './tasks-disks.ts';
import { begin, takeOver } from './tasks-story.ts';
import {
  complete,
  demandOk,
  giveUp,
  leaseMs,
  newProcess,
  next,
  shown,
  type Team,
  work,
} from './tasks-team.ts';

/*
 * Somebody falls asleep while it has the desk, is taken for dead, and goes on when others have been there: as a process
 * does that was stopped, or that is out of sight in a container of its own.
 */

type Act = (team: Team, env: ReturnType<typeof newProcess>) => Promise<unknown>;

const claimOf =
  (actor: string): Act =>
  (team, env) =>
    next(team, actor, undefined, env);

/** `a` has claimed the first task, done its work, and let its lease run out. */
async function overdue(): Promise<Team> {
  const team = await begin('power', false);
  const { task } = demandOk(await next(team, 'a'));
  if (task === undefined) throw new Error('nothing to claim');
  work(team, task);
  team.ms += leaseMs;
  return team;
}

const cases: readonly [name: string, start: () => Promise<Team>, sleeper: Act, ...others: Act[]][] = [
  ['claims', () => begin('power', false), claimOf('a'), claimOf('b')],
  ['completes', overdue, (team, env) => complete(team, { unit: 'T001', actor: 'a' }, env), claimOf('b')],
  ['gives up', overdue, (team, env) => giveUp(team, { unit: 'T001', actor: 'a' }, env), claimOf('b')],
  [
    'completes what others have completed',
    overdue,
    (team, env) => complete(team, { unit: 'T001', actor: 'a' }, env),
    claimOf('b'),
    (team, env) => complete(team, { unit: 'T001', actor: 'b' }, env),
  ],
];

describe.each(cases)('whoever is taken for dead while it %s', (_, start, sleeper, ...others) => {
  test('breaks no promise, wherever it has slept', { timeout: 600_000 }, async () => {
    const syncs = await countSyncs(await start(), sleeper);
    expect(syncs).toBeGreaterThan(4);
    for (let nth = 1; nth <= syncs; nth++) {
      if (!isVisited(nth)) continue;
      const team = await start();
      const bed = sleepingAt(team.disk, nth);
      const env = newProcess(team);
      // Whoever finds somebody else at the desk comes again.
      const clock = { ...env.clock, sleep: () => Promise.resolve() };
      const asleep = sleeper(team, { ...env, clock, disk: bed.disk });
      await bed.fallenAsleep;
      for (const act of others) await act(team, newProcess(team));
      bed.wake();
      await asleep;
      try {
        demandOneHolder(team);
        await takeOver(team);
        await checkTeam(team, { displaced: true });
      } catch (error) {
        throw new Error(`slept at its sync ${nth}: ${String(error)}`, { cause: error });
      }
    }
  });
});

/** Each number was given to one, and nobody was told of two ends of a claim. */
function demandOneHolder({ told }: Team): void {
  const given = told.flatMap((one) => (one.act === 'claimed' ? [`${one.unit}#${one.attempt}`] : []));
  if (new Set(given).size < given.length) throw new Error(`given twice: ${shown(told)}`);
  const done = told.flatMap((one) => (one.act === 'completed' ? [one.answer.unit] : []));
  if (new Set(done).size < done.length) throw new Error(`done twice: ${shown(told)}`);
}

async function countSyncs(team: Team, act: Act): Promise<number> {
  let count = 0;
  team.disk.watch(({ operation }, when) => {
    if (when === 'before' && (operation === 'sync' || operation === 'syncFolder')) count += 1;
  });
  await act(team, newProcess(team));
  return count;
}
