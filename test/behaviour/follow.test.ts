import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { pawl, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { startReading } from '../support/reading.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { workspaceWith, write } from '../support/workspace.ts';

/** Each attempt writes a line, and ends when a file says how. */
const script = [
  'echo "begun $PAWL_ATTEMPT"; echo "trouble $PAWL_ATTEMPT" >&2',
  'while [ ! -e "go-$PAWL_ATTEMPT" ]; do sleep 0.02; done',
  'echo "ending $PAWL_ATTEMPT"; echo x > "$PAWL_OUTPUT_TEXT"; exit $(cat "go-$PAWL_ATTEMPT")',
].join('; ');

const slow = `
pawl: 1
pipeline: slow
units: [a]
phases:
  one:
    retries: { attempts: 3, backoff: 0s }
    run: { command: [sh, -c, '${script}'] }
    outputs: { text: "out/{unit}.txt" }
`;

describe('pawl logs --follow', () => {
  it('shows what the attempt writes, and then the next one, until the step is finished', async () => {
    const work = workspaceWith(slow);
    const running = start(work, ['run']);
    await running.line('a/one started');
    const logs = startReading(work, 'logs', 'a/one', '--follow');
    await logs.says('begun 1');
    await logs.says('trouble 1');
    write(work, 'go-1', '3');
    await logs.says('begun 2');
    write(work, 'go-2', '0');
    const { code, output: stdout } = await logs.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('| ending 1\n');
    expect(stdout).toContain('| ending 2\n');
    expect(stdout).toMatch(/a\/one attempt 2, started .*, succeeded after .*\n$/);
    expect(stdout.match(/begun 1/g)).toHaveLength(1);
    expect((await running.ended).code).toBe(0);

    const after = await pawl(work, 'logs', 'a/one', '--follow', '--tail', '1');
    expect(after.code).toBe(0);
    expect(after.stdout).toContain('ending 2');
    expect(after.stdout).toContain('no process works on this run');
    expect((await pawl(work, 'logs', 'a/one', '--follow', '--failed')).code).toBe(2);
  });

  it('begins with the last lines, and Ctrl-C ends it and not the run', async () => {
    const work = workspaceWith(slow.replace('echo "begun', 'echo "early"; echo "begun'));
    const running = start(work, ['run']);
    await running.line('a/one started');
    const all = startReading(work, 'logs', 'a/one', '--follow');
    await all.says('trouble 1');
    const logs = startReading(work, 'logs', 'a/one', '--follow', '--tail', '1');
    await logs.says('begun 1');
    logs.kill('SIGINT');
    const { code, output: stdout } = await logs.ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain('early');
    write(work, 'go-1', '0');
    expect((await running.ended).code).toBe(0);
    expect((await all.ended).output).toContain('early');
  });
});

describe('pawl status --watch', () => {
  const two = `
pawl: 1
pipeline: seen
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;

  it('prints a line per change where there is no terminal, and the status when the run ends', async () => {
    const { door, workspace } = await openDoor(workspaceWith(two), ['a/one', 'b/one']);
    const running = start(workspace, ['run']);
    const first = await door.visit('a/one');
    const watch = startReading(workspace, 'status', '--watch');
    await watch.says('a/one is running');
    first.answer('go');
    await watch.says('a/one succeeded');
    (await door.visit('b/one')).answer('go');
    const { code, output: stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('b/one succeeded');
    expect(stdout).toContain('2 of 2 finished');
    expect((await running.ended).code).toBe(0);
    const lines = (await pawl(workspace, 'status', '--watch')).stdout;
    expect(lines).toContain('2 of 2 finished');
  });

  it('prints of each step what the run prints, but for when a failed one is tried again', async () => {
    const work = workspaceWith(slow);
    const running = start(work, ['run']);
    await running.line('a/one started');
    const watch = startReading(work, 'status', '--watch');
    await watch.says('a/one is running');
    write(work, 'go-1', '3');
    await watch.says('(exit code 3)');
    write(work, 'go-2', '0');
    const { output } = await watch.ended;
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    const linesOf = (text: string) =>
      text.split('\n').filter((line) => /^a\/one (started|failed|succeeded)/.test(line));
    const [, ...ran] = linesOf(stderr).map((line) => line.replace(/; trying again.*/, ''));
    expect(ran).toHaveLength(3);
    expect(linesOf(output)).toEqual(ran);
  });

  it('ends by Ctrl-C, and the run goes on', async () => {
    const { door, workspace } = await openDoor(workspaceWith(two), ['a/one']);
    const running = start(workspace, ['run']);
    const visit = await door.visit('a/one');
    const watch = startReading(workspace, 'status', '--watch', '--json');
    const text = startReading(workspace, 'status', '--watch');
    await text.says('a/one is running');
    text.kill('SIGINT');
    expect((await text.ended).code).toBe(130);
    visit.answer('go');
    expect((await running.ended).code).toBe(0);
    const lines = (await watch.ended).output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'answer', command: 'status', counts: { succeeded: 2 } });
  });
});

describe.skipIf(!canPretend)('pawl status --watch in a terminal of 80 columns', () => {
  const controlC = '\u0003';

  it.each([
    ['the matrix', 2, /^ {2}u1 {2}[^\n]*○/m],
    ['a line for each phase of many units', 60, /^ {2}one {2}.* 1 running .* 59 ready/m],
  ])('draws %s in place', async (_, count, picture) => {
    const manifest = `
pawl: 1
pipeline: seen
pace: { concurrency: 1 }
units: { count: ${count}, id: "u{index}" }
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;
    const { door, workspace } = await openDoor(workspaceWith(manifest), ['u0/one']);
    const running = start(workspace, ['run', '-q']);
    const visit = await door.visit('u0/one');
    const work = { ...workspace, env: { ...workspace.env, NO_COLOR: '1' } };
    const reply = { question: '1 running', answer: controlC };
    const { code, screen } = await inTerminal(work, 'status --watch', reply, 80);
    expect(code).toBe(130);
    expect(screen).toContain('\u001b[?2026h');
    expect(stripVTControlCharacters(screen).replaceAll('\r', '')).toMatch(picture);
    visit.answer('go');
    expect((await running.ended).code).toBe(0);
  });
});
