import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { attemptsOf, demand, eventsOf } from '../../test/fixtures/memory.ts';
import { caller, openLine, realEnvironment } from '../../test/fixtures/real.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { runPipeline } from '../engine/run/run.ts';
import type { RunAnswer, RunRequest } from '../engine/run/run-request.ts';
import { definePipeline, type PipelineDefinition } from '../pipeline/define.ts';

const node = process.execPath;

interface Extras {
  readonly phase?: object;
  readonly pipeline?: Partial<PipelineDefinition>;
  readonly files?: Readonly<Record<string, string>>;
}

/** A workspace with one phase that is a program, `tool.cjs`. */
function workspace(program: string, { phase = {}, pipeline = {}, files = {} }: Extras = {}) {
  const folder = tempFolder({ 'tool.cjs': program, ...files });
  const definition: PipelineDefinition = {
    pawl: 1,
    pipeline: 'tools',
    units: [{ id: 'a', title: 'The First' }],
    phases: { make: { run: { command: [node, 'tool.cjs'] }, outputs: { out: 'out/{unit}.txt' }, ...phase } },
    ...pipeline,
  };
  const env = realEnvironment(folder);
  const run = async (request: RunRequest = {}): Promise<RunAnswer> =>
    demand(
      await runPipeline(env, { path: folder, pipeline: definePipeline(definition) as never, ...request }),
    );
  const attempt = (number = 1) => {
    const [id = ''] = readdirSync(join(folder, '.pawl/runs'));
    return join(folder, '.pawl/runs', id, `attempts/a/make/${number}`);
  };
  const failure = () => {
    const event = eventsOf(env, folder).findLast(({ type }) => type === 'attempt_failed');
    return event?.type === 'attempt_failed' ? { reason: event.reason, facts: event.facts } : undefined;
  };
  return { folder, env, run, attempt, failure };
}

const write = (text: string) => `require('fs').writeFileSync(process.env.PAWL_OUTPUT_OUT, ${text});`;

describe('a command of a phase', () => {
  it('finds its task in its environment and in a file', async () => {
    const ours = '([name]) => name.startsWith("PAWL_")';
    const { run, folder, attempt } = workspace(
      write(`JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(${ours})))`),
      {
        phase: { params: { words: 300 }, inputs: { 'notes.old': 'notes' } },
        pipeline: { inputs: { notes: 'notes.md' } },
        files: { 'notes.md': 'a note' },
      },
    );
    const answer = await run();
    const env = JSON.parse(readFileSync(join(folder, 'out/a.txt'), 'utf8'));
    expect(env).toEqual({
      PAWL_RUN: answer.heading.run,
      PAWL_UNIT: 'a',
      PAWL_PHASE: 'make',
      PAWL_ATTEMPT: '1',
      PAWL_ITERATION: '1',
      PAWL_MODE: 'fresh',
      PAWL_IDEMPOTENCY_KEY: expect.stringMatching(/^[0-9a-f]{32}$/),
      PAWL_CONTEXT: join(attempt(), 'context.json'),
      PAWL_REVISE: join(attempt(), 'revise.json'),
      PAWL_RESULT: join(attempt(), 'result.json'),
      PAWL_TASK: join(attempt(), 'task.json'),
      PAWL_INPUT_NOTES_OLD: join(folder, 'notes.md'),
      PAWL_OUTPUT_OUT: join(attempt(), 'outputs/out'),
    });
    expect(JSON.parse(readFileSync(env.PAWL_TASK, 'utf8'))).toEqual({
      run: answer.heading.run,
      unit: { id: 'a', title: 'The First' },
      phase: 'make',
      attempt: 1,
      iteration: 1,
      params: { words: 300 },
      mode: 'fresh',
      existing: {},
      feedback: [],
      idempotencyKey: env.PAWL_IDEMPOTENCY_KEY,
      inputs: { 'notes.old': join(folder, 'notes.md') },
      outputs: { out: join(attempt(), 'outputs/out') },
    });
  });

  it('finds what stands in its arguments filled in', async () => {
    const argv = [
      node,
      'tool.cjs',
      '{unit}',
      'x-{unit}.{param.words}',
      '{param.list}',
      '{output.out}',
      '{ print }',
      '{}',
    ];
    const { run, folder, attempt } = workspace(
      'require("fs").writeFileSync(process.argv[5], JSON.stringify(process.argv.slice(2)))',
      {
        phase: { run: { command: argv }, params: { words: 300, list: [1, '$HOME'] } },
      },
    );
    await run();
    expect(JSON.parse(readFileSync(join(folder, 'out/a.txt'), 'utf8'))).toEqual([
      'a',
      'x-a.300',
      '[1,"$HOME"]',
      join(attempt(), 'outputs/out'),
      '{ print }',
      '{}',
    ]);
  });

  it('takes a declared variable by its name, and the secret stands nowhere', async () => {
    const { run, env, folder, attempt } = workspace(write('process.env.TOKEN + process.env.OTHER'), {
      phase: { run: { command: [node, 'tool.cjs'], env: { TOKEN: '$PAWL_TEST_TOKEN' } } },
    });
    vi.stubEnv('PAWL_TEST_TOKEN', 'very-secret');
    await run();
    expect(readFileSync(join(folder, 'out/a.txt'), 'utf8')).toBe('very-secretundefined');
    expect(readFileSync(join(attempt(), 'task.json'), 'utf8')).not.toContain('very-secret');
    for (const event of eventsOf(env, folder)) expect(JSON.stringify(event)).not.toContain('very-secret');
  });

  it('is recorded with its process before it starts', async () => {
    const { run, env, folder } = workspace(write('String(process.pid)'));
    await run();
    expect(attemptsOf(env, folder)).toEqual([
      'a/make#1 started',
      'a/make#1 process_started',
      'a/make#1 succeeded',
    ]);
    const started = eventsOf(env, folder).find(({ type }) => type === 'process_started');
    expect(started).toMatchObject({
      pid: Number(readFileSync(join(folder, 'out/a.txt'), 'utf8')),
      boot: env.host.self.boot,
      host: env.host.self.host,
    });
  });

  it('gets its prompt as a file, and what an attempt that was cut off has left', async () => {
    const line = await openLine();
    const program = `
      const fs = require('fs');
      if (process.env.PAWL_MODE === 'fresh') {
        fs.writeFileSync(process.env.PAWL_OUTPUT_OUT, 'half');
        ${caller(line, 'half')}
      } else fs.writeFileSync(process.env.PAWL_OUTPUT_OUT, fs.readFileSync(process.env.PAWL_PREVIOUS + '/outputs/out', 'utf8') + ' and whole, ' + fs.readFileSync(process.env.PAWL_PROMPT, 'utf8'));`;
    const { run, env, folder } = workspace(program, {
      phase: { on_interrupt: 'continue', prompt: 'make.md' },
      files: { 'make.md': 'Make {{ unit.title }}.' },
    });
    const displaced = run().catch((error: unknown) => String(error));
    await line.call('half');
    env.clock.skippedMs = 100;
    const answer = await run({ takeover: true });
    expect(answer.heading.status).toBe('completed');
    expect(readFileSync(join(folder, 'out/a.txt'), 'utf8')).toBe(
      'half and whole, <!-- prompt -->\nMake The First.\n',
    );
    expect(await displaced).toContain('fenced-out');
  });
});

