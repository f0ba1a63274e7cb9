import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { documentOf, pawl, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, segments } from '../support/journal.ts';
import {
  copyOf,
  hashes,
  projectRoot,
  read,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 't.md': 'Say {{ unit.id }}.' });
  expect((await pawl(done, 'run')).code).toBe(0);
});

describe('--json', () => {
  const callsByCommand: Record<string, readonly (readonly string[])[]> = {
    init: [['init', '-C', 'fresh'], ['init']],
    run: [['run'], ['run', '--rerun-all'], ['run', '--rerun-from', 'nothing'], ['run', 'not-there']],
    resume: [['resume'], ['resume', '--run', 'not-there']],
    plan: [['plan'], ['plan', '--rerun-from', 'two']],
    why: [['why', 'a/two'], ['why', 'a/twoo'], ['why']],
    doctor: [['doctor'], ['doctor', 'not-there']],
    explain: [['explain', 'output-edited'], ['explain'], ['explain', 'output-edted']],
    status: [['status']],
    runs: [['runs']],
    logs: [
      ['logs', 'a/one'],
      ['logs', 'a/one', '--attempt', '99'],
      ['logs', 'a/one', '--attempt', 'x'],
    ],
    history: [['history'], ['history', 'a/one'], ['history', 'nobody']],
    prompt: [
      ['prompt', 'a/one'],
      ['prompt', 'a/one', '--diff'],
      ['prompt', 'a/none'],
    ],
    cost: [['cost'], ['cost', '--by', 'model'], ['cost', '--by', 'run'], ['cost', '--by', 'weather']],
    inspect: [
      ['inspect'],
      ['inspect', '--unit', 'a'],
      ['inspect', '--csv'],
      ['inspect', '--unit', '1'],
      ['inspect', 'not-there'],
    ],
    report: [['report'], ['report', '-o', 'page.html'], ['report', 'not-there']],
    diff: [['diff'], ['diff', 'a/one']],
    verify: [['verify']],
    checkpoints: [['checkpoints'], ['checkpoints', '--history']],
    show: [['show', 'C1'], ['show']],
    approve: [['approve', 'C1', '--note', 'so'], ['approve']],
    reject: [
      ['reject', 'C1', '--feedback', 'so'],
      ['reject', 'C1'],
    ],
    cancel: [
      ['cancel', '--reason', 'so'],
      ['cancel', '--yes'],
      ['cancel', '--reason', 'so', '--yes'],
    ],
    adopt: [
      ['adopt', 'out/a.two.txt', '--reason', 'so'],
      ['adopt', 'out/a.two.txt'],
    ],
    undo: [['undo'], ['undo', '--yes'], ['undo', '--dry-run']],
    restore: [['restore', 'a/one'], ['restore', 'a/one', '--attempt', '1', '--yes'], ['restore']],
    reset: [['reset'], ['reset', '--yes']],
    repair: [['repair', '--reason', 'so', '--yes']],
    gc: [['gc', '--older-than', '1d'], ['gc']],
    schema: [['schema']],
    graph: [['graph'], ['graph', '--format', 'nonsense']],
    next: [['next'], ['next', '--actor', 'a']],
    start: [['start', 'a', '--actor', 'a']],
    complete: [['complete', 'a', '--actor', 'a']],
    fail: [
      ['fail', 'a', '--actor', 'a', '--reason', 'so'],
      ['fail', 'a', '--actor', 'a'],
    ],
    block: [['block', 'a', '--actor', 'a', '--reason', 'so']],
    unblock: [['unblock', 'a', '--actor', 'a']],
    heartbeat: [['heartbeat', 'a', '--actor', 'a']],
    release: [['release', 'a', '--actor', 'a']],
    brief: [
      ['brief'],
      ['brief', '--check'],
      ['brief', 'nonsense'],
      ['brief', 'migrate'],
      ['brief', 'migrate', 'x.yaml'],
    ],
    decide: [
      ['decide', 'so'],
      ['decide'],
      ['decide', '--applied', 'RD-009'],
      ['decide', 'so', '--iteration', 'x'],
    ],
    summary: [
      ['summary', 'ann', 'DONE.'],
      ['summary', 'ann'],
      ['summary', 'Not a name', 'x'],
    ],
    completion: [['completion', 'bash'], ['completion', 'tcsh'], ['completion']],
    agents: [
      ['agents'],
      ['agents', 'install'],
      ['agents', 'install', 'nobody'],
      ['agents', 'install', 'claude'],
      ['agents', 'install', 'claude', '--dry-run'],
      ['agents', 'install', 'claude', '--yes'],
      ['agents', 'uninstall', 'claude', '--yes'],
    ],
  };

  // `mcp` speaks its own protocol, and so do those that agents call.
  it('is asked of every command that there is', () => {
    const names = commands
      .map(({ name }) => name)
      .filter((name) => !['help', 'mcp', 'hook', 'statusline'].includes(name));
    expect(Object.keys(callsByCommand).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(callsByCommand))(
    'gives one document for %s, whatever comes of it',
    async (name, list) => {
      const work = copyOf(done);
      for (const args of list) {
        const finished = await pawl(work, ...args, '--json');
        const document = documentOf(finished) as { ok: boolean; exitCode: number; command?: string };
        expect(finished.stdout.endsWith('}\n')).toBe(true);
        if (name === 'schema') {
          expect(document).toHaveProperty('$schema');
          continue;
        }
        expect(document.exitCode, finished.stdout).toBe(finished.code);
        expect(document.ok).toBe(finished.code === 0);
        if (!document.ok) expect(document).toHaveProperty('reason');
      }
    },
  );

  it('gives one document for a command line that nobody understands', async () => {
    for (const args of [['rnu'], ['run', '--no-such-option'], ['run', 'a', 'b']]) {
      const finished = await pawl(done, ...args, '--json');
      expect(documentOf(finished)).toMatchObject({ ok: false, exitCode: 2 });
      expect(finished.code).toBe(2);
    }
  });
});

describe('a slip', () => {
  it.each([
    [['rnu'], 'did you mean run'],
    [['statsu'], 'did you mean status'],
    [['run', '--rerun-form', 'one'], 'did you mean --rerun-from'],
    [['why', 'a/tow'], 'did you mean a/two'],
    [['run', '--reason'], '--reason'],
    [['why'], 'UNIT/PHASE'],
    [['status', 'a', 'b'], 'b'],
  ])('%j is answered with what may have been meant', async (args, guess) => {
    const slip = await pawl(done, ...args);
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain(guess);
    expect(slip.stdout).toBe('');
  });
});

describe('colours', () => {
  const escapeCode = String.fromCharCode(27);

  it.each([
    ['are left out of a pipe', {}, [], false],
    ['are there when they are asked for', { FORCE_COLOR: '1' }, [], true],
    [
      'are left out with NO_COLOR, whoever else asks for them',
      { NO_COLOR: '1', FORCE_COLOR: '1' },
      [],
      false,
    ],
    ['are left out with --no-color', { FORCE_COLOR: '1' }, ['--no-color'], false],
  ])('%s', async (_, env, args, colored) => {
    const work = withEnv(done, env as Record<string, string>);
    for (const command of [['status'], ['why', 'a/nothing']]) {
      const { stdout, stderr } = await pawl(work, ...command, ...args);
      expect((stdout + stderr).includes(escapeCode)).toBe(colored);
    }
  });
});

describe('without a terminal', () => {
  it('nothing is ever asked: it refuses and says what is needed', async () => {
    const work = copyOf(done);
    const damaged = copyOf(done);
    const [segment = ''] = segments(damaged);
    write(damaged, segment, read(damaged, segment).split('\n').toSpliced(4, 1).join('\n'));
    const before = [hashes(work), hashes(damaged)];
    for (const [args, needed] of [
      [['reset'], '--yes'],
      [['repair', '--reason', 'so'], '--yes'],
      [['cancel', '--reason', 'so'], '--yes'],
      [['approve'], '<checkpoint>'],
      [['reject', '--feedback', 'so'], '<checkpoint>'],
    ] as const) {
      // An open stdin that never says anything: whoever asks would wait for ever.
      const refused = await pawl(args[0] === 'repair' ? damaged : work, ...args);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(needed);
    }
    expect([hashes(work), hashes(damaged)]).toEqual(before);
  });

  it('progress goes to stderr and the result to stdout, the last line saying what to do', async () => {
    const work = workspaceWith(manifest, { 't.md': 'x' });
    const run = await pawl(work, 'run');
    expect(run.stderr).toContain('a/one started');
    expect(run.stdout.trimEnd().split('\n').at(-1)).toMatch(/all 2 units done/);
    const quiet = await pawl(work, 'run', '--rerun-all', '--quiet');
    expect(quiet.stderr).toBe('');
  });
});

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s lets what runs end, starts nothing more, and exits with %i', async (signal, code) => {
    const { door, workspace } = await openDoor(workspaceWith(chain, { 't.md': 'x' }), ['a/one']);
    const run = start(workspace, ['run']);
    const visit = await door.visit('a/one');
    run.kill(signal);
    await run.line('finishing what runs');
    visit.answer('go');
    const ended = await run.ended;
    expect(ended.code).toBe(code);
    expect(ended.stdout).toContain('nothing is lost');
    expect(stepsCalled(workspace)).toEqual(['a/one']);
    expect(eventsOf(workspace, 'attempt_succeeded')).toHaveLength(1);
    expect(await pawlJson(workspace, 'status')).toMatchObject({ heading: { status: 'stopped' } });

    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(stepsCalled(workspace).filter((step) => step === 'a/one')).toHaveLength(1);
  });

  it.each([
    ['a function', chain],
    [
      'a command',
      chain.replace('function: ./phases.mjs#step', `command: [node, tool.mjs], env: ${doorEnv()}`),
    ],
  ])('that comes twice ends %s at once, on record, and it can be resumed', async (_, text) => {
    const { door, workspace } = await openDoor(workspaceWith(text, { 't.md': 'x' }), ['a/one']);
    const run = start(workspace, ['run', '--json']);
    await door.visit('a/one');
    run.kill('SIGINT');
    await run.line('finishing what runs');
    run.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    expect(documentOf(ended)).toMatchObject({ reason: 'interrupted', ran: { succeeded: 0 } });
    expect(eventsOf(workspace, 'attempt_interrupted')).toMatchObject([
      { unit: 'a', phase: 'one', attempt: 1 },
    ]);

    const again = start(workspace, ['run']);
    const visit = await door.visit('a/one');
    expect(visit.attempt).toBe(2);
    visit.answer('go');
    expect((await again.ended).code).toBe(0);
  });
});

