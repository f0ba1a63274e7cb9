import { unreachable } from '../../base/result.ts';
import type { ForeignLogFailure, RestoreFailure } from '../../model/failure-details.ts';
import { hint, quoted } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { choice, count, stepLabel } from '../style/words.ts';

export function isRestoreTrouble<T extends { readonly reason: string }>(
  trouble: T,
): trouble is T & RestoreFailure {
  return trouble.reason === 'nothing-to-undo' || trouble.reason === 'cannot-restore';
}

/** Why earlier results do not come back, in one line. */
export function restoreTroubleTitle(trouble: RestoreFailure): string {
  if (trouble.reason === 'nothing-to-undo') {
    if (trouble.isOther) return 'Another decision was made meanwhile; nothing was changed';
    return trouble.redo
      ? 'There is no undo to take back, or something was decided since'
      : `No decision of run ${plain(trouble.run)} can be taken back`;
  }
  switch (trouble.why) {
    case 'approved':
      return `${plain(trouble.step)} was ${trouble.decision} after the re-run (${plain(trouble.id)}), so its result is not taken back`;
    case 'claimed':
      return `${plain(trouble.step)} was claimed by ${plain(trouble.by)}, so neither its result nor its inputs are replaced`;
    case 'edited':
      return `${plain(trouble.path)} was edited by hand, and an edit is never overwritten`;
    case 'bytes-gone':
      return `The content store no longer has the earlier bytes of ${plain(trouble.path)} (${plain(trouble.step)})`;
    case 'answered':
      return 'The last decision is the answer to a question, which stays on record';
    case 'no-result':
      return trouble.valid.length === 0
        ? `No attempt at ${plain(trouble.step)} has succeeded`
        : `Attempt ${trouble.attempt} at ${plain(trouble.step)} has no result; there is ${choice(trouble.valid.map(String))}`;
    case 'current':
      return `Attempt ${trouble.attempt} is the result of ${plain(trouble.step)} already`;
    default:
      return unreachable(trouble);
  }
}

export function restoreTroubleNext(trouble: RestoreFailure, path: string | undefined): string[] {
  const history = `to see every decision: ${hint('history', path)}`;
  if (trouble.reason === 'nothing-to-undo') return [history];
  switch (trouble.why) {
    case 'edited':
      return [
        `to see the edit: ${hint('diff', path, trouble.step)}`,
        `to keep it beside the result: mv -n ${quoted(trouble.path)} ${quoted(`${trouble.path}.edited`)}`,
      ];
    case 'approved':
    case 'answered':
      return [history, 'to go back to an earlier attempt at one step: pawl restore UNIT/PHASE --attempt N'];
    case 'claimed':
      return [`to see who works on it: ${hint('status', path)}`];
    case 'bytes-gone':
      return [`to see what the content store lacks: ${hint('verify', path)}`];
    case 'no-result':
    case 'current':
      return [`to see every attempt: ${hint('logs', path, trouble.step, '--attempt', 'all')}`];
    default:
      return unreachable(trouble);
  }
}

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
