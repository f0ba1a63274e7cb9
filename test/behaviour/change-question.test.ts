import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import {
  copyOf,
  edit,
  hashes,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

// Seen only while the question is open.
const question = '● Cancel';
const escapeCode = String.fromCharCode(27);
const up = `${escapeCode}[A`;
const enter = '\r';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'prompts/one.md': 'Write about {{ unit.id }}.\n' });
  expect((await pawl(done, 'run')).code).toBe(0);
});

beforeEach(() => {
  work = withEnv(copyOf(done), { NO_COLOR: '1' });
  write(work, 'prompts/one.md', 'Write more about {{ unit.id }}.\n');
  edit(work, 'pawl.yaml', 'word: first', 'word: second');
});

describe.skipIf(!canPretend)('a refusal in a terminal', () => {
  it('is a question: changes by cause, affected steps, time; its default changes nothing', async () => {
    const before = hashes(work, '.');
    const { code, screen } = await inTerminal(work, 'run', { question, answer: enter }, 80);
    expect(code).toBe(4);
    expect(hashes(work, '.')).toEqual(before);
    const lines = screen.split(/\r*\n/);
    const wanted = [
      'phases.one.params.word: "first" → "second"',
      'prompt of one of 4 units',
      're-run: 4 steps again: one of 4 units',
      'then, if an input changes: two of 4 units',
      'keep:   nothing runs',
      '● Cancel: change nothing',
    ];
    for (const text of wanted) expect(lines.filter((line) => line.includes(text))).toHaveLength(1);
    expect(screen).toMatch(/about \d+ s/);
    // The commands are for those who cannot be asked.
    expect(screen).not.toContain('--rerun-changed');
    for (const line of lines.slice(
      0,
      lines.findIndex((one) => one.includes('What now?')),
    ))
      expect(line.length).toBeLessThanOrEqual(80);
  });

  it('is cancelled by Ctrl-C, with nothing changed', async () => {
    const before = hashes(work, '.');
    const { code } = await inTerminal(work, 'run', { question, answer: '\u0003' });
    expect(code).toBe(4);
    expect(hashes(work, '.')).toEqual(before);
    const late = [
      { question, answer: `${up}${up}${up}${enter}` },
      { question: 'Why re-run', answer: '\u0003' },
    ];
    expect((await inTerminal(work, 'run', late)).code).toBe(4);
    expect(hashes(work, '.')).toEqual(before);
  });

  it('re-runs exactly the affected steps, with the reason that was typed', async () => {
    const { code } = await inTerminal(work, 'run', [
      { question, answer: `${up}${up}${up}${enter}` },
      { question: 'Why re-run', answer: `a better word${enter}` },
    ]);
    expect(code).toBe(0);
    expect(stepsCalled(work)).toHaveLength(8);
    const superseded = eventsOf(work, 'results_superseded');
    expect(superseded.map(({ reason }) => reason)).toContain('a better word');
    expect(eventsOf(work, 'override_used')).toContainEqual(
      expect.objectContaining({ flag: '--rerun-changed', reason: 'a better word', channel: 'terminal' }),
    );
    await expectNothingToDo(work);
  });

  it('keeps the results as outdated, after the differences were shown', async () => {
    const { code, screen } = await inTerminal(work, 'run', [
      { question, answer: `${up}${enter}` },
      { question, answer: `${up}${up}${enter}` },
      { question: 'Why keep', answer: `good enough${enter}` },
    ]);
    expect(code).toBe(0);
    expect(screen).toContain('+Write more about {{ unit.id }}.');
    expect(screen).toContain('4 outdated (kept)');
    expect(stepsCalled(work)).toEqual([]);
    expect(eventsOf(work, 'results_kept').map(({ reason }) => reason)).toContain('good enough');
  });

  it('is asked only where a person sits: not in CI, below a coding agent, or where an option forbids it', async () => {
    const before = hashes(work, '.');
    const ways: [TestWorkspace, string][] = [
      [work, 'run --no-input'],
      [work, 'run -q'],
      [withEnv(work, { CI: 'true' }), 'run'],
      [withEnv(work, { CLAUDECODE: '1' }), 'run'],
    ];
    for (const [workspace, command] of ways) {
      const { code, screen } = await inTerminal(workspace, command, [], 80);
      expect(code).toBe(4);
      expect(screen).not.toContain('What now?');
      expect(screen).toContain("pawl run --rerun-changed --reason 'phases.one and 1 more changed'");
    }
    const json = await inTerminal(work, 'run --json');
    expect(json.code).toBe(4);
    expect(json.screen).not.toContain('What now?');
    expect(hashes(work, '.')).toEqual(before);
  });

  it('offers only what is possible: a missing template can be kept, and what is needed stops the run', async () => {
    const gone = withEnv(copyOf(done), { NO_COLOR: '1' });
    edit(gone, 'pawl.yaml', 'prompt: prompts/one.md', 'prompt: prompts/none.md');
    const { code, screen } = await inTerminal(gone, 'run', { question, answer: enter });
    expect(code).toBe(4);
    expect(screen).not.toContain('Re-run the affected steps');
    expect(screen).toContain('Keep the results');
  });
});

const manifest = `
pawl: 1
pipeline: asked
units: [a, b, c, d]
phases:
  one:
    run: { function: ./phases.mjs#step }
    prompt: prompts/one.md
    params: { word: first }
    outputs: { text: "out/{unit}-one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}-two.txt" }
`;
