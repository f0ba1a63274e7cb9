import { isDeepStrictEqual } from 'node:util';
import type { Result } from '../../src/base/result.ts';
import type { Disk } from '../../src/disk/disk.ts';
import type { OverrideRequest } from '../../src/engine/open/requests.ts';
import { runPipeline } from '../../src/engine/run/run.ts';
import type { RunAnswer } from '../../src/engine/run/run-request.ts';
import type { Durability } from '../../src/model/definition.ts';
import type { Failure } from '../../src/model/failure.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { bookPipeline, prepareWorkspace, root, writeTemplate } from './book.ts';
import { Judge } from './judge.ts';
import { environmentOf, type Machine, newMachine } from './world.ts';

/** What is done with the book: written, and then written again because a template has changed. */
export type Step = 'write' | 'rewrite';

/** The book in its world, at some point of its history. */
export interface History {
  readonly disk: MemoryDisk;
  /** The same disk as the program sees it: watched, or with a deliberate mistake. */
  readonly view: Disk;
  readonly judge: Judge;
  readonly durability: Durability;
  machine: Machine;
  step: Step;
}

export interface HistoryOptions {
  readonly durability: Durability;
  readonly seed: number;
  /** Makes a mistake of every use of a disk. */
  readonly mistake?: ((disk: Disk) => Disk) | undefined;
}

export function newHistory({ durability, seed, mistake }: HistoryOptions): History {
  const disk = new MemoryDisk({ seed });
  prepareWorkspace(disk);
  const view = mistake === undefined ? disk : mistake(disk);
  return { disk, view, judge: new Judge(), durability, machine: newMachine, step: 'write' };
}

/** A promise that was broken. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}

/** Takes the step that the history is at, again if it was begun before, and proves that the finished run is left alone. */
export async function takeStep(history: History): Promise<void> {
  if (history.step === 'write') demandCompleted(await run(history));
  else await rewrite(history);
  await rest(history);
}

/** Starts a process that runs the pipeline. */
export function run(
  history: History,
  request: OverrideRequest & { takeover?: boolean } = {},
): Promise<Result<RunAnswer, Failure>> {
  const { view, judge, durability } = history;
  const { boots, processes } = history.machine;
  history.machine = { boots, processes: processes + 1 };
  const environment = environmentOf(view, history.machine, judge);
  const pipeline = bookPipeline(judge, durability);
  return runPipeline(environment, { path: root, pipeline, observer: judge.observer, ...request });
}

export const changeReason = 'a better verb';

/** A changed template is refused until somebody allows it, and then never again. */
async function rewrite(history: History): Promise<void> {
  const { disk } = history;
  const path = `${root}/${writeTemplate.path}`;
  if (Buffer.from(disk.read(path) ?? []).toString() !== writeTemplate.after) {
    disk.putFile(path, writeTemplate.after);
  }
  const before = effectsOf(history);
  const plain = await run(history);
  if (plain.ok) return demandCompleted(plain);
  demandRefusedPrompt(plain.failure);
  demandUntouched(history, before, 'a refused run');
  demandCompleted(await run(history, { allowPromptChange: true, reason: changeReason }));
}

export async function rest(history: History): Promise<void> {
  const before = effectsOf(history);
  const again = await run(history);
  if (!again.ok || again.value.kind !== 'unchanged')
    throw new Violation(`a finished run was not left alone: ${told(again)}`);
  demandUntouched(history, before, 'the run of a finished run');
}

function effectsOf({ disk, judge }: History): { calls: number; executions: number } {
  return { calls: disk.calls, executions: judge.executions.length };
}

function demandUntouched(history: History, before: ReturnType<typeof effectsOf>, what: string): void {
  const after = effectsOf(history);
  if (!isDeepStrictEqual(after, before))
    throw new Violation(`${what} did something: ${told(after)} after ${told(before)}`);
}

export function demandCompleted(answer: Result<RunAnswer, Failure>): void {
  if (!answer.ok || answer.value.heading.status !== 'completed')
    throw new Violation(`not completed: ${told(answer)}`);
}

function demandRefusedPrompt(failure: Failure): void {
  const guards = failure.reason === 'refused' ? failure.refusals.map(({ guard }) => guard) : [failure.reason];
  if (guards.some((guard) => guard !== 'prompt-changed'))
    throw new Violation(`refused otherwise: ${told(failure)}`);
}

function told(value: unknown): string {
  return JSON.stringify(value).slice(0, 2_000);
}
