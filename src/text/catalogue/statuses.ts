import type { RunStatus, StepStatus } from '../../model/status.ts';
import type { RunEnd } from '../phrases/outcome.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

/** Where one phase of one unit stands. */
export const stepStatuses = makeEntries<StepStatus>(
  {
    follows:
      'It is worked out from the journal and the files each time that somebody looks, and stored nowhere.',
    ways: ['pawl why UNIT/PHASE says why it stands so'],
    page: 'docs/reference/words.md',
  },
  {
    pending: { what: 'Something that it needs is not done yet.' },
    ready: { what: 'It could be started now.', ways: ['pawl run starts it; of work for agents, pawl next'] },
    running: { what: 'An attempt is under way and its holder is alive, or somebody has claimed it.' },
    succeeded: {
      what: 'An attempt was recorded, its outputs are proven, and what it was made from is still true.',
    },
    outdated: {
      what: 'Its result is kept although what it was made from changed.',
      follows:
        'It counts as done for the steps that need it, and is listed until it runs again or the change is undone.',
      ways: [
        'pawl why UNIT/PHASE lists what changed',
        're-run it: add --rerun-from with the phase, and --unit with the unit',
      ],
    },
    failed: {
      what: 'The last attempt failed, or its attempts or rounds are used up.',
      ways: ['pawl logs UNIT/PHASE shows why'],
    },
    blocked: {
      what: 'It cannot go on before somebody does something other than decide: a guard refuses it, or somebody has blocked the unit.',
      ways: ['pawl why UNIT/PHASE says which of the two', 'pawl unblock, when it is settled'],
    },
    waiting_human: { what: 'A person has to decide.', ways: ['pawl checkpoints lists what waits'] },
    paused: {
      what: 'A provider, or the step itself, asked to wait; it may continue by itself at a later time.',
      ways: ['pawl run --wait waits for it'],
    },
    interrupted: {
      what: 'An attempt was recorded as started and its holder is gone: nobody knows what came of it.',
      follows: 'The next run makes it again, goes on from what was left, or asks, as on_interrupt says.',
      ways: ['pawl logs UNIT/PHASE shows what it left behind'],
    },
    skipped: {
      what: 'It need not run: no gate has sent the unit back, or everything that would take it was put there by hand.',
    },
  },
);

/** Where a run stands. */
export const runStatuses = makeEntries<RunStatus>(
  {
    follows: 'pawl run goes on with it where it stopped. Nothing finished is done again without a reason.',
    ways: ['pawl status shows where every unit stands', 'pawl run goes on'],
    page: 'docs/reference/words.md',
  },
  {
    running: {
      what: 'A living process is at it.',
      follows:
        'Nobody else can work on it meanwhile, but for tasks that are claimed and questions that are answered.',
      ways: ['pawl status shows who holds it'],
    },
    waiting_human: {
      what: 'It stopped because a person has to decide.',
      ways: ['pawl checkpoints lists what waits', 'pawl approve or pawl reject, then pawl run'],
      exitCode: exitCodes.waitsForPerson,
    },
    paused: {
      what: 'It may continue later by itself: a provider or a step asked to wait, or what is left is for agents.',
      ways: ['pawl status says when', 'pawl run --wait waits for such times; pawl next hands out tasks'],
      exitCode: exitCodes.paused,
    },
    stopped: {
      what: 'A phase failed, a guard refused on the way, a limit was reached, or a person interrupted it.',
      ways: ['pawl status shows what stopped it', 'mend that, then pawl run'],
      exitCode: exitCodes.phaseFailed,
    },
    interrupted: {
      what: 'Its holder is gone without a word: it was killed, or the power went.',
      follows:
        'The next run takes it over, ends what is left of its processes, and makes again at most what was under way.',
    },
    completed: {
      what: 'Every phase of every unit was proven done.',
      follows: 'pawl run proves it again, and reopens it, on record, where something is no longer true.',
      ways: ['pawl verify proves every byte of it', 'add --fresh to start over beside it'],
      exitCode: exitCodes.done,
    },
    failed: {
      what: 'The run was recorded as failed for good.',
      follows: 'It is never resumed or reopened. The next pawl run starts fresh and says so.',
      ways: ['pawl inspect with its id shows what it has done'],
    },
    cancelled: {
      what: 'A person ended the run for good, with pawl cancel or pawl reset.',
      follows: 'It is never resumed or reopened. The next pawl run starts fresh and says so.',
      ways: ['pawl inspect with its id shows what it has done'],
    },
  },
);

/** How one call of run or resume ended: the `reason` of --json, and what decides the exit code. */
export const runEnds = makeEntries<RunEnd>(
  {
    follows: 'What was done is on record, and the next pawl run goes on from there.',
    ways: ['pawl status shows where every unit stands'],
    page: 'docs/reference/exit-codes.md',
  },
  {
    done: {
      what: 'Nothing is left to do, and everything is proven; of a selection, every selected step is done.',
      exitCode: exitCodes.done,
    },
    interrupted: {
      what: `A signal ended it: Ctrl-C (${exitCodes.interrupted}), a request to end (${exitCodes.terminated}), or a closed terminal (${exitCodes.hungUp}). What was under way ended, or was ended and recorded.`,
      exitCode: exitCodes.interrupted,
    },
    refused: {
      what: 'A guard refused, before anything was started or on the way.',
      ways: ['pawl diff shows what changed'],
      exitCode: exitCodes.refused,
      page: 'docs/reference/changes.md',
    },
    'phase-failed': {
      what: 'A phase failed, its attempts or rounds are used up, or a limit was reached.',
      ways: ['pawl logs UNIT/PHASE shows why', 'mend the cause, then pawl run'],
      exitCode: exitCodes.phaseFailed,
    },
    'waits-for-person': {
      what: 'What is left waits for a person’s decision.',
      ways: ['pawl checkpoints lists what waits'],
      exitCode: exitCodes.waitsForPerson,
      page: 'docs/guide/checkpoints.md',
    },
    'spending-limit': {
      what: 'The call of pawl run has spent what --max-usd allows. Nothing more was started; nobody is asked.',
      ways: [
        'pawl run goes on, with a limit of its own or without one',
        'pawl cost shows what was spent on what',
      ],
      exitCode: exitCodes.waitsForPerson,
      page: 'docs/guide/run-a-part.md',
    },
    paused: {
      what: 'What is left waits for a time that a provider or a step named, or for agents.',
      ways: ['pawl run --wait waits for such times', 'pawl next hands out tasks'],
      exitCode: exitCodes.paused,
    },
  },
);
