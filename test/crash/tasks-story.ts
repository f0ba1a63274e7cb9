import type { Result } from '../../src/base/result.ts';
import type { NextAnswer, TaskAnswer } from '../../src/engine/observe/task-answers.ts';
import type { Durability } from '../../src/model/definition.ts';
import type { Failure } from '../../src/model/failure.ts';
import { Violation } from './scenario.ts';
import {
  beat,
  block,
  complete,
  demandOk,
  giveUp,
  leaseMs,
  newTeam,
  next,
  release,
  run,
  shown,
  type Team,
  unblock,
  work,
} from './tasks-team.ts';

/** One thing that somebody does. */
export interface Step {
  readonly name: string;
  /** Nothing else in the story is done in the same way: whoever takes it is crashed at every moment. */
  readonly isCrashed?: boolean;
  take(team: Team): Promise<void>;
  /** The same again, by somebody who got no answer. */
  retake?(team: Team): Promise<void>;
}

/** Everything that can be said about a task is said. */
export const story: readonly Step[] = [
  { ...claimed('a', 'T001'), isCrashed: true },
  { ...said('a renews T001', (team) => beat(team, { unit: 'T001', actor: 'a' })), isCrashed: true },
  { ...said('a completes T001', (team) => complete(team, { unit: 'T001', actor: 'a' })), isCrashed: true },
  // What was remembered to be next is handed out.
  { ...claimed('b', 'T002'), isCrashed: true },
  { ...said('b fails', (team) => giveUp(team, { unit: 'T002', actor: 'b', attempt: 1 })), isCrashed: true },
  claimed('b', 'T002'),
  { ...said('b blocks T002', (team) => block(team, { unit: 'T002', actor: 'b' })), isCrashed: true },
  said('a unblocks T002', (team) => unblock(team, { unit: 'T002', actor: 'a' })),
  claimed('a', 'T002'),
  said('a releases T002', (team) => release(team, { unit: 'T002', actor: 'a' })),
  claimed('b', 'T002'),
  // With it the whole run is done, and that is on record too.
  { ...said('b completes T002', (team) => complete(team, { unit: 'T002', actor: 'b' })), isCrashed: true },
  { name: 'the end', take: finish },
];

/** What comes before the story; with a reboot in between, after which the outputs have been proven. */
export async function begin(durability: Durability, isRebooted: boolean): Promise<Team> {
  const first = newTeam(durability);
  await demandStatus(first, 'paused');
  await claimed('p', 'plan').take(first);
  demandOk(await complete(first, { unit: 'plan', actor: 'p' }));
  if (!isRebooted) return first;
  const disk = first.disk.crash(() => 'keep');
  const { boots, processes } = first.machine;
  const team: Team = { ...first, disk, view: disk, machine: { boots: boots + 1, processes } };
  await demandStatus(team, 'paused');
  return team;
}

/** Whoever was at it says it again, and is told what it had not been told. */
export async function sayAgain(team: Team, step: number): Promise<void> {
  const { take, retake = take } = story[step] as Step;
  await retake(team);
}

/**
 * Nobody who was at it is ever heard of again: somebody else comes, asks for the next task while the leases still run,
 * and again when they have run out, until nothing is left.
 */
export async function takeOver(team: Team): Promise<void> {
  await takeTask(team);
  team.ms += leaseMs;
  for (let rounds = 0; rounds < 12; rounds++)
    if ((await takeTask(team)) === 'done') return await finish(team);
  throw new Violation('a run without an end');
}

async function takeTask(team: Team): Promise<'done' | 'on'> {
  const { told, ms } = team;
  const { task, none } = demandOk(await next(team, 'c'));
  if (task !== undefined) {
    demandNobodyElse(told.slice(0, -1), task, ms);
    work(team, task);
    demandOk(await complete(team, { unit: task.unit, actor: 'c', attempt: task.attempt }));
    return 'on';
  }
  if (none?.code === 'all-done') return 'done';
  if (none?.code === 'for-the-runner') return (await run(team)) === 'completed' ? 'done' : 'on';
  if (none?.code === 'stuck' && none.blocked.length > 0) {
    for (const unit of none.blocked) demandOk(await unblock(team, { unit, actor: 'c' }));
    return 'on';
  }
  if (none?.code === 'nothing-now' && none.claimed > 0) return 'on';
  throw new Violation(`nothing is handed out: ${shown(none)}`);
}

/** A task that somebody was given is nobody else's while its lease runs and nobody has ended it. */
function demandNobodyElse(
  told: Team['told'],
  { unit, attempt }: NonNullable<NextAnswer['task']>,
  ms: number,
): void {
  const last = told.findLast((one) => ('unit' in one ? one.unit : one.answer.unit) === unit);
  const isLive = (until: string | undefined) => until !== undefined && Date.parse(until) > ms;
  const isHeld =
    last?.act === 'claimed' ? isLive(last.until) : last?.act === 'renewed' && isLive(last.answer.leaseUntil);
  if (isHeld) throw new Violation(`${unit}#${attempt} is somebody else's: ${shown(last)}`);
}

async function finish(team: Team): Promise<void> {
  const status = await run(team);
  if (status !== 'completed' && status !== 'unchanged') throw new Violation(`not completed but ${status}`);
}

async function demandStatus(team: Team, wanted: string): Promise<void> {
  const status = await run(team);
  if (status !== wanted) throw new Violation(`not ${wanted} but ${status}`);
}

/** Whoever is handed a task does its work, too. */
function claimed(actor: string, unit: string): Step {
  return {
    name: `${actor} claims ${unit}`,
    async take(team) {
      const { task, none } = demandOk(await next(team, actor));
      if (task?.unit !== unit) throw new Violation(`${unit} is not handed out: ${shown(task ?? none)}`);
      work(team, task);
    },
    // By its name: what an actor has claimed without having been told is given again. What only Pawl can put right is.
    async retake(team) {
      let answer = await next(team, actor, unit);
      if (isForRunner(answer, actor)) {
        await run(team);
        answer = await next(team, actor, unit);
      }
      const { task } = demandOk(answer);
      if (task !== undefined) work(team, task);
    },
  };
}

/** An output that did not get to its place keeps others waiting, also whoever has claimed it, until Pawl has put it there. */
function isForRunner(answer: Result<NextAnswer, Failure>, actor: string): boolean {
  if (answer.ok || answer.failure.reason !== 'not-claimable') return false;
  return answer.failure.why !== 'claimed' || answer.failure.for.includes(actor);
}

/** Said again of a claim that has ended it is refused: then it was heard the first time. */
function said(name: string, speak: (team: Team) => Promise<Result<TaskAnswer, Failure>>): Step {
  return {
    name,
    take: async (team) => void demandOk(await speak(team)),
    async retake(team) {
      const answer = await speak(team);
      if (answer.ok || answer.failure.reason !== 'claim-lost') demandOk(answer);
    },
  };
}
