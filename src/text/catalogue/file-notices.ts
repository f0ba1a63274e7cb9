import type { FileNotice } from '../../model/notice-details.ts';
import { plain } from '../style/plain.ts';
import { count, list, stepLabel } from '../style/words.ts';

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
