import type { JsonValue } from '../../base/json.ts';
import { unreachable } from '../../base/result.ts';
import type {
  AnsweredChange,
  Damage,
  Notice,
  RunReason,
  SkipReason,
  StopReason,
} from '../../model/reason.ts';
import { diskWords } from '../phrases/disk.ts';
import { endedWords } from '../phrases/gates.ts';
import { quoted } from '../phrases/hints.ts';
import { doubtWords, pauseWords } from '../phrases/model-calls.ts';
import { askedWords } from '../phrases/questions.ts';
import { shortfallWords, spendingWords } from '../phrases/spending.ts';
import { stepList } from '../phrases/steps.ts';
import { money } from '../style/figures.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, duration, hashChange, list, stepLabel, time } from '../style/words.ts';
import { failureSentence, failureTitle } from './attempt-failures.ts';
import { fileNoticeWords } from './file-notices.ts';
import { completeWords, importedWords } from './page-notices.ts';

function telemetryWords({ why, to, packages = [] }: Extract<Notice, { code: 'telemetry-failed' }>): string {
  const at = plain(to);
  if (why === 'packages-missing')
    return `no telemetry is sent to ${at} without these packages: npm install ${packages.map(quoted).join(' ')}`;
  const causes: Readonly<Record<typeof why, string>> = {
    'variable-unusable': `${at} cannot be used`,
    unreachable: `no connection to ${at}`,
    'timed-out': `${at} did not answer in time`,
    'http-status': `${at} answered with an error`,
    refused: `${at} refused a part of it`,
    'queue-full': `${at} receives it too slowly`,
    broken: `OpenTelemetry's packages failed`,
  };
  return `telemetry is incomplete (${causes[why]}); the run itself is not affected`;
}

/** Why a cell runs, as it follows `because` or stands in brackets. */
export function reasonWords(why: RunReason, style: Style): string {
  switch (why.code) {
    case 'never-ran':
      return 'never ran';
    case 'interrupted':
      return `attempt ${why.attempt} was cut off${why.call === undefined ? '' : `: ${doubtWords(why.call)}`}`;
    case 'released':
      return `attempt ${why.attempt} was released`;
    case 'waited':
      return `attempt ${why.attempt} was paused by ${pauseWords(why.pause)}, and may continue now`;
    case 'failed-before':
      return `attempt ${why.attempt} failed: ${failureTitle(why.failure)}`;
    case 'gate-failed':
      return `round ${why.iteration}: ${plain(why.gate)} says ${plain(why.verdict)}`;
    case 'input-changed':
      return `input ${plain(why.input)} changed (${hashChange(why.before, why.after, style)})`;
    case 'output-missing':
      return `${plain(why.path)} is missing`;
    case 'output-damaged':
      return `${plain(why.path)} is damaged: ${damageWords(why.damage)}`;
    case 'rerun-requested':
      return `asked for again${because(why.reason)}`;
    case 'prompt-changed':
      return `${plain(why.change ?? 'its prompt')} changed${answeredWords(why)}`;
    case 'chain-cascade':
      return 'a unit before it committed another state';
    case 'definition-changed':
      return `the definition of the phase changed${answeredWords(why)}`;
    case 'code-changed':
      return `the code of the phase changed${answeredWords(why)}`;
    case 'told-of-another':
      return `${plain(why.actor)} has done another task of this id; the list was made again since`;
    case 'unit-changed':
      return `${unitPartWords(why.change)} changed${ownFileHashes(why, style)}${answeredWords(why)}`;
    case 'file-changed':
      return `file ${plain(why.file)} changed${changeInBrackets(why, style)}${answeredWords(why)}`;
    case 'rejected':
      return `rejected (${plain(why.checkpoint)})${because(why.feedback)}`;
    case 'revision-requested':
      return `${plain(why.by)} asks for it to be done again${because(why.reason)}`;
    case 'pre-state-changed':
      return `the state that it started from changed${changeInBrackets(why, style)}${answeredWords(why)}`;
    default:
      return unreachable(why);
  }
}

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

