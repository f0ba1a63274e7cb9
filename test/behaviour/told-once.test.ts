import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlKilledAt } from '../support/command.ts';
import { segments } from '../support/journal.ts';
import { workspaceWith, write } from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: told
units: [a, b]
phases:
  one:
    run: { command: [sh, one.sh] }
    outputs: { text: "out/{unit}.txt" }
`;
const files = { 'one.sh': 'echo hi > "$PAWL_OUTPUT_TEXT"\n' };

describe('an unfinished line of a process that was killed', () => {
  it('is named with its size by the run that takes over, and by no later one', async () => {
    const workspace = workspaceWith(manifest, files);
    await pawlKilledAt(workspace, 'a/one', 'run');
    const [torn = ''] = segments(workspace);
    appendFileSync(join(workspace.root, torn), '{"seq":99,"at":"2026');
    const first = await pawl(workspace, 'run');
    expect(first.code).toBe(0);
    expect(first.stderr + first.stdout).toContain(
      'an unfinished line of a process that was killed; nothing acknowledged is in it (20 bytes)',
    );
    for (const args of [['run'], ['status'], ['run', '--rerun-from', 'one', '--reason', 'x'], ['verify']]) {
      const { code, stdout, stderr } = await pawl(workspace, ...args);
      expect(code, args[0]).toBe(0);
      expect(stdout + stderr, args[0]).not.toMatch(/unfinished|lost the lock|jsonl/);
    }
  });
});

describe('doctor', () => {
  it('does not say of a damaged run that there are no runs yet', async () => {
    const workspace = workspaceWith(manifest, files);
    await pawl(workspace, 'run');
    for (const path of segments(workspace)) write(workspace, path, '');
    const { stdout } = await pawl(workspace, 'doctor');
    expect(stdout).toContain('is damaged');
    expect(stdout).not.toContain('no runs yet');
  });
});
