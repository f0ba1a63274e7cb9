import type { PauseReason, QuestionKind } from '../../model/event.ts';
import type { GateStop, Spending, StopReason } from '../../model/reason.ts';
import type { Stop } from '../../runner/outcome.ts';
import { endedWords } from '../phrases/gates.ts';
import { pauseWords } from '../phrases/model-calls.ts';
import { askedWords } from '../phrases/questions.ts';
import { money } from '../style/figures.ts';
import { plain } from '../style/plain.ts';
import { because, count, time } from '../style/words.ts';
import { failureSentence } from './attempt-failures.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

interface StopWords<Why> {
  /** Why the step cannot continue, as it follows its name. */
  words(why: Why): string;
}

/** Why the step cannot continue, as it follows its name. */
export function stopWords(why: Stop['why']): string {
  const entry: StopWords<Stop['why']> = stops[why.code];
  return entry.words(why);
}

/** What keeps a unit from going on although nothing refuses it. */
export const stops = makeEntries<
  Stop['why']['code'],
  { readonly [Code in Stop['why']['code']]: StopWords<Extract<Stop['why'], { code: Code }>> }
>(
  {
    follows: 'The unit stops there. Others go on as far as they can, and the run can be gone on with.',
    ways: ['pawl status shows where every unit stands'],
    exitCode: exitCodes.phaseFailed,
    page: 'docs/reference/manifest.md',
  },
  {
    failed: {
      words: (why) => `failed: ${failureSentence(why.failure, why.facts)}`,
      what: 'The last attempt failed, and this sitting does not try it again.',
      ways: ['pawl logs UNIT/PHASE shows what it said', 'mend the cause; pawl run tries it again'],
    },
    'attempts-used-up': {
      words: (why) =>
        `${count(why.attempts, 'attempt')} failed, as many as retries allows; the last one: ${failureSentence(why.failure, why.facts)}${
          why.asks === undefined ? '' : '; a person has to decide'
        }`,

      what: 'Every attempt that retries grants was used, over every resume, and the last one failed.',
      follows:
        'The unit stops for good until somebody grants more. With retries.then: ask a person is asked (exit code 3), and an approval grants as many again.',
      ways: [
        'pawl logs UNIT/PHASE shows every attempt',
        'raise retries in the manifest, or add --rerun-from and --unit',
      ],
      page: 'docs/guide/checkpoints.md',
    },
    'interruptions-used-up': {
      words: (why) =>
        `interrupted ${count(why.interruptions, 'time')} in a row${paidWords(why)}; a person has to decide whether it is started again`,

      what: 'Its last attempts, as many in a row as retries.interruptions allows, ended without a word, and no step of the run finished in between.',
      follows:
        'A person is asked (exit code 3) before it is started, and may be paid for, once more. Ctrl-C, SIGTERM, --takeover and a reboot do not count.',
      ways: [
        'pawl logs UNIT/PHASE shows every attempt; a step that ends Pawl itself often needs less memory',
        'pawl approve ID continues; pawl reject ID, with --feedback, stops there',
        'raise retries.interruptions in the manifest, or add --rerun-from and --unit',
      ],
      page: 'docs/guide/checkpoints.md',
    },
    'gate-limit': {
      words: (why) => endedWords(why),

      what: 'A gate’s loop has ended without a pass, and the gate says then: stop.',
      ways: [
        'pawl inspect lists the rounds with their scores and defects',
        'grant more rounds (iterations), or add --rerun-from and --unit',
      ],
      page: 'docs/guide/gates.md',
    },
    'gate-asks': {
      words: (why) => `${endedWords(why)}; a person has to decide`,

      what: 'A gate’s loop has ended without a pass, and the gate says then: ask; or the same defect came back in round after round.',
      follows:
        'A person is asked once about the report of the round that stands. An approval takes that round, a rejection sends the unit back with the words given.',
      ways: [
        'pawl checkpoints lists what waits; pawl show has the report',
        'then pawl approve or pawl reject',
      ],
      exitCode: exitCodes.waitsForPerson,
      page: 'docs/guide/gates.md',
    },
    'checkpoint-asks': {
      words: (why) => askedWords(why.asks),

      what: 'The manifest has a checkpoint here: a person has to decide before anything is built on it.',
      follows:
        'The question is on record under a number and asked once. The answer is bound to the bytes that were shown.',
      ways: [
        'pawl checkpoints lists what waits; pawl show has the files',
        'then pawl approve or pawl reject',
      ],
      exitCode: exitCodes.waitsForPerson,
      page: 'docs/guide/checkpoints.md',
    },
    'checkpoint-rejected': {
      words: (why) => `a person rejected it (${plain(why.id)})${because(why.note)}`,

      what: 'A person said no, and there is no phase that could be done again.',
      follows: 'The unit stops there. The word of a person is never asked for twice about the same bytes.',
      ways: [
        'pawl history shows who said no, and why',
        'back_to of the checkpoint names a phase that is done again after a no',
      ],
      page: 'docs/guide/checkpoints.md',
    },
    paused: {
      words: (why) => `${pausedWords(why)}; it can continue from then on`,

      what: 'A provider of a model, or the command or function itself, asked to wait until a certain time.',
      follows:
        'Until then the step is not started, and nothing is asked of that model. A short wait is sat out; with a longer one the run is paused.',
      ways: ['pawl run after that time goes on', 'pawl run --wait waits and goes on by itself'],
      exitCode: exitCodes.paused,
      page: 'docs/guide/models.md',
    },
    blocked: {
      words: (why) => `blocked by ${plain(why.actor)}${because(why.reason)}`,

      what: 'Somebody said with pawl block that the unit cannot go on before something is done about it.',
      follows: 'Nobody is given the unit. Others go on meanwhile.',
      ways: ['do what it waits for, then pawl unblock with a --note'],
      page: 'docs/guide/tasks-and-agents.md',
    },
  },
);

