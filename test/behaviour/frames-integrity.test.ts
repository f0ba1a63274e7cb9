import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { library, libraryEnvironment } from '../support/library.ts';
import {
  auditLog,
  begunLine,
  blaze,
  bytesOf,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  expectNothingToDraw,
  finalSprites,
  frame,
  inRun,
  killedSprites,
  stateOf,
} from '../support/sprites.ts';
import { calls, has, hashes, stepsCalled, type TestWorkspace, write } from '../support/workspace.ts';

let done: TestWorkspace;

beforeAll(async () => {
  done = await drawnSprites();
}, 120_000);

type Damage = readonly [name: string, damage: (whole: Buffer) => Buffer];

const truncations: readonly Damage[] = [1, 7, 8, 20, 33, 60, 130, 400, -13, -1].map((at) => [
  `cut off at ${at < 0 ? `${-at} bytes before its end` : `byte ${at}`}`,
  (whole) => whole.subarray(0, at),
]);

const otherDamage: readonly Damage[] = [
  [
    'a tail of NUL bytes',
    (whole) => Buffer.concat([whole.subarray(0, 300), Buffer.alloc(whole.length - 300)]),
  ],
  ['NUL bytes behind its end', (whole) => Buffer.concat([whole, Buffer.alloc(512)])],
  ['a flipped bit in its signature', (whole) => flipped(whole, 3)],
  ['a flipped bit in its header', (whole) => flipped(whole, chunkAt(whole, 'IHDR') + 8 + 3)],
  ['a flipped bit in its data', (whole) => flipped(whole, chunkAt(whole, 'IDAT') + 8 + 200)],
  ['a flipped bit in the checksum of its data', (whole) => flipped(whole, chunkAt(whole, 'IEND') - 2)],
  ['no end', (whole) => whole.subarray(0, chunkAt(whole, 'IEND'))],
  ['bytes behind its end', (whole) => Buffer.concat([whole, Buffer.from('and more')])],
  ['nothing in it', () => Buffer.alloc(0)],
  ['another type', () => Buffer.from('GIF89a but called a PNG')],
  ['the bytes of JSON', () => Buffer.from('{"frame":3}')],
];

describe('an approved frame that is damaged', () => {
  // Each frame is damaged in its own way: what one call does to eight frames it does to any one of them.
  const all = [...truncations, ...otherDamage];
  const rounds = [0, 1, 2].map((round) => all.slice(round * 7, round * 7 + 7));

  it.each(rounds)('is moved aside as it is, and only it is made again: %#', async (...damages: Damage[]) => {
    const work = copyOfRun(done);
    const damaged = new Map<string, Buffer>();
    for (const [at, [, damage]] of damages.entries()) {
      const path = inRun(work, `approved/${frame(at + 1)}.png`);
      const bytes = Buffer.from(damage(bytesOf(work, path)));
      expect(bytes).not.toEqual(bytesOf(work, path));
      damaged.set(path, bytes);
      write(work, path, bytes);
    }
    const run = await pawl(work, 'run', blaze);
    expect(run.code, run.stderr).toBe(0);
    expect(begunLine(run)).toContain('from frame 1 (frame 0 already approved)');
    const again = damages.map((_, at) => `${frame(at + 1)}/approve`);
    expect(stepsCalled(work).toSorted()).toEqual(again);
    expect(finalSprites(work)).toEqual(finalSprites(done));
    for (const [path, bytes] of damaged) {
      expect(run.stderr).toMatch(new RegExp(`${path} is damaged: its check png fails \\(.+\\)`));
      expect(bytesOf(work, asideOf(run.stderr, path))).toEqual(bytes);
    }
    await expectNothingToDraw(work);
  });

  describe('by itself', () => {
    let one: TestWorkspace;
    let whole: Buffer;

    beforeAll(() => {
      one = copyOfRun(done);
      whole = bytesOf(done, inRun(done, 'approved/frame_0003.png'));
    });

    it.each(all)('is all that would run again when it has %s', async (_, damage) => {
      write(one, inRun(one, 'approved/frame_0003.png'), damage(whole));
      expect(await toRun(one)).toEqual(['frame_0003/approve output-damaged']);
    });
  });
});

