import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  copyOf,
  eventsIn,
  manifest,
  next,
  nextPath,
  remembered,
  runFolder,
  startedWorld,
  tasks,
} from '../../../../test/fixtures/claimed.ts';
import { nextProcess, root, type TestEnvironment } from '../../../../test/fixtures/memory.ts';
import { systemIds } from '../../../base/ids.ts';
import { CrashSignal } from '../../../disk/memory-disk.ts';
import { runPipeline } from '../../run/run.ts';
import { completeTask } from '../complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../end.ts';

/*
 * Two worlds live through the same history. In one of them what is remembered is deleted before everything that
 * happens, so that the whole run is looked at each time. Nobody must be able to tell them apart.
 */

const actors = ['ann', 'bob', 'cy'];
const units = tasks.map(({ id }) => id);

type Step = (env: TestEnvironment) => Promise<unknown> | unknown;

const actor = fc.constantFrom(...actors);
const unit = fc.constantFrom(...units);
const put = (env: TestEnvironment, path: string, text: string) => env.disk.putFile(`${root}/${path}`, text);

const nexts: fc.Arbitrary<[string, Step]> = fc
  .record({
    actor,
    role: fc.constantFrom(undefined, undefined, undefined, 'executor', 'verifier', 'planner', 'nobody'),
  })
  .map(({ actor, role }) => [`next ${actor} ${role}`, (env) => next(env, actor, { role })]);

const words: fc.Arbitrary<[string, Step]> = fc
  .record({
    actor,
    unit,
    what: fc.constantFrom('complete', 'complete', 'fail', 'release', 'block', 'unblock', 'beat'),
  })
  .map(({ actor, unit, what }) => {
    const at = { path: root, actor, unit };
    const said: Record<typeof what, Step> = {
      complete: (env) => completeTask(env, at),
      fail: (env) => failTask(env, { ...at, reason: 'no' }),
      release: (env) => releaseTask(env, at),
      block: (env) => blockTask(env, { ...at, reason: 'stuck' }),
      unblock: (env) => unblockTask(env, at),
      beat: (env) => heartbeat(env, at),
    };
    return [`${what} ${actor} ${unit}`, said[what]];
  });

/** Everything else that the answer may hang on. */
const events: readonly [string, Step][] = [
  ['a minute', (env) => env.clock.advance(60_000)],
  ['a lease', (env) => env.clock.advance(6 * 60_000)],
  ['an hour', (env) => env.clock.advance(60 * 60_000)],
  ['clock back', (env) => env.clock.advance(-2 * 60_000)],
  ['comment in the manifest', (env) => put(env, 'pawl.yaml', `${manifest}# more\n`)],
  ['other lease', (env) => put(env, 'pawl.yaml', manifest.replace('lease: 10m', 'lease: 20m'))],
  ['other definition', (env) => put(env, 'pawl.yaml', manifest.replace(', override: my.md', ''))],
  ['broken manifest', (env) => put(env, 'pawl.yaml', 'pawl: 9')],
  ['the manifest as it was', (env) => put(env, 'pawl.yaml', manifest)],
  ['template', (env) => put(env, 'do.md', 'Do {{ unit.id }} well.')],
  ['template as it was', (env) => put(env, 'do.md', 'Do {{ unit.id }}.')],
  ['override', (env) => put(env, 'my.md', 'My {{ unit.id }}.')],
  ['no override', (env) => env.disk.remove(`${root}/my.md`)],
  ['declared file', (env) => put(env, 'guide.md', 'Mind the train.')],
  ['declared file as it was', (env) => put(env, 'guide.md', 'Mind the gap.')],
  ['another manifest', (env) => put(env, 'pawl.yml', manifest)],
  ['a note', (env) => put(env, 'notes/t1.md', 'mine')],
  ['a note edited', (env) => put(env, 'notes/t0.md', `edited ${env.clock.ms}`)],
  ['no note', (env) => env.disk.remove(`${root}/notes/t0.md`)],
  ['graph grows', (env) => putGraph(env, [...tasks, { id: 't8', priority: 0 }])],
  ['graph shrinks', (env) => putGraph(env, tasks.slice(2))],
  ['graph as it was', (env) => putGraph(env, tasks)],
  ['graph broken', (env) => put(env, `${runFolder(env)}/tasks.json`, '{')],
  ['folder of another run', (env) => env.disk.makeFolder(`${root}/runs/other`)],
  ['a journal in it', (env) => env.disk.makeFolder(`${root}/runs/other/events/x`)],
  ['a stranger at the journal', (env) => env.disk.makeFolder(`${root}/${runFolder(env)}/events/stranger`)],
  ['another run', (env) => runPipeline(env, { path: root, fresh: true })],
  ['run', (env) => runPipeline(env, { path: root })],
  ['reboot', (env) => reboot(env)],
  ['garbage in the memory', (env) => spoil(env)],
];

