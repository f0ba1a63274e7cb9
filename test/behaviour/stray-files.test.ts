import { expect, it } from 'vitest';
import { type Answer, pawl, pawlJson } from '../support/command.ts';
import { copyOf, edit, hashes, read, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const manifest = `
pawl: 1
pipeline: frames
units: { count: 4, id: "frame_{index:04}" }
phases:
  approve:
    run: { function: "phases.mjs#step" }
    outputs: { text: { path: "approved/{unit}.txt" } }
`;

interface Told extends Answer {
  readonly notices: readonly { readonly code: string; readonly paths?: readonly string[] }[];
}

it('files of no unit are reported in one line by run, plan and verify, and left alone', async () => {
  const work = workspaceWith(manifest, { 'approved/notes.md': 'no output looks like this\n' });
  expect((await pawl(work, 'run')).code).toBe(0);
  for (const at of [6, 7, 8, 9]) write(work, `approved/frame_000${at}.txt`, `frame ${at}\n`);
  const before = hashes(work, 'approved');
  const first = 'approved/frame_0006.txt';

  const run = await pawlJson<Told>(work, 'run');
  const strays = run.notices.filter(({ code }) => code === 'files-without-unit');
  expect(strays).toEqual([
    { code: 'files-without-unit', paths: [6, 7, 8, 9].map((at) => `approved/frame_000${at}.txt`) },
  ]);
  const plan = await pawl(work, 'plan');
  expect(plan.stdout).toContain(
    `${first}, approved/frame_0007.txt, approved/frame_0008.txt and 1 more match`,
  );
  const verify = await pawl(work, 'verify');
  expect(verify.code).toBe(0);
  expect(verify.stdout).toContain(`${first}: matches the path of an output and belongs to no unit (also `);
  for (const { stdout } of [plan, verify]) expect(stdout.split('frame_0006')).toHaveLength(2);
  expect(hashes(work, 'approved')).toEqual(before);
});

it('what a run recorded for a unit that is no longer listed is not called that', async () => {
  const work = workspaceWith(manifest);
  expect((await pawl(work, 'run')).code).toBe(0);
  const fewer = copyOf(work);
  edit(fewer, 'pawl.yaml', 'count: 4', 'count: 3');
  for (const [command, flags] of [
    ['run', ['--force']],
    ['plan', []],
  ] as const) {
    const { finished } = await pawlJson(fewer, command, ...flags);
    expect(finished.stdout).not.toContain('files-without-unit');
  }
});

const named = `
pawl: 1
pipeline: named
units: [a, b]
phases:
  make:
    run: { function: "phases.mjs#step" }
    outputs: { text: "out/{unit}/{unit}.txt" }
  take:
    run: { function: "phases.mjs#step" }
    outputs: { text: "takes/{unit}-{attempt}.txt" }
`;

it('the unit may be named twice in the path, or with an attempt', async () => {
  const work = workspaceWith(named);
  expect((await pawl(work, 'run')).code).toBe(0);
  const strays = ['out/c/c.txt', 'takes/c-1.txt'];
  for (const path of [...strays, 'out/c/d.txt', 'takes/a-7.txt', 'takes/c.txt', 'takes/-1.txt'])
    write(work, path, 'by hand\n');
  const { notices } = await pawlJson<Told>(work, 'run');
  expect(notices).toEqual([{ code: 'files-without-unit', paths: strays }]);
});

const claimed = `
pawl: 1
pipeline: pages
units: [a, b]
phases:
  write:
    run: { task: writer, lease: 10m }
    outputs: { page: { path: "pages/{unit}.md", check: non-empty } }
`;

it('what the owner of a live claim writes is reported to no one, and leaves no copy', async () => {
  const work = workspaceWith(claimed);
  await expectCode(work, 75, 'run');
  await expectCode(work, 0, 'start', 'a', '--actor', 'ann');
  write(work, 'pages/a.md', 'half a page\n');
  for (const args of [['status'], ['plan'], ['run'], ['next', '--actor', 'bob'], ['verify']]) {
    const { stdout, stderr } = await pawl(work, ...args);
    expect(stdout + stderr, args[0]).not.toContain('pages/a.md');
  }
  write(work, 'pages/a.md', 'a page\n');
  await expectCode(work, 0, 'complete', 'a', '--actor', 'ann');
  await expectCode(work, 75, 'run');
  expect(read(work, 'pages/a.md')).toBe('a page\n');
  expect(Object.keys(hashes(work)).filter((path) => path.includes('aside'))).toEqual([]);
});
