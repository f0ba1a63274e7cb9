import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlProcess } from '../support/command.ts';
import { type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/** `build` ends Pawl itself while the file `kill` is there, as a step does that uses up the memory. */
const manifest = (retries: string) => `pawl: 1
pipeline: interruptions
channels: [terminal, script]
units: [a, b]
pace: { concurrency: 1 }
phases:
  build:
    run: { command: [node, build.mjs, "{output.text}", "{unit}"] }
    outputs: { text: "out/{unit}.txt" }
    retries: ${retries}
`;

const program = `
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const [, , output, unit] = process.argv;
const journal = () =>
  readdirSync('.pawl/runs', { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync('.pawl/runs/' + name, 'utf8'))
    .join('');
if (readFileSync('kill', 'utf8').includes(unit)) {
  const before = journal().split('stop_requested').length;
  if (existsSync('stops')) {
    process.kill(process.ppid, 'SIGTERM');
    while (journal().split('stop_requested').length === before);
  }
  process.kill(process.ppid, 'SIGKILL');
  setInterval(() => {}, 1_000);
} else if (existsSync('fail')) process.exit(1);
else writeFileSync(output, unit);
`;

function workspace(retries: string): TestWorkspace {
  return workspaceWith(manifest(retries), { 'build.mjs': program, kill: 'a' });
}

async function runKilled(work: TestWorkspace): Promise<void> {
  expect((await pawlProcess(work, 'run')).signal).toBe('SIGKILL');
}

describe('a step that ends Pawl each time', () => {
  it('is asked about after as many interruptions in a row as the manifest allows', async () => {
    const work = workspace('{ attempts: 1, interruptions: 2 }');
    await runKilled(work);
    await runKilled(work);
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toContain('interrupted 2 times in a row; each attempt may have been paid');
    const asks = await pawlJson(work, 'run');
    expect([asks.exitCode, asks.reason]).toEqual([3, 'waits-for-person']);
    expect((await pawl(work, 'why', 'a/build')).stdout).toContain('interrupted 2 times in a row');
    expect((await pawl(work, 'status')).stdout).toContain('? 1 waiting for a person');
    // Asked once: the same question again, and nothing was started.
    const again = await pawl(work, 'run');
    expect(again.code).toBe(3);
    expect(again.stdout).toContain('to continue:\n        pawl approve C1');

    expect((await pawl(work, 'approve', 'C1')).code).toBe(0);
    await runKilled(work);
    // What failed counts apart: after it the interruptions in a row start at 0.
    write(work, 'kill', '');
    write(work, 'fail', '');
    expect((await pawl(work, 'run', '--rerun-from', 'build', '--unit', 'a', '--reason', 'again')).code).toBe(
      1,
    );
    expect((await pawl(work, 'plan')).stdout).toContain('1 attempt failed, as many as retries allows');
  }, 120_000);

  it('is asked about where it is selected, and nothing else is started', async () => {
    const work = workspace('{ interruptions: 1 }');
    await runKilled(work);
    const asks = await pawlJson(work, 'run', '--unit', 'a');
    expect(asks).toMatchObject({ exitCode: 3, reason: 'waits-for-person', ran: { succeeded: 0 } });
    expect((await pawl(work, 'status')).stdout).toContain('○ 1 ready');
  });

  it('is asked about before another step can end Pawl as well', async () => {
    const work = workspace('{ interruptions: 1 }');
    write(work, 'kill', 'a b');
    await runKilled(work);
    await runKilled(work);
    const { stdout } = await pawl(work, 'checkpoints');
    expect(stdout).toContain('C1');
    expect(stdout).toContain('a/build');
    write(work, 'kill', '');
    expect((await pawl(work, 'approve', 'C1')).code).toBe(0);
    const asks = await pawl(work, 'run');
    expect(asks.code).toBe(3);
    expect((await pawl(work, 'approve', 'C2', '--continue')).code).toBe(0);
  }, 120_000);

  it('is not asked about when it was asked to stop and then killed, as service managers do', async () => {
    const work = workspace('{ interruptions: 2 }');
    write(work, 'stops', '');
    for (let kills = 0; kills < 3; kills++) await runKilled(work);
    expect((await pawl(work, 'plan')).stdout).toContain('attempt 3 was cut off');
    write(work, 'kill', '');
    expect((await pawl(work, 'run')).code).toBe(0);
  }, 120_000);
});

it('a change of what a step is made from starts its counts at 0', async () => {
  const work = workspace('1');
  for (const name of ['kill', 'fail']) write(work, name, '');
  write(work, 'in/a.txt', 'one');
  write(work, 'pawl.yaml', manifest('1').replace('units: [a, b]', 'units: { glob: "in/*.txt" }'));
  expect((await pawl(work, 'run')).code).toBe(1);
  expect((await pawl(work, 'plan')).stdout).toContain('1 attempt failed, as many as retries allows');
  rmSync(join(work.root, 'fail'));
  write(work, 'in/a.txt', 'two');
  expect((await pawl(work, 'plan')).stdout).not.toContain('as many as retries allows');
  const again = await pawl(work, 'run');
  expect(again.code, `${again.stdout}${again.stderr}`).toBe(0);
}, 60_000);

const judged = `pawl: 1
pipeline: judged
units: [a]
phases:
  write:
    run: { command: [sh, -c, 'echo bad > "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: "out/{unit}.txt" }
  judge:
    run: { command: [sh, -c, 'grep good out/a.txt > "$PAWL_OUTPUT_FOUND"'] }
    inputs: { text: write.text }
    outputs: { found: "out/{unit}.found" }
    retries: 1
`;

it('other bytes of an input start the counts of a step at 0, and the same bytes do not', async () => {
  const work = workspaceWith(judged);
  expect((await pawl(work, 'run')).code).toBe(1);
  // What it is made from is made again, and comes out the same.
  rmSync(join(work.root, 'out/a.txt'));
  expect((await pawl(work, 'run')).code).toBe(1);
  expect((await pawl(work, 'plan')).stdout).toContain('1 attempt failed, as many as retries allows');

  write(work, 'out/a.txt', 'good\n');
  const adopted = await pawl(work, 'adopt', 'out/a.txt', '--reason', 'by hand');
  expect(adopted.stdout).toContain('the next run does a/judge again');
  expect((await pawl(work, 'plan')).stdout).not.toContain('as many as retries allows');
  expect((await pawl(work, 'run')).code).toBe(0);
}, 60_000);
