import type { RunHeading } from '../engine/answers.ts';
import { plain } from './plain.ts';
import { runStatusWords } from './status-words.ts';

/** Asked before a run is archived. */
export function resetQuestion({ run, status }: RunHeading): string {
  return `Archive run ${plain(run)} (${runStatusWords(status)}) and the files that it made?`;
}

/** Asked before damage is accepted. */
export const repairQuestion = 'Go on with what is readable, and record the damage as seen and accepted?';
