import { unreachable } from '../../base/result.ts';
import type { Notice, OpenStage } from '../../model/reason.ts';
import { plain } from '../style/plain.ts';
import { count, list } from '../style/words.ts';

/** What a status page of another tool was taken over for. */
export function importedWords(notice: Extract<Notice, { code: 'imported' }>): string {
  const { path, unit, taken, unverified } = notice;
  const done = taken.length === 0 ? 'nothing was done' : `${list(taken.map(plain))} taken as done`;
  const unproven = unverified.length === 0 ? '' : `; without a full hash: ${list(unverified.map(plain))}`;
  return `${plain(path)} says where ${plain(unit)} stands: ${[`${done}${unproven}`, ...importedParts(notice)].join('; ')}`;
}

/** A page that says that its unit is complete, and was verified. */
export function completeWords(notice: Extract<Notice, { code: 'page-complete' }>): string {
  const { path, unit, verified, unverified } = notice;
  const unproven = unverified.length === 0 ? '' : `; without a full hash: ${list(unverified.map(plain))}`;
  return `${plain(path)} says that ${plain(unit)} is complete; ${count(verified, 'file')} verified${unproven}; to start over: pawl run --fresh`;
}

/** What else was taken over from a page, and what was not. */
function importedParts({
  open,
  counts,
  clusters,
  notes,
  approved,
  unasked,
}: Extract<Notice, { readonly code: 'imported' }>): string[] {
  const outOf = (used: number, max: number | undefined) => `${used}${max === undefined ? '' : `/${max}`}`;
  return [
    ...open.map(openStageWords),
    ...(approved.length === 0 ? [] : [`approved by its ticked boxes: ${list(approved.map(plain))}`]),
    ...(unasked.length === 0 ? [] : [`ticked, but no checkpoint: ${list(unasked.map(plain))}`]),
    ...(counts.length === 0
      ? []
      : [
          `used so far: ${list(counts.map(({ phase, used, max }) => `${plain(phase)} ${outOf(used, max)}`))}`,
        ]),
    ...(clusters.length === 0
      ? []
      : [
          `failure clusters: ${list(clusters.map((one) => `${plain(one.defect)} ${outOf(one.count, one.max)}`))}`,
        ]),
    ...(notes === 0 ? [] : [`${count(notes, 'note')} kept`]),
  ];
}

function openStageWords({ phase, line, why, handed }: OpenStage): string {
  const at = line === undefined ? '' : ` (line ${line})`;
  const next = handed.length === 0 ? '' : `, continues with ${list(handed.map(plain))}`;
  return `${plain(phase)}${at} not taken: ${openReasonWords(why)}${next}`;
}

function openReasonWords(why: OpenStage['why']): string {
  switch (why.code) {
    case 'file-missing':
      return `${plain(why.path)} is missing`;
    case 'check-failed':
      return `${plain(why.path)} fails its check ${plain(why.check)}: ${plain(why.detail)}`;
    case 'under-way':
      return 'under way, and no check proves its files';
    default:
      return unreachable(why);
  }
}
