import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { events, eventsOf } from '../support/journal.ts';
import { has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* A command reports its cost, or that it has to wait, in the file that PAWL_RESULT names; a function by its task. */

const manifest = (more = '') => `
pawl: 1
pipeline: pages
units: [home]
${more}
phases:
  build:
    run: { command: [sh, build.sh] }
    outputs: { html: "out/{unit}.html" }
`;

/** Not waited for, and less than a year ahead. */
const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();

function workspace(script: string, more = ''): TestWorkspace {
  return workspaceWith(manifest(more), { 'build.sh': script });
}

interface Cost {
  readonly total: {
    readonly calls: number;
    readonly spent: { readonly usd?: number; readonly inputTokens?: number; readonly outputTokens?: number };
    readonly wasted: { readonly usd?: number };
  };
}

async function costOf(work: TestWorkspace): Promise<Cost['total']> {
  return (await pawlJson<Cost>(work, 'cost')).total;
}

describe('a command that ends with exit code 75', () => {
  const script = `echo "the render farm is full" >&2
printf '{"retry_at":"${tomorrow}","cost_usd":0.02,"tokens":{"input":900,"output":100}}' > "$PAWL_RESULT"
exit 75
`;

  it('is paused until the time in its result file, and shown so everywhere', async () => {
    const work = workspace(script);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(75);
    expect(run.stdout).toContain('home/build paused until');
    expect(run.stdout).toContain('by its own request: the render farm is full');
    expect(eventsOf(work, 'attempt_failed')).toEqual([]);
    expect(eventsOf(work, 'attempt_paused')).toMatchObject([
      {
        reason: 'requested',
        message: 'the render farm is full',
        until: tomorrow,
        cost: { usd: 0.02, inputTokens: 900, outputTokens: 100 },
      },
    ]);
    for (const args of [['status'], ['why', 'home/build'], ['plan'], ['resume'], ['brief']]) {
      const { stdout, stderr } = await pawl(work, ...args);
      expect(stdout + stderr, args.join(' ')).toContain('paused');
      expect(stdout + stderr, args.join(' ')).not.toContain('failed');
    }
    expect(await costOf(work)).toMatchObject({
      spent: { usd: 0.02, inputTokens: 900, outputTokens: 100 },
      wasted: {},
    });
  });

  it('is started again when that time has come, and uses up no attempt', async () => {
    const work = workspace(
      `if [ "$PAWL_ATTEMPT" -lt 3 ]; then
  printf '{"retry_at":"2020-01-01T00:00:00Z","cost_usd":0.5}' > "$PAWL_RESULT"; exit 75
fi
printf '{"cost_usd":0.25}' > "$PAWL_RESULT"
echo done > "$PAWL_OUTPUT_HTML"
`,
    );
    write(work, 'pawl.yaml', `${manifest()}    retries: { attempts: 1 }\n`);
    const run = await pawl(work, 'run', '--wait');
    expect(run.code, run.stdout).toBe(0);
    expect(read(work, 'out/home.html')).toBe('done\n');
    const [, second, third] = eventsOf(work, 'attempt_started');
    expect(second?.why).toMatchObject({ code: 'waited', pause: 'requested' });
    expect(third?.attempt).toBe(3);
    expect(await costOf(work)).toMatchObject({ spent: { usd: 1.25 }, wasted: {} });
  });

  it('waits a minute where no time is named', async () => {
    const work = workspace('exit 75\n', 'pace: { wait: 0s }');
    expect((await pawl(work, 'run')).code).toBe(75);
    const [paused] = eventsOf(work, 'attempt_paused');
    expect(Date.parse(String(paused?.until)) - Date.parse(String(paused?.at))).toBeGreaterThan(50_000);
    expect(Date.parse(String(paused?.until)) - Date.parse(String(paused?.at))).toBeLessThanOrEqual(60_000);
  });

  it('has failed where its result file cannot be used', async () => {
    const work = workspace(`printf '{"retry_at":"tomorrow"}' > "$PAWL_RESULT"; exit 75\n`);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('retry_at: it must be a time');
    expect(run.stdout).toContain('attempts/home/build/1/result.json');
  });
});

describe('the cost in a result file', () => {
  it('is recorded for a failure, too, and stops at the budget', async () => {
    const work = workspaceWith(
      `pawl: 1
pipeline: pages
channels: [terminal, script]
budget: { usd: 0.5 }
units: [good, bad, late]
pace: { concurrency: 1 }
phases:
  build:
    run: { command: [sh, build.sh] }
    outputs: { html: "out/{unit}.html" }
`,
      {
        'build.sh': `printf '{"cost_usd":0.3,"tokens":40}' > "$PAWL_RESULT"
echo built > "$PAWL_OUTPUT_HTML"
[ "$PAWL_UNIT" != bad ]
`,
      },
    );
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout).not.toBe(0);
    expect(eventsOf(work, 'attempt_succeeded')).toMatchObject([
      { unit: 'good', cost: { usd: 0.3, outputTokens: 40 } },
    ]);
    expect(eventsOf(work, 'attempt_failed')).toMatchObject([
      { unit: 'bad', reason: 'command-failed', cost: { usd: 0.3, outputTokens: 40 } },
    ]);
    // The third one is not started: the budget asks first.
    expect(eventsOf(work, 'attempt_started')).toHaveLength(2);
    expect((await pawl(work, 'checkpoints')).stdout).toContain('budget');
    expect(await costOf(work)).toMatchObject({
      spent: { usd: 0.6, outputTokens: 80 },
      wasted: { usd: 0.3 },
    });
  });

  it.each([
    [`{"cost_usd":"0.3"}`, 'cost_usd: it must be a number, not a string'],
    [`{"cost_usd":-1}`, 'cost_usd: it must be from 0 to 1e12'],
    [`{"tokens":{"input":1,"in":2}}`, 'tokens.in: unknown key'],
    [`{"cost":0.3}`, 'cost: unknown key; known are retry_at, cost_usd, tokens'],
    [`[1]`, 'it is not a JSON object'],
  ])('is refused where it is not as documented: %s', async (text, problem) => {
    const work = workspace(`printf '%s' '${text}' > "$PAWL_RESULT"; echo built > "$PAWL_OUTPUT_HTML"\n`);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(problem);
    expect(has(work, 'out/home.html')).toBe(false);
    const [failed] = eventsOf(work, 'attempt_failed');
    expect(failed).toMatchObject({ reason: 'result-file-invalid' });
    expect(failed).not.toHaveProperty('cost');
  });

  it('is refused where the file is too large or a link, and does not end the run', async () => {
    const work = workspace(
      `if [ "$PAWL_ATTEMPT" = 1 ]; then head -c 70000 /dev/zero > "$PAWL_RESULT"; else ln -s /etc/passwd "$PAWL_RESULT"; fi
echo built > "$PAWL_OUTPUT_HTML"
`,
    );
    expect((await pawl(work, 'run')).stdout).toContain('it is larger than 64 KiB');
    expect((await pawl(work, 'run')).stdout).toContain('it is not a regular file');
  });
});

