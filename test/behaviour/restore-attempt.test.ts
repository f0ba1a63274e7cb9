import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: story
units: [a]
phases:
  one:
    run: { command: [sh, -c, 'echo one >> calls; echo one $PAWL_ATTEMPT > $PAWL_OUTPUT_TEXT'] }
    outputs: { text: "out/{unit}.one" }
  two:
    inputs: { text: one.text }
    run: { command: [sh, -c, 'echo two >> calls; cat $PAWL_INPUT_TEXT > $PAWL_OUTPUT_TEXT'] }
    outputs: { text: "out/{unit}.two" }
`;

const done = async (work: TestWorkspace, ...args: string[]) => {
  const finished = await pawl(work, ...args);
  expect(finished.code, finished.stderr).toBe(0);
};
const calls = (work: TestWorkspace) => read(work, 'calls').trim().split('\n');

it('makes an earlier attempt the result; what depends on it runs again, and undo takes it back', async () => {
  const work = workspaceWith(manifest);
  await done(work, 'run');
  await done(work, 'run', '--rerun-all', '--reason', 'again');
  await done(work, 'run', '--rerun-all', '--reason', 'and again');
  expect(read(work, 'out/a.one')).toBe('one 3\n');
  const made = calls(work).length;

  const restored = await pawlJson(work, 'restore', 'a/one', '--attempt', '2', '--reason', 'best', '--yes');
  expect(restored).toMatchObject({
    ok: true,
    steps: [{ unit: 'a', phase: 'one', from: 3, to: 2, outputs: ['out/a.one'] }],
    open: ['a/two'],
  });
  expect(read(work, 'out/a.one')).toBe('one 2\n');
  expect(calls(work)).toHaveLength(made);
  await done(work, 'run');
  expect(calls(work).slice(made)).toEqual(['two']);
  expect(read(work, 'out/a.two')).toBe('one 2\n');
  const { attempts } = await pawlJson<{ attempts: { superseded: boolean }[] }>(
    work,
    'logs',
    'a/one',
    '--attempt',
    'all',
  );
  expect(attempts.map(({ superseded }) => superseded)).toEqual([true, false, true]);

  await done(work, 'undo', '--yes');
  expect(read(work, 'out/a.one')).toBe('one 3\n');
  expect(read(work, 'out/a.two')).toBe('one 3\n');
  await done(work, 'run');
  expect(calls(work)).toHaveLength(made + 1);
});

it('refuses an attempt that is the result already, or has none', async () => {
  const work = workspaceWith(manifest);
  await done(work, 'run');
  expect(await pawlJson(work, 'restore', 'a/one', '--attempt', '1', '--yes')).toMatchObject({
    exitCode: 4,
    reason: 'cannot-restore',
    why: 'current',
  });
  expect(await pawlJson(work, 'restore', 'a/one', '--attempt', '7', '--yes')).toMatchObject({
    reason: 'cannot-restore',
    why: 'no-result',
    valid: [1],
  });
  expect(await pawlJson(work, 'restore', 'a/one', '--attempt', 'x')).toMatchObject({ exitCode: 2 });
  expect(await pawlJson(work, 'restore', 'a/none', '--attempt', '1')).toMatchObject({ exitCode: 2 });
});
