import { describe, expect, it } from 'vitest';
import { testMachine } from '../../../../test/fixtures/doctor.ts';
import { type Letters, letters } from '../../../../test/fixtures/letters.ts';
import { demand, nextProcess, root, run, type TestEnvironment } from '../../../../test/fixtures/memory.ts';
import { openWorkspace } from '../../open/workspace.ts';
import { checkKept } from './kept.ts';
import { checkRuns, openRuns } from './runs.ts';

const dayMs = 24 * 60 * 60_000;

async function siteOf({ target }: Letters, env: TestEnvironment, isManifestValid = true) {
  const workspace = isManifestValid ? demand(await openWorkspace(env, target)) : undefined;
  return { env, machine: testMachine(), start: root, root, workspace };
}

async function checked(world: Letters, env: TestEnvironment = world.env, isManifestValid = true) {
  const site = await siteOf(world, env, isManifestValid);
  return checkRuns(site, openRuns(site));
}

/** A run whose holder is in the middle of a cell. */
async function begun(): Promise<Letters> {
  const world = letters({ units: ['ann'] });
  const there = new Promise<void>((reached) => {
    world.work.read = () => {
      reached();
      return new Promise(() => undefined);
    };
  });
  void run(world.env, world.definition);
  await there;
  return world;
}

const runsIn = ({ env }: Letters) => env.disk.list(`${root}/.pawl/runs`) ?? [];

describe('runs', () => {
  it('that are completed are well', async () => {
    const world = letters();
    expect(await checked(world)).toEqual([{ check: 'run-journal', state: 'ok', facts: { runs: 0 } }]);
    await run(world.env, world.definition);
    world.env.clock.ms += 100 * dayMs;
    expect(await checked(world)).toEqual([{ check: 'run-journal', state: 'ok', facts: { runs: 1 } }]);
  });

  it('that a living process holds are well, and told', async () => {
    const world = await begun();
    expect(await checked(world)).toMatchObject([
      { check: 'run-journal', state: 'ok' },
      { check: 'run-holder', state: 'ok', facts: { holder: { pid: 1, alive: 'alive' } } },
    ]);
  });

  it('whose process has died are interrupted', async () => {
    const world = await begun();
    const [id] = runsIn(world);
    for (const isManifestValid of [true, false])
      expect(await checked(world, nextProcess(world.env), isManifestValid)).toEqual([
        { check: 'run-journal', state: 'ok', facts: { runs: 1 } },
        { check: 'run-interrupted', state: 'warning', facts: { run: id, holder: { pid: 1, host: 'here' } } },
      ]);
  });

  it('whose process is elsewhere are in doubt', async () => {
    const world = await begun();
    const host = { ...world.env.host, isAlive: () => 'unknown' as const };
    expect(await checked(world, { ...world.env, host })).toMatchObject([
      { check: 'run-journal', state: 'ok' },
      {
        check: 'run-holder',
        state: 'warning',
        facts: { holder: { pid: 1, host: 'here', alive: 'unknown' } },
      },
    ]);
  });

  it('that are damaged are bad, and hide no others', async () => {
    const world = letters();
    await run(world.env, world.definition);
    const [id] = runsIn(world);
    await run(world.env, world.definition, { fresh: true });
    const [segment] = world.env.disk.list(`${root}/.pawl/runs/${id}/events/runner`) ?? [];
    const path = `${root}/.pawl/runs/${id}/events/runner/${segment}`;
    const lines = new TextDecoder().decode(world.env.disk.read(path)).split('\n');
    world.env.disk.putFile(path, ['nothing', ...lines.slice(3)].join('\n'));
    world.env.disk.remove(`${root}/.pawl/runs/${id}/snapshot`);
    expect(await checked(world)).toMatchObject([
      { check: 'run-journal', state: 'bad', facts: { run: id } },
      { check: 'run-journal', state: 'ok', facts: { runs: 1 } },
    ]);
  });

  it('of one identity that could all be gone on with are a choice', async () => {
    const world = letters();
    world.work.seal = () => Promise.reject(new Error('no wax'));
    await run(world.env, world.definition);
    await run(world.env, world.definition, { fresh: true });
    expect(await checked(world)).toMatchObject([
      { check: 'run-journal', facts: { runs: 2 } },
      { check: 'run-choice', state: 'warning', facts: { pipeline: 'letters', runs: runsIn(world) } },
    ]);
  });

  it('to which nothing has happened for long are stale', async () => {
    const world = letters({ pace: { stale_after: '2d' } });
    world.work.seal = () => Promise.reject(new Error('no wax'));
    await run(world.env, world.definition);
    world.env.clock.ms += 2 * dayMs;
    expect(await checked(world)).toHaveLength(1);
    world.env.clock.ms += 1;
    expect(await checked(world)).toMatchObject([
      { check: 'run-journal' },
      { check: 'run-stale', state: 'warning', facts: { idleMs: 2 * dayMs + 1, limitMs: 2 * dayMs } },
    ]);
  });
});

describe('what is kept', () => {
  const kept = async (world: Letters, env = world.env) => {
    const site = await siteOf(world, env);
    return checkKept(site, openRuns(site));
  };

  it('is nothing before the first run, and is counted from then on', async () => {
    const world = letters();
    expect(await kept(world)).toEqual([]);
    world.work.draft = ({ unit, respond }) => {
      respond('x'.repeat(1000));
      return { text: unit.id };
    };
    await run(world.env, world.definition);
    const [finding, ...rest] = await kept(world);
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ check: 'kept-size', state: 'ok', facts: { isPartial: false } });
    const facts = finding?.facts as { bytes: number; attemptBytes: number };
    expect(facts.attemptBytes).toBeGreaterThanOrEqual(2000);
    expect(facts.bytes).toBeGreaterThan(facts.attemptBytes);
  });

  it('is too much from a gigabyte on', async () => {
    const world = letters();
    await run(world.env, world.definition);
    const { disk } = world.env;
    const stat = disk.stat.bind(disk);
    // One file says that it is large: nobody reads it.
    const huge = Object.create(disk, {
      list: { value: disk.list.bind(disk) },
      stat: {
        value: (path: string) => {
          const found = stat(path);
          return found?.kind === 'file' && path.endsWith('/snapshot') ? { ...found, size: 2 ** 30 } : found;
        },
      },
    });
    const site = await siteOf(world, world.env);
    const runs = openRuns(site);
    expect(checkKept({ ...site, env: { ...world.env, disk: huge } }, runs)).toMatchObject([
      { check: 'kept-size', state: 'warning', facts: { bytesMax: 2 ** 30 } },
    ]);
  });

  it('may hold what a dead process has left, but a living one is in the middle of it', async () => {
    const world = await begun();
    const [id] = runsIn(world);
    const temp = '.pawl/objects/.pawl-0123456789abcdef0123456789abcdef0123.tmp';
    world.env.disk.putFile(`${root}/.pawl/runs/${id}/staging/ann~seal~1~letter`, 'abc');
    world.env.disk.putFile(`${root}/${temp}`, 'de');
    expect(await kept(world)).toMatchObject([{ check: 'kept-size' }]);
    expect(await kept(world, nextProcess(world.env))).toMatchObject([
      { check: 'kept-size' },
      {
        check: 'leftover-file',
        state: 'warning',
        facts: {
          files: 2,
          bytes: 5,
          paths: expect.arrayContaining([temp, `.pawl/runs/${id}/staging/ann~seal~1~letter`]),
        },
      },
    ]);
  });
});
