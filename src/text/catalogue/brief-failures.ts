import type { Failure } from '../../model/failure.ts';
import { hint } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { didYouMean } from '../style/words.ts';

type BriefTrouble = Extract<Failure, { reason: 'document-unreadable' | 'decision-not-found' }>;

export function isBriefTrouble<T extends { readonly reason: string }>(
  trouble: T,
): trouble is Extract<T, { readonly reason: BriefTrouble['reason'] }> {
  return trouble.reason === 'document-unreadable' || trouble.reason === 'decision-not-found';
}

export function briefTroubleTitle(trouble: BriefTrouble): string {
  return trouble.reason === 'decision-not-found'
    ? `there is no decision ${plain(trouble.id)}${didYouMean(trouble.near)}`
    : documentTitle(trouble);
}

export function briefTroubleNext({ reason }: BriefTrouble, path: string | undefined): string[] {
  return reason === 'decision-not-found'
    ? [`to see all decisions: ${hint('brief', path)}`]
    : ['fix the file, then run the command again; nothing was written'];
}

/** `ORCHESTRATION.yaml:3:7 cannot be understood (bad yaml: BAD_INDENT)`. */
function documentTitle(trouble: Extract<Failure, { reason: 'document-unreadable' }>): string {
  const { path, problem, line, column, detail, key } = trouble;
  const place = line === undefined ? plain(path) : `${plain(path)}:${line}:${column ?? 1}`;
  if (problem === 'no-section') return `${place} has no section resumption`;
  if (key !== undefined) return `${place} has the key ${plain(key)} twice in the same map`;
  if (problem === 'not-a-file') return `there is no file ${place}`;
  const more = detail === undefined ? '' : `: ${plain(detail)}`;
  return `${place} cannot be understood (${plain(problem.replaceAll('-', ' '))}${more})`;
}
