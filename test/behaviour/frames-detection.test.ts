import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, pawl, pawlJson } from '../support/command.ts';
import {
  begunLine,
  begunWith,
  blaze,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  inRun,
  killedSprites,
  runFolders,
  stateOf,
} from '../support/sprites.ts';
import { callWithoutRoot } from '../support/without-root.ts';
import {
  calls,
  edit,
  has,
  hashes,
  later,
  read,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  write,
} from '../support/workspace.ts';

let half: TestWorkspace;
let work: TestWorkspace;
/** What is said when the run that stopped after frame 3 is gone on with, and no other. */
let resuming: string;

beforeAll(async () => {
  half = await killedSprites('frame_0003 finished');
  resuming = `sprites: resuming run ${stateOf(half).run_id} from frame 4 (frames 0-3 already approved)`;
}, 120_000);

beforeEach(() => {
  work = copyOfRun(half);
});

describe('a run of the same identity', () => {
  it('is found again, and what is approved is not drawn again', async () => {
    const resumed = await pawl(work, 'run', blaze);
    expect(resumed.code).toBe(0);
    expect(begunLine(resumed)).toBe(resuming);
    expect(stepsCalled(work).filter((step) => /^(anchor|frame_000[0-3])/.test(step))).toEqual([]);
    expect(runFolders(work)).toEqual(runFolders(half));
    expect(stateOf(work)).toMatchObject({
      run_status: 'completed',
      resumable: false,
      resume_from_frame: null,
    });
  });

  it('is found by where it lies, without what remembers it', async () => {
    rmSync(join(work.root, '.pawl/runs'), { recursive: true });
    expect(await begunWith(work, blaze)).toBe(resuming);
  });

  it('is found by what remembers it, though the layout now puts runs elsewhere', async () => {
    edit(work, blaze, 'run: "runs/', 'run: "moves/');
    expect(await begunWith(work, blaze)).toBe(resuming);
    expect(has(work, 'moves')).toBe(false);
  });

  it('is not chosen once a fresh one has replaced it, and is resumed by its id', async () => {
    edit(work, blaze, 'count: 8', 'count: 1');
    expect((await pawl(work, 'run', blaze, '--fresh', '-q')).code).toBe(0);
    const [, fresh = ''] = runFolders(work);
    const again = { kind: 'unchanged', heading: { run: stateOf(work, fresh).run_id } };
    expect(await pawlJson(work, 'run', blaze)).toMatchObject(again);
    edit(work, blaze, 'count: 1', 'count: 8');
    expect(await begunWith(work, blaze, '--resume', stateOf(half).run_id)).toBe(resuming);
  });
});

describe('a folder that holds no run', () => {
  const fillings: readonly ((folder: string) => void)[] = [
    () => undefined,
    (folder) => mkdirSync(join(folder, 'events/runner'), { recursive: true }),
    (folder) => mkdirSync(join(folder, 'events/runner/000001.jsonl'), { recursive: true }),
    (folder) => garbage(join(folder, 'events/runner/000001.jsonl')),
    (folder) => garbage(join(folder, 'events')),
    (folder) => writeFileSync(join(folder, 'state.json'), read(half, inRun(half, 'state.json'))),
  ];

  it('does not shadow the real one: empty ones, and ones that cannot be read', async () => {
    for (const [at, fill] of fillings.entries()) {
      const folder = `runs/2099123${at}_blaze_idle`;
      mkdirSync(join(work.root, folder));
      fill(join(work.root, folder));
    }
    const before = hashes(work, 'runs');
    expect(await begunWith(work, blaze)).toBe(resuming);
    const others = Object.entries(before).filter(([path]) => path.startsWith('runs/2099'));
    expect(others).toHaveLength(3);
    expect(hashes(work, 'runs')).toMatchObject(Object.fromEntries(others));
  });

  it('does not shadow the real one: one that nobody may read', async ({ skip }) => {
    const own = withEnv(work, { XDG_STATE_HOME: join(dirname(work.root), 'state') });
    const folder = join(own.root, 'runs/20991231_blaze_idle');
    mkdirSync(folder);
    const call = callWithoutRoot(own) ?? skip('no other user can reach this workspace');
    chmodSync(folder, 0o000);
    const resumed = await call('run', blaze);
    chmodSync(folder, 0o755);
    expect(begunLine(resumed), resumed.stderr).toBe(resuming);
  });

  it('is not taken for nothing: alone, a journal that cannot be read stops the run', async () => {
    const empty = copyOfSprites();
    garbage(join(empty.root, 'runs/20260101_blaze_idle/events/runner/000001.jsonl'));
    expect(await pawlJson(empty, 'run', blaze)).toMatchObject({ exitCode: 7, reason: 'journal-damaged' });
    expect(calls(empty)).toEqual([]);
  });
});

