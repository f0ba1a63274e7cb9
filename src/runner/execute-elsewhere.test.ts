import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodePipeline, demand, eventsOf } from '../../test/fixtures/memory.ts';
import { realEnvironment } from '../../test/fixtures/real.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { callProcess } from '../base/call-process.ts';
import { ok } from '../base/result.ts';
import { systemHost } from '../disk/host.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { planRunFromDisk } from '../engine/observe/plan-from-disk.ts';
import { findRun } from '../engine/open/find-run.ts';
import { lockRun, releaseAfter } from '../engine/open/hold.ts';
import { resolvePipelineForRun } from '../engine/open/resolve-pipeline.ts';
import { openWorkspace } from '../engine/open/workspace.ts';
import { runPipeline } from '../engine/run/run.ts';
import { definePipeline } from '../pipeline/define.ts';
import { openContent } from '../store/open-store.ts';
import { assign } from './attempts/assign.ts';
import { nextNumber, prepareAttempt } from './attempts/prepare.ts';
import type { RunContext } from './context.ts';
import { execute } from './execute.ts';
import type { Assignment, ExecutorReport } from './executors/assignment.ts';
import type { ExecutorHost } from './executors/host.ts';
import type { PhaseFunction } from './executors/task.ts';
import type { Progress } from './progress.ts';
import { Schedule } from './schedule.ts';

/*
 * Each kind of executor, away from its run: with an assignment that was JSON, a content store, a scratch folder, and the
 * code of the workspace. What it makes there is compared with what the run makes of the same step at home.
 */

type Phase = NonNullable<CodePipeline['phases']>[string];

/** Everything that a step can consume, in one text. */
const described = `
const fs = require('node:fs');
const task = JSON.parse(fs.readFileSync(process.env.PAWL_TASK, 'utf8'));
const read = (path) => fs.readFileSync(path, 'utf8');
const every = JSON.parse(read(task.inputs.drafts)).map(({ unit, path }) => unit + ': ' + read(path));
const parts = [task.unit.title, read(task.inputs.style), every, read(task.prompt), read(task.state), task.params.words];
fs.writeFileSync(process.env.PAWL_OUTPUT_OUT, JSON.stringify([...parts, task.idempotencyKey]));
fs.writeFileSync(process.env.PAWL_RESULT, JSON.stringify({ cost_usd: 0.25 }));
console.log('read', task.inputs.style);
`;

const describing: PhaseFunction = (task) => {
  task.cost({ usd: 0.5 });
  task.respond('raw');
  const every = task.every.drafts?.map((file) => `${file.unit}: ${file.text()}`);
  const { unit, inputs, prompt, state, params, idempotencyKey } = task;
  const parts = [unit.title, inputs.style?.text(), every, prompt?.text, state?.json(), params];
  return { out: JSON.stringify([...parts, idempotencyKey]) };
};

const code = {
  'tool.cjs': described,
  'pause.cjs': "console.error('not yet'); process.exit(75);",
  'revise.cjs': `
    require('node:fs').writeFileSync(process.env.PAWL_REVISE, JSON.stringify({ phase: 'plan', reason: 'too dark' }));`,
  'work.mjs': `export const work = ${describing.toString()};\n`,
  'standin.mjs': `export const answer = ({ prompt, files }) => ({
    text: prompt + files.map(({ name, bytes }) => name + '=' + Buffer.from(bytes())).join(),
    usage: { inputTokens: 10, outputTokens: 20 },
  });\n`,
};

const files = {
  'style.md': 'Be brief.',
  'say.md': 'Say {{ unit.title }}.',
  'start.json': '{"at":0}',
  ...code,
};

/** Two drafts, and a step that consumes both, a declared file and the state. */
function pipeline(work: Phase): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'elsewhere',
    inputs: { style: 'style.md' },
    models: {
      providers: { standin: { function: './standin.mjs#answer' } },
      prices: { 'standin/m': { input: 1, output: 2 } },
    },
    state: { path: 'state.json', initial: 'start.json', snapshots: 'states/{unit}.json' },
    stages: [
      {
        name: 'drafts',
        units: ['a', 'b'],
        phases: {
          draft: { run: ({ unit }) => ({ text: `draft of ${unit.id}` }), outputs: { text: 'd/{unit}.txt' } },
        },
      },
      {
        name: 'book',
        units: { list: [{ id: 'book', title: 'The Book' }], order: 'chain' },
        phases: {
          plan: { run: () => ({ plan: 'a plan' }), outputs: { plan: 'plan/{unit}.txt' } },
          work: {
            prompt: 'say.md',
            inputs: { style: 'style', drafts: { from: 'draft.text', of: 'every' } },
            outputs: { out: 'out/{unit}.txt' },
            state: 'read',
            ...work,
          },
        },
      },
    ],
  } as CodePipeline;
}