/** Why a gate's loop has ended; a pass has a member of its own only where people look back. */
export const gateStops = makeEntries<GateStop>(
  {
    follows: 'The loop is over. What follows is what the gate’s then says: stop, accept, or ask a person.',
    ways: ['pawl inspect lists the rounds with their scores and defects'],
    page: 'docs/guide/gates.md',
  },
  {
    limit: {
      what: 'Every round that the gate grants (iterations) was used, and none of them was good enough.',
    },
    plateau: { what: 'The best score is so many rounds old (plateau): none of the rounds since was better.' },
    regression: {
      what: 'The score fell by more than the gate allows (regression) below the best one so far.',
    },
    budget: {
      what: 'So much was spent on this unit’s loop (budget, in USD) that no further round is begun.',
      ways: ['raise the gate’s budget in the manifest at any time; pawl run goes on'],
    },
    cluster: {
      what: 'The same defect was found in so many rounds (cluster) that it will not go away by itself.',
      follows: 'A person is asked, whatever the gate’s then says.',
      ways: ['pawl checkpoints lists what waits; pawl show has the report'],
      exitCode: exitCodes.waitsForPerson,
    },
  },
);

/** Why an attempt has to wait. */
export const pauses = makeEntries<PauseReason>(
  {
    follows:
      'The attempt ends with attempt_paused and uses up no attempt. Nothing is asked of that model until the time that the provider named.',
    ways: ['pawl run --wait waits for it', 'pawl status says when it may go on'],
    exitCode: exitCodes.paused,
    page: 'docs/guide/models.md',
  },
  {
    'rate-limited': {
      what: 'The provider takes no more calls at the moment: too many came at a time. Without a time of its own it waits a second, and longer each time.',
      ways: ['limits of the provider in the manifest keep calls below what it takes'],
    },
    quota: {
      what: 'So much was granted by the provider and no more until later. Without a time of its own it waits an hour.',
      ways: ['look at the plan or the credit that you have there', 'pawl run --wait waits for it'],
    },
    overloaded: { what: 'The provider itself has too much to do.' },
    requested: {
      what: 'The command ended with exit code 75, or the function called task.pause. Without a time of its own it waits a minute, and twice as long each time, up to an hour.',
      follows:
        'The attempt ends with attempt_paused and uses up no attempt. The step is started again at that time.',
      ways: ['pawl run --wait waits for it', 'pawl logs UNIT/PHASE shows what it printed'],
      page: 'docs/reference/manifest.md',
    },
  },
);

