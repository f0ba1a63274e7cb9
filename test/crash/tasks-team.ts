import { callProcess } from '../../src/base/call-process.ts';
import type { Ids } from '../../src/base/ids.ts';
import type { Result } from '../../src/base/result.ts';
import type { Disk } from '../../src/disk/disk.ts';
import type { HandedTask, NextAnswer, TaskAnswer } from '../../src/engine/observe/task-answers.ts';
import type { Environment } from '../../src/engine/open/environment.ts';
import type { Target } from '../../src/engine/open/requests.ts';
import { runPipeline } from '../../src/engine/run/run.ts';
import { completeTask } from '../../src/engine/tasks/complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../../src/engine/tasks/end.ts';
import { nextTask } from '../../src/engine/tasks/next.ts';
import type { Durability } from '../../src/model/definition.ts';
import type { Failure } from '../../src/model/failure.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { Violation } from './scenario.ts';
import type { Machine } from './world.ts';

/*
 * The small run on which several people work, each command of theirs being a process of its own: a plan that lists two
 * tasks, of which the second needs the first and takes what that has left. All of it is claimed.
 */

export const root = '/home/me/team';
export const stateFolder = '/home/me/.local/state/pawl';
export const leaseMs = 10 * 60_000;

/** Something that somebody was told: a promise from then on. And that somebody has asked to end a claim: it may be so. */
export type Told =
  | { readonly act: 'asked'; readonly unit: string }
  | {
      readonly act: 'claimed';
      readonly unit: string;
      readonly actor: string;
      readonly attempt: number;
      readonly until: string;
    }
  | { readonly act: TaskAnswer['act']; readonly actor: string; readonly answer: TaskAnswer };

/** The run in its world, at some point of its history. */
export interface Team {
  readonly disk: MemoryDisk;
  /** The same disk as the program sees it: watched, or with a deliberate mistake. */
  readonly view: Disk;
  machine: Machine;
  /** What time it is. Every process that is started takes a second, and none passes while it is at work. */
  ms: number;
  /** Kept outside the disk: no crash takes it away. */
  readonly told: Told[];
}

export function newTeam(durability: Durability, seed = 1): Team {
  const disk = new MemoryDisk({ seed });
  disk.putFile(`${root}/pawl.yaml`, manifest(durability));
  const machine = { boots: 1, processes: 0 };
  return { disk, view: disk, machine, ms: Date.UTC(2026, 10, 15, 12), told: [] };
}

/** A new process of the team. Every one before it is dead. */
export function newProcess(team: Team): Environment {
  const { boots, processes } = team.machine;
  team.machine = { boots, processes: processes + 1 };
  team.ms += 1_000;
  const self = { pid: processes + 1, started: `at ${processes}`, boot: `boot ${boots}`, host: 'here' };
  const now = () => team.ms;
  return {
    disk: team.view,
    host: {
      self,
      isAlive: (name) => (name.boot === self.boot && name.pid === self.pid ? 'alive' : 'dead'),
      startedAt: (pid) => (pid === self.pid ? self.started : undefined),
      ancestors: () => [],
      openedBy: () => 'unknown',
    },
    clock: { now, monotonicMs: now, sleep },
    ids: idsOf(processes + 1),
    process: callProcess({}),
    cwd: root,
    stateFolder,
  };
}

export const target: Target = { path: root };

export async function run(team: Team): Promise<string> {
  const answer = await runPipeline(newProcess(team), target);
  if (!answer.ok) throw new Violation(`the run was refused: ${shown(answer.failure)}`);
  return answer.value.kind === 'unchanged' ? 'unchanged' : answer.value.heading.status;
}

/** `unit`: this one, also when it is the actor's already. */
export async function next(
  team: Team,
  actor: string,
  unit?: string,
  env = newProcess(team),
): Promise<Result<NextAnswer, Failure>> {
  const answer = await nextTask(env, { ...target, actor, unit });
  const task = answer.ok ? answer.value.task : undefined;
  if (task !== undefined) noteClaim(team, task);
  return answer;
}

export interface Speech {
  readonly unit: string;
  readonly actor: string;
  readonly attempt?: number;
}

type Speaking = (team: Team, speech: Speech, env?: Environment) => Promise<Result<TaskAnswer, Failure>>;

