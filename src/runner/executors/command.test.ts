import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { caller, openLine } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { processLook } from '../../disk/process-look.ts';
import { type CommandCall, runCommand } from './command.ts';

const node = process.execPath;
const path = process.env.PATH ?? '';

/** Runs a program in a folder of its own, with a clock that stands still. */
function command(argv: readonly string[], more: Partial<CommandCall> = {}) {
  const folder = more.folder ?? tempFolder();
  const clock = new TestClock();
  const pids: number[] = [];
  const call: CommandCall = {
    argv,
    env: { PATH: path },
    cwd: folder,
    folder,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    beforeStart: async (pid) => void pids.push(pid),
    ...more,
  };
  return {
    folder,
    clock,
    pids,
    log: (name: string) => readFileSync(join(folder, name), 'utf8'),
    ended: runCommand({ clock }, call),
  };
}

const script = (text: string, ...args: string[]) => [node, '-e', text, ...args];

describe('a command', () => {
  it('runs in its folder, with its arguments as they are', async () => {
    const odd = ['two words', '$HOME', '`id`', '"', "'", '', '*', 'ümlaut', '-n', '; rm -rf x'];
    const program = 'console.log(JSON.stringify([process.cwd(), process.argv.slice(1)]))';
    const { ended, folder, log } = command(script(program, '--', ...odd));
    expect(await ended).toEqual({ ok: true, value: undefined });
    expect(JSON.parse(log('stdout.log'))).toEqual([folder, odd]);
  });

  it('gets the environment it is given and hardly anything else', async () => {
    const env = { PATH: path, WORD: 'x y', EMPTY: '' };
    const { ended, log } = command(script('console.log(JSON.stringify(process.env))'), { env });
    await ended;
    const seen = new Map(Object.entries(JSON.parse(log('stdout.log'))));
    // What a shell sets by itself on its way.
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) seen.delete(name);
    expect(Object.fromEntries(seen)).toEqual(env);
  });

  it('finds nothing on its standard input', async () => {
    const { ended, log } = command(
      script('process.stdin.on("data", (d) => console.log("data", d)).on("end", () => console.log("end"))'),
    );
    expect((await ended).ok).toBe(true);
    expect(log('stdout.log')).toBe('end\n');
  });

  it('has what it says kept, apart and for nobody else to read', async () => {
    const { ended, folder, log } = command(script('console.log("out"); console.error("err")'));
    await ended;
    expect(log('stdout.log')).toBe('out\n');
    expect(log('stderr.log')).toBe('err\n');
    expect(statSync(join(folder, 'stdout.log')).mode & 0o077).toBe(0);
  });

  it('leads a process group of its own', async () => {
    const groups: boolean[] = [];
    const beforeStart = async (pid: number) => void groups.push(process.kill(-pid, 0));
    const { ended } = command(script('0'), { beforeStart });
    await ended;
    expect(groups).toEqual([true]);
  });

  it('is found by its name, or by a path from its folder', async () => {
    const folder = tempFolder({ 'tool.sh': '#!/bin/sh\necho "tool $1"\n' });
    chmodSync(join(folder, 'tool.sh'), 0o755);
    for (const [argv, env] of [
      [['./tool.sh', 'by path'], { PATH: path }],
      [['tool.sh', 'by name'], { PATH: `${folder}:${path}` }],
    ] as const) {
      const own = tempFolder();
      expect((await command(argv, { cwd: folder, folder: own, env }).ended).ok).toBe(true);
      expect(readFileSync(join(own, 'stdout.log'), 'utf8')).toBe(`tool ${argv[1]}\n`);
    }
  });
});

