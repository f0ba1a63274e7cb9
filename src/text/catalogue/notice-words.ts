import type { JsonValue } from '../../base/json.ts';
import type { FileNotice } from '../../model/notice-details.ts';
import type { Notice } from '../../model/reason.ts';
import { quoted } from '../phrases/hints.ts';
import { stepList } from '../phrases/steps.ts';
import { plain } from '../style/plain.ts';
import { count, duration, list, stepLabel } from '../style/words.ts';

/* Sentences of notices that need more than one line. */

export function telemetryWords({
  why,
  to,
  packages = [],
}: Extract<Notice, { code: 'telemetry-failed' }>): string {
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

export function hiddenFileWords({ by, phase }: Extract<Notice, { code: 'own-file-hidden' }>): string {
  return by === 'input'
    ? `phase ${plain(phase)} has another input called file, so it does not take the file of its unit; to take both: inputs: { source: unit.file, … }`
    : `units have a field called file, so in prompts of phase ${plain(phase)} unit.file is that field; their own file is inputs.file there`;
}

export function valueWords({
  path,
  before,
  after,
}: Extract<Notice, { readonly code: 'value-changed' }>): string {
  return `${plain(path)} changed from ${settingWords(path, before)} to ${settingWords(path, after)}; no result depends on it`;
}

export function outsideWords({
  changes,
  steps,
}: Extract<Notice, { readonly code: 'changed-outside' }>): string {
  const names = list(changes.map(plain), changesMax);
  return `${count(changes.length, 'change')} outside the selection (${count(steps, 'step')}): ${names}; a run of those steps refuses or asks`;
}

const changesMax = 5;
export const phasesMax = 5;

/** Durations of `pace` are kept in milliseconds. */
function settingWords(path: string, value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const isDuration = path.startsWith('pace.') && path !== 'pace.concurrency' && typeof value === 'number';
  return isDuration ? duration(value) : plain(JSON.stringify(value));
}

/** Why a file of the user is not written to. */
export function asideWords(why: string): string {
  return why === 'needs-migration'
    ? 'it holds a document of version 1: pawl brief migrate shows what would become of it'
    : plain(why.replaceAll('-', ' '));
}

export function codeKeptWords({ phase, paths, results }: Extract<Notice, { code: 'code-kept' }>): string {
  const files = paths.slice(0, 3).map(plain).join(', ');
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `code of phase ${plain(phase)} changed since ${count(results, 'result')} ${results === 1 ? 'was' : 'were'} made: ${files}${more}; kept as outdated`;
}

export function templatesWords({
  paths,
  of,
  sinceStart,
  steps,
}: Extract<Notice, { code: 'templates-changed' }>): string {
  const since = sinceStart ? 'since this run began' : 'since this run was resumed last';
  const changed = `${paths.length} of ${count(of, 'template')} changed ${since}: ${list(paths.map(plain))}`;
  return `${changed}; used by ${count(steps.length, 'step')} without a result: ${stepList(steps)}`;
}

/* Files at output paths that no attempt of the run made there. */

export function inTheWayWords(notice: Extract<FileNotice, { code: 'file-unknown' }>): string {
  const step = stepLabel(notice.unit, notice.phase);
  return notice.newRun || notice.hasResult
    ? `${plain(notice.path)} exists; ${step} moves it to aside/ when it runs`
    : `${plain(notice.path)} exists but was not made by this run; keep it with pawl adopt, or ${step} moves it to aside/ when it runs`;
}

export function rejectedFileWords(notice: Extract<FileNotice, { code: 'import-rejected' }>): string {
  const { unit, phase, path, check, detail } = notice;
  return `${plain(path)} of ${stepLabel(unit, phase)} fails its check ${plain(check)}: ${plain(detail)}; another tool's log is past it, and pawl run refuses before a person has chosen to keep or to replace it`;
}

export function adoptedWords(notice: Extract<FileNotice, { code: 'outputs-adopted' }>): string {
  const { unchecked } = notice;
  const adopted = `${count(notice.paths.length, 'existing file')} adopted as outputs of ${count(notice.steps, 'step')}`;
  if (unchecked === undefined) return adopted;
  const passes = unchecked === 1 ? 'passes' : 'pass';
  return `${adopted}, if ${count(unchecked, 'check')} by a command or function ${passes} at the run`;
}

export function strayWords({ paths }: { readonly paths: readonly string[] }): string {
  const [are, match, belong] = paths.length === 1 ? ['is', 'matches', 'belongs'] : ['are', 'match', 'belong'];
  return `${firstNames(paths)} ${match} the path of an output and ${belong} to no unit; ${are} left alone`;
}

export function unlistedWords({ paths }: { readonly paths: readonly string[] }): string {
  return paths.length === 1
    ? `${firstNames(paths)} matches the path of an output; if its unit is listed, its step moves it to aside/`
    : `${firstNames(paths)} match the path of an output; if their units are listed, their steps move them to aside/`;
}

export function replacedWords({ paths }: { readonly paths: readonly string[] }): string {
  return paths.length === 1
    ? `${firstNames(paths)} is not of this run, and Pawl writes a file there; the run moves it to aside/`
    : `${firstNames(paths)} are not of this run, and Pawl writes files there; the run moves them to aside/`;
}

const firstNamesMax = 3;

function firstNames(paths: readonly string[]): string {
  const first = paths.slice(0, firstNamesMax).map(plain);
  const rest = paths.length - first.length;
  return rest > 0 ? `${first.join(', ')} and ${rest} more` : list(first);
}

export function writtenWords({
  run,
  phase,
  paths,
}: Extract<FileNotice, { readonly code: 'files-written' }>): string {
  const writer = run === undefined ? `phase ${plain(phase ?? '')} of this run` : `run ${plain(run)}`;
  const [was, their] = paths.length === 1 ? ['was', 'its step runs'] : ['were', 'their steps run'];
  return `${count(paths.length, 'file')} at output paths ${was} written by ${writer}; moved to aside/ when ${their}`;
}