interface Home {
  readonly folder: string;
  /** What the worker gives the executor of `book/work`. */
  readonly assignment: Assignment;
  /** The run goes on at home: the hash of what the step makes there, and what it costs. */
  finish(): Promise<{ readonly out: string | undefined; readonly cost: unknown }>;
}

async function home(work: Phase): Promise<Home> {
  const folder = tempFolder(files);
  const env = realEnvironment(folder);
  const request = { path: folder, pipeline: definePipeline(pipeline(work)) as never };
  demand(await runPipeline(env, { ...request, until: 'plan' }));
  const workspace = demand(await openWorkspace(env, request));
  const opened = demand(findRun(workspace, request));
  if (opened === undefined) throw new Error('no run');
  const placed = await resolvePipelineForRun(workspace, opened);
  const hold = demand(await lockRun(placed, opened, { takeover: false }));
  const never = new AbortController().signal;
  const assignment = await releaseAfter(placed, hold, async () => {
    const { facts, plan } = await planRunFromDisk(placed, opened, { deep: false, restore: false });
    const run: RunContext = { ...hold, facts, observe: () => undefined, stop: never, interrupt: never };
    const step = new Schedule(run, plan).take();
    if (step?.phase.name !== 'work') throw new Error('the step is not ready');
    const number = nextNumber(run, step.unit.id, step.phase.name);
    return ok(assign(run, demand(await prepareAttempt(run, step, number))));
  });
  return {
    folder,
    assignment: demand(assignment),
    async finish() {
      demand(await runPipeline(env, request));
      const event = eventsOf(env, folder).findLast(({ type }) => type === 'attempt_succeeded');
      const made = event?.type === 'attempt_succeeded' ? event : undefined;
      return { out: made?.outputs.out?.hash, cost: made?.cost };
    },
  };
}

/** Another folder, with a copy of the content store and the code, and nothing else of the workspace. */
async function executeElsewhere(
  { folder, assignment }: Home,
  functions: ExecutorHost['functions'] = new Map(),
) {
  const elsewhere = tempFolder(
    Object.fromEntries(Object.entries(code).map(([name, text]) => [`code/${name}`, text])),
  );
  cpSync(join(folder, '.pawl/objects'), join(elsewhere, 'objects'), { recursive: true });
  const store = openContent(nodeDisk, join(elsewhere, 'objects'), { durable: false });
  const pids: number[] = [];
  const progress: Progress[] = [];
  const never = new AbortController().signal;
  const { clock } = realEnvironment(elsewhere);
  const host: ExecutorHost = {
    content: {
      get: (hash) => {
        const bytes = store.get(hash);
        return bytes === 'damaged' ? undefined : bytes;
      },
      put: (bytes) => store.put(bytes),
      putFile: (path, sizeBytesMax) => store.putFile(path, sizeBytesMax),
    },
    scratch: join(elsewhere, 'scratch'),
    workspace: join(elsewhere, 'code'),
    functions,
    disk: nodeDisk,
    machine: systemHost(),
    clock,
    process: callProcess(process.env),
    stop: never,
    interrupt: never,
    progress: (one) => void progress.push(one),
    connections: new Map(),
    recordProcess: async ({ pid }) => void pids.push(pid),
  };
  const sent = JSON.stringify(assignment);
  // Nothing of the place that the assignment comes from is in it.
  expect(sent).not.toContain(folder);
  const report = await execute(JSON.parse(sent) as Assignment, host);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  const read = (name: string) => readFileSync(join(host.scratch, name), 'utf8');
  return { report, host, pids, progress, read };
}

const out = ({ outcome }: ExecutorReport) => (outcome.ok ? outcome.value.outputs.out?.hash : outcome.failure);

const command = (script: string) => ({ run: { command: [process.execPath, script] } });

