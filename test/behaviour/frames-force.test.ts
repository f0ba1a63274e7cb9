import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import {
  type AuditLine,
  auditLog,
  begunLine,
  blaze,
  bytesOf,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  expectNothingToDraw,
  frame,
  inRun,
  killedSprites,
  stateOf,
} from '../support/sprites.ts';
import {
  calls,
  edit,
  has,
  hashes,
  read,
  readJson,
  stepsCalled,
  type TestWorkspace,
} from '../support/workspace.ts';

let half: TestWorkspace;
let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  half = await killedSprites('frame_0003 finished');
  done = await drawnSprites(copyOfRun(half));
}, 120_000);

const sha256 = /^sha256:[0-9a-f]{64}$/;

describe('--force', () => {
  let before: Lock;
  let approved: Record<string, string>;

  beforeAll(async () => {
    work = copyOfRun(half);
    before = lockOf(work);
    approved = hashes(work, inRun(work, 'approved'));
    edit(work, blaze, 'seed: 7', 'seed: 70');
    edit(work, blaze, 'identity_min: 0.85', 'identity_min: 0.86');
    const forced = await pawl(work, 'run', blaze, '--force', '--reason', 'a stricter eye');
    expect(forced.code, forced.stderr).toBe(0);
    expect(begunLine(forced)).toContain('from frame 4 (frames 0-3 already approved)');
  }, 120_000);

  it('keeps finished frames and draws the rest by the new manifest', () => {
    expect(Object.keys(approved)).toHaveLength(4);
    expect(hashes(work, inRun(work, 'approved'))).toMatchObject(approved);
    expect(stepsCalled(work).filter((step) => /^(anchor|frame_000[0-3])/.test(step))).toEqual([]);
    for (const index of [4, 5, 6, 7]) {
      const [first] = calls(work).filter(({ cell: step }) => step === `${frame(index)}/generate`);
      const response = `attempts/${frame(index)}/generate/${first?.attempt}/response.txt`;
      expect(read(work, inRun(work, response))).toContain('seed 70');
    }
  });

  it('leaves the change and its reason in the audit log', () => {
    const [used, ...others] = auditLog(work).filter(({ type }) => type === 'override_used');
    expect(others).toEqual([]);
    expect(used).toMatchObject({
      flag: '--force',
      guard: 'manifest-changed',
      reason: 'a stricter eye',
      facts: {
        changes: [
          'stages[1].phases.audit.params.thresholds.identity_min',
          'stages[1].phases.generate.params.seed',
        ],
      },
    });
    const hashesSeen = auditLog(work).flatMap(manifestHash);
    expect(hashesSeen).toEqual(lockOf(work).history.map(({ manifest_hash: hash }) => hash));
  });

  it('keeps the history of hashes in the lock, with the manifest as it is now', () => {
    const lock = lockOf(work);
    expect(before.history).toHaveLength(1);
    expect(lock.history).toHaveLength(2);
    expect(lock.history[0]).toEqual(before.history[0]);
    expect(lock.history[1]).toMatchObject({ revision: 2, manifest_hash: lock.manifest_hash });
    for (const { manifest_hash: hash } of lock.history) expect(hash).toMatch(sha256);
    expect(lock.manifest_hash).not.toBe(before.manifest_hash);
    expect(lock.manifest).toMatchObject({ identity: { character: 'blaze', move: 'idle' } });
    expect(JSON.stringify(lock.manifest)).toContain('"identity_min":0.86');
    expect(stateOf(work).manifest_hash).toBe(lock.manifest_hash);
  });

  it('is on record in the history of resumes: from which frame, and that the manifest was another', () => {
    expect(stateOf(work).resume_history).toEqual([
      { resumed_at: expect.any(String), from_frame: 4, manifest_hash_match: false },
    ]);
  });

  it('is needed once: then the new manifest is the run’s own', async () => {
    await expectNothingToDraw(work);
  });

  it('opens no other guard', async () => {
    const copy = copyOfRun(done);
    edit(copy, blaze, 'seed: 7', 'seed: 70');
    edit(copy, 'templates/frame.md', 'Draw', 'Paint');
    const refused = await pawlJson<{ refusals: { guard: string }[] }>(copy, 'run', blaze, '--force');
    expect(refused.finished.code).toBe(4);
    expect(new Set(refused.refusals.map(({ guard }) => guard))).toEqual(new Set(['prompt-changed']));
    expect(calls(copy)).toEqual([]);
  });
});

