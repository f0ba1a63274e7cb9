import { unreachable } from '../../base/result.ts';
import type { AnsweredChange, AttemptReason, Damage, RunReason, SkipReason } from '../../model/reason.ts';
import { doubtWords, pauseWords } from '../phrases/model-calls.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { because, hashChange } from '../style/words.ts';
import { failureTitle } from './attempt-failures.ts';
import { makeEntries } from './entry.ts';

interface ReasonWords<Reason> {
  /** As it follows `because` or stands in brackets. */
  words(why: Reason, style: Style): string;
  /** The same for many steps at once, as it follows `run again:`; absent for what runs as a matter of course. */
  again?(why: Reason): string;
}

interface SkipWords<Reason> {
  /** As it follows a colon. */
  words(why: Reason): string;
}

/** Why a step runs, as it follows `because` or stands in brackets. */
export function reasonWords(why: RunReason, style: Style): string {
  const entry: ReasonWords<RunReason> = runReasons[why.code];
  return entry.words(why, style);
}

/** Why many steps run again, as it follows `run again:`; undefined for what runs as a matter of course. */
export function againReason(why: RunReason): string | undefined {
  const entry: ReasonWords<RunReason> = runReasons[why.code];
  return entry.again?.(why);
}

/** Why a step need not run, as it follows a colon. */
export function skipWords(why: SkipReason): string {
  const entry: SkipWords<SkipReason> = skips[why.code];
  return entry.words(why);
}

/** Why an attempt was started, as it follows a colon. The present tense of a plan becomes the past here. */
export function attemptReasonWords(why: AttemptReason, style: Style): string {
  switch (why.code) {
    case 'not-recorded':
      return 'reason not recorded (by an older version of Pawl)';
    case 'other-version':
      return `reason of another version of Pawl: ${clip(plain(JSON.stringify(why.recorded)), 200, '...')}`;
    case 'never-ran':
      return 'first attempt';
    case 'waited':
      // Not that the wait was over, because --past-limits ends one early.
      return `attempt ${why.attempt} was paused by ${pauseWords(why.pause)}`;
    case 'rerun-requested':
      return `re-run requested${because(why.reason)}`;
    default:
      return reasonWords(why, style);
  }
}

/** The same where an attempt has a line of its own; undefined where it would say nothing new. */
export function tellingReason(why: AttemptReason | undefined, style: Style): string | undefined {
  const isPlain = why === undefined || why.code === 'never-ran' || why.code === 'not-recorded';
  return isPlain ? undefined : attemptReasonWords(why, style);
}

/** Why a phase runs. */
export const runReasons = makeEntries<
  RunReason['code'],
  { readonly [Code in RunReason['code']]: ReasonWords<Extract<RunReason, { code: Code }>> }