/** Limits over all units of a run. */
export const limits = makeEntries<Spending['limit']>(
  {
    follows: 'Nothing more is started in the whole run. What is under way is let end.',
    ways: ['raise it in the manifest, or go on with --past-limits and a --reason'],
    exitCode: exitCodes.phaseFailed,
    page: 'docs/reference/manifest.md',
  },
  {
    attempts: { what: 'A phase has used as many attempts in all units together as limits.attempts allows.' },
    consecutive_failures: {
      what: 'So many attempts in a row at one phase, in whatever units, failed or were sent back by a gate.',
    },
    retry_rate: {
      what: 'Too large a share of a phase’s attempts were not the first ones of their unit. Asked once there were enough attempts to tell (after).',
    },
    reject_rate: {
      what: 'Too large a share of a phase’s attempts failed or were sent back by a gate. Asked once there were enough attempts to tell (after).',
    },
    ...makeEntries<Extract<Spending['limit'], `budget_${string}`>>(
      {
        follows:
          'Nothing more is started, and a person is asked once. An approval grants as much again; after a rejection only a larger budget goes on.',
        ways: ['pawl cost shows what was spent on what', 'pawl approve with the number, or raise the budget'],
        exitCode: exitCodes.waitsForPerson,
        page: 'docs/guide/cost.md',
      },
      {
        budget_usd: {
          what: 'Calls of models have cost what the budget of the run or of a phase allows, in USD.',
        },
        budget_tokens: { what: 'Input and output together have come to the tokens that a budget allows.' },
        budget_time: { what: 'All attempts together have taken as long as a budget allows.' },
      },
    ),
  },
);

/** What a person may be asked. */
export const questions = makeEntries<QuestionKind>(
  {
    follows:
      'It is asked once, under a number such as C1. The answer counts for the bytes that were shown and for no others.',
    ways: ['pawl checkpoints lists what waits', 'pawl show, then pawl approve or pawl reject'],
    exitCode: exitCodes.waitsForPerson,
    page: 'docs/guide/checkpoints.md',
  },
  {
    approval: { what: 'A checkpoint of the manifest: is what was made good enough to build on?' },
    gate: {
      what: 'A gate’s loop has ended without a pass: is the round that stands to be taken all the same?',
      page: 'docs/guide/gates.md',
    },
    change: {
      what: 'A declared file or an output that results were made from is another one now: are the results kept, or done again?',
      ways: ['pawl show has the difference', 'pawl approve with --keep, or with --restart-from and a phase'],
    },
    interruptions: {
      what: 'A step was interrupted as often in a row as retries.interruptions allows, and may have been paid each time: is it started again?',
    },
    attempts: {
      what: 'All attempts at a phase were used and the last one failed: are as many granted again?',
    },
    budget: {
      what: 'What may be spent has been: is as much granted again?',
      page: 'docs/guide/cost.md',
    },
  },
);

/** Why a step waits, and until when. */
export function pausedWords({ until, pause, message }: Extract<StopReason, { code: 'paused' }>): string {
  return `paused until ${time(until)} by ${pauseWords(pause)}${because(message)}`;
}

function paidWords({ interruptions, call }: Extract<StopReason, { code: 'interruptions-used-up' }>): string {
  if (call === undefined) return '; each attempt may have been paid';
  const most = call.atStake === undefined ? '' : `, up to ${money(call.atStake)} each time`;
  return `; ${plain(call.model)} was asked ${count(interruptions, 'time')} and may have been paid${most}`;
}
