import { describe, expect, test, vi } from 'vitest';
import type * as lock from '../../src/store/file/journal/lock.ts';
import { checkTeam } from './tasks-check.ts';
import { begin, takeOver } from './tasks-story.ts';
import { newProcess, next, type Team } from './tasks-team.ts';

let isDeskWatched = true;

// A test of the tests: nobody waits for the desk.
vi.mock('../../src/store/file/journal/lock.ts', async (original) => {
  const real = await original<typeof lock>();
  const takeLock: typeof real.takeLock = async (options) =>
    isDeskWatched
      ? await real.takeLock(options)
      : {
          ok: true,
          value: { fencingNumber: 1, isHeld: () => true, renew: async () => true, release: () => {} },
        };
  return { ...real, takeLock };
});

/** Everybody asks at once, all of them alive, and is told of a task or of none. */
async function crowd(team: Team, size: number): Promise<string[]> {
  const pids = new Set<number>();
  const answers = Array.from({ length: size }, (_, nth) => {
    const env = newProcess(team);
    pids.add(env.host.self.pid);
    const isAlive = (name: { pid: number }) => (pids.has(name.pid) ? 'alive' : 'dead');
    // Whoever has to wait lets the others go on.
    const sleep = () => new Promise<void>((go) => setImmediate(go));
    return next(team, `a${nth}`, undefined, {
      ...env,
      host: { ...env.host, isAlive },
      clock: { ...env.clock, sleep },
    });
  });
  return (await Promise.all(answers)).flatMap((answer) => {
    const task = answer.ok ? answer.value.task : undefined;
    return task === undefined ? [] : [`${task.unit}#${task.attempt}`];
  });
}

describe('of many that ask at once', () => {
  test('one is given the task', async () => {
    const team = await begin('power', false);
    expect(await crowd(team, 12)).toEqual(['T001#1']);
    await takeOver(team);
    await checkTeam(team);
  });

  test('several are, if nobody waited for the desk', async () => {
    const team = await begin('power', false);
    isDeskWatched = false;
    expect((await crowd(team, 12)).length).toBeGreaterThan(1);
  });
});
