import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { has, hashes, workspaceWith } from '../support/workspace.ts';

const escapeCode = String.fromCharCode(27);

describe.skipIf(!canPretend)('in a terminal', () => {
  it('a run is drawn in place, and nothing is hidden that a kill would leave so', async () => {
    const work = workspaceWith(manifest);
    const { code, screen } = await inTerminal(work, 'run');
    expect(code).toBe(0);
    expect(screen).toContain(`${escapeCode}[?2026h`);
    expect(screen).not.toContain(`${escapeCode}[?25l`);
    expect(screen).toContain('all 2 units done');
    expect(screen).not.toContain('a/one started');
  });

  it('what cannot be undone is asked about first', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    const before = hashes(work);
    const no = await inTerminal(work, 'reset', { question: 'Archive run', answer: 'n' });
    expect(no.code).toBe(4);
    expect(hashes(work)).toEqual(before);
    const yes = await inTerminal(work, 'reset', { question: 'Archive run', answer: 'y' });
    expect(yes.code).toBe(0);
    expect(has(work, 'out/a.txt')).toBe(false);
  });
});

const manifest = `
pawl: 1
pipeline: drawn
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;
