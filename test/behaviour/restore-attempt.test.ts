import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { hashes, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

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

it('puts units back that an earlier result lists, and so does undo', async () => {
  const work = workspaceWith(
    `
pawl: 1
pipeline: listed
inputs: { topic: { path: topic.txt } }
stages:
  - name: plan
    units: [plan]
    phases:
      list:
        inputs: { topic: topic }
        run: { command: [sh, -c, 'echo list >> calls; cp topic.txt $PAWL_OUTPUT_LIST'] }
        outputs: { list: "out/list.json" }
  - name: work
    units: { artifact: list.list.items }
    phases:
      do:
        run: { command: [sh, -c, 'echo $PAWL_UNIT >> calls; echo "$0" > $PAWL_OUTPUT_TEXT', "{unit.title}"] }
        outputs: { text: "out/{unit}.txt" }
`,
    { 'topic.txt': '{"items":[{"id":"x","title":"one"},{"id":"y","title":"one"}]}' },
  );
  await done(work, 'run');
  const first = hashes(work, 'out');
  write(work, 'topic.txt', '{"items":[{"id":"x","title":"two"},{"id":"y","title":"one"}]}');
  await done(work, 'run', '--rerun-changed', '--reason', 'two');
  const second = hashes(work, 'out');
  const made = calls(work);

  const undone = await pawlJson(work, 'undo', '--yes');
  expect(undone).toMatchObject({
    steps: [
      { unit: 'plan', phase: 'list', outputs: ['out/list.json'], isOutdated: true },
      { unit: 'x', phase: 'do', outputs: ['out/x.txt'] },
    ],
    open: [],
  });
  expect(hashes(work, 'out')).toEqual(first);
  await done(work, 'restore', 'plan/list', '--attempt', '2', '--yes');
  await done(work, 'restore', 'x/do', '--attempt', '2', '--yes');
  expect(hashes(work, 'out')).toEqual(second);
  await done(work, 'run');
  expect(calls(work)).toEqual(made);
});

it('refuses, as undo does, what was claimed since, until it is given back', async () => {
  const work = workspaceWith(
    `pawl: 1
pipeline: reviews
units: { glob: "in/*.md" }
phases:
  one:
    run: { command: [cp, "{input.file}", "{output.text}"] }
    outputs: { text: "out/{unit}.one" }
  review:
    run: { task: editor }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.review" }
`,
    { 'in/a.md': 'A\n' },
  );
  const review = async (text: string) => {
    await pawl(work, 'run');
    await done(work, 'next', '--actor', 'ann');
    write(work, 'out/a.review', text);
  };
  await review('fine\n');
  await done(work, 'complete', 'a', '--actor', 'ann');
  write(work, 'in/a.md', 'AA\n');
  await review('better\n');
  const claimed = { exitCode: 4, reason: 'cannot-restore', why: 'claimed', step: 'a/review', by: 'ann' };
  expect(await pawlJson(work, 'undo', '--yes')).toMatchObject(claimed);
  expect(await pawlJson(work, 'restore', 'a/one', '--attempt', '1', '--yes')).toMatchObject(claimed);

  write(work, 'out/a.review', 'fine\n');
  await done(work, 'release', 'a', '--actor', 'ann');
  expect(await pawlJson(work, 'undo', '--yes')).toMatchObject({
    steps: [{ unit: 'a', phase: 'one', from: 2, to: 1 }],
    open: [],
  });
  await done(work, 'undo', '--redo', '--yes');
  await review('best\n');
  await done(work, 'complete', 'a', '--actor', 'ann');
  expect(await pawlJson(work, 'undo', '--yes')).toMatchObject(claimed);
  expect(eventsOf(work, 'results_restored')).toHaveLength(2);
});
