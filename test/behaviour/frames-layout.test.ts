import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Finished, pawl } from '../support/command.ts';
import { auditLog, blaze, bytesOf, copyOfSprites, inRun, runFolders, stateOf } from '../support/sprites.ts';
import { tempFolder } from '../support/temp.ts';
import { hashes, read, type TestWorkspace } from '../support/workspace.ts';

const escapeCode = String.fromCharCode(27);

describe('pawl init sprites', () => {
  let demo: TestWorkspace;
  let run: Finished;

  beforeAll(async () => {
    const home = tempFolder();
    const { env } = copyOfSprites();
    const made = await pawl({ root: home, env }, 'init', 'sprites', 'demo');
    expect(made.code, made.stderr).toBe(0);
    demo = { root: join(home, 'demo'), env };
    run = await pawl(demo, 'run', blaze);
  }, 120_000);

  it('gives a folder in which the sprites run at once, offline', () => {
    expect(run.code, run.stderr).toBe(0);
    expect(existsSync(join(demo.root, 'ember-walk.yaml'))).toBe(true);
    expect(existsSync(join(demo.root, 'preview.png'))).toBe(true);
  });

  it('tells a pipe what happens in plain lines', () => {
    expect(run.stderr).not.toContain(escapeCode);
    expect(run.stderr).toMatch(/^sprites: new run \S+ with 10 units, 26 cells\n/);
    expect(run.stderr).toMatch(
      /^frame_0005\/audit succeeded in .*, verdict rejected, score 0\.\d\d \(.+\)$/m,
    );
    expect(run.stdout).toMatch(
      /^ {2}outputs: runs\/\w+\/; .*\n +pawl status .*\n✓ sprites: all 10 units done/,
    );
  });

  it('gives one folder for the run, called after the day and the identity', () => {
    const [folder = '', ...others] = runFolders(demo);
    expect(others).toEqual([]);
    const { created_at: created } = stateOf(demo) as unknown as { created_at: string };
    expect(folder).toBe(`runs/${created.slice(0, 10).replaceAll('-', '')}_blaze_idle`);
  });

  it('gives every file of the layout, and names it as the layout says', () => {
    const folder = `${inRun(demo, '')}`;
    const files = Object.keys(hashes(demo, folder)).map((path) => path.slice(folder.length));
    for (const name of ['manifest.lock.json', 'state.json', 'audit_log.jsonl', 'anchor.png'])
      expect(files).toContain(name);
    const below = (name: string) => files.filter((path) => path.startsWith(`${name}/`)).toSorted();
    expect(below('approved')).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `approved/frame_000${index}.png`),
    );
    const candidates = below('candidates');
    expect(candidates).toHaveLength(13);
    for (const path of candidates) expect(path).toMatch(/^candidates\/frame_\d{4}_attempt_\d\d\.png$/);
    expect(candidates).toContain('candidates/frame_0005_attempt_04.png');
    expect(below('rejected')).toEqual([
      'rejected/frame_0002_attempt_01.png',
      'rejected/frame_0004_attempt_01.png',
      'rejected/frame_0005_attempt_01.png',
      'rejected/frame_0005_attempt_02.png',
      'rejected/frame_0005_attempt_03.png',
    ]);
    expect(below('export')).toEqual(['export/sheet.json', 'export/sheet.png']);
  });

  it('says in state.json all that the run is', () => {
    expect(stateOf(demo)).toMatchObject({
      run_id: expect.any(String),
      run_status: 'completed',
      manifest_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      resumable: false,
      resume_from_frame: null,
      approved_frame_indices: [0, 1, 2, 3, 4, 5, 6, 7],
      resume_history: [],
    });
  });

  it('writes what happened line by line, with frames by their names', () => {
    const log = auditLog(demo);
    expect(read(demo, inRun(demo, 'audit_log.jsonl')).endsWith('\n')).toBe(true);
    expect(log[0]).toMatchObject({ seq: 1, type: 'run_created' });
    const judged = log.filter(
      ({ frame, phase, type }) => `${frame} ${phase} ${type}` === 'frame_0005 audit attempt_succeeded',
    );
    expect(judged.map(({ attempt, verdict }) => [attempt, verdict])).toEqual([
      [1, 'rejected'],
      [2, 'rejected'],
      [3, 'rejected'],
      [4, 'approved'],
    ]);
  });

  it('packs a sheet of four by two frames', () => {
    const sheet = bytesOf(demo, inRun(demo, 'export/sheet.png'));
    expect([sheet.readUInt32BE(16), sheet.readUInt32BE(20)]).toEqual([256, 128]);
  });

  it('never overwrites what is there', async () => {
    const before = hashes(demo);
    const again = await pawl(demo, 'init', 'sprites', '.');
    expect(again.code).not.toBe(0);
    expect(hashes(demo)).toEqual(before);
    expect(readdirSync(demo.root)).toContain('runs');
  });
});
