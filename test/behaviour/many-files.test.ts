import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/journal.ts';
import { tempFolder } from '../support/temp.ts';
import { projectRoot, type TestWorkspace, write } from '../support/workspace.ts';

const program = join(projectRoot, 'test/support/programs/many-files.mjs');
const library = pathToFileURL(join(projectRoot, 'dist/index.js')).href;

function workspace(): TestWorkspace {
  const folder = tempFolder();
  const root = join(folder, 'work');
  mkdirSync(root);
  return { root, env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') } as Record<string, string> };
}

/** Undefined: it was killed. */
function runMany({ root, env }: TestWorkspace, dieAfter?: number) {
  const args = [program, library, root, ...(dieAfter === undefined ? [] : [String(dieAfter)])];
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (signal === 'SIGKILL') return undefined;
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

function expectAllFiles({ root }: TestWorkspace): void {
  for (let index = 0; index < 900; index++) {
    const unit = `u${String(index).padStart(4, '0')}`;
    expect(readFileSync(join(root, `out/draft/${unit}.txt`), 'utf8')).toBe(`draft of ${unit}\n`);
    expect(readFileSync(join(root, `out/edit/${unit}.txt`), 'utf8')).toBe(`edited draft of ${unit}\n`);
  }
}

function runFolder({ root }: TestWorkspace): string {
  const [run = ''] = readdirSync(join(root, '.pawl/runs'));
  return join(root, '.pawl/runs', run);
}

describe('a run of very many files', () => {
  it('makes each of them from the bytes that its function returned', () => {
    const work = workspace();
    const answer = runMany(work);
    expect(answer).toEqual({ succeeded: 1800, ok: true, status: 'completed' });
    expectAllFiles(work);
    expect(readdirSync(join(runFolder(work), 'staging'))).toEqual([]);
  });

  it.each([801, 1300, 1799])('has the same files at the end when it is killed after %i steps', (dieAfter) => {
    const work = workspace();
    expect(runMany(work, dieAfter)).toBeUndefined();
    expect(runMany(work)).toMatchObject({ ok: true, status: 'completed' });
    expectAllFiles(work);
    const steps = eventsOf(work, 'attempt_succeeded').map(({ unit, phase }) => `${unit}/${phase}`);
    expect(steps).toHaveLength(1800);
    expect(new Set(steps).size).toBe(1800);
    expect(readdirSync(join(runFolder(work), 'staging'))).toEqual([]);
  });

  it('moves files and folders at output paths to aside/', () => {
    const work = workspace();
    write(work, 'out/edit/u0880.txt', 'mine\n');
    write(work, 'out/draft/u0890.txt/inner', 'a folder of mine\n');
    expect(runMany(work)).toMatchObject({ ok: true, status: 'completed' });
    expectAllFiles(work);
    const aside = join(runFolder(work), 'aside');
    expect(readdirSync(aside).toSorted()).toEqual(['out__draft__u0890.txt', 'out__edit__u0880.txt']);
    expect(readFileSync(join(aside, 'out__edit__u0880.txt'), 'utf8')).toBe('mine\n');
  });
});