describe('an assignment that was JSON', () => {
  it('lets a command make what it makes at home', async () => {
    const there = await home({ ...command('tool.cjs'), params: { words: 300 } });
    const { report, host, pids, read } = await executeElsewhere(there);
    const { out: made, cost } = await there.finish();
    expect([out(report), report.costs]).toEqual([made, [cost]]);
    expect(cost).toEqual({ usd: 0.25 });
    expect(pids).toHaveLength(1);
    // Its inputs are copies in the scratch folder, and its logs are there as well.
    expect(report.logs.map(read)).toEqual([`read ${host.scratch}/inputs/style\n`, '']);
  });

  it('lets a function of a module make what it makes at home', async () => {
    const there = await home({ run: { function: './work.mjs#work' } });
    const { report, host, read } = await executeElsewhere(there);
    const { out: made, cost } = await there.finish();
    expect([out(report), report.costs]).toEqual([made, [cost]]);
    expect(report.logs.map(read)).toEqual(['raw']);
    const response = report.outcome.ok ? report.outcome.value.response : undefined;
    expect(Buffer.from(host.content.get(response ?? 'sha256:') ?? '').toString()).toBe('raw');
  });

  it('lets a function that was given in code make what it makes at home', async () => {
    const there = await home({ run: describing });
    const { report } = await executeElsewhere(there, new Map([['work', describing]]));
    expect(out(report)).toBe((await there.finish()).out);
  });

  it('lets a model be asked what it is asked at home', async () => {
    const there = await home({ model: { use: 'standin/m', attach: ['style', 'drafts'] } });
    const { report, progress, read } = await executeElsewhere(there);
    const { out: made, cost } = await there.finish();
    expect([out(report), report.costs]).toEqual([made, [cost]]);
    expect(cost).toEqual({ usd: 0.00005, inputTokens: 10, outputTokens: 20 });
    expect(report).toMatchObject({
      isSent: true,
      isAnswered: true,
      call: { model: 'standin/m', finish: 'stop' },
    });
    expect(progress).toMatchObject([{ type: 'call-ended', unit: 'book', phase: 'work', usd: 0.00005 }]);
    const answer = 'Say The Book.style=Be brief.,drafts/a=draft of a,drafts/b=draft of b';
    expect(read('response.txt')).toBe(answer);
    expect(JSON.parse(read('answer.json'))).toMatchObject({ key: there.assignment.call?.key, cost });
  });

  it('takes an answer that there is already instead of asking', async () => {
    const there = await home({ model: 'standin/m' });
    const call = there.assignment.call;
    if (call === undefined) throw new Error('no call');
    const { host } = await executeElsewhere(there);
    const known = {
      key: call.key,
      prompt: call.prompt,
      text: 'known',
      call: { model: 'standin/m', finish: 'stop', ms: 0 },
    };
    const answer = { ...known, call: { ...known.call, reused: 'other' }, cost: {} };
    const scratch = `${host.scratch}-2`;
    const report = await execute(there.assignment, { ...host, scratch, findAnswer: async () => answer });
    expect(report).toMatchObject({ isSent: false, isAnswered: true, costs: [], call: { reused: 'other' } });
    expect(readFileSync(join(scratch, 'response.txt'), 'utf8')).toBe('known');
  });
});

describe('what an executor elsewhere cannot decide', () => {
  it('is for the coordinator: how long a command waits', async () => {
    const { report } = await executeElsewhere(await home(command('pause.cjs')));
    expect(report.wait).toEqual({ reason: 'requested', message: 'not yet', retryAt: undefined });
    expect(out(report)).toMatchObject({ reason: 'command-failed', facts: { exitCode: 75 } });
  });

  it('is for the coordinator: whether an earlier phase may be asked to run again', async () => {
    const { report } = await executeElsewhere(await home({ ...command('revise.cjs'), revises: ['plan'] }));
    expect(report.revision).toEqual({ phase: 'plan', reason: 'too dark' });
  });

  it('is a failure where the content store has lost an input', async () => {
    const there = await home(command('tool.cjs'));
    const hash = 'sha256:0000000000000000000000000000000000000000000000000000000000000000';
    const inputs = there.assignment.inputs.map((input) => ({ ...input, hash }) as const);
    const { report, host } = await executeElsewhere({
      ...there,
      assignment: { ...there.assignment, inputs },
    });
    expect(out(report)).toMatchObject({
      reason: 'input-unavailable',
      facts: { input: 'style', path: 'style.md' },
    });
    expect(existsSync(join(host.scratch, 'stdout.log'))).toBe(false);
  });
});