describe('the right picture of the wrong frame', () => {
  it('is damage too: it is moved aside, and only that frame is made again', async () => {
    const work = copyOfRun(done);
    const path = inRun(work, 'approved/frame_0003.png');
    const wrong = bytesOf(work, inRun(work, 'approved/frame_0006.png'));
    write(work, path, wrong);
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(begunLine(run)).toContain('from frame 3 (frames 0-2, 4-7 already approved; to go: frame 3)');
    expect(run.stderr).toContain(`${path} is damaged: it is a copy of the output of frame_0006/approve`);
    expect(stepsCalled(work)).toEqual(['frame_0003/approve']);
    expect(bytesOf(work, asideOf(run.stderr, path))).toEqual(wrong);
    expect(finalSprites(work)).toEqual(finalSprites(done));
  });
});

describe('other files that are damaged', () => {
  it('are made again, and nothing behind them, for they have the same bytes', async () => {
    const work = copyOfRun(done);
    const damaged = ['anchor.png', 'candidates/frame_0003_attempt_01.png', 'export/sheet.png'].map((file) => {
      const path = inRun(work, file);
      const cut = Buffer.from(bytesOf(work, path).subarray(0, 200));
      write(work, path, cut);
      return { path, cut };
    });
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(stepsCalled(work).toSorted()).toEqual(['anchor/draw_anchor', 'frame_0003/generate', 'sheet/pack']);
    expect(finalSprites(work)).toEqual(finalSprites(done));
    for (const { path, cut } of damaged) {
      expect(run.stderr).toContain(`${path} is damaged`);
      // Where the path holds the number of the attempt, nothing comes in its way.
      expect(bytesOf(work, path.includes('attempt') ? path : asideOf(run.stderr, path))).toEqual(cut);
    }
  });
});

describe('a damaged frame', () => {
  it('that is damaged again leaves both of its files aside', async () => {
    const work = copyOfRun(done);
    const path = inRun(work, 'approved/frame_0003.png');
    const pieces = [100, 200].map((size) =>
      Buffer.from(bytesOf(done, inRun(done, 'approved/frame_0003.png')).subarray(0, size)),
    );
    for (const piece of pieces) {
      write(work, path, piece);
      expect((await pawl(work, 'run', blaze)).code).toBe(0);
    }
    const aside = inRun(work, 'aside');
    const kept = readdirSync(join(work.root, aside)).map((name) => bytesOf(work, `${aside}/${name}`).length);
    expect(kept.toSorted((a, b) => a - b)).toEqual([100, 200]);
    expect(stepsCalled(work)).toEqual(['frame_0003/approve', 'frame_0003/approve']);
  });
});

describe('another whole picture', () => {
  it('is somebody’s work: refused and left alone, until it is adopted', async () => {
    const work = copyOfRun(done);
    const path = inRun(work, 'approved/frame_0003.png');
    const painted = bytesOf(work, inRun(work, 'rejected/frame_0005_attempt_03.png'));
    write(work, path, painted);
    const refused = await pawlJson<{ refusals: object[] }>(work, 'run', blaze);
    expect(refused.finished.code).toBe(4);
    expect(refused.refusals).toMatchObject([{ guard: 'output-edited', unit: 'frame_0003', path }]);
    expect(bytesOf(work, path)).toEqual(painted);
    expect(calls(work)).toEqual([]);

    expect((await pawl(work, 'adopt', path, '-C', blaze, '--reason', 'my own')).code).toBe(0);
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['sheet/pack']);
    expect(run.stdout).toContain('frame_0004/audit was made from another before');
    expect(bytesOf(work, path)).toEqual(painted);
  });
});

