import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { read, workspaceWith, write } from '../support/workspace.ts';
import { ClaudeSession } from './hook-calls.ts';

const manifest = `
pawl: 1
pipeline: notes
units: [a, b]
phases:
  draft:
    run: { task: writer }
    outputs: { text: "out/{unit}.md" }
`;

/** What an agent reads in the brief about its next step: the command that does it. */
function commandIn(told: string, does: 'next' | 'complete'): string[] {
  const [, step = ''] = /## Next step\n(.*)/.exec(told) ?? [];
  const [, command = ''] = new RegExp(`\`pawl (${does} [^\`]+)\``).exec(step) ?? [];
  return command.replace('NAME', 'ann').split(' ');
}

describe('an agent that has only its hooks to go by', () => {
  it('goes through start, work, compaction, another session and the end', async () => {
    const workspace = workspaceWith(manifest);
    await pawl(workspace, 'run');
    const first = new ClaudeSession(workspace, 'first');

    const begun = await first.tell('SessionStart', { source: 'startup' });
    expect(commandIn(begun, 'next')).toEqual(['next', '--actor', 'ann']);
    expect((await pawl(workspace, ...commandIn(begun, 'next'))).code).toBe(0);
    expect(await first.statusLine(87)).toMatch(/^run 0\/2 · draft · ctx 87% · FRESH\n$/);
    expect(await first.tell('UserPromptSubmit', { prompt: 'go on' })).toContain('87% (SEVERE)');
    expect(await first.tell('UserPromptSubmit', { prompt: 'go on' })).toBe('');

    // In the middle of the work all that it knows is lost.
    expect(await first.tell('PreCompact', { trigger: 'auto' })).toBe('');
    const again = await first.tell('SessionStart', { source: 'compact' });
    expect(again).toMatch(/^The context was compacted \(CX-001, auto, .*, 87% full\) at phase 1\./);
    expect(commandIn(again, 'complete')).toEqual(['complete', 'a', '--actor', 'ann']);
    write(workspace, 'out/a.md', 'a');
    expect((await pawl(workspace, ...commandIn(again, 'complete'))).code).toBe(0);
    expect(await first.tell('Stop', { stop_hook_active: false })).toBe('');
    expect(await first.tell('SessionEnd', { reason: 'other' })).toBe('');

    const second = new ClaudeSession(workspace, 'second');
    const resumed = await second.tell('SessionStart', { source: 'startup' });
    expect(resumed).not.toContain('compacted');
    expect((await pawl(workspace, ...commandIn(resumed, 'next'))).code).toBe(0);
    write(workspace, 'out/b.md', 'b');
    await second.tell('SubagentStop', {
      agent_id: 'e1',
      agent_type: 'executor',
      last_assistant_message: 'Two notes.',
    });
    const last = await second.tell('SessionStart', { source: 'resume' });
    expect(commandIn(last, 'complete')).toEqual(['complete', 'b', '--actor', 'ann']);
    expect((await pawl(workspace, ...commandIn(last, 'complete'))).code).toBe(0);

    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(await second.tell('SessionStart', { source: 'resume' })).toBe('');
    const [, folder = ''] = /"folder":"([^"]+)"/.exec(read(workspace, '.pawl/brief')) ?? [];
    const document = read(workspace, `${folder}/brief.yaml`);
    expect(document).toMatch(/compaction_events:\n +count: 1\n.*acknowledged: true/s);
    expect(document).toContain('Two notes.');
  });

  it('loses nothing but a reminder with a hook that never came', async () => {
    const workspace = workspaceWith(manifest);
    await pawl(workspace, 'run');
    const session = new ClaudeSession(workspace, 's1');
    await pawl(workspace, 'next', '--actor', 'ann');
    // No hook was called before the compaction, nor at the beginning.
    const told = await session.tell('SessionStart', { source: 'compact' });
    expect(commandIn(told, 'complete')).toEqual(['complete', 'a', '--actor', 'ann']);
    expect((await pawlJson(workspace, 'status')).ok).toBe(true);
  });
});
