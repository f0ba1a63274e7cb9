import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { definePipeline } from '../../pipeline/define.ts';
import type { PhaseFunction } from '../../runner/executors/task.ts';
import { findRun } from './find-run.ts';
import { firstEvent, runPlaces } from './run-places.ts';
import { openWorkspace, placeWorkspace, type Workspace } from './workspace.ts';

const dayMs = 24 * 60 * 60 * 1000;
const draws: PhaseFunction = ({ unit }) => ({ picture: unit.id });

/** Frames in a folder of their run. */
function sprites(identity: Record<string, string>, more: Partial<CodePipeline> = {}): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'sprites',
    identity,
    units: { count: 2, id: 'f{index}' },
    phases: { draw: { run: draws, outputs: { picture: '{run}/approved/{unit}.txt' } } },
    layout: { run: 'runs/{date}_{character}_{move}' },
    ...more,
  };
}

const blaze = { character: 'blaze', move: 'idle' };
/** Its only phase fails: the run can be resumed. */
const stuck = (identity: Record<string, string>) =>
  sprites(identity, {
    phases: {
      draw: {
        run: () => Promise.reject(new Error('no ink')),
        outputs: { picture: '{run}/approved/{unit}.txt' },
      },
    },
  });

async function open(env: TestEnvironment, definition: CodePipeline): Promise<Workspace> {
  return demand(await openWorkspace(env, { path: root, pipeline: definePipeline(definition) }));
}

async function placesOf(env: TestEnvironment, definition: CodePipeline) {
  const { loaded } = await open(env, definition);
  return runPlaces(env, root, loaded.pipeline);
}

const found = async (env: TestEnvironment, definition: CodePipeline) =>
  demand(findRun(await open(env, definition), {}))?.folder;
const folders = (env: TestEnvironment) => env.disk.list(`${root}/runs`);
const pointers = (env: TestEnvironment) =>
  (env.disk.list(`${root}/.pawl/runs`) ?? []).filter((name) => name.endsWith('.json'));

describe('the folder of a run', () => {
  it('is the one that the layout names, and all of the run lies there', async () => {
    const env = memoryEnvironment();
    const { heading } = await run(env, sprites(blaze));
    expect(folders(env)).toEqual(['20261115_blaze_idle']);
    const folder = 'runs/20261115_blaze_idle';
    expect(await placesOf(env, sprites(blaze))).toEqual([{ id: heading.run, folder }]);
    expect(readText(env, `${folder}/approved/f1.txt`)).toBe('f1');
    expect(env.disk.list(`${root}/${folder}`)).toEqual(
      expect.arrayContaining(['approved', 'events', 'manifest.lock.json', 'run.json']),
    );
  });

  it('is remembered where all runs are, so that nobody needs the manifest', async () => {
    const env = memoryEnvironment();
    const { heading } = await run(env, sprites(blaze));
    const folder = 'runs/20261115_blaze_idle';
    expect(pointers(env)).toEqual([`${heading.run}.json`]);
    expect(runPlaces(env, root, undefined)).toEqual([{ id: heading.run, folder }]);
    expect(firstEvent(env, root, folder)).toMatchObject({ run: heading.run, identity: blaze });
  });

  it('of today is not that of tomorrow, and the run is the same', async () => {
    const env = memoryEnvironment();
    await run(env, stuck(blaze));
    env.clock.ms += dayMs;
    const answer = await run(env, sprites(blaze));
    expect(answer.kind).toBe('resumed');
    expect(folders(env)).toEqual(['20261115_blaze_idle']);
    await run(env, sprites(blaze), { fresh: true });
    expect(folders(env)).toEqual(['20261115_blaze_idle', '20261116_blaze_idle']);
  });

  it('has a number when it is not the first of its day', async () => {
    const env = memoryEnvironment();
    for (const fresh of [false, true, true]) await run(env, sprites(blaze), { fresh });
    expect(folders(env)).toEqual(['20261115_blaze_idle', '20261115_blaze_idle.2', '20261115_blaze_idle.3']);
    expect(readText(env, 'runs/20261115_blaze_idle.3/approved/f0.txt')).toBe('f0');
    expect(await placesOf(env, sprites(blaze))).toHaveLength(3);
  });

  it('is never one that is there already, whatever is in it', async () => {
    const env = memoryEnvironment({ 'runs/20261115_blaze_idle/notes.md': 'mine' });
    await run(env, sprites(blaze));
    expect(folders(env)).toEqual(['20261115_blaze_idle', '20261115_blaze_idle.2']);
    expect(env.disk.list(`${root}/runs/20261115_blaze_idle`)).toEqual(['notes.md']);
  });

  it('is only thought of while nothing runs', async () => {
    const env = memoryEnvironment();
    const workspace = await open(env, sprites(blaze));
    expect(placeWorkspace(workspace, undefined).runFolder).toBe('runs/20261115_blaze_idle');
    expect(placeWorkspace(workspace, 'runs/other').runFolder).toBe('runs/other');
    expect(env.disk.stat(`${root}/runs`)).toBeUndefined();
  });
});