describe('a frame that is there although nothing has made it', () => {
  let half: TestWorkspace;
  const unknown = 'approved/frame_0003.png';
  const drawn = () => bytesOf(done, inRun(done, unknown));

  beforeAll(async () => {
    half = await killedSprites('frame_0001 finished', copyOfSprites());
  }, 120_000);

  it('is reported, and taken in after its checks: it needs no phase before it any more', async () => {
    const work = copyOfRun(half);
    const path = inRun(work, unknown);
    write(work, path, drawn());
    const status = await pawl(work, 'status', blaze);
    expect(status.stdout).toContain(`${path} exists but was not made by this run; keep it with pawl adopt`);

    const adopted = await pawlJson(work, 'adopt', path, '-C', blaze, '--reason', 'drawn by hand');
    expect(adopted).toMatchObject({ ok: true, adopted: [{ unit: 'frame_0003', phase: 'approve', path }] });
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(begunLine(run)).toContain('from frame 2 (frames 0-1, 3 already approved; to go: frames 2, 4-7)');
    expect(stepsCalled(work).filter((step) => step.startsWith('frame_0003'))).toEqual([]);
    expect(bytesOf(work, path)).toEqual(drawn());
    expect(stateOf(work).approved_frame_indices).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(auditLog(work).filter(({ type }) => type === 'artifact_adopted')).toMatchObject([
      { frame: 'frame_0003', phase: 'approve', reason: 'drawn by hand' },
    ]);
    await expectNothingToDraw(work);
  });

  it('is not taken in when it does not pass its check', async () => {
    const work = copyOfRun(half);
    const path = inRun(work, unknown);
    write(work, path, drawn().subarray(0, 300));
    const before = hashes(work, inRun(work, 'approved'));
    const refused = await pawlJson(work, 'adopt', path, '-C', blaze, '--reason', 'drawn by hand');
    expect(refused).toMatchObject({ ok: false, reason: 'adopt-check-failed', path, check: 'png' });
    expect(hashes(work, inRun(work, 'approved'))).toEqual(before);
  });

  it('is moved aside, not overwritten, when the frame is drawn; after that nobody speaks of it', async () => {
    const work = copyOfRun(half);
    const path = inRun(work, unknown);
    const mine = bytesOf(done, 'preview.png');
    write(work, path, mine);
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(bytesOf(work, asideOf(run.stderr, path))).toEqual(mine);
    expect(finalSprites(work)).toEqual(finalSprites(done));
    expect(has(work, path)).toBe(true);
    expect(run.stdout).not.toContain('was not made by this run');
  });
});

/** What a run would begin with now, and why. Asked of the library, for it is asked often. */
async function toRun(workspace: TestWorkspace): Promise<string[]> {
  const { plan } = await library();
  const answer = await plan({ path: join(workspace.root, blaze) }, await libraryEnvironment(workspace));
  if (!answer.ok) throw new Error(answer.failure.reason);
  const steps = [...answer.value.plan.units.values()].flatMap((unit) => unit.cells);
  return steps.flatMap(({ unit, phase, decision }) =>
    decision.do === 'run' ? [`${unit}/${phase} ${decision.why.code}`] : [],
  );
}

/** Where a file was put that stood in the way. */
function asideOf(stderr: string, path: string): string {
  const line = stderr.split('\n').find((text) => text.includes(`${path} stood in the way; moved to `));
  if (line === undefined) throw new Error(`nothing was moved from ${path}:\n${stderr}`);
  return line.slice(line.lastIndexOf(' ') + 1);
}

function flipped(whole: Buffer, at: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x04, at);
  return bytes;
}

/** Where a chunk begins: its length, its type, its data, its checksum. */
function chunkAt(whole: Buffer, type: string): number {
  return whole.indexOf(type, 0, 'latin1') - 4;
}
