import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { projectRoot, withEnv, workspaceWith } from '../support/workspace.ts';

interface Line {
  readonly type: string;
  readonly seq: number;
  readonly at: string;
  readonly run: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly message?: string;
}

const linesOf = (stdout: string): Line[] => {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const manifest = `
pawl: 1
pipeline: told
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;

describe('pawl run --events', () => {
  it('prints every event that it records, and the document of --json last', async () => {
    const work = workspaceWith(manifest);
    const { stdout, stderr, code } = await pawl(work, 'run', '--events');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const lines = linesOf(stdout);
    const recorded = lines.slice(0, -1);
    expect(recorded.map(({ seq }) => seq)).toEqual(recorded.map((_, at) => at + 1));
    expect(recorded[0]).toMatchObject({ type: 'run_created', pipeline: 'told', actor: 'runner', epoch: 1 });
    expect(recorded.at(-1)).toMatchObject({ type: 'run_ended', status: 'completed' });
    const started = recorded.filter(({ type }) => type === 'attempt_started');
    expect(started.map(({ step, attempt }) => [step, attempt])).toEqual([
      ['a/one', 1],
      ['b/one', 1],
    ]);
    expect(Object.keys(started[0] ?? {}).slice(0, 7)).toEqual([
      ...['type', 'seq', 'at', 'run', 'actor', 'epoch', 'step'],
    ]);
    const last = lines.at(-1);
    expect(last).toMatchObject({
      ...{ type: 'answer', ok: true, command: 'run', exitCode: 0 },
      ...{ ran: { succeeded: 2 }, heading: { run: recorded[0]?.run } },
    });
    // Nothing is recorded where there is nothing to do.
    const again = linesOf((await pawl(work, 'run', '--events')).stdout);
    expect(again).toMatchObject([{ type: 'answer', kind: 'unchanged' }]);
    const { finished: _, ...document } = await pawlJson<object>(work, 'run');
    expect(Object.keys(again[0] ?? {})).toEqual(['type', ...Object.keys(document)]);
  });

  it('prints an event while the run is at work', async () => {
    const { door, workspace } = await openDoor(workspaceWith(manifest), ['b/one']);
    const bin = join(projectRoot, 'bin/pawl.js');
    const child = spawn(process.execPath, [bin, 'run', '--events'], {
      cwd: workspace.root,
      env: { ...workspace.env },
    });
    let seen = '';
    const isSeen = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        if (/"type":"attempt_succeeded".*"step":"a\/one"/.test(seen)) resolve();
      });
    });
    const visit = await door.visit('b/one');
    await isSeen;
    visit.answer('go');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    expect(linesOf(seen).at(-1)).toMatchObject({ type: 'answer', exitCode: 0 });
  });

  it('keeps the exit code of the run and of a call that is wrong', async () => {
    const failing = workspaceWith(manifest.replace('run:', 'params: { fails: 9 }\n    run:'));
    const failed = await pawl(failing, 'run', '--events');
    expect(failed.code).toBe(1);
    const lines = linesOf(failed.stdout);
    expect(lines.at(-1)).toMatchObject({ type: 'answer', ok: false, exitCode: 1 });
    expect(lines.find(({ type }) => type === 'attempt_failed')).toMatchObject({ reason: 'function-threw' });
    const wrong = await pawl(failing, 'run', '--events', '--wrong');
    expect(wrong.code).toBe(2);
    expect(linesOf(wrong.stdout)).toMatchObject([{ type: 'answer', ok: false, reason: 'unknown-option' }]);
    const none = await pawl(withEnv(failing, {}), 'run', 'nowhere', '--events', '--json');
    expect(linesOf(none.stdout)).toMatchObject([{ type: 'answer', exitCode: 2 }]);
  });

  it('shows no secret', async () => {
    const secret = 'correct-horse-battery';
    const work = workspaceWith(`
pawl: 1
pipeline: keys
units: [a]
phases:
  one:
    run: { command: [sh, -c, 'echo "no $CARD_TOKEN here" >&2; exit 3'], env: { CARD_TOKEN: $CARD_TOKEN } }
    outputs: { text: "out/{unit}.txt" }
`);
    const { stdout } = await pawl(withEnv(work, { CARD_TOKEN: secret }), 'run', '--events');
    expect(linesOf(stdout).find(({ type }) => type === 'attempt_failed')?.message).toContain('[CARD_TOKEN]');
    expect(stdout).not.toContain(secret);
  });

  it('goes on when its reader closes, and ends as always', async () => {
    const { door, workspace } = await openDoor(workspaceWith(manifest), ['a/one']);
    const line = `"${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" run --events; echo $? > code`;
    const child = spawn('sh', ['-c', `{ ${line}; } | head -n 1 > first; touch closed`], {
      cwd: workspace.root,
      env: { ...workspace.env },
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const visit = await door.visit('a/one');
    visit.answer('go');
    await ended;
    const status = await pawlJson<{ counts: { succeeded: number } }>(workspace, 'status');
    expect(status.counts.succeeded).toBe(2);
    const { stdout } = await start(workspace, ['runs']).ended;
    expect(stdout).toContain('completed');
  });
});