describe('a function', () => {
  const calling = (text: string) =>
    workspaceWith(manifest().replace('command: [sh, build.sh]', 'function: build.mjs#build'), {
      'build.mjs': `export function build(task) {\n${text}\n}\n`,
    });

  it('pauses with task.pause, and its cost is counted', async () => {
    const work = calling(`task.cost({ usd: 0.1 }); task.pause('${tomorrow}', 'quota'); return {};`);
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout).toBe(75);
    expect(run.stdout).toContain('by its own request: quota');
    expect(eventsOf(work, 'attempt_paused')).toMatchObject([
      { reason: 'requested', until: tomorrow, cost: { usd: 0.1 } },
    ]);
    expect(await costOf(work)).toMatchObject({ spent: { usd: 0.1 } });
  });

  it('fails where it reports what is no cost or no time', async () => {
    const cost = await pawl(calling('task.cost({ usd: Number.NaN }); return { html: "x" };'), 'run');
    expect(cost.stdout).toContain('task.cost: usd must be a number from 0');
    const time = await pawl(calling('task.pause("soon"); return { html: "x" };'), 'run');
    expect(time.stdout).toContain('task.pause: it must be a time such as');
  });
});

describe('a task', () => {
  it('is completed and failed with its cost', async () => {
    const work = workspaceWith(`pawl: 1
pipeline: crew
budget: { usd: 5 }
units: [a]
phases:
  do:
    run: { task: executor }
    outputs: { text: "out/{unit}.txt" }
`);
    expect((await pawl(work, 'run')).code).toBe(75);
    const as = ['--actor', 'ann'];
    const next = await pawl(work, 'next', ...as);
    expect(next.stdout.trimEnd()).toMatch(/when it is done:\s+pawl complete a --actor ann$/);
    await pawl(work, 'fail', 'a', ...as, '--reason', 'no paper', '--cost', '0.5');
    await pawl(work, 'next', ...as);
    write(work, 'out/a.txt', 'made\n');
    const wrong = await pawl(work, 'complete', 'a', ...as, '--cost', 'much');
    expect(wrong.code).toBe(2);
    const twice = ['complete', 'a', ...as, '--cost', '1.25', '--tokens', '1800'];
    for (const args of [twice, twice]) expect((await pawl(work, ...args)).code).toBe(0);
    const recorded = [...events(work), ...events(work, 'ann')].filter(({ cost }) => cost !== undefined);
    expect(recorded).toMatchObject([
      { type: 'attempt_failed', cost: { usd: 0.5 } },
      { type: 'attempt_succeeded', cost: { usd: 1.25, outputTokens: 1800 } },
    ]);
    expect(await costOf(work)).toMatchObject({
      spent: { usd: 1.75, outputTokens: 1800 },
      wasted: { usd: 0.5 },
    });
    expect((await pawl(work, 'cost')).stdout).toContain('$1.75 of $5.00 spent');
  });
});
