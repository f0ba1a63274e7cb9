import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  countingIds,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import {
  copyOf,
  files,
  one,
  rewriteJournal,
  scenes,
  segmentOf,
  settled,
  type World,
} from '../../../test/fixtures/scenes.ts';
import { checksum, hashBytes } from '../../base/hash.ts';
import { MemoryDisk } from '../../disk/memory-disk.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { recordDecision } from '../brief/decide.ts';
import { adoptFiles } from '../mend/adopt.ts';
import { openWorkspace } from '../open/workspace.ts';
import type { RunRequest } from '../requests.ts';
import { runPipeline } from '../run/run.ts';
import { recall } from './recall.ts';

/*
 * A settled run is answered for from what was remembered of it. Whatever changes, the answer must be the one that a
 * look at the whole run gives.
 */

/** The next process on this disk, and what it asks of it. */
function asking(env: TestEnvironment): { env: TestEnvironment; asked: Set<string> } {
  const asked = new Set<string>();
  const next = nextProcess(env);
  next.disk.failWhen(({ operation, path }) => {
    asked.add(`${operation} ${path}`);
    return undefined;
  });
  return { env: next, asked };
}

function isWholeRead({ folder }: World, asked: ReadonlySet<string>): boolean {
  return asked.has(`read ${folder}/snapshot`);
}

async function recalled(env: TestEnvironment, request: RunRequest): Promise<string> {
  const asked = { path: root, ...request };
  return recall(demand(await openWorkspace(env, asked)), asked).kind;
}

describe('a settled run', () => {
  it('is answered for without reading what its snapshot says, and left alone', async () => {
    const world = await settled();
    const { calls } = world.env.disk;
    const { env, asked } = asking(world.env);
    const answer = await run(env, world.definition);
    expect(isWholeRead(world, asked)).toBe(false);
    expect(env.disk.calls).toBe(calls);
    const looked = await run(env, world.definition, { takeover: true });
    expect(isWholeRead(world, asked)).toBe(true);
    expect(answer).toEqual(looked);
    expect(answer).toMatchObject({ kind: 'unchanged', cells: { done: 10, reused: 10, skipped: 2 } });
    expect(env.disk.calls).toBe(calls);
  });

  it('is asked about all that a look at the whole of it asks', async () => {
    const definition = scenes({ layout: { ledger: 'history/{unit}.json' } });
    const world = await settled(definition);
    const recalling = asking(copyOf(world.env));
    await run(recalling.env, definition);
    const looking = asking(copyOf(world.env));
    await run(looking.env, definition, { takeover: true });
    // The run that is remembered has kept the consent to this very manifest.
    const asked = [...looking.asked].filter((question) => !question.startsWith('stat /state/consent/'));
    const missing = asked.filter((question) => !recalling.asked.has(question));
    // The snapshot is known by its stat; and what is half-way promoted counts only where something is missing.
    expect(missing).toEqual([`read ${world.folder}/snapshot`, `list ${world.folder}/staging`]);
  });

  it('is remembered as well after others have spoken, from its next sitting on', async () => {
    const world = await settled();
    const request = { pipeline: definePipeline(world.definition), path: root };
    const knows = async (env: TestEnvironment) =>
      recall(demand(await openWorkspace(env, request)), request).kind;
    let env = nextProcess(world.env);
    demand(await recordDecision(env, { ...request, decision: 'blue' }));
    expect(await knows(env)).toBe('in-doubt');
    env = nextProcess(env);
    demand(await runPipeline(env, { ...request, rerunFrom: 'commit' }));
    env = nextProcess(env);
    expect(await knows(env)).toBe('unchanged');
  });

  it('is told of as its manifest is called', async () => {
    const { env, definition } = await settled();
    const asked = { path: root, pipeline: definePipeline(definition) };
    const workspace = demand(await openWorkspace(env, asked));
    const heading = { workspace: 'here/other.yaml' };
    expect(recall({ ...workspace, shownPath: heading.workspace }, asked)).toMatchObject({
      answer: { heading },
    });
  });

  it('is found beside runs of other identities', async () => {
    const world = await settled();
    const phases = { note: { run: () => ({ text: 'x' }), outputs: { text: 'notes/{unit}.md' } } };
    await run(world.env, { pawl: 1, pipeline: 'notes', units: ['a'], phases });
    const { env, asked } = asking(world.env);
    expect((await run(env, world.definition)).heading.run).toBe(world.heading.run);
    expect(isWholeRead(world, asked)).toBe(false);
  });
});