describe('an output of a command', () => {
  it.each([
    ['is not there', '', { reason: 'output-missing' }],
    ['is a folder', 'require("fs").mkdirSync(process.env.PAWL_OUTPUT_OUT)', { reason: 'output-not-a-file' }],
    [
      'is a link',
      'require("fs").symlinkSync("/etc/passwd", process.env.PAWL_OUTPUT_OUT)',
      { reason: 'output-not-a-file' },
    ],
    [
      'is a FIFO',
      'require("child_process").execFileSync("mkfifo", [process.env.PAWL_OUTPUT_OUT])',
      { reason: 'output-not-a-file' },
    ],
  ])('that %s fails the attempt, clearly and at once', async (_, program, failure) => {
    const { run, failure: failed, folder } = workspace(program);
    const answer = await run();
    expect(answer.heading.status).toBe('stopped');
    expect(failed()).toMatchObject({ ...failure, facts: { output: 'out' } });
    expect(existsSync(join(folder, 'out/a.txt'))).toBe(false);
  });

  it('stays with its attempt when it fails its check', async () => {
    const { run, failure, attempt, folder } = workspace(write('"{"'), {
      phase: { outputs: { out: { path: 'out/{unit}.json', check: 'json' } } },
    });
    await run();
    expect(failure()).toMatchObject({ reason: 'check-failed', facts: { check: 'json' } });
    expect(readFileSync(join(attempt(), 'outputs/out'), 'utf8')).toBe('{');
    expect(existsSync(join(folder, 'out/a.json'))).toBe(false);
  });

  it('is checked by a command that sees it', async () => {
    const check = { command: [node, 'check.cjs', '{file}'] };
    const { run, failure } = workspace(write('"wrong"'), {
      phase: { outputs: { out: { path: 'out/{unit}.txt', check } } },
      files: {
        'check.cjs': 'if (require("fs").readFileSync(process.argv[2], "utf8") !== "right") process.exit(1);',
      },
    });
    await run();
    expect(failure()).toMatchObject({ reason: 'check-failed', facts: { check: 'command' } });
  });

  it('may be large', async () => {
    const { run, folder } = workspace(write('Buffer.alloc(20 * 1024 * 1024, 7)'));
    expect((await run()).heading.status).toBe('completed');
    const made = readFileSync(join(folder, 'out/a.txt'));
    expect(made.length).toBe(20 * 1024 * 1024);
    expect(made.every((byte) => byte === 7)).toBe(true);
  });
});
