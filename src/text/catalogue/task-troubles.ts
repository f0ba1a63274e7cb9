import { unreachable } from '../../base/result.ts';
import type { CompletionProblem, TaskFailure } from '../../model/failure-details.ts';
import { hint } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { count, list, stepLabel, time } from '../style/words.ts';
import { failureTitle } from './attempt-failures.ts';

export function isTaskTrouble<T extends { readonly reason: string }>(
  trouble: T,
): trouble is Extract<T, { readonly reason: TaskFailure['reason'] }> {
  return Object.hasOwn(taskReasons, trouble.reason);
}

/** A reason that is missing here does not compile. */
const taskReasons: Readonly<Record<TaskFailure['reason'], true>> = {
  'never-run': true,
  'claim-lost': true,
  'not-claimed': true,
  'not-claimable': true,
  'cannot-prepare': true,
  'completion-incomplete': true,
};

export function taskTroubleTitle(trouble: TaskFailure): string {
  switch (trouble.reason) {
    case 'claim-lost':
      return lostTitle(trouble);
    case 'not-claimed':
      return `${plain(trouble.actor)} has not claimed ${plain(trouble.unit)}`;
    case 'never-run':
      return `${stepLabel(trouble.unit, trouble.phase)} is checked by a command of the manifest, and you have never run this manifest; nothing was started`;
    case 'not-claimable':
      return notClaimableTitle(trouble);
    case 'cannot-prepare': {
      const detail = trouble.detail === '' ? '' : `: ${plain(trouble.detail)}`;
      return `${stepLabel(trouble.unit, trouble.phase)} cannot be handed out: ${failureTitle(trouble.failure)}${detail}`;
    }
    case 'completion-incomplete': {
      const { unit, phase, problems } = trouble;
      return `${stepLabel(unit, phase)} is not done: ${count(problems.length, 'thing')} missing or wrong; nothing was recorded, and the claim stands`;
    }
    default:
      return unreachable(trouble);
  }
}

export function taskTroubleNext(trouble: TaskFailure, path: string | undefined): string[] {
  const look = `to see where it stands: ${hint('status', path)}`;
  switch (trouble.reason) {
    case 'claim-lost':
      return [
        ...(trouble.aside === undefined ? [] : [`what was made is kept in ${plain(trouble.aside)}`]),
        ...lostNext(trouble, path),
      ];
    case 'not-claimed':
      return [`claim it first: ${startHint(trouble.unit, trouble.actor, path)}`, look];
    case 'never-run':
      return [
        `read the manifest, then run it here once yourself: ${hint('run', path)}`,
        `in a CI job, to trust this manifest: set PAWL_TRUST=${plain(trouble.manifest)}`,
      ];
    case 'completion-incomplete':
      return ['make what is missing and say it again; heartbeat keeps the claim meanwhile'];
    case 'not-claimable':
    case 'cannot-prepare':
      return [look];
    default:
      return unreachable(trouble);
  }
}

function lostNext(
  { unit, actor, attempt, current, holder }: Extract<TaskFailure, { reason: 'claim-lost' }>,
  path: string | undefined,
): string[] {
  const another = hint('next', path, undefined, '--actor', actor);
  if (attempt === undefined && holder === undefined)
    return [`claim it first: ${startHint(unit, actor, path)}`, `or ask for another task: ${another}`];
  const leave = `leave this task, and ask for another one: ${another}`;
  // Two processes may work under one name: only the one that claimed it last has that number.
  return holder?.actor === actor
    ? [`if that claim is yours: add --number ${current}`, `if not: ${leave}`]
    : [leave];
}

function startHint(unit: string, actor: string, path: string | undefined): string {
  return hint('start', path, unit, '--actor', actor);
}

/** Everything that is missing or wrong, a line each. */
export function incompleteLines({
  problems,
}: Extract<TaskFailure, { reason: 'completion-incomplete' }>): string[] {
  return problems.map((problem) => `  ${problemWords(problem)}`);
}

function problemWords({ output, path, problem, detail }: CompletionProblem): string {
  const what = output === undefined ? plain(path) : `output ${plain(output)} (${plain(path)})`;
  const why = detail === '' ? '' : `: ${plain(detail)}`;
  return `${what}: ${problem === 'output-missing' ? 'is not there' : failureTitle(problem)}${why}`;
}

function lostTitle({
  unit,
  phase,
  actor,
  attempt,
  current,
  holder,
}: Extract<TaskFailure, { reason: 'claim-lost' }>): string {
  // A number that was never handed out, or that another one has, never was the actor's.
  const isOthers = attempt === current && holder !== undefined && holder.actor !== actor;
  const whose =
    attempt === undefined
      ? `is not ${plain(actor)}'s`
      : `is ${attempt > current || isOthers ? 'not' : 'no longer'} ${plain(actor)}'s under number ${attempt}`;
  const nobody =
    current === 0 ? 'nobody has claimed it yet' : `nobody has it now, and the newest number is ${current}`;
  const now =
    holder === undefined
      ? nobody
      : `${plain(holder.actor)} has it under number ${current}${holder.until === '' ? '' : ` until ${time(holder.until)}`}`;
  return `${stepLabel(unit, phase)} ${whose}: ${now}; nothing was recorded as done`;
}

function notClaimableTitle({
  unit,
  why,
  for: others,
}: Extract<TaskFailure, { reason: 'not-claimable' }>): string {
  const names = list(others.map(plain));
  const task = plain(unit);
  switch (why) {
    case 'done':
      return `${task} is done`;
    case 'claimed':
      return `${task} is claimed by ${names}`;
    case 'blocked':
      return `${task} is blocked${names === '' ? '' : `: ${names}`}`;
    case 'failed':
      return `${task} has used up its attempts${names === '' ? '' : `: ${names}`}`;
    case 'waits':
      return `${task} waits for ${names}`;
    case 'for-the-runner':
      return `the next step of ${task} is Pawl's own: pawl run`;
    case 'asks-person':
      return `a person has to decide on ${task} first`;
    case 'removed':
      return `${task} is no longer listed; what was done for it is left alone`;
    case 'conflict':
      return `${task} touches what ${names} ${others.length === 1 ? 'is' : 'are'} working on`;
    default:
      return unreachable(why);
  }
}