it.each<[string, (env: TestEnvironment, path: string) => void]>([
  ['another file', replaceBySameSize],
  ['more bytes', ({ disk }, path) => disk.putFile(path, 'longer than before')],
])('an output is seen to be %s though its time is the same', async (_, change) => {
  const { env, definition } = await settled(
    scenes(),
    memoryEnvironment(files, new MemoryDisk({ now: () => 5 })),
  );
  const path = `${root}/out/one.md`;
  const before = env.disk.stat(path);
  const asked = { pipeline: definePipeline(definition) };
  expect(await recalled(env, asked)).toBe('unchanged');
  change(env, path);
  expect(env.disk.stat(path)?.mtimeMs).toBe(before?.mtimeMs);
  expect(await recalled(env, asked)).not.toBe('unchanged');
});

function touch({ disk }: TestEnvironment, path: string): void {
  disk.putFile(path, disk.read(path) ?? '');
}

function replaceBySameSize({ disk }: TestEnvironment, path: string): void {
  const size = disk.stat(path)?.size ?? 0;
  disk.remove(path);
  disk.putFile(path, 'x'.repeat(size));
}

function replaceByFolder({ disk }: TestEnvironment, path: string): void {
  disk.remove(path);
  disk.makeFolder(path);
}

function copyFolder(env: TestEnvironment, from: string, to: string): void {
  for (const name of env.disk.list(from) ?? []) {
    const isFile = env.disk.stat(`${from}/${name}`)?.kind === 'file';
    if (isFile) env.disk.putFile(`${to}/${name}`, env.disk.read(`${from}/${name}`) ?? '');
    else copyFolder(env, `${from}/${name}`, `${to}/${name}`);
  }
}

async function adoptText({ env, definition }: World): Promise<void> {
  env.disk.putFile(`${root}/out/three.md`, 'adopted');
  const target = { path: root, pipeline: definePipeline(definition) };
  demand(await adoptFiles(nextProcess(env), { ...target, targets: ['three/write'], reason: 'better' }));
}

/** As whoever is killed right before it writes one leaves it. */
async function adoptWithoutSnapshot(world: World): Promise<void> {
  const { disk } = world.env;
  disk.link(`${world.folder}/snapshot`, `${world.folder}/kept`);
  await adoptText(world);
  disk.rename(`${world.folder}/kept`, `${world.folder}/snapshot`);
}

function settledText({ env, folder }: World): string {
  return new TextDecoder().decode(env.disk.read(`${folder}/settled`));
}

function putSettled({ env, folder }: World, text: string): void {
  env.disk.putFile(`${folder}/settled`, text);
}

/** Says something else, and is as whole as before. */
function forge(world: World, what: string | RegExp, by: string): void {
  const text = settledText(world);
  const body = text.slice(0, text.lastIndexOf('{"hash"'));
  const forged = body.replace(what, by);
  if (forged === body) throw new Error(`nothing to forge: ${what}`);
  putSettled(world, `${forged}${JSON.stringify({ hash: hashBytes(forged) })}\n`);
}

/** What is kept outside of the workspace about journals says this. */
function setHeads({ disk }: TestEnvironment, text: string): void {
  for (const name of disk.list('/state/heads') ?? []) disk.putFile(`/state/heads/${name}`, text);
}

function withPhase(name: string, more: object): CodePipeline {
  const definition = scenes();
  const phases = { ...definition.phases, [name]: { ...definition.phases?.[name], ...more } };
  return { ...definition, phases } as CodePipeline;
}

interface Change {
  readonly change?: (world: World) => unknown;
  readonly definition?: CodePipeline;
  readonly request?: RunRequest;
  readonly boot?: string;
}

