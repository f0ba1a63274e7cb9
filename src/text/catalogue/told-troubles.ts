import type { ForeignLogFailure } from '../../model/failure-details.ts';
import { hint } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { count, stepLabel } from '../style/words.ts';

/** Of several files the first, and how many more there are. */
export function toldTroubleTitle(trouble: ForeignLogFailure): string {
  if (trouble.reason === 'told-only')
    return `only other tools have written to run ${plain(trouble.run)} so far`;
  const [first, ...others] = trouble.artifacts;
  if (first === undefined) return 'files of another tool fail their checks';
  const { path, unit, phase, check, detail } = first;
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'more file')})`;
  return `${plain(path)} of ${stepLabel(unit, phase)} fails its check ${plain(check)}: ${plain(detail)}${more}; another tool's log is past it, and nothing was started`;
}

export function toldTroubleNext(trouble: ForeignLogFailure, path: string | undefined): string[] {
  if (trouble.reason === 'told-only') return [`to take it over and go on: ${hint('resume', path)}`];
  const [first] = trouble.artifacts;
  const reason = ['--reason', `${first?.path ?? 'a file'} fails its check`];
  const from = first?.phase ?? '';
  return [
    `to accept it as it is: ${hint('run', path, undefined, '--force', ...reason)}`,
    `to make it again; the old file moves to aside/: ${hint('run', path, undefined, '--rerun-from', from, ...reason)}`,
    'or fix the file, then run the command again',
  ];
}