describe('a pointer to a run', () => {
  it('that is lost is not missed where the manifest is known', async () => {
    const env = memoryEnvironment();
    const { heading } = await run(env, stuck(blaze));
    env.disk.remove(`${root}/.pawl/runs/${heading.run}.json`);
    expect(runPlaces(env, root, undefined)).toEqual([]);
    const answer = await run(env, sprites(blaze));
    expect(answer).toMatchObject({ kind: 'resumed', heading: { run: heading.run } });
    expect(folders(env)).toEqual(['20261115_blaze_idle']);
  });

  it.each([
    '',
    'null',
    '7',
    '[]',
    '{}',
    '{"folder":7}',
    '{"folder":"/etc"}',
    '{"folder":"runs/../../x"}',
    '{"folder":"nowhere"}',
    '{"fol',
    `{"folder":"${'x'.repeat(5000)}"}`,
  ])('that says %j leads nowhere, and hides nothing', async (text) => {
    const env = memoryEnvironment();
    await run(env, sprites(blaze));
    env.disk.putFile(`${root}/.pawl/runs/20990101-0000-x-aaaa.json`, text);
    expect(await placesOf(env, sprites(blaze))).toHaveLength(1);
    expect(runPlaces(env, root, undefined)).toHaveLength(1);
  });
});

describe('a folder that somebody renamed', () => {
  const rename = (env: TestEnvironment, from: string, to: string) =>
    env.disk.rename(`${root}/runs/${from}`, `${root}/runs/${to}`);

  it('is found, for its journal says whose it is', async () => {
    const env = memoryEnvironment();
    const { heading } = await run(env, stuck(blaze));
    rename(env, '20261115_blaze_idle', 'the good one');
    expect(await placesOf(env, sprites(blaze))).toEqual([{ id: heading.run, folder: 'runs/the good one' }]);
    expect(await run(nextProcess(env), sprites(blaze))).toMatchObject({
      kind: 'resumed',
      heading: { run: heading.run },
    });
    expect(folders(env)).toEqual(['the good one']);
  });

  it('is not taken for the one that has its name now', async () => {
    const env = memoryEnvironment();
    const first = await run(env, sprites(blaze));
    rename(env, '20261115_blaze_idle', 'kept');
    env.clock.ms += 60_000;
    const second = await run(env, sprites(blaze), { fresh: true });
    expect(folders(env)).toEqual(['20261115_blaze_idle', 'kept']);
    const places = await placesOf(env, sprites(blaze));
    expect(Object.fromEntries(places.map(({ id, folder }) => [id, folder]))).toEqual({
      [first.heading.run]: 'runs/kept',
      [second.heading.run]: 'runs/20261115_blaze_idle',
    });
    expect(places).toHaveLength(2);
  });

  it('is not found under a name that was never one of its layout’s folders', async () => {
    const env = memoryEnvironment();
    await run(env, sprites(blaze));
    env.disk.makeFolder(`${root}/attic`);
    env.disk.rename(`${root}/runs/20261115_blaze_idle`, `${root}/attic/old`);
    expect(await found(env, sprites(blaze))).toBeUndefined();
  });
});

