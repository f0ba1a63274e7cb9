import type { NoTask, TaskState } from '../../engine/observe/task-answers.ts';
import type { Failure } from '../../model/failure.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

const page = 'docs/guide/tasks-and-agents.md';

/** Where a unit stands for those who work on it. */
export const taskStates = makeEntries<TaskState>(
  { follows: 'pawl status, pawl graph and pawl resume show it.', ways: ['pawl graph draws all tasks'], page },
  {
    pending: { what: 'Something that the task needs is not done.' },
    ready: {
      what: 'Nobody has the task, and it can be claimed or run now.',
      ways: ['pawl next hands it out'],
    },
    claimed: { what: 'The task was handed out, and nobody has said yet that work has begun.' },
    in_progress: {
      what: 'Somebody is at the task and has sent a heartbeat; or was, and the lease has run out.',
      follows: 'After its lease it is in doubt, and the next one who asks gets it.',
    },
    implemented: {
      what: 'Some of its phases are done and a later one, such as a verifier’s, is not.',
      ways: ['pawl run starts what is Pawl’s own'],
    },
    done: { what: 'The task is finished and proven.' },
    failed: {
      what: 'Its last attempt failed.',
      follows: 'It can be claimed again while it has attempts left.',
      ways: ['pawl logs UNIT/PHASE shows why'],
    },
    blocked: {
      what: 'Somebody has to do something about the task first.',
      follows: 'It is given to nobody.',
      ways: ['pawl unblock, when it is settled'],
    },
  },
);

/** Why pawl next hands out nothing. */
export const noTasks = makeEntries<NoTask['code']>(
  {
    follows: 'Nothing is claimed. A loop of an agent can go by the exit code.',
    ways: ['ask again later'],
    exitCode: exitCodes.paused,
    page,
  },
  {
    'all-done': {
      what: 'Nothing is left to do.',
      ways: ['pawl status shows what was done'],
      exitCode: exitCodes.done,
    },
    'nothing-now': {
      what: 'Others are at work, and more may come of it; or what is ready touches what they are at.',
      ways: ['ask again, at the latest when the first lease runs out (nextAt)'],
    },
    'for-the-runner': { what: 'The next step is Pawl’s own.', ways: ['pawl run does it'] },
    'other-role': {
      what: 'There is work, but for other roles than the one that was asked for.',
      ways: ['ask with --role of one that is named'],
    },
    'asks-person': {
      what: 'A person has to decide before anything can go on.',
      ways: ['pawl checkpoints lists what waits'],
      exitCode: exitCodes.waitsForPerson,
    },
    stuck: {
      what: 'What is left has failed for good, is blocked, or waits for such.',
      ways: ['pawl status shows what; pawl logs UNIT/PHASE why', 'pawl unblock what is settled'],
      exitCode: exitCodes.phaseFailed,
    },
  },
);

/** Why a task that was asked for by its name cannot be claimed. */
export const notClaimable = makeEntries<Extract<Failure, { reason: 'not-claimable' }>['why']>(
  {
    follows: 'Nothing is claimed.',
    ways: ['pawl next gives another one', 'pawl status shows where it stands'],
    exitCode: exitCodes.refused,
    page,
  },
  {
    done: { what: 'The task is done already.' },
    claimed: { what: 'Somebody else has it, and the lease has not run out.' },
    blocked: { what: 'Somebody said that it cannot go on yet.', ways: ['pawl unblock, when it is settled'] },
    failed: { what: 'It has used up its attempts.', ways: ['pawl logs UNIT/PHASE shows why they failed'] },
    waits: { what: 'It waits for other tasks, which are named.' },
    'for-the-runner': {
      what: 'Its next step is Pawl’s own and nobody can claim it.',
      ways: ['pawl run does it'],
    },
    'asks-person': {
      what: 'A person has to decide on it first.',
      ways: ['pawl checkpoints lists what waits'],
    },
    conflict: {
      what: 'It touches the same files as a task that somebody is at.',
      ways: ['wait for that one', 'beside in the list of tasks says which may be worked on at once'],
    },
    removed: { what: 'The list of tasks no longer has it. What was done for it is left alone.' },
  },
);

/** Why an answer comes too late. */
export const closedQuestions = makeEntries<Extract<Failure, { reason: 'question-closed' }>['why']>(
  {
    follows: 'The answer is not taken: it would be about something else than was shown.',
    ways: ['pawl run asks about what is there now'],
    exitCode: exitCodes.refused,
    page: 'docs/guide/checkpoints.md',
  },
  {
    decided: {
      what: 'Somebody has answered it before. The same answer again is taken as said; another one is not.',
      ways: ['pawl history shows who said what', 'pawl run goes on with it'],
    },
    changed: { what: 'A file has changed since it was shown.' },
    superseded: {
      what: 'What it was about is no longer there, or no longer matters. Should the bytes come back, it waits again.',
    },
    expired: { what: 'It was asked longer ago than the checkpoint’s expires allows.' },
  },
);