/** The same for many cells at once, as it follows `run again:`; undefined for what runs as a matter of course. */
export function againReason(why: RunReason): string | undefined {
  switch (why.code) {
    case 'never-ran':
    case 'gate-failed':
      return undefined;
    case 'interrupted':
      return 'cut off before';
    case 'told-of-another':
      return 'another task of the same id was done';
    case 'released':
      return 'released before';
    case 'waited':
      return 'was paused before';
    case 'failed-before':
      return 'failed before';
    case 'input-changed':
      return `input ${plain(why.input)} changed`;
    case 'output-missing':
      return `output ${plain(why.output)} is missing`;
    case 'output-damaged':
      return `output ${plain(why.output)} is damaged`;
    case 'rerun-requested':
      return 'asked for again';
    case 'prompt-changed':
      return `${plain(why.change ?? 'the prompt')} changed`;
    case 'chain-cascade':
      return 'a unit before committed another state';
    case 'definition-changed':
      return 'the definition of the phase changed';
    case 'unit-changed':
      return `${unitPartWords(why.change)} changed`;
    case 'code-changed':
      return 'the code of the phase changed';
    case 'file-changed':
      return `file ${plain(why.file)} changed`;
    case 'rejected':
      return 'rejected';
    case 'revision-requested':
      return `${plain(why.by)} asks for it`;
    case 'pre-state-changed':
      return 'the state at its start changed';
    default:
      return unreachable(why);
  }
}

/** Why a cell need not run, as it follows a colon. */
export function skipWords(why: SkipReason): string {
  switch (why.code) {
    case 'gate-not-failed':
      return 'it is only needed when the gate says so';
    case 'told-skipped':
      return `${plain(why.actor)} left it out${because(why.note)}`;
    case 'consumers-by-hand':
      return 'all that would be made from it was put there by hand';
    default:
      return unreachable(why);
  }
}

/** Why a cell cannot go on, as it follows the cell's name. */
export function stopWords(why: StopReason): string {
  switch (why.code) {
    case 'attempts-used-up':
      return `${count(why.attempts, 'attempt')} failed, as many as retries allows; the last one: ${failureSentence(why.failure, why.facts)}${
        why.asks === undefined ? '' : '; a person has to decide'
      }`;
    case 'interruptions-used-up':
      return `interrupted ${count(why.interruptions, 'time')} in a row${paidWords(why)}; a person has to decide whether it is started again`;
    case 'gate-limit':
      return endedWords(why);
    case 'gate-asks':
      return `${endedWords(why)}; a person has to decide`;
    case 'checkpoint-asks':
      return askedWords(why.asks);
    case 'checkpoint-rejected':
      return `a person rejected it (${plain(why.id)})${because(why.note)}`;
    case 'paused':
      return `${pausedWords(why)}; it can continue from then on`;
    case 'blocked':
      return `blocked by ${plain(why.actor)}${because(why.reason)}`;
    default:
      return unreachable(why);
  }
}

/** Why a step waits, and until when. */
export function pausedWords({ until, pause, message }: Extract<StopReason, { code: 'paused' }>): string {
  return `paused until ${time(until)} by ${pauseWords(pause)}${because(message)}`;
}

function paidWords({ interruptions, call }: Extract<StopReason, { code: 'interruptions-used-up' }>): string {
  if (call === undefined) return '; each attempt may have been paid';
  const most = call.atStake === undefined ? '' : `, up to ${money(call.atStake)} each time`;
  return `; ${plain(call.model)} was asked ${count(interruptions, 'time')} and may have been paid${most}`;
}