describe('runs that are called alike', () => {
  it('are told apart by their identity', async () => {
    const env = memoryEnvironment();
    const identities = [
      { character: 'blaze', move: 'idle' },
      { character: 'blaze', move: 'idle_2' },
      { character: 'blaze_idle', move: '2' },
      { character: 'blaze', move: 'idl' },
    ];
    for (const identity of identities) await run(env, stuck(identity));
    expect(folders(env)).toEqual([
      '20261115_blaze_idl',
      '20261115_blaze_idle',
      '20261115_blaze_idle_2',
      '20261115_blaze_idle_2.2',
    ]);
    for (const identity of identities) {
      const folder = (await found(env, sprites(identity))) ?? '';
      expect(firstEvent(env, root, folder)?.identity).toEqual(identity);
    }
  });

  it('may have the same folder for all of them', async () => {
    const env = memoryEnvironment();
    const dated = (character: string) => sprites({ character }, { layout: { run: 'runs/{date}' } });
    await run(env, dated('blaze'));
    await run(env, dated('ember'));
    expect(folders(env)).toEqual(['20261115', '20261115.2']);
    expect(await found(env, dated('blaze'))).toBe('runs/20261115');
    expect(await found(env, dated('ember'))).toBe('runs/20261115.2');
    expect((await run(env, dated('blaze'))).kind).toBe('unchanged');
  });

  it('may differ in letters that no folder’s name can have', async () => {
    const env = memoryEnvironment();
    await run(env, sprites({ character: '火', move: 'idle' }));
    await run(env, sprites({ character: '水', move: 'idle' }));
    expect(folders(env)).toEqual(['20261115_run_idle', '20261115_run_idle.2']);
    expect(await found(env, sprites({ character: '水', move: 'idle' }))).toBe('runs/20261115_run_idle.2');
  });

  it('may be of another pipeline', async () => {
    const env = memoryEnvironment();
    await run(env, sprites(blaze));
    expect(await found(env, sprites(blaze, { pipeline: 'other' }))).toBeUndefined();
  });
});

describe('a newer folder that says nothing', () => {
  const newer = `${root}/runs/20261116_blaze_idle`;

  async function shadowed(prepare: (env: TestEnvironment) => void): Promise<void> {
    const env = memoryEnvironment();
    const { heading } = await run(env, stuck(blaze));
    prepare(env);
    expect(await found(env, sprites(blaze))).toBe('runs/20261115_blaze_idle');
    expect(await run(nextProcess(env), sprites(blaze))).toMatchObject({
      kind: 'resumed',
      heading: { run: heading.run, status: 'completed' },
    });
  }

  it('because it is empty', () => shadowed(({ disk }) => disk.makeFolder(newer)));
  it('because it has an empty journal', () =>
    shadowed(({ disk }) => disk.makeFolder(`${newer}/events/runner`)));
  it('because it is a file', () => shadowed(({ disk }) => disk.putFile(newer, 'notes')));
  it('because its journal is a file', () => shadowed(({ disk }) => disk.putFile(`${newer}/events`, 'notes')));
  it('because its journal is garbage', () =>
    shadowed(({ disk }) => {
      disk.putFile(`${newer}/events/runner/000001.jsonl`, 'garbage\n');
      disk.putFile(`${newer}/run.json`, '{}');
    }));
  it.each(['stat', 'list', 'read'])('because nobody may look into it: %s', (operation) =>
    shadowed(({ disk }) => {
      disk.putFile(`${newer}/events/runner/000001.jsonl`, '{}\n');
      disk.failWhen((call) =>
        call.operation === operation && call.path.startsWith(`${newer}/`)
          ? { kind: 'error', code: 'EACCES' }
          : undefined,
      );
    }),
  );
});

it('has no folder of its own where the layout names none', async () => {
  const env = memoryEnvironment();
  const plain = sprites(blaze, {
    layout: {},
    phases: { draw: { run: draws, outputs: { picture: 'out/{unit}.txt' } } },
  });
  const { heading } = await run(env, plain);
  expect(env.disk.list(`${root}/.pawl/runs`)).toEqual([heading.run]);
  expect(await placesOf(env, plain)).toEqual([{ id: heading.run, folder: `.pawl/runs/${heading.run}` }]);
});
