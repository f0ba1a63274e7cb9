import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { events } from '../support/journal.ts';
import { canPretend, linesAt80 } from '../support/terminal.ts';
import { type TestWorkspace, withEnv, workspaceWith, write } from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: story
inputs: { words: { path: words.txt, on_change: refuse } }
units: [a, b]
phases:
  one:
    inputs: { words: words }
    run: { command: [sh, -c, 'cat words.txt > $PAWL_OUTPUT_TEXT; printf "\\\\000\\\\001$PAWL_ATTEMPT" > $PAWL_OUTPUT_RAW'] }
    outputs: { text: "out/{unit}.one", raw: "out/{unit}.bin" }
  two:
    inputs: { text: one.text }
    run: { command: [sh, -c, 'cat $PAWL_INPUT_TEXT > $PAWL_OUTPUT_TEXT'] }
    outputs: { text: "out/{unit}.two" }
`;

const done = async (work: TestWorkspace, ...args: string[]) => {
  const finished = await pawl(work, ...args);
  expect(finished.code, finished.stderr).toBe(0);
  return finished.stdout;
};

async function changed(): Promise<TestWorkspace> {
  const work = workspaceWith(manifest, { 'words.txt': 'first\n' });
  await done(work, 'run');
  write(work, 'words.txt', 'second\n');
  const ann = withEnv(work, { PAWL_ACTOR: 'ann' });
  await done(ann, 'run', '--rerun-changed', '--reason', 'the first words were never meant to stay');
  return work;
}

it('compares two attempts: texts by line, other files by size and hash', async () => {
  const work = await changed();
  const text = await done(work, 'diff', 'a/one', '--attempts', '1,2');
  expect(text).toContain('-first\n+second');
  expect(text).toMatch(/output raw {2}[0-9a-f:sha]+, 3 bytes → [0-9a-f:sha]+, 3 bytes/);
  expect(await pawlJson(work, 'diff', 'a/two', '--attempts', '1,2')).toMatchObject({
    attempts: [1, 2],
    differences: [{ name: 'output text', diff: {} }, { name: 'input text' }],
  });
  expect(await done(work, 'diff', 'a/two', '--attempts', '2,2')).toContain('everything is the same');
  expect(await pawlJson(work, 'diff', 'a/one', '--attempts', '1,9')).toMatchObject({ exitCode: 2 });
  expect(await pawlJson(work, 'diff', 'a/one', '--attempts', '1')).toMatchObject({ reason: 'bad-value' });
  expect(await pawlJson(work, 'diff', '--attempts', '1,2')).toMatchObject({ reason: 'missing-argument' });
  // Without these options it says what changed since results were made.
  expect(await done(work, 'diff')).toBe('nothing has changed\n');
});

it('compares two runs step by step', async () => {
  const work = workspaceWith(manifest, { 'words.txt': 'first\n' });
  await done(work, 'run');
  const first = String(events(work)[0]?.run);
  write(work, 'words.txt', 'second\n');
  await done(work, 'run', '--fresh', '--replace-existing');
  const { runs } = await pawlJson<{ runs: { run: string }[] }>(work, 'runs');
  const second = runs.map(({ run }) => run).find((run) => run !== first) ?? '';
  const answer = await pawlJson<{ steps: { differences: { name: string }[] }[] }>(
    work,
    'diff',
    '--runs',
    `${first},${second}`,
  );
  expect(answer).toMatchObject({ steps: [{ unit: 'a', phase: 'one' }, {}, {}, {}], same: 0 });
  const names = answer.steps.map(({ differences }) => differences.map(({ name }) => name));
  expect(names[0]).toEqual(['output text', 'file words']);
  expect(names[1]).toEqual(['output text', 'input text']);
  expect(await done(work, 'diff', '--runs', `${first},${first}`)).toContain('0 steps differ, 4 the same');
  expect(await pawlJson(work, 'diff', '--runs', `${first},nothing`)).toMatchObject({ ok: false });
});

it('why tells the story of a step: attempts, why they ran, and who decided what', async () => {
  const work = await changed();
  expect(await pawlJson(work, 'why', 'a/one')).toMatchObject({
    verdict: { do: 'reuse' },
    story: [
      { attempt: { attempt: 1, why: { code: 'never-ran' }, superseded: 'file-changed' } },
      { decision: { subject: '--rerun-changed', agent: 'ann', effects: [{ steps: ['a/one'] }] } },
      { attempt: { attempt: 2, why: { code: 'file-changed' } } },
    ],
  });
  await done(work, 'undo', '--yes', '--reason', 'worse');
  const text = await done(work, 'why', 'a/two');
  expect(text).toMatch(/attempt 1: first attempt; succeeded .*; the result that counts/);
  expect(text).toMatch(/undo, by .*: worse/);
});

it.runIf(canPretend)('the story fits into 80 columns', async () => {
  const lines = await linesAt80(await changed(), 'why a/one');
  const story = lines.slice(lines.indexOf('  story'), lines.indexOf('  made from'));
  expect(story.length).toBeGreaterThan(4);
  expect(story.filter((line) => line.length > 80)).toEqual([]);
});