export function noticeWords(notice: Notice, style: Style): string {
  switch (notice.code) {
    case 'start-state-stale':
      return `${plain(notice.unit)} started from another state than the chain has now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`;
    case 'gate-accepted':
      return `${stepLabel(notice.unit, notice.phase)}: ${endedWords(notice)}; accepted by ${notice.by === 'manifest' ? 'the manifest' : 'a person'}`;
    case 'input-stale':
      return `${stepLabel(notice.unit, notice.phase)} was made from another ${plain(notice.input)} than there is now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`;
    case 'edit-holds':
      return `${plain(notice.path)}, an output of ${stepLabel(notice.unit, notice.phase)}, was edited; what depends on it waits. pawl plan shows the options`;
    case 'file-unknown':
    case 'import-rejected':
    case 'outputs-adopted':
    case 'files-without-unit':
    case 'files-unlisted':
    case 'files-replaced':
    case 'files-written':
      return fileNoticeWords(notice);
    case 'imported':
      return importedWords(notice);
    case 'projection-failed':
      return `${plain(notice.path)} could not be written (${diskWords(notice.error)}: ${plain(notice.error)}); the next run writes it again`;
    case 'page-complete':
      return completeWords(notice);
    case 'pages-alike':
      return `${plain(notice.path)} and ${plain(notice.other)} say the same; the first is used`;
    case 'brief-aside':
      return `${plain(notice.path)} was left alone (${asideWords(notice.why)}); the brief lies in the run's own folder`;
    case 'brief-imported': {
      const { authored, history } = notice;
      const parts = [
        ...(authored.length === 0 ? [] : [`what people wrote (${list(authored.map(plain))})`]),
        ...(history.length === 0 ? [] : [`history (${list(history.map(plain))})`]),
      ];
      return `Imported ${parts.join(' and ')} from ${plain(notice.path)}. The original is at ${plain(notice.backup)}`;
    }
    case 'box-ticked':
      return `${plain(notice.path)}: "${plain(notice.name)}" was ticked by hand, which decides nothing; pawl approve does`;
    case 'telemetry-failed':
      return telemetryWords(notice);
    case 'budget-near':
      return `${spendingWords(notice)}; a person is asked when it is used up`;
    case 'budget-short':
      return shortfallWords(notice);
    case 'changed-outside':
      return outsideWords(notice);
    case 'started-fresh':
      return `run ${plain(notice.run)} is ${plain(notice.status)} and never gone on with${because(notice.reason)}; this one starts fresh${notice.notes === undefined ? '' : `; its notes are in ${plain(notice.notes)}`}`;
    case 'value-changed':
      return valueWords(notice);
    case 'own-file-hidden':
      return hiddenFileWords(notice);
    case 'agent-means-task':
      return `${notice.phases.length === 1 ? 'phase' : 'phases'} ${list(notice.phases.map(plain), phasesMax)}: write run: { task: ROLE } in place of run: { agent: ROLE }; both mean the same`;
    case 'code-kept':
      return codeKeptWords(notice);
    case 'templates-changed':
      return templatesWords(notice);
    case 'unit-removed':
      return `${plain(notice.unit)} is not in the pipeline any more; its files are left alone`;
    default:
      return unreachable(notice);
  }
}

function hiddenFileWords({ by, phase }: Extract<Notice, { code: 'own-file-hidden' }>): string {
  return by === 'input'
    ? `phase ${plain(phase)} has another input called file, so it does not take the file of its unit; to take both: inputs: { source: unit.file, … }`
    : `units have a field called file, so in prompts of phase ${plain(phase)} unit.file is that field; their own file is inputs.file there`;
}

function valueWords({ path, before, after }: Extract<Notice, { readonly code: 'value-changed' }>): string {
  return `${plain(path)} changed from ${settingWords(path, before)} to ${settingWords(path, after)}; no result depends on it`;
}

function outsideWords({ changes, steps }: Extract<Notice, { readonly code: 'changed-outside' }>): string {
  const names = list(changes.map(plain), changesMax);
  return `${count(changes.length, 'change')} outside the selection (${count(steps, 'step')}): ${names}; a run of those steps refuses or asks`;
}

const changesMax = 5;
const phasesMax = 5;

/** Durations of `pace` are kept in milliseconds. */
function settingWords(path: string, value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const isDuration = path.startsWith('pace.') && path !== 'pace.concurrency' && typeof value === 'number';
  return isDuration ? duration(value) : plain(JSON.stringify(value));
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

function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${clip(plain(reason), 120, '...')}`;
}

/** Why a file of somebody else's is not written into. */
export function asideWords(why: string): string {
  return why === 'needs-migration'
    ? 'it holds a document of version 1: pawl brief migrate shows what would become of it'
    : plain(why.replaceAll('-', ' '));
}

function codeKeptWords({ phase, paths, results }: Extract<Notice, { code: 'code-kept' }>): string {
  const files = paths.slice(0, 3).map(plain).join(', ');
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `code of phase ${plain(phase)} changed since ${count(results, 'result')} ${results === 1 ? 'was' : 'were'} made: ${files}${more}; kept as outdated`;
}

function templatesWords({
  paths,
  of,
  sinceStart,
  steps,
}: Extract<Notice, { code: 'templates-changed' }>): string {
  const since = sinceStart ? 'since this run began' : 'since this run was resumed last';
  const changed = `${paths.length} of ${count(of, 'template')} changed ${since}: ${list(paths.map(plain))}`;
  return `${changed}; used by ${count(steps.length, 'step')} without a result: ${stepList(steps)}`;
}
