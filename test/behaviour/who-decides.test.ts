import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { pawl } from '../support/command.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { projectRoot, read, type TestWorkspace, withEnv, workspaceWith } from '../support/workspace.ts';
import { decisions } from './people-work.ts';

/** Two pages that people are asked about; the step of `b` runs what is handed to it. */
const manifest = (top = '') => `
pawl: 1
pipeline: pages
${top}
units: [a, b]
phases:
  write:
    run: { command: [sh, step.sh] }
    outputs: { text: "out/{unit}.txt" }
    checkpoint: Page approval
`;

const writeOnly = 'echo "$PAWL_UNIT" > "$PAWL_OUTPUT_TEXT"\n';

const workspace = (script = writeOnly, top = ''): TestWorkspace =>
  workspaceWith(manifest(top), { 'step.sh': script });

const waiting = async (work: TestWorkspace) => {
  const finished = await pawl(work, 'run');
  expect(finished.code, finished.stderr).toBe(3);
  return work;
};

/** What the clients were seen to set in their shells. Written down here, because the program's own list may lose one. */
const markers = {
  CLAUDECODE: '1',
  AI_AGENT: 'claude-code_2_agent',
  CODEX_THREAD_ID: '019a-thread',
  CODEX_CI: '1',
  GEMINI_CLI: '1',
  OPENCODE: '1',
  COPILOT_CLI: '1',
  CURSOR_AGENT: '1',
  CURSOR_EXTENSION_HOST_ROLE: 'agent-exec',
};

describe.skipIf(!canPretend)('a terminal of a coding agent', () => {
  it('is not a person: no variable of the table lets it approve, and the refusal names another terminal', async () => {
    const work = await waiting(workspace());
    for (const [variable, value] of Object.entries(markers)) {
      const { code, screen } = await inTerminal(withEnv(work, { [variable]: value }), 'approve C1');
      expect(code, screen).toBe(4);
      expect(screen).toContain(`(${variable} is set)`);
      expect(screen).toContain('a person answers it in another terminal');
    }
    expect(decisions(work)).toEqual([]);
  });

  it('is recorded as a script where the manifest lets scripts answer', async () => {
    const work = await waiting(workspace(writeOnly, 'channels: [terminal, script]'));
    expect((await inTerminal(withEnv(work, { GEMINI_CLI: '1' }), 'approve C1')).code).toBe(0);
    expect(decisions(work)).toMatchObject([{ channel: 'script' }]);
  });

  it('is never asked anything', async () => {
    const work = await waiting(workspace());
    const { code, screen } = await inTerminal(withEnv(work, { CLAUDECODE: '1' }), 'reset');
    expect({ code, screen }).toMatchObject({ code: 2, screen: expect.stringContaining('--yes') });
  });

  it('marks no terminal in which people type: what Cursor sets there counts for nothing', async () => {
    const work = await waiting(workspace());
    const people = { CURSOR_TRACE_ID: 'abc', CURSOR_EXTENSION_HOST_ROLE: 'local' };
    expect((await inTerminal(withEnv(work, people), 'approve C1')).code).toBe(0);
    expect(decisions(work)).toMatchObject([{ channel: 'terminal' }]);
  });

  it('does not reach the tests: they pass below a coding agent, too', async () => {
    vi.stubEnv('CLAUDECODE', '1');
    const work = await waiting(workspace());
    expect((await inTerminal(work, 'approve C1')).code).toBe(0);
    expect(decisions(work)).toMatchObject([{ channel: 'terminal' }]);
  });
});

describe.skipIf(!canPretend)('a step', () => {
  it('cannot approve with a terminal of its own and a clean environment', async () => {
    const approve = `"${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" approve C1 --note self`;
    const script = `${writeOnly}
[ "$PAWL_UNIT" = b ] || exit 0
env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$HOME/state" \\
  script -qec '${approve}; echo "exit $?"' /dev/null > said.txt < /dev/null
`;
    const work = await waiting(workspace(script));
    const said = read(work, 'said.txt');
    expect(said).toContain('b/write');
    expect(said).toContain('exit 4');
    expect(decisions(work)).toEqual([]);
    // A person can.
    expect((await inTerminal(work, 'approve C1')).code).toBe(0);
  });
});