describe('a reader that closes early', () => {
  it('is no error: there is no stack, whatever was still to be said', async () => {
    const work = workspaceWith(manifest.replace('[a, b]', '{ count: 900 }'), { 't.md': 'x' });
    const bin = join(projectRoot, 'bin/pawl.js');
    for (const command of ['plan --json', 'plan', 'schema', 'help']) {
      const script = `"${process.execPath}" "${bin}" ${command} 2>err.txt | head -c 10`;
      const out = execFileSync('sh', ['-c', script], { cwd: work.root, env: { ...work.env } });
      expect(out).toHaveLength(10);
      expect(read(work, 'err.txt')).toBe('');
    }
  });
});

describe('why and logs', () => {
  it('say why a phase would run, and what its attempts left', async () => {
    const work = copyOf(done);
    expect((await pawl(work, 'why', 'a/two')).stdout).toContain('input text');
    write(work, 't.md', 'Say it again, {{ unit.id }}.');
    const why = await pawl(work, 'why', 'a/one');
    expect(why.code).toBe(0);
    expect(why.stdout).toContain('t.md');
    const logs = await pawlJson<{ attempts: { outcome: string; files: { name: string }[] }[] }>(
      work,
      'logs',
      'a/one',
      '--all',
    );
    expect(logs.attempts.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    expect(logs.attempts[0]?.files.map(({ name }) => name)).toContain('prompt.md');
    expect((await pawl(work, 'logs', 'a/one', '--all')).stdout).toContain('Say a.');
  });
});

describe('help', () => {
  it.each([[['--help']], [['help']], [['help', 'run']], [['run', '--help']], [[]], [['--version']]])(
    '%j prints and exits with 0',
    async (args) => {
      const shown = await pawl(done, ...args);
      expect(shown.code).toBe(0);
      expect(shown.stdout.length).toBeGreaterThan(4);
      expect(shown.stderr).toBe('');
    },
  );
});

function doorEnv(): string {
  return '{ TEST_CALLS: $TEST_CALLS, TEST_DOOR: $TEST_DOOR, TEST_DOOR_CELLS: $TEST_DOOR_CELLS }';
}

const manifest = `
pawl: 1
pipeline: faces
units: [a, b]
phases:
  one:
    prompt: t.md
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

const chain = manifest.replace('[a, b]', '{ list: [a, b], order: chain }');