/** Everything that an answer hangs on, changed one at a time. */
const changes: Readonly<Record<string, Change>> = {
  'an output was touched': { change: ({ env }) => touch(env, `${root}/out/two.md`) },
  'an output was edited': { change: ({ env }) => env.disk.putFile(`${root}/out/two.md`, 'edited') },
  'an output was removed': { change: ({ env }) => env.disk.remove(`${root}/out/three.json`) },
  'an output is a folder': { change: ({ env }) => replaceByFolder(env, `${root}/out/one.md`) },
  'a file lies where nothing was made': {
    change: ({ env }) => env.disk.putFile(`${root}/out/one.mended.md`, 'somebody'),
  },
  'a committed state was removed': { change: ({ env }) => env.disk.remove(`${root}/state/one.json`) },
  'the shown state was edited': {
    change: ({ env }) => env.disk.putFile(`${root}/state.json`, '{"edited":1}'),
  },
  'the shown state was removed': { change: ({ env }) => env.disk.remove(`${root}/state.json`) },
  'the initial state was edited': {
    change: ({ env }) => env.disk.putFile(`${root}/seed.json`, '{"edited":1}'),
  },
  'the initial state was removed': { change: ({ env }) => env.disk.remove(`${root}/seed.json`) },
  'a template was edited': { change: ({ env }) => env.disk.putFile(`${root}/write.md`, 'Sing.') },
  'a template was removed': { change: ({ env }) => env.disk.remove(`${root}/system.md`) },
  'a declared file was edited': { change: ({ env }) => env.disk.putFile(`${root}/outline.md`, 'Sun.') },
  'the manifest has another pace': { definition: scenes({ pace: { concurrency: 1 } }) },
  'a phase is defined otherwise': { definition: withPhase('write', { params: { words: 3 } }) },
  'an output lies elsewhere': { definition: withPhase('write', { outputs: { text: 'new/{unit}.md' } }) },
  'a unit was added': {
    definition: scenes({ units: { list: [one, 'two', 'three', 'four'], order: 'chain' } }),
  },
  'a unit was removed': { definition: scenes({ units: { list: [one, 'two'], order: 'chain' } }) },
  'a unit has other fields': {
    definition: scenes({ units: { list: [{ ...one, mood: 'gold' }, 'two', 'three'], order: 'chain' } }),
  },
  'the identity is another': { definition: scenes({ identity: { book: 'another' } }) },
  'a ledger file was removed': {
    change: ({ env }) => env.disk.remove(`${root}/ledger/two.json`),
  },
  'a page about a unit was removed': { change: ({ env }) => env.disk.remove(`${root}/pages/two.md`) },
  'the file that says how far it is was removed': {
    change: ({ env }) => env.disk.remove(`${root}/progress.json`),
  },
  'the summary of the run was removed': {
    change: ({ env, folder }) => env.disk.remove(`${folder}/run.json`),
  },
  'the lock of the manifest was removed': {
    change: ({ env, folder }) => env.disk.remove(`${folder}/manifest.lock.json`),
  },
  'the snapshot was removed': { change: ({ env, folder }) => env.disk.remove(`${folder}/snapshot`) },
  'the snapshot was touched': { change: ({ env, folder }) => touch(env, `${folder}/snapshot`) },
  'something was recorded': { change: adoptText },
  'something was recorded, and no snapshot written since': { change: adoptWithoutSnapshot },
  'a line was appended to the journal': {
    change: (world) => rewriteJournal(world, (text) => `${text}{"seq":9`),
  },
  'a line of the journal was removed': {
    change: (world) => rewriteJournal(world, (text) => text.replace(/.*\n$/, '')),
  },
  'the journal was cut to a part': {
    change: (world) => rewriteJournal(world, (text) => text.slice(0, text.length >> 1)),
  },
  'the journal and what is known of it elsewhere were cut': {
    change: (world) => {
      setHeads(world.env, 'nothing');
      rewriteJournal(world, (text) => text.slice(0, text.indexOf('"run_ended"')));
    },
  },
  'the journal is gone': { change: (world) => world.env.disk.remove(segmentOf(world)) },
  'more is known elsewhere than the journal says': {
    change: ({ env }) => setHeads(env, '{"pawl":"head","version":1,"seqs":{"runner":999}}'),
  },
  'somebody holds the run': {
    change: ({ env, folder }) => {
      const holder = JSON.stringify({ ...env.host.self, pid: 77 });
      const header = `{"pawl":"journal","version":1,"actor":"runner","epoch":2,"holder":${holder},"opened":"2026-11-15T12:00:00.000Z"`;
      env.disk.putFile(`${folder}/events/runner/000002.jsonl`, `${header},"sum":"${checksum(header)}"}\n`);
    },
  },
  'another actor has come': {
    change: ({ env, folder }) => env.disk.putFile(`${folder}/events/somebody/000001.jsonl`, 'garbage\n'),
  },
  'there is a second run of the identity': {
    change: ({ env, folder }) => copyFolder(env, folder, `${folder}-copy`),
  },
  'there was a run of the identity before': {
    change: ({ env, folder }) => copyFolder(env, folder, `${root}/.pawl/runs/0`),
  },
  'there is a run that cannot be read': {
    change: ({ env }) => env.disk.putFile(`${root}/.pawl/runs/lost/events/runner/000001.jsonl`, 'garbage\n'),
  },
  'another program wrote it': { change: (world) => forge(world, /"program":"[^"]*"/, '"program":"0.0.1 7"') },
  'another boot is in it': { change: (world) => forge(world, '"boot":"boot-1"', '"boot":"boot-0"') },
  'it is of a newer format': { change: (world) => forge(world, '"version":1', '"version":2') },
  'it says nothing that is known': { change: (world) => forge(world, '"outputs":[[', '"outputs":[7,[') },
  'it is of another run': { change: (world) => forge(world, /"sum":"[^"]*"/, '"sum":"aaaaaaaaaaaa"') },
  'it is torn': { change: (world) => putSettled(world, settledText(world).slice(0, -100)) },
  'it was edited': {
    change: (world) => putSettled(world, settledText(world).replace('"done":10', '"done":99')),
  },
  'it is empty': { change: (world) => putSettled(world, '') },
  'it is a folder': { change: ({ env, folder }) => replaceByFolder(env, `${folder}/settled`) },
  'the machine was started anew': { boot: 'boot-2' },
  'nobody knows when the machine was started': { boot: '' },
  'every output is to be read': { request: { deep: true } },
  'what is missing is to be restored': { request: { restore: true } },
  'a rerun is asked for': { request: { rerunFrom: 'judge' } },
  'a new run is asked for': { request: { fresh: true } },
  'only an unfinished run is asked for': { request: { existingOnly: true } },
  'the run is named': { request: { run: '2026' } },
  'something is asked for that makes no sense': { request: { unit: 'one' } },
};

const layout = { status: 'pages/{unit}.md', progress: 'progress.json', ledger: 'ledger/{unit}.json' };

it.each(['pages/two.md', 'progress.json', 'ledger/two.json', 'run.json', 'manifest.lock.json'])(
  'a settled run whose %s was removed makes it anew',
  async (name) => {
    const { env, definition, folder } = await settled(scenes({ layout }));
    const path = ['run.json', 'manifest.lock.json'].includes(name) ? `${folder}/${name}` : `${root}/${name}`;
    env.disk.remove(path);
    expect((await run(nextProcess(env), definition)).ran).toEqual({ succeeded: 0, failed: 0 });
    expect(env.disk.stat(path)?.kind).toBe('file');
    expect((await run(nextProcess(env), definition)).kind).toBe('unchanged');
  },
);

describe('what was remembered is not believed when', () => {
  it.each(Object.entries(changes))('%s', async (_, { change, definition, request, boot }) => {
    const world = await settled(scenes({ layout }));
    const before = { pipeline: definePipeline(world.definition) };
    expect(await recalled(world.env, before)).toBe('unchanged');
    await change?.(world);
    const remembering = copyOf(world.env);
    const forgetful = copyOf(world.env);
    forgetful.disk.remove(`${world.folder}/settled`);
    const pipeline = definePipeline(definition ? { ...definition, layout } : world.definition);
    const asked = { path: root, pipeline, ...request };
    for (const { host } of [remembering, forgetful])
      host.self = { ...host.self, boot: boot ?? host.self.boot };

    expect(await recalled(remembering, asked)).not.toBe('unchanged');
    const answer = await runPipeline({ ...remembering, ids: countingIds() }, asked);
    expect(answer).toEqual(await runPipeline({ ...forgetful, ids: countingIds() }, asked));
  });
});
