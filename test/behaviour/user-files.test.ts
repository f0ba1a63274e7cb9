import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlKilledAt } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import { callWithoutRoot } from '../support/without-root.ts';
import { read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

/** As a compiler does: it reads the file, and writes a folder beside it. It also changes what it was shown. */
const compiler = `
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
export function compile(file) {
  const beside = join(dirname(file), '__cache__');
  appendFileSync('checked', basename(file) + ' beside ' + readdirSync(dirname(file)).length + '\\n');
  mkdirSync(join(beside, 'deep'), { recursive: true });
  writeFileSync(join(beside, 'deep/made'), '');
  appendFileSync(file, 'changed by its check');
}
if (process.argv[1].endsWith('compile.mjs')) compile(process.argv[2]);
`;

const checked = `
pawl: 1
pipeline: compiled
units: [a]
phases:
  code:
    run: { command: [node, tool.mjs, after] }
    outputs: { code: { path: "code/{unit}.py", check: { command: [node, compile.mjs, "{file}"] } } }
  page:
    run: { function: ./page.mjs#page }
    outputs: { page: { path: "page/{unit}.tex", check: { function: ./compile.mjs#isGood } } }
`;

function compiled(): TestWorkspace {
  return workspaceWith(checked, {
    'compile.mjs': `${compiler}\nexport const isGood = (file) => { compile(file.path); };\n`,
    'page.mjs': `export const page = () => ({ page: 'a page\\n' });\n`,
  });
}

function staged(work: TestWorkspace): string[] {
  return readdirSync(join(work.root, runFolder(work), 'staging'));
}

describe('a check that writes beside its file', () => {
  it('gets a copy of its own, which is removed with all that lies beside it', async () => {
    const work = compiled();
    await expectCode(work, 0, 'run');
    expect(read(work, 'checked')).toBe('a.py beside 1\na.tex beside 1\n');
    expect(read(work, 'code/a.py')).toBe('a/code code\n');
    expect(read(work, 'page/a.tex')).toBe('a page\n');
    expect(staged(work)).toEqual([]);
    await expectSound(work);
    await expectNothingToDo(work);
    write(work, 'code/a.py', 'edited\n');
    await expectCode(work, 0, 'adopt', 'code/a.py', '--reason', 'by hand');
    expect(read(work, 'code/a.py')).toBe('edited\n');
    expect(readdirSync(join(work.root, 'code'))).toEqual(['a.py']);
    expect(staged(work)).toEqual([]);
  });

  it('leaves nothing where it makes folders that may not be changed', async ({ skip }) => {
    const closing = compiler
      .replace('import { appendFileSync,', 'import { appendFileSync, chmodSync,')
      .replace("'deep/made'), '');", "'deep/made'), '');\n  chmodSync(join(beside, 'deep'), 0o500);");
    const work = workspaceWith(checked.slice(0, checked.indexOf('  page:')), { 'compile.mjs': closing });
    const call = callWithoutRoot(work) ?? skip('no other user can reach this workspace');
    const run = await call('run');
    expect(run.code, run.stderr).toBe(0);
    expect(read(work, 'checked')).toBe('a.py beside 1\n');
    expect(staged(work)).toEqual([]);
  });

  it('and what a killed one has left, in this version or the one before, is no failure of the disk', async () => {
    const work = compiled();
    expect((await pawlKilledAt(work, 'a/page started', 'run')).signal).toBe('SIGKILL');
    const staging = join(work.root, runFolder(work), 'staging');
    for (const left of ['__pycache__', '.pawl-12345678-1234-1234-1234-123456789abc.tmp', 'a~page~1~page']) {
      mkdirSync(join(staging, left, 'deep'), { recursive: true });
      writeFileSync(join(staging, left, 'deep/a.pyc'), '');
    }
    const halfWritten = `${runFolder(work)}/attempts/a/page/1/.pawl-12345678-1234-1234-1234-123456789abc.tmp`;
    write(work, halfWritten, 'half of it');
    const name = (nth: number) => `.pawl-${nth}2345678-1234-1234-1234-123456789abc.tmp`;
    const shared = ['.pawl', runFolder(work), `${runFolder(work)}/events/runner`];
    for (const folder of shared)
      for (const [nth, hours] of [2, 0].entries()) {
        write(work, `${folder}/${name(nth)}`, 'half of it');
        const time = Date.now() / 1000 - hours * 3600;
        utimesSync(join(work.root, folder, name(nth)), time, time);
      }
    const run = await pawl(work, 'run');
    expect(run.code, run.stderr).toBe(0);
    expect(existsSync(join(work.root, halfWritten))).toBe(false);
    // Another process may be writing what is not old.
    for (const folder of shared)
      expect(readdirSync(join(work.root, folder)).filter((left) => left.endsWith('.tmp'))).toEqual([name(1)]);
    expect(run.stderr).not.toContain('disk');
    expect(staged(work)).toEqual([]);
    expect(run.stderr).not.toContain('a/code started');
  });
});

describe('a task whose check writes beside its file', () => {
  it('is completed, and the run goes on', async () => {
    const work = workspaceWith(task, { 'compile.mjs': compiler });
    await expectCode(work, 75, 'run');
    await expectCode(work, 0, 'next', '--actor', 'a1');
    write(work, 'code/a.py', 'made\n');
    await expectCode(work, 0, 'complete', 'a', '--actor', 'a1');
    expect(read(work, 'checked')).toBe('a.py beside 1\n');
    expect(staged(work)).toEqual([]);
    await expectCode(work, 0, 'run');
    expect(readFileSync(join(work.root, 'code/a.py'), 'utf8')).toBe('made\n');
    expect(existsSync(join(work.root, 'code/__cache__'))).toBe(false);
  });
});

const task = `
pawl: 1
pipeline: compiled
units: [a]
phases:
  code:
    run: { task: coder, lease: 10m }
    outputs: { code: { path: "code/{unit}.py", check: { command: [node, compile.mjs, "{file}"] } } }
`;