describe('manifest.lock.json', () => {
  it('holds the whole hash, which an untouched manifest gives again', () => {
    const lock = lockOf(done);
    expect(lock.manifest_hash).toMatch(sha256);
    expect(lock.run_id).toBe(stateOf(done).run_id);
    expect(lockOf(half).manifest_hash).toBe(lock.manifest_hash);
    expect(stateOf(done).resume_history).toMatchObject([{ from_frame: 4, manifest_hash_match: true }]);
  });

  it('holds no secret, however it is written down, and nor does any other file of the run', async () => {
    const secret = copyOfSprites();
    const params = [
      'api_key: hush',
      'header: { authorization: Bearer hush }',
      'secrets: { first: hush, second: [hush] }',
      'tokens: [hush, { of: hush }]',
      'password_of: $IMAGE_PASSWORD',
    ];
    edit(secret, blaze, 'count: 8', 'count: 1');
    edit(secret, blaze, 'seed: 7', `seed: 7, ${params.join(', ')}`);
    expect((await pawl(secret, 'run', blaze)).code).toBe(0);
    const kept = JSON.stringify(lockOf(secret).manifest);
    for (const key of ['api_key', 'header', 'secrets', 'tokens']) expect(kept).toContain(`"${key}":`);
    // The name of a variable is no secret.
    expect(kept).toContain('"password_of":"$IMAGE_PASSWORD"');
    expect(filesWith(secret, inRun(secret, '.'), 'hush')).toEqual([]);
    await expectNothingToDraw(secret);
  });
});

describe('the number of frames', () => {
  beforeEach(() => {
    work = copyOfRun(done);
  });

  it('may be raised: only the new ones are drawn, and the sheet is packed anew', async () => {
    const before = hashes(work, inRun(work, 'approved'));
    edit(work, blaze, 'count: 8', 'count: 10');
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(begunLine(run)).toContain('from frame 8 (frames 0-7 already approved)');
    const units = new Set(stepsCalled(work).map((step) => step.slice(0, step.indexOf('/'))));
    expect(units).toEqual(new Set([frame(8), frame(9), 'sheet']));
    expect(hashes(work, inRun(work, 'approved'))).toMatchObject(before);
    expect(stateOf(work)).toMatchObject({
      run_status: 'completed',
      approved_frame_indices: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    });
    expect(Object.keys(atlasOf(work))).toHaveLength(10);
  });

  it('may be raised in a run that was stopped', async () => {
    const stopped = copyOfRun(half);
    edit(stopped, blaze, 'count: 8', 'count: 9');
    const plan = await pawl(stopped, 'run', blaze, '--dry-run');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('frame_0008');
  });

  it('may be lowered: the extra ones are told and their files left alone', async () => {
    const before = hashes(work, inRun(work, 'approved'));
    edit(work, blaze, 'count: 8', 'count: 5');
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('frame_0005, frame_0006 and frame_0007 are not in the pipeline any more');
    expect(stepsCalled(work)).toEqual(['sheet/pack']);
    expect(hashes(work, inRun(work, 'approved'))).toEqual(before);
    expect(has(work, inRun(work, 'candidates/frame_0007_attempt_01.png'))).toBe(true);
    expect(Object.keys(atlasOf(work))).toHaveLength(5);
    expect(stateOf(work)).toMatchObject({ run_status: 'completed', approved_frame_indices: [0, 1, 2, 3, 4] });

    edit(work, blaze, 'count: 5', 'count: 8');
    expect((await pawl(work, 'run', blaze)).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['sheet/pack', 'sheet/pack']);
    expect(bytesOf(work, inRun(work, 'export/sheet.png'))).toEqual(
      bytesOf(done, inRun(done, 'export/sheet.png')),
    );
  });
});

interface Lock {
  readonly run_id: string;
  readonly manifest_hash: string;
  readonly history: readonly { readonly revision: number; readonly manifest_hash: string }[];
  readonly manifest: object;
}

function lockOf(workspace: TestWorkspace): Lock {
  return readJson(workspace, inRun(workspace, 'manifest.lock.json')) as Lock;
}

function manifestHash({ type, manifest }: AuditLine): string[] {
  return type === 'revision_recorded' ? [String(manifest)] : [];
}

function atlasOf(workspace: TestWorkspace): object {
  const { frames } = readJson(workspace, inRun(workspace, 'export/sheet.json')) as { frames: object };
  return frames;
}

/** Files below a folder that hold a text. */
function filesWith({ root }: TestWorkspace, folder: string, text: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
}