describe('similar names', () => {
  it('are never confused: blaze_idle, blaze_idle_2, and another identity that gives the same name', async () => {
    const [folder = ''] = runFolders(work);
    const twins = ['{ character: blaze, move: idle_2 }', '{ character: blaze_idle, move: "2" }'];
    for (const [at, identity] of twins.entries()) {
      write(work, `twin-${at}.yaml`, twin(identity));
      const drawn = await pawl(work, 'run', `twin-${at}.yaml`);
      expect(drawn.code).toBe(0);
      expect(begunLine(drawn)).toContain('new run');
    }
    expect(runFolders(work)).toEqual([folder, `${folder}_2`, `${folder}_2.2`]);
    for (const [at, ending] of ['_2', '_2.2'].entries()) {
      const again = await pawlJson(work, 'run', `twin-${at}.yaml`);
      const { run_id: run } = stateOf(work, folder + ending);
      expect(again).toMatchObject({ kind: 'unchanged', heading: { run } });
    }
    expect(await begunWith(work, blaze)).toBe(resuming);
  });

  it('and other ones: no identity goes on with the run of another, not even by its id', async () => {
    const before = hashes(work, 'runs');
    const flags = ['--force', '--force-resume', '--reason', 'by mistake'];
    const { run_id: id } = stateOf(half);
    expect((await pawl(work, 'run', 'ember-walk.yaml', '--resume', id, ...flags)).code).not.toBe(0);
    expect(calls(work)).toEqual([]);
    expect(hashes(work, 'runs')).toEqual(before);
  });
});

describe('two open runs of which none replaced the other', () => {
  it('are listed with exit 5 where nobody can be asked, and told apart by --resume', async () => {
    // The folder of another machine's run, copied into this workspace.
    const other = await killedSprites('frame_0000 finished');
    const [imported = ''] = runFolders(other);
    cpSync(join(other.root, imported), join(work.root, `${imported}.2`), { recursive: true });
    const ids = runFolders(work).map((folder) => stateOf(work, folder).run_id);
    const before = hashes(work);
    const asked = await pawlJson<Answer & { candidates: { id: string }[] }>(work, 'run', blaze);
    expect(asked).toMatchObject({ exitCode: 5, reason: 'which-run', finished: { code: 5 } });
    expect(asked.candidates.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const told = await pawl(work, 'run', blaze);
    expect(told).toMatchObject({ code: 5, stdout: '' });
    for (const id of ids) expect(told.stderr).toMatch(new RegExp(`${id}.*interrupted`));
    expect(told.stderr).toMatch(new RegExp(`pawl run --run (${ids.join('|')}) blaze-idle.yaml`));
    expect(hashes(work)).toEqual(before);

    expect(await begunWith(work, blaze, '--resume', ids[0] ?? '')).toBe(resuming);
    expect(await begunWith(work, blaze, '--resume', ids[1] ?? '')).toContain(
      `${ids[1]} from frame 1 (frame 0`,
    );
  });
});

describe('--fresh', () => {
  it('starts a run beside a completed one, leaves that as it is, and is the newest from then on', async () => {
    const done = await drawnSprites(copyOfRun(half));
    const [folder = ''] = runFolders(done);
    const before = hashes(done, folder);
    const run = await pawl(done, 'run', blaze, '--fresh');
    expect(run.code).toBe(0);
    expect(begunLine(run)).toContain('new run');
    expect(stepsCalled(done).filter((step) => step === 'frame_0000/generate')).toHaveLength(1);
    expect(runFolders(done)).toEqual([folder, `${folder}.2`]);
    expect(hashes(done, folder)).toEqual(before);
    const { run_id: newest } = stateOf(done, `${folder}.2`);
    expect(await pawlJson(done, 'run', blaze)).toMatchObject({ kind: 'unchanged', heading: { run: newest } });
  });
});

describe('a run that was put away by reset', () => {
  it('takes its name with it: the next one of the same day can be stopped and gone on with', async () => {
    const fresh = copyOfSprites();
    edit(fresh, blaze, 'count: 8', 'count: 2');
    // Ids begin with the minute in which they are made, and the folder with the day.
    const earlier = later(fresh, -300_000);
    expect((await pawl(earlier, 'run', blaze, '-q')).code).toBe(0);
    expect((await pawl(fresh, 'reset', blaze, '--yes')).code).toBe(0);
    expect(runFolders(fresh)).toEqual([]);

    await killedSprites('frame_0000 finished', fresh);
    const { run_id: id } = stateOf(fresh);
    expect(await begunWith(fresh, blaze)).toContain(`resuming run ${id} from frame 1`);
    expect(await begunWith(fresh, blaze, '--resume', id)).toContain(`resuming run ${id} from frame 1`);
  });
});

/** Two frames of another identity in the same layout. What it draws is called idle: there is no other move to draw. */
function twin(identity: string): string {
  const prompt = `${read(half, 'templates/frame.md')}${read(half, 'templates/_frame.md')}`;
  const own = prompt.replace(/{% include .*%}/, '').replace('{{ identity.move }}', 'idle');
  write(work, 'templates/twin.md', own);
  return read(half, blaze)
    .replace('{ character: blaze, move: idle }', identity)
    .replace('prompt: templates/frame.md', 'prompt: templates/twin.md')
    .replace('count: 8', 'count: 2');
}

function garbage(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, readFileSync(join(half.root, 'preview.png')).subarray(0, 500));
}