/** The work lies where it was asked for; the notes of the second task somewhere else. */
export const complete: Speaking = (team, speech, env = newProcess(team)) => {
  const outputs = speech.unit === 'T002' ? { outputs: { notes: 'drafts/T002.md' } } : {};
  return ending(team, speech, () => completeTask(env, { ...target, ...speech, ...outputs }));
};

export const giveUp: Speaking = (team, speech, env = newProcess(team)) =>
  ending(team, speech, () => failTask(env, { ...target, ...speech, reason: 'no idea' }));

export const release: Speaking = (team, speech, env = newProcess(team)) =>
  ending(team, speech, () => releaseTask(env, { ...target, ...speech }));

export const beat: Speaking = (team, speech, env = newProcess(team)) =>
  noting(team, heartbeat(env, { ...target, ...speech }));

export const block: Speaking = (team, speech, env = newProcess(team)) =>
  ending(team, speech, () => blockTask(env, { ...target, ...speech, reason: 'needs a key' }));

export const unblock: Speaking = (team, speech, env = newProcess(team)) =>
  noting(team, unblockTask(env, { ...target, ...speech }));

/** Does the work of a task, as somebody does who waits until it is on the disk. */
export function work({ disk }: Pick<Team, 'disk'>, task: HandedTask): void {
  for (const path of task.files) disk.putFile(`${root}/${path}`, `${path}\n`);
  const [output] = task.outputs;
  const path = task.unit === 'T002' ? 'drafts/T002.md' : output?.path;
  const inputs = task.inputs.map((input) => textAt(disk, input.path));
  disk.putFile(`${root}/${path}`, contentOf(task.unit, inputs));
}

export function textAt(disk: Disk, path: string): string {
  return Buffer.from(disk.read(`${root}/${path}`) ?? []).toString();
}

function contentOf(unit: string, inputs: readonly string[]): string {
  return unit === 'plan' ? JSON.stringify(tasks) : `${inputs.join('')}what ${unit} came to\n`;
}

/** What the tasks have come to in the end, by unit. */
export const notes: Readonly<Record<string, string>> = {
  T001: 'what T001 came to\n',
  T002: 'what T001 came to\nwhat T002 came to\n',
};

export function demandOk<T>(answer: Result<T, Failure>): T {
  if (!answer.ok) throw new Violation(`refused: ${shown(answer.failure)}`);
  return answer.value;
}

export function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 2_000);
}

function noteClaim({ told }: Team, { unit, actor, attempt, leaseUntil: until }: HandedTask): void {
  told.push({ act: 'claimed', unit, actor, attempt, until });
}

async function noting(
  { told }: Team,
  spoken: Promise<Result<TaskAnswer, Failure>>,
): Promise<Result<TaskAnswer, Failure>> {
  const answer = await spoken;
  if (answer.ok) told.push({ act: answer.value.act, actor: answer.value.actor, answer: answer.value });
  return answer;
}

/** Whoever gets no answer does not know whether the claim has ended. */
function ending(team: Team, { unit }: Speech, speak: () => ReturnType<Speaking>): ReturnType<Speaking> {
  team.told.push({ act: 'asked', unit });
  return noting(team, speak());
}

const tasks = [
  { id: 'T001', artifacts: ['src/a.ts'] },
  { id: 'T002', dependencies: ['T001'] },
];

/** In a file, and nothing in it for Pawl to run: so that tasks are handed out by what is remembered, too. */
const manifest = (durability: Durability) => `
pawl: 1
pipeline: team
durability: ${durability}
layout: { run: "runs/{id}" }
stages:
  - name: planning
    units: [plan]
    phases:
      graph:
        run: { task: planner, lease: 10m }
        outputs: { tasks: { path: "{run}/tasks.json", check: json } }
  - name: tasks
    units: { artifact: graph.tasks, needs: dependencies }
    phases:
      implement:
        run: { task: executor, lease: 10m, files: artifacts }
        inputs: { before: { from: implement.notes, of: previous } }
        outputs: { notes: { path: "{run}/notes/{unit}.md", check: non-empty } }
`;

/** Nobody else is alive, so there is nobody whose turn could be waited for. Longer sleeps are timeouts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= turnMsMax) return Promise.reject(new Violation('waits for the turn of somebody who is dead'));
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

const turnMsMax = 100;

/** No two processes ever get the same. */
function idsOf(process: number): Ids {
  let count = 0;
  const prefix = process.toString(36);
  return { random: (length) => prefix + (count++).toString(36).padStart(length - prefix.length, '0') };
}