describe('a command that fails', () => {
  it.each([
    ['that is not there', ['no-such-program-here', 'x'], 'no-such-program-here'],
    ['by a path that is not there', ['./nothing'], './nothing'],
    ['with no name', [''], ''],
  ])('because there is none: %s', async (_, argv, name) => {
    const { ended, pids } = command(argv);
    expect(await ended).toEqual({
      ok: false,
      failure: { reason: 'command-not-found', message: name, facts: { command: name } },
    });
    expect(pids).toEqual([]);
  });

  it('because it is no program', async () => {
    const folder = tempFolder({ 'data.txt': 'x' });
    mkdirSync(join(folder, 'folder'));
    const reasons = { './data.txt': 'command-not-executable', './folder': 'command-not-found' };
    for (const [name, reason] of Object.entries(reasons)) {
      const { ended } = command([name], { cwd: folder });
      expect(await ended).toMatchObject({ ok: false, failure: { reason } });
    }
  });

  it('tells its exit code and the end of what it said', async () => {
    const { ended } = command(
      script('console.log("on stdout"); console.error("what went wrong"); process.exitCode = 3'),
    );
    expect(await ended).toEqual({
      ok: false,
      failure: { reason: 'command-failed', message: 'what went wrong', facts: { exitCode: 3 } },
    });
  });

  it('tells what it said on stdout when it said nothing else', async () => {
    const { ended } = command(script('console.log("only here"); process.exitCode = 1'));
    expect(await ended).toMatchObject({ failure: { message: 'only here' } });
  });

  it('is told by the end of its log, however much it said', async () => {
    const program =
      'const fs = require("fs"); for (let i = 0; i < 4000; i++) fs.writeSync(2, "x".repeat(1023) + "\\n"); fs.writeSync(2, "the end\\n"); process.exitCode = 1';
    const result = await command(script(program)).ended;
    const message = result.ok ? '' : result.failure.message;
    expect(message.endsWith('the end')).toBe(true);
    expect(message.length).toBeLessThanOrEqual(2000);
  });

  it('tells the signal that ended it', async () => {
    const { ended } = command(script('process.kill(process.pid, "SIGKILL")'));
    expect(await ended).toMatchObject({
      ok: false,
      failure: { reason: 'command-killed', facts: { signal: 'SIGKILL' } },
    });
  });
});

