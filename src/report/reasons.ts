import { unreachable } from '../base/result.ts';
import type { Damage, Notice, RunReason, StopReason } from '../model/reason.ts';
import { failureTitle } from './attempt-failures.ts';
import { clip, plain } from './plain.ts';
import type { Style } from './style.ts';
import { cell, count, hashChange } from './words.ts';

/** Why a cell runs, as it follows `because` or stands in brackets. */
export function reasonWords(why: RunReason, style: Style): string {
  switch (why.code) {
    case 'never-ran':
      return 'never ran';
    case 'interrupted':
      return `attempt ${why.attempt} was started and never ended`;
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
      return `its prompt changed, and that was allowed${because(why.reason)}`;
    case 'chain-cascade':
      return 'a unit before it committed another state';
    case 'definition-changed':
      return `the phase is defined otherwise now${because(why.reason)}`;
    case 'unit-changed':
      return `the unit's own fields changed${because(why.reason)}`;
    case 'file-changed':
      return `file ${plain(why.file)} changed (${hashChange(why.before, why.after, style)})`;
    case 'pre-state-changed':
      return `the state that it started from was adopted (${hashChange(why.before, why.after, style)})`;
    default:
      return unreachable(why);
  }
}

/** What a plain run will not do by itself: only a person grants more. */
const againWords = 'to try again: run with --rerun-from and --unit';

/** Why a cell cannot go on, as it follows the cell's name. */
export function stopWords(why: StopReason): string {
  switch (why.code) {
    case 'attempts-used-up':
      return `all ${count(why.attempts, 'attempt')} failed; the last one: ${failureTitle(why.failure)}; ${againWords}`;
    case 'gate-limit':
      return `still ${plain(why.verdict)} after ${count(why.iterations, 'round')}; ${againWords}`;
    case 'gate-asks':
      return `still ${plain(why.verdict)} after ${count(why.iterations, 'round')}; a person has to decide`;
    case 'gate-rejected':
      return `${plain(why.verdict)}, and a person rejected it${because(why.note)}; ${againWords}`;
    case 'blocked':
      return `blocked by ${plain(why.actor)}${because(why.reason)}; to go on: pawl unblock`;
    default:
      return unreachable(why);
  }
}

export function noticeWords(notice: Notice, style: Style): string {
  switch (notice.code) {
    case 'start-state-stale':
      return `${plain(notice.unit)} started from another state than the chain has now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`;
    case 'gate-accepted': {
      const by = notice.by === 'manifest' ? 'the manifest' : 'a person';
      return `${cell(notice.unit, notice.phase)}: ${plain(notice.verdict)}, accepted by ${by}`;
    }
    case 'input-stale':
      return `${cell(notice.unit, notice.phase)} was made from another ${plain(notice.input)} than there is now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`;
    case 'file-unknown':
      return `${plain(notice.path)} is there, and no attempt has made it; pawl adopt takes it in as ${plain(notice.output)} of ${cell(notice.unit, notice.phase)}, or it is moved aside when that runs`;
    case 'unit-removed':
      return `${plain(notice.unit)} is not in the pipeline any more; its files are left alone`;
    default:
      return unreachable(notice);
  }
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
