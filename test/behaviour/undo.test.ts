import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { events, eventsOf, runFolder } from '../support/journal.ts';
import { canPretend, inTerminal, linesAt80 } from '../support/terminal.ts';
import {
  copyOfBook,
  finalFiles,
  has,
  hashes,
  projectRoot,
  read,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const step = (name: string, input: string, more = '') => `
  ${name}:
    ${input}
    run: { command: [sh, -c, 'echo $PAWL_UNIT/$PAWL_PHASE >> calls; cat in/$PAWL_UNIT.md words.txt > $PAWL_OUTPUT_TEXT; echo $PAWL_ATTEMPT >> $PAWL_OUTPUT_TEXT; [ ! -f wait ] || sleep 60'] }
    outputs: { text: "out/{unit}.${name}" }${more}`;

const manifest = (more = '') => `
pawl: 1
pipeline: story
pace: { concurrency: 1 }
channels: [terminal, script]
inputs: { words: { path: words.txt, on_change: refuse } }
units: { glob: "in/*.md" }
phases:${step('one', 'inputs: { words: words }')}${step('two', 'inputs: { text: one.text }', more)}
`;

const story = (more?: string) =>
  workspaceWith(manifest(more), { 'in/a.md': 'A\n', 'in/b.md': 'B\n', 'words.txt': 'words\n' });

const calls = (work: TestWorkspace) =>
  has(work, 'calls') ? read(work, 'calls').trim().split('\n').splice(0) : [];

const done = async (work: TestWorkspace, ...args: string[]) => {
  const finished = await pawl(work, ...args);
  expect(finished.code, `${args.join(' ')}\n${finished.stderr}`).toBe(0);
  return finished;
};

interface Undone {
  readonly next?: readonly string[];
  readonly decisions: readonly { readonly kind: string; readonly subject?: string }[];
  readonly steps: readonly object[];
  readonly open: readonly string[];
  readonly aside: readonly string[];
}

const undo = (work: TestWorkspace, ...args: string[]) => pawlJson<Undone>(work, 'undo', '--yes', ...args);

/** The next run has nothing to do, and no step runs. */
async function expectSettled(work: TestWorkspace): Promise<void> {
  const before = calls(work);
  await done(work, 'run');
  expect(calls(work)).toEqual(before);
}

describe('the daily loop', () => {
  const answers = `
import { appendFileSync } from 'node:fs';
export const answer = ({ prompt }) => {
  appendFileSync(process.env.ASKED, prompt.trim() + '\\n');
  return 'Answer to: ' + prompt + Math.random();
};`;
  const asking = `
pawl: 1
pipeline: summaries
models: { providers: { mock: { function: ./mock.mjs#answer } } }
units: { glob: "in/*.md" }
phases:
  summary:
    model: mock/m
    prompt: prompt.md
    outputs: { text: "out/{unit}.md" }
`;

  it('brings the old result back after an edit, without a call, and the next run does not pay again', async () => {
    const files = Array.from({ length: 12 }, (_, at) => [`in/f${at + 10}.md`, `file ${at}\n`]);
    const base = workspaceWith(asking, {
      ...Object.fromEntries(files),
      'mock.mjs': answers,
      'prompt.md': 'Sum up {{ unit.id }} {{ unit.hash }}',
    });
    const work = withEnv(base, { ASKED: join(base.root, 'asked') });
    const asked = () => read(work, 'asked').trim().split('\n').length;
    await done(work, 'run');
    const before = hashes(work, 'out');
    expect(asked()).toBe(12);

    write(work, 'in/f13.md', 'changed\n');
    await done(work, 'run');
    expect(asked()).toBe(13);
    expect(hashes(work, 'out')).not.toEqual(before);
    expect((await done(work, 'why', 'f13/summary')).stdout).toMatch(/attempt 2: file in\/f13.md changed/);

    expect(await undo(work)).toMatchObject({
      decisions: [{ kind: 're-run by policy' }],
      steps: [{ unit: 'f13', phase: 'summary', from: 2, to: 1, outputs: ['out/f13.md'], isOutdated: true }],
      open: [],
    });
    expect(hashes(work, 'out')).toEqual(before);
    await done(work, 'run');
    expect(asked()).toBe(13);
    expect((await done(work, 'status')).stdout).toContain('outdated (kept)');
    expect((await done(work, 'why', 'f13/summary')).stdout).toContain('in/f13.md changed');

    // It is bound to the bytes of now: only a further change re-runs it.
    write(work, 'in/f13.md', 'changed again\n');
    await done(work, 'run');
    expect(asked()).toBe(14);
  });
});

describe('pawl undo takes back', () => {
  it('a re-run with all that ran because of it; a second one the decision before; --redo the undo', async () => {
    const work = story();
    await done(work, 'run');
    const first = hashes(work, 'out');
    await done(work, 'run', '--rerun-from', 'one', '--unit', 'a', '--reason', 'tone');
    const second = hashes(work, 'out');
    await done(work, 'run', '--rerun-from', 'two', '--reason', 'again');
    const third = hashes(work, 'out');

    const shown = await pawlJson<Undone>(work, 'undo', '--dry-run');
    expect(shown).toMatchObject({
      done: false,
      decisions: [{ subject: '--rerun-from two', reason: 'again' }],
    });
    expect(hashes(work, 'out')).toEqual(third);
    expect(eventsOf(work, 'results_restored')).toEqual([]);

    await undo(work, '--reason', 'worse');
    expect(hashes(work, 'out')).toEqual(second);
    expect(await undo(work)).toMatchObject({
      decisions: [{ subject: '--rerun-from one' }],
      steps: [
        { unit: 'a', phase: 'one', from: 2, to: 1 },
        { unit: 'a', phase: 'two', from: 2, to: 1 },
      ],
    });
    expect(hashes(work, 'out')).toEqual(first);
    await expectSettled(work);

    await undo(work, '--redo');
    expect(hashes(work, 'out')).toEqual(second);
    await expectSettled(work);
    const { decisions } = await pawlJson<Undone>(work, 'history');
    expect(decisions).toMatchObject([
      { kind: 'override', effects: [{ kind: 're-run' }] },
      { kind: 'override', undoneBy: expect.any(String) },
      { kind: 'undone', reason: 'worse' },
      { kind: 'undone', undoneBy: expect.any(String) },
      { kind: 'redone' },
    ]);
    expect(decisions[0]).not.toHaveProperty('undoneBy');
    const verified = await pawl(work, 'verify');
    expect(verified.code, verified.stdout).toBe(0);
  });

  it('a re-run of a changed file: what comes back is outdated (kept), also where nothing ran yet', async () => {
    const work = story();
    await done(work, 'run');
    const first = hashes(work, 'out');
    write(work, 'words.txt', 'other words\n');
    write(work, 'wait', '');
    const killed = await pawlKilledAt(work, 2, 'run', '--rerun-changed', '--reason', 'new words');
    expect(killed.signal).toBe('SIGKILL');
    rmSync(join(work.root, 'wait'));
    const before = calls(work);
    const undone = await undo(work);
    expect(undone).toMatchObject({ decisions: [{ subject: '--rerun-changed' }], open: [] });
    expect(hashes(work, 'out')).toEqual(first);
    expect((await done(work, 'run')).stdout).toContain('2 outdated (kept)');
    expect(calls(work)).toEqual(before);
    // Undoing the edit makes it as good as it was.
    write(work, 'words.txt', 'words\n');
    expect((await done(work, 'run')).stdout).not.toContain('outdated');
    expect(calls(work)).toEqual(before);
  });

  it('a re-run by a policy that has failed: the result that stood is outdated (kept)', async () => {
    const work = workspaceWith(
      manifest()
        .replace('inputs: { words: words }', 'inputs: { words: words, file: unit.file }')
        .replace('cat in', '! grep -q bad in/$PAWL_UNIT.md || exit 1; cat in'),
      { 'in/a.md': 'A\n', 'in/b.md': 'B\n', 'words.txt': 'words\n' },
    );
    await done(work, 'run');
    const first = hashes(work, 'out');
    write(work, 'in/a.md', 'bad\n');
    expect((await pawl(work, 'run')).code).toBe(1);
    expect(await undo(work)).toMatchObject({
      decisions: [{ kind: 're-run by policy' }],
      steps: [{ unit: 'a', phase: 'one', from: 1, to: 1, outputs: [], isOutdated: true }],
      open: [],
    });
    await expectSettled(work);
    expect(hashes(work, 'out')).toEqual(first);
  });

  it('a re-run of units that follow one another, and names every file that it puts back', async () => {
    const work = workspaceWith(
      `pawl: 1
pipeline: chapters
units: [a, b, c]
phases:
  write:
    inputs: { before: { from: write.text, of: previous } }
    run: { command: [sh, -c, 'echo $PAWL_UNIT >> calls; cat $PAWL_INPUT_BEFORE /dev/null > $PAWL_OUTPUT_TEXT; echo $PAWL_ATTEMPT >> $PAWL_OUTPUT_TEXT'] }
    outputs: { text: "out/{unit}.md" }
`,
    );
    await done(work, 'run');
    const first = hashes(work, 'out');
    await done(work, 'run', '--rerun-all', '--reason', 'again');
    expect(await undo(work)).toMatchObject({
      steps: ['a', 'b', 'c'].map((unit) => ({ unit, from: 2, to: 1, outputs: [`out/${unit}.md`] })),
      open: [],
    });
    expect(hashes(work, 'out')).toEqual(first);
    await expectSettled(work);

    rmSync(join(work.root, 'out/a.md'));
    const plan = await done(work, 'plan', '--restore');
    expect(plan.stdout).toContain('1 to restore, 2 kept');
    expect(plan.stdout).not.toContain('decide');
  });

  it('a keep: the change is open again', async () => {
    const work = story();
    await done(work, 'run');
    write(work, 'words.txt', 'other words\n');
    await done(work, 'run', '--keep-changed', '--reason', 'no matter');
    expect(await undo(work)).toMatchObject({ decisions: [{ subject: '--keep-changed' }] });
    const refused = await pawl(work, 'run');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('words.txt');
    expect(calls(work)).toHaveLength(4);
  });

  it('an adoption: the edit moves to aside/, and the bytes before it are back', async () => {
    const work = story();
    await done(work, 'run');
    const first = hashes(work, 'out');
    write(work, 'out/a.one', 'by hand\n');
    await done(work, 'adopt', 'out/a.one', '--reason', 'better');
    await done(work, 'run');
    expect(await undo(work)).toMatchObject({
      decisions: [{ kind: 'adopted' }],
      steps: [{ phase: 'one' }, { phase: 'two', from: 2, to: 1 }],
      aside: ['out/a.one'],
    });
    expect(hashes(work, 'out')).toEqual(first);
    expect(read(work, `${runFolder(work)}/aside/out__a.one`)).toBe('by hand\n');
    await expectSettled(work);
  });

  it('an adoption whose edit a person has undone by hand', async () => {
    const work = story();
    await done(work, 'run');
    const made = read(work, 'out/a.one');
    write(work, 'out/a.one', 'by hand\n');
    await done(work, 'run', '--keep-changed', '--reason', 'better');
    write(work, 'out/a.one', made);
    expect((await pawl(work, 'run')).code).toBe(4);
    expect(await undo(work)).toMatchObject({ steps: [{ phase: 'one' }, { phase: 'two' }], aside: [] });
    expect(read(work, 'out/a.one')).toBe(made);
    expect(calls(work)).toHaveLength(4);
    await expectSettled(work);
  });
});

it('takes back a re-run of a chain with a state and loops of gates', async () => {
  const work = copyOfBook();
  await done(work, 'run');
  const first = finalFiles(work);
  write(work, 'templates/write.md', `${read(work, 'templates/write.md')}With more rain.\n`);
  await done(work, 'run', '--rerun-changed', '--reason', 'rain');
  expect(finalFiles(work)).not.toEqual(first);
  expect(await undo(work)).toMatchObject({ open: [] });
  expect(finalFiles(work)).toEqual(first);
  const started = eventsOf(work, 'attempt_started').length;
  expect((await done(work, 'run')).stdout).toContain('6 outdated (kept)');
  expect(eventsOf(work, 'attempt_started')).toHaveLength(started);
  expect((await done(work, 'undo', '--redo', '--dry-run')).stdout).toContain('attempt 1 → attempt 2');
  expect((await done(work, 'verify')).stdout).toContain('everything is as it was recorded');
});

describe('pawl undo refuses', () => {
  it('without a terminal and --yes, without a decision, and what was edited or is gone', async () => {
    const work = story();
    await done(work, 'run');
    expect(await undo(work)).toMatchObject({ ok: false, exitCode: 2, reason: 'nothing-to-undo' });
    await done(work, 'run', '--rerun-all');
    expect(await pawlJson(work, 'undo')).toMatchObject({ exitCode: 2, reason: 'needs-yes' });
    write(work, 'out/a.two', 'by hand\n');
    const edited = await undo(work);
    expect(edited).toMatchObject({ exitCode: 4, reason: 'cannot-restore', why: 'edited', path: 'out/a.two' });
    expect(edited.next).toContainEqual(expect.stringContaining('mv -n out/a.two out/a.two.edited'));
    expect(read(work, 'out/a.two')).toBe('by hand\n');
    rmSync(join(work.root, 'out/a.two'));
    const folder = join(work.root, '.pawl/objects');
    rmSync(folder, { recursive: true });
    expect(await undo(work)).toMatchObject({ reason: 'cannot-restore', why: 'bytes-gone' });
    expect(eventsOf(work, 'results_restored')).toEqual([]);
  });

  it('what was approved since', async () => {
    const work = story('\n    checkpoint: Final');
    await pawl(work, 'run');
    for (const id of ['C1', 'C2']) await done(work, 'approve', id);
    await done(work, 'run');
    await pawl(work, 'run', '--rerun-from', 'two', '--unit', 'a');
    await done(work, 'approve', 'C3');
    expect(await undo(work)).toMatchObject({
      reason: 'cannot-restore',
      why: 'approved',
      step: 'a/two',
      id: 'C3',
    });
    expect(eventsOf(work, 'results_restored')).toEqual([]);
  });

  it('while a living process runs', async () => {
    const work = story();
    await done(work, 'run');
    write(work, 'wait', '');
    const running = start(work, ['run', '--rerun-from', 'one']);
    await running.line('a/one');
    expect(await undo(work)).toMatchObject({ exitCode: 6, reason: 'run-held' });
    running.kill('SIGKILL');
    await running.ended;
  });
});

it('is finished by the next run where it was killed before the bytes were back', async () => {
  const work = story();
  await done(work, 'run');
  const first = hashes(work, 'out');
  await done(work, 'run', '--rerun-all');
  const before = calls(work);
  const preload = pathToFileURL(join(projectRoot, 'test/support/kill-at-path.mjs')).href;
  const dying = withEnv(work, { NODE_OPTIONS: `--import=${preload}`, TEST_KILL_PATH: '/staging/' });
  expect(await pawl(dying, 'undo', '--yes')).toMatchObject({ signal: 'SIGKILL' });
  expect(events(work).at(-1)).toMatchObject({ type: 'results_restored' });
  expect(hashes(work, 'out')).not.toEqual(first);
  // Nothing is moved that the plan does not name.
  write(work, 'out/b.two', 'by hand\n');
  expect((await done(work, 'plan')).stdout).toContain('out/b.two is not of this run');
  await done(work, 'run');
  expect(hashes(work, 'out')).toEqual(first);
  expect(read(work, `${runFolder(work)}/aside/out__b.two`)).toBe('by hand\n');
  expect(calls(work)).toEqual(before);
});

it.runIf(canPretend)('shows what it takes back in 80 columns, and asks', async () => {
  const work = story();
  await done(work, 'run');
  await done(
    work,
    'run',
    '--rerun-from',
    'two',
    '--reason',
    'the tone of the second half does not fit the first half',
  );
  const first = hashes(work, 'out');
  const lines = await linesAt80(work, 'undo --dry-run');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join('\n')).toContain('a/two  attempt 2 → attempt 1  out/a.two');
  const asked = await inTerminal(work, 'undo', { question: 'Take this back (2 steps)?', answer: 'y' }, 80);
  expect(asked).toMatchObject({ code: 0 });
  expect(hashes(work, 'out')).not.toEqual(first);
});
