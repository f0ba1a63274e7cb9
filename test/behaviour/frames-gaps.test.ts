import { beforeAll, describe, expect, it } from 'vitest';
import { type Finished, pawl, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import {
  begunLine,
  blaze,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  expectNothingToDraw,
  finalSprites,
  frame,
  inRun,
  stateOf,
} from '../support/sprites.ts';
import { calls, edit, hashes, stepsCalled, type TestWorkspace } from '../support/workspace.ts';

describe('a run with gaps', () => {
  const missing = [2, 4, 6, 7];
  let gaps: TestWorkspace;

  beforeAll(async () => {
    // Frames that do not look at one another: then those behind a frame that failed go on.
    gaps = copyOfSprites();
    edit(gaps, blaze, '          before: { from: approve.frame, of: previous, on_change: tell }\n', '');
    edit(gaps, blaze, './phases.mjs#generate', './doors.mjs#generate');
    const steps = missing.map((index) => `${frame(index)}/generate`);
    const { door, workspace } = await openDoor(gaps, steps);
    const run = start(workspace, ['run', blaze]);
    for (const step of steps) (await door.visit(step)).answer('fail');
    expect((await run.ended).code).toBe(1);
  }, 120_000);

  it('says which frames are approved, and from where it would go on', () => {
    expect(stateOf(gaps)).toMatchObject({
      run_status: 'stopped',
      resumable: true,
      resume_from_frame: 2,
      approved_frame_indices: [0, 1, 3, 5],
      pending_frame_indices: missing,
    });
  });

  describe('gone on with', () => {
    let work: TestWorkspace;
    let run: { readonly cells: { readonly reused: number }; readonly finished: Finished };

    beforeAll(async () => {
      work = copyOfRun(gaps);
      run = await pawlJson(work, 'run', blaze);
      expect(run.finished.code).toBe(0);
    }, 120_000);

    it('draws exactly the missing ones, and names them', () => {
      expect(begunLine(run.finished)).toContain(
        'from frame 2 (frames 0-1, 3, 5 already approved; to go: frames 2, 4, 6-7)',
      );
      for (const phase of ['generate', 'audit', 'approve']) {
        const units = stepsCalled(work).filter((step) => step.endsWith(`/${phase}`));
        expect([...new Set(units)].toSorted()).toEqual(missing.map((index) => `${frame(index)}/${phase}`));
      }
      expect(stepsCalled(work).at(-1)).toBe('sheet/pack');
      expect(stateOf(work)).toMatchObject({
        run_status: 'completed',
        resume_history: [{ from_frame: 2, manifest_hash_match: true }],
      });
      const before = hashes(gaps, inRun(gaps, 'approved'));
      expect(Object.keys(before)).toHaveLength(4);
      expect(hashes(work, inRun(work, 'approved'))).toMatchObject(before);
    });

    it('says how much it kept: four frames of three phases each, and the anchor', () => {
      expect(run.cells.reused).toBe(13);
    });
  });

  it('names them in a plan, too', async () => {
    const { plan } = await pawlJson<Plan>(gaps, 'run', blaze, '--dry-run');
    const drawn = plan.units.flatMap(({ cells: steps }) =>
      steps.flatMap(({ unit, phase, decision }) =>
        decision.do === 'run' && phase === 'generate' ? [unit] : [],
      ),
    );
    expect(drawn).toEqual(missing.map(frame));
  });
});

describe('a frame that is drawn again', () => {
  const rerun = ['--rerun-from', 'generate', '--unit', 'frame_0003', '--force', '--reason', 'another seed'];
  let told: TestWorkspace;
  let before: Record<string, string>;

  beforeAll(async () => {
    told = await drawnSprites();
    before = finalSprites(told);
  }, 120_000);

  it('with the same bytes leaves those behind it alone', async () => {
    const work = copyOfRun(told);
    const run = await pawlJson<{ notices: object[] }>(work, 'run', blaze, ...rerun.slice(0, 4));
    expect(run).toMatchObject({ ok: true, notices: [] });
    expect(stepsCalled(work)).toEqual(['frame_0003/generate', 'frame_0003/audit', 'frame_0003/approve']);
    expect(finalSprites(work)).toEqual(before);
  });

  it('with other bytes makes the one behind it stale: told, and kept, where the manifest says `tell`', async () => {
    const work = copyOfRun(told);
    edit(work, blaze, 'seed: 7', 'seed: 11');
    const run = await pawl(work, 'run', blaze, ...rerun);
    expect(run.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['frame_0003/generate', 'frame_0003/audit', 'frame_0003/approve']);
    const rest = await pawl(work, 'run', blaze);
    expect(rest.code).toBe(0);
    expect(stepsCalled(work, 3)).toEqual(['sheet/pack']);
    expect(rest.stdout).toContain('frame_0004/audit was made from another before than there is now');
    expect(changed(work)).toEqual(['approved/frame_0003.png', 'export/sheet.png']);
    // It is told for as long as it is so.
    expect(await pawlJson(work, 'run', blaze)).toMatchObject({
      kind: 'unchanged',
      notices: [{ code: 'input-stale', unit: 'frame_0004', phase: 'audit', input: 'before' }],
    });
  });

  it('makes it run again in the same sitting where it says `rerun`, for as far as bytes differ', async () => {
    const work = copyOfSprites();
    edit(work, blaze, 'of: previous, on_change: tell', 'of: previous, on_change: rerun');
    await drawnSprites(work);
    expect(finalSprites(work)).toEqual(before);
    edit(work, blaze, 'seed: 7', 'seed: 11');
    expect((await pawl(work, 'run', blaze, ...rerun)).code).toBe(0);
    const run = await pawl(work, 'run', blaze);
    expect(changed(work)).toEqual(['approved/frame_0003.png', 'export/sheet.png']);
    const again = calls(work).map(({ cell: step }) => step);
    expect(again.slice(0, 3)).toEqual(['frame_0003/generate', 'frame_0003/audit', 'frame_0003/approve']);
    expect(again).toContain('frame_0004/audit');
    expect(again.filter((step) => /^frame_000[0-25-7]/.test(step))).toEqual([]);
    expect(run.stderr).toContain('frame_0004/audit started');
    expect(run.stderr).toContain('input before changed');
    expect(run.code, run.stdout).toBe(0);
    await expectNothingToDraw(work);
  });

  /** Frames and files of the sheet that are others than at first. */
  function changed(work: TestWorkspace): string[] {
    const now = finalSprites(work);
    const paths = Object.keys(now).filter((path) => now[path] !== before[path]);
    return paths.map((path) => path.slice(inRun(work, '').length)).toSorted();
  }
});

interface Plan {
  readonly plan: {
    readonly units: readonly {
      readonly cells: readonly {
        readonly unit: string;
        readonly phase: string;
        readonly decision: { readonly do: string };
      }[];
    }[];
  };
}