function putGraph(env: TestEnvironment, list: readonly object[]): void {
  put(env, `${runFolder(env)}/tasks.json`, JSON.stringify({ tasks: list }));
}

function reboot({ host }: TestEnvironment): void {
  host.self.boot = `${host.self.boot}+`;
}

/** A byte of what is remembered is another one. Not so where there is nothing. */
function spoil(env: TestEnvironment): void {
  const bytes = env.disk.read(nextPath);
  if (bytes === undefined) return;
  const other = Uint8Array.from(bytes);
  other[other.length >> 1] = (other[other.length >> 1] ?? 0) ^ 1;
  env.disk.putFile(nextPath, other);
}

const step = fc.oneof(
  { weight: 8, arbitrary: nexts },
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: fc.constantFrom(...events) },
);

/** What somebody sees of a step. */
async function outcome(env: TestEnvironment, act: Step): Promise<unknown> {
  return plain((await act(env)) ?? null);
}

/** As JSON, without what differs between two disks on which files are made at other moments. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, member) => (key === 'mtime' || key === 'ino' ? 0 : member)));
}

/** On the same machine, which may have been started anew. */
function laterProcess(env: TestEnvironment): TestEnvironment {
  const later = nextProcess(env);
  later.host.self.boot = env.host.self.boot;
  return later;
}

it('nobody can tell whether it was remembered', { timeout: 120_000 }, async () => {
  let handedOutQuickly = 0;
  const world = await startedWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (history) => {
      let [quick, slow] = [copyOf(world), copyOf(world)];
      for (const [name, act] of history) {
        slow.disk.remove(nextPath);
        const before = remembered(quick);
        const [one, other] = [await outcome(quick, act), await outcome(slow, act)];
        expect(one, name).toEqual(other);
        const after = remembered(quick);
        if (name.startsWith('next') && before?.at === after?.at && (after?.left ?? 0) < (before?.left ?? 0))
          handedOutQuickly += 1;
        [quick, slow] = [laterProcess(quick), laterProcess(slow)];
      }
      expect(plain(eventsIn(quick))).toEqual(plain(eventsIn(slow)));
      expect(attemptFiles(quick)).toEqual(attemptFiles(slow));
    }),
    // Always the same histories: ids are drawn in another order by each way, and now and then a name follows from one.
    { numRuns: Number(process.env.PAWL_RUNS ?? 20), seed: 7 },
  );
  expect(handedOutQuickly).toBeGreaterThan(0);
});

function attemptFiles(env: TestEnvironment): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const name of env.disk.list(folder) ?? []) {
      const path = `${folder}/${name}`;
      if (env.disk.stat(path)?.kind === 'folder') walk(path);
      else found[path] = new TextDecoder().decode(env.disk.read(path));
    }
  };
  walk(`${root}/${runFolder(env)}/attempts`);
  return found;
}

it('whoever is killed in between leaves nothing that is handed out twice', { timeout: 120_000 }, async () => {
  const world = await startedWorld();
  await next(world, 'ann');
  for (let call = 1; ; call++) {
    // What somebody who was killed leaves under a temporary name must not be in anybody's way.
    const env = { ...copyOf(world), ids: systemIds };
    const when = (['before', 'during', 'after'] as const)[call % 3] ?? 'after';
    env.disk.failAt(env.disk.calls + Math.ceil(call / 3), { kind: 'crash', when });
    let isOver = false;
    try {
      await next(nextProcess(env), 'bob');
      isOver = true;
    } catch (error) {
      if (!(error instanceof CrashSignal)) throw error;
    }
    const later = { ...nextProcess(nextProcess(env)), disk: env.disk.kill() };
    const others: (string | undefined)[] = [];
    for (const who of ['cy', 'dee', 'ed']) {
      const answer = await next(later, who);
      others.push(answer.ok ? answer.value.task?.unit : JSON.stringify(answer.failure));
    }
    const started = eventsIn(later).flatMap((event) =>
      'type' in event && event.type === 'phase_started' && 'unit' in event ? [event.unit] : [],
    );
    expect(new Set(started).size, `call ${call}: ${others}`).toBe(started.length);
    if (isOver) break;
  }
});
