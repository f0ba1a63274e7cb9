import { describe, expect, it } from 'vitest';
import { visibleLength } from '../../src/text/style/table.ts';
import { pawl } from '../support/command.ts';
import { canPretend, linesAt80 } from '../support/terminal.ts';
import { edit, workspaceWith } from '../support/workspace.ts';

describe.skipIf(!canPretend)('at 80 columns', () => {
  it('a refusal is broken between words, and its commands are whole', async () => {
    const work = workspaceWith(manifest, {
      'prompts/語の長い名前.md': 'Draw {{ unit.id }}.\n',
    });
    expect((await pawl(work, 'run')).code).toBe(0);
    edit(work, 'prompts/語の長い名前.md', 'Draw', 'Paint');
    const lines = await linesAt80(work, 'run --no-input');
    expectReadable(lines);
    expect(lines.join('\n')).toContain('語の長い名前.md');
    const commands = commandsIn(lines);
    expect(commands.some((line) => line.startsWith('pawl run --rerun-changed --reason '))).toBe(true);
    // Pasted as it stands, it does what it says.
    expect((await pawl(work, 'plan')).code).toBe(4);
    expect(commands).toContain('pawl diff');
    const plain = await pawl(work, 'run');
    expect(plain.stderr.split('\n').some((line) => line.length > 80)).toBe(true);
  });

  it('a failure names the command that tries again, with its values', async () => {
    const work = workspaceWith(failing);
    const lines = await linesAt80(work, 'run -q');
    expectReadable(lines);
    expect(commandsIn(lines)).toEqual(
      expect.arrayContaining(['pawl run --rerun-from one --unit a', 'pawl logs a/one']),
    );
    expectReadable(await linesAt80(work, 'status'));
    expectReadable(await linesAt80(work, 'why a/one'));
    expectReadable(await linesAt80(work, 'logs a/one'));
  });

  it('help, explanations and checks fit', async () => {
    const work = workspaceWith(failing);
    for (const command of ['help', 'help run', 'explain blocked', 'doctor', 'plan', 'runs', 'nosuch'])
      expectReadable(await linesAt80(work, command));
    const help = await linesAt80(work, 'help run');
    // What is wrapped goes on below the text of its column.
    const at = help.findIndex((line) => line.includes('--resume-allow-prompt-change'));
    expect(help[at + 1]).toMatch(/^ {36}\S/);
  });
});

/** Every line fits, but for commands and words that are longer than a line. */
function expectReadable(lines: readonly string[]): void {
  const long = lines.filter((line) => visibleLength(line) > 80);
  const broken = long.filter((line) => !/^ +(?:pawl |npm |\| )/.test(line) && line.trim().includes(' '));
  expect(broken).toEqual([]);
  // No command stands in a line of prose.
  expect(lines.filter((line) => /: pawl [a-z]+/.test(line) && !line.startsWith('usage:'))).toEqual([]);
}

function commandsIn(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('pawl '));
}

const manifest = `
pawl: 1
pipeline: drawn
units: [a, b, c]
phases:
  one:
    prompt: "prompts/語の長い名前.md"
    run: { command: [sh, -c, 'cp "$PAWL_PROMPT" "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: "out/{unit}.txt" }
`;

const failing = `
pawl: 1
pipeline: a-pipeline-with-a-rather-long-name-that-takes-up-a-line

units: [a, b]
phases:
  one:
    retries: 1
    run: { command: [sh, -c, 'echo a long message that is longer than any line of a terminal with eighty columns can ever be >&2; exit 3'] }
    outputs: { text: "out/{unit}.txt" }
`;