describe('before it may start', () => {
  it('a command is told of, and has done nothing', async () => {
    const folder = tempFolder();
    const mark = join(folder, 'done');
    const { ended } = command(script(`require('fs').writeFileSync(${JSON.stringify(mark)}, 'x')`), {
      beforeStart: async (pid) => {
        expect(pid).toBeGreaterThan(0);
        expect(existsSync(mark)).toBe(false);
      },
    });
    await ended;
    expect(existsSync(mark)).toBe(true);
  });

  it('a command does nothing when it cannot be written down', async () => {
    const folder = tempFolder();
    const mark = join(folder, 'done');
    const { ended } = command(script(`require('fs').writeFileSync(${JSON.stringify(mark)}, 'x')`), {
      beforeStart: () => Promise.reject(new Error('the disk is full')),
    });
    await expect(ended).rejects.toThrow('the disk is full');
    expect(existsSync(mark)).toBe(false);
  });

  it('a command does nothing when its runner dies', async () => {
    const line = await openLine();
    const mark = join(tempFolder(), 'done');
    const program = `require('fs').writeFileSync(${JSON.stringify(mark)}, 'x')`;
    // A process that starts the command as the product does, and is killed before it could let it go.
    const runner = `
      const argv = ['-c', ${JSON.stringify(waitThenBecome())}, 'pawl', process.execPath, '-e', ${JSON.stringify(program)}];
      require('child_process').spawn('/bin/sh', argv, { stdio: ['pipe', 'ignore', 'ignore', 3], detached: true });
      ${caller(line, 'started')}`;
    const process = spawn(node, ['-e', runner], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    // Both hold this pipe: it ends when neither is there any more.
    const gone = new Promise((resolve) => process.stdio[3]?.on('close', resolve).on('data', () => undefined));
    await line.call('started');
    process.kill('SIGKILL');
    await gone;
    expect(existsSync(mark)).toBe(false);
  });
});

describe('a time limit', () => {
  it('ends the command with all its children', async () => {
    const line = await openLine();
    const child = caller(line, 'grandchild');
    const program = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); ${caller(line, 'child')}`;
    const { ended, clock } = command(script(program), { timeoutMs: 5000 });
    const [first, second] = await Promise.all([line.call('child'), line.call('grandchild')]);
    clock.advance(5000);
    expect(await ended).toMatchObject({
      ok: false,
      failure: { reason: 'timed-out', facts: { timeoutMs: 5000 } },
    });
    await Promise.all([first.over, second.over]);
    expect(clock.sleeping).toBe(0);
  });

  it('ends a command that does not want to', async () => {
    const line = await openLine();
    const program = `process.on('SIGTERM', () => { ${caller(line, 'asked')} }); ${caller(line, 'child')}`;
    const { ended, clock } = command(script(program), { timeoutMs: 5000 });
    const child = await line.call('child');
    clock.advance(5000);
    await line.call('asked');
    clock.advance(2000);
    expect(await ended).toMatchObject({ failure: { reason: 'timed-out' } });
    await child.over;
  });
});

describe('an end', () => {
  it('that is good still ends what the command left running in its group', async () => {
    const line = await openLine();
    const child = caller(line, 'left', 'process.send("there")');
    // The command waits until its child has called, and goes.
    const program = `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }); c.on('message', () => process.exit(0));`;
    const { ended } = command(script(program));
    const left = await line.call('left');
    expect((await ended).ok).toBe(true);
    await left.over;
  });

  it('that a signal asks for is an interruption, and ends all of it', async () => {
    const line = await openLine();
    const interrupt = new AbortController();
    const { ended, clock } = command(script(caller(line, 'child')), { signal: interrupt.signal });
    const child = await line.call('child');
    interrupt.abort();
    expect(await ended).toEqual({ ok: false, failure: { reason: 'command-killed', message: 'interrupted' } });
    await child.over;
    expect(clock.sleeping).toBe(0);
  });

  it('by a signal before it became the command is none: it is started again', async () => {
    const pids: number[] = [];
    const beforeStart = async (pid: number) => {
      pids.push(pid);
      if (pids.length < 3) await endNow(pid, 'SIGINT');
    };
    const { ended, log } = command(script('console.log("ran")'), { beforeStart });
    expect(await ended).toEqual({ ok: true, value: undefined });
    expect([new Set(pids).size, log('stdout.log')]).toEqual([3, 'ran\n']);
  });

  it('by a signal before each start is its end, and it never ran', async () => {
    const beforeStart = (pid: number) => endNow(pid, 'SIGKILL');
    const { ended, log } = command(script('console.log("ran")'), { beforeStart });
    expect(await ended).toMatchObject({
      failure: { reason: 'command-killed', facts: { signal: 'SIGKILL' } },
    });
    expect(log('stdout.log')).toBe('');
  });

  it('that was asked for before the start comes at once', async () => {
    const { ended } = command(script('setInterval(() => {}, 1000)'), { signal: AbortSignal.abort() });
    expect(await ended).toMatchObject({ failure: { reason: 'command-killed', message: 'interrupted' } });
  });
});

/** Ends a process, and resolves when it is dead: as it is when it was started in a group that is just being ended. */
async function endNow(pid: number, signal: NodeJS.Signals): Promise<void> {
  const look = processLook();
  process.kill(pid, signal);
  while (look(pid).state !== 'gone') await new Promise((resolve) => setImmediate(resolve));
}

/** The very text that the product starts commands with: read from its source, so that the two cannot differ. */
function waitThenBecome(): string {
  const source = readFileSync(new URL('./command.ts', import.meta.url), 'utf8');
  const found = /const waitThenBecome = '([^']+)'/.exec(source)?.[1];
  if (found === undefined) throw new Error('the source does not say how commands start');
  return found;
}