>(
  {
    follows:
      'The phase runs with the next pawl run. What depends on it runs again only if other bytes come out.',
    ways: ['pawl why UNIT/PHASE names every part that the result was made from'],
    page: 'docs/reference/changes.md',
  },
  {
    'never-ran': {
      words: () => 'never ran',

      what: 'No attempt at this phase of this unit was ever recorded, or none in this round of a gate’s loop.',
      follows: 'It runs as soon as everything that it needs is done.',
      ways: ['pawl plan shows all that would run, and in which units'],
    },
    'told-of-another': {
      words: (why) => `${plain(why.actor)} has done another task of this id; the list was made again since`,
      again: () => 'another task of the same id was done',

      what: 'The log of another tool says that a unit of this id is done. The list of units was made again after the run was taken over, and this is another task now.',
      follows: 'The task runs. What the log says of the other task stays in the log.',
      ways: ['pawl why UNIT/PHASE names the actor of the log'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    released: {
      words: (why) => `attempt ${why.attempt} was released`,
      again: () => 'released before',

      what: 'The agent that had claimed it released the claim before it was done.',
      follows: 'It can be claimed again, under the next number. It does not count as a failure.',
      ways: ['pawl next hands it out'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    interrupted: {
      words: (why) =>
        `attempt ${why.attempt} was cut off${why.call === undefined ? '' : `: ${doubtWords(why.call)}`}`,
      again: () => 'cut off before',

      what: 'An attempt was recorded as started and never ended: whoever ran it was killed, or lost power. What it did, and what it paid, is in doubt.',
      follows:
        'What is left of its processes is ended, and it is tried again under the next number. An answer of a model that had arrived whole is taken over and not paid for again.',
      ways: [
        'pawl logs UNIT/PHASE shows what it left behind',
        'on_interrupt in the manifest: rerun, continue from what was left, or ask somebody first',
      ],
      page: 'docs/reference/manifest.md',
    },
    waited: {
      words: (why) => `attempt ${why.attempt} was paused by ${pauseWords(why.pause)}, and may continue now`,
      again: () => 'was paused before',

      what: 'A provider of a model, or the step itself, had asked to wait, and the time has come.',
      follows: 'It is tried again. The wait has used up no attempt.',
      ways: ['pawl run --wait waits for such times by itself'],
      page: 'docs/guide/models.md',
    },
    'failed-before': {
      words: (why) => `attempt ${why.attempt} failed: ${failureTitle(why.failure)}`,
      again: () => 'failed before',

      what: 'The last attempt failed, and the manifest grants another one.',
      follows:
        'It is tried again, after a pause in the same sitting or with the next pawl run. Attempts are counted over every resume.',
      ways: [
        'pawl logs UNIT/PHASE shows why it failed',
        'retries in the manifest says how often it is tried',
      ],
      page: 'docs/reference/manifest.md',
    },
    'gate-failed': {
      words: (why) => `round ${why.iteration}: ${plain(why.gate)} says ${plain(why.verdict)}`,

      what: 'The gate found the round before not good enough and sent the unit back to this phase.',
      follows: 'The phase runs in the next round, with the report as its input where it takes it.',
      ways: ['pawl inspect lists the rounds with their scores and defects'],
      page: 'docs/guide/gates.md',
    },
    'input-changed': {
      words: (why, style) =>
        `input ${plain(why.input)} changed (${hashChange(why.before, why.after, style)})`,
      again: (why) => `input ${plain(why.input)} changed`,

      what: 'An output of another phase, from which the result was made, has other bytes now.',
      ways: [
        'pawl diff UNIT/PHASE shows what changed',
        'pawl why UNIT/PHASE names the input with both hashes',
      ],
    },
    'output-missing': {
      words: (why) => `${plain(why.path)} is missing`,
      again: (why) => `output ${plain(why.output)} is missing`,

      what: 'A declared output of a phase that was done is not on disk any more.',
      ways: ['--restore puts the recorded bytes back instead of making them again'],
    },
    'output-damaged': {
      words: (why) => `${plain(why.path)} is damaged: ${damageWords(why.damage)}`,
      again: (why) => `output ${plain(why.output)} is damaged`,

      what: 'A declared output is there and cannot be right: it is no file, its check fails, or it is a copy of another cell’s output.',
      follows: 'The file is moved to the folder aside of the run, and the phase runs again.',
      ways: ['to have the recorded bytes back: move the file away and add --restore'],
    },
    'rerun-requested': {
      words: (why) => `asked for again${because(why.reason)}`,
      again: () => 'asked for again',

      what: 'Somebody asked for it with --rerun-from or --rerun-all.',
      follows:
        'The results are superseded: no longer used, and nothing of them is deleted. The phase runs again.',
      ways: ['--unit narrows a rerun to some units', 'pawl inspect still lists the attempts before'],
    },
    'prompt-changed': {
      words: (why) => `${plain(why.change ?? 'its prompt')} changed${answeredWords(why)}`,
      again: (why) => `${plain(why.change ?? 'the prompt')} changed`,

      what: 'A template of its prompt changed, and the answer was to re-run: by an option (--rerun-changed, --resume-allow-prompt-change) or by a policy (on_change).',
      follows: 'The phase runs again with the new prompt. Both hashes and the reason given are on record.',
      ways: ['pawl prompt UNIT/PHASE --diff shows how the prompt differs from the one sent last'],
      page: 'docs/guide/prompts.md',
    },
    'chain-cascade': {
      words: () => 'a unit before it committed another state',
      again: () => 'a unit before committed another state',

      what: 'A unit before it in the chain has committed another state, and the manifest says state.cascade: rerun.',
      follows: 'The unit runs again from the new state, and so do those after it.',
      ways: ['cascade: keep leaves later units as they are and shows them as outdated'],
      page: 'docs/reference/manifest.md',
    },
    'definition-changed': {
      words: (why) => `the definition of the phase changed${answeredWords(why)}`,
      again: () => 'the definition of the phase changed',

      what: 'The definition of the phase changed, and the answer was to re-run: by an option (--rerun-changed, --force) or by a policy (on_change).',
      follows: 'With --force it runs again in units that were not finished; finished units are kept.',
    },
    'unit-changed': {
      words: (why, style) =>
        `${unitPartWords(why.change)} changed${ownFileHashes(why, style)}${answeredWords(why)}`,
      again: (why) => `${unitPartWords(why.change)} changed`,

      what: 'The fields of the unit, or its own file, changed, and the answer was to re-run: by a policy (on_change) or by an option (--rerun-changed, --force).',
      follows: 'What was made from the old ones runs again; with --force finished units are kept.',
    },
    'code-changed': {
      words: (why) => `the code of the phase changed${answeredWords(why)}`,
      again: () => 'the code of the phase changed',

      what: 'The code of the phase changed, and the answer was to re-run: by a policy (code) or by an option (--rerun-changed).',
      ways: ['code in the manifest: rerun, refuse, keep, ask or ignore'],
    },
    'file-changed': {
      words: (why, style) =>
        `file ${plain(why.file)} changed${changeInBrackets(why, style)}${answeredWords(why)}`,
      again: (why) => `file ${plain(why.file)} changed`,

      what: 'A declared file changed, and the answer was to re-run: by a policy (on_change) or by an option (--rerun-changed).',
      ways: [
        'pawl diff shows how the file differs',
        'on_change in the manifest: refuse, ask, rerun, keep or ignore',
      ],
    },
    rejected: {
      words: (why) => `rejected (${plain(why.checkpoint)})${because(why.feedback)}`,
      again: () => 'rejected',

      what: 'A person said no to what was made, and what has to be otherwise.',
      follows:
        'The phase that the rejection sends back to runs again with the feedback as an input, and is asked about again, also if the bytes are the same.',
      ways: ['pawl history shows who said what, and when'],
      page: 'docs/guide/checkpoints.md',
    },
    'revision-requested': {
      words: (why) => `${plain(why.by)} asks for it to be done again${because(why.reason)}`,
      again: (why) => `${plain(why.by)} asks for it`,

      what: 'A later phase of the unit found that this one has to be done again, and said why.',
      follows: 'It runs again with that reason as feedback; then the later phase gets its turn.',
      ways: ['revises in the manifest says which phases may ask for it'],
      page: 'docs/guide/checkpoints.md',
    },
    'pre-state-changed': {
      words: (why, style) =>
        `the state that it started from changed${changeInBrackets(why, style)}${answeredWords(why)}`,
      again: () => 'the state at its start changed',

      what: 'The state that it started from was edited by hand, and the edit was adopted.',
      follows: 'It runs again from the adopted state.',
      ways: ['pawl diff shows how the state differs'],
    },
  },
);

/** Why a phase need not run. */
export const skips = makeEntries<
  SkipReason['code'],
  { readonly [Code in SkipReason['code']]: SkipWords<Extract<SkipReason, { code: Code }>> }
>(
  {
    follows: 'The phase is skipped, and whatever needs it goes on without it.',
    ways: ['pawl why UNIT/PHASE says which of the reasons it is'],
    page: 'docs/guide/gates.md',
  },
  {
    'gate-not-failed': {
      words: () => 'it is only needed when the gate says so',

      what: 'The phase says when: gate-failed, and no gate has sent the unit back.',
      follows: 'The phase is skipped in the first round. It runs from the second one on.',
    },
    'told-skipped': {
      words: (why) => `${plain(why.actor)} left it out${because(why.note)}`,

      what: 'The log of another tool says that this unit was left out on purpose.',
      follows: 'The unit is skipped, and what needs it goes ahead without it.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'consumers-by-hand': {
      words: () => 'all that would be made from it was put there by hand',

      what: 'Whatever would be made from this phase was put there by hand and taken in: nothing wants its outputs any more.',
      follows: 'The phase is skipped. It runs when a file that was put there is gone.',
      page: 'docs/reference/changes.md',
    },
  },
);

/** Who answered a change, as it follows the change. */
function answeredWords({ policy, reason }: Partial<Pick<AnsweredChange, 'policy' | 'reason'>>): string {
  if (policy === 'manifest') return ' (on_change: rerun)';
  return policy === 'default' ? '' : because(reason);
}

function unitPartWords(change: string | undefined): string {
  return isOfFields(change) ? "the unit's own fields" : `file ${plain(change ?? '')}`;
}

/** Hashes of fields say nothing to a person; those of a file do. */
function ownFileHashes(why: AnsweredChange, style: Style): string {
  return isOfFields(why.change) ? '' : changeInBrackets(why, style);
}

/** The unit's own file changed, and not its fields. */
export function isOfOwnFile(why: RunReason): boolean {
  return why.code === 'unit-changed' && !isOfFields(why.change);
}

function isOfFields(change: string | undefined): boolean {
  return change === undefined || change.startsWith('units.');
}

function changeInBrackets({ before, after }: Pick<AnsweredChange, 'before' | 'after'>, style: Style): string {
  return before === undefined && after === undefined ? '' : ` (${hashChange(before, after, style)})`;
}

export function damageWords(damage: Damage): string {
  switch (damage.kind) {
    case 'not-a-file':
      return 'it is not a file';
    case 'check-failed':
      return `its check ${plain(damage.check)} fails (${plain(damage.detail)})`;
    case 'copy-of':
      return `it is a copy of the output of ${plain(damage.cell)}`;
    default:
      return unreachable(damage);
  }
}
