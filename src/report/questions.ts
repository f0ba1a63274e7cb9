import type { RunHeading } from '../engine/answers.ts';
import type { RunChoice } from '../model/failure.ts';
import { plain } from './plain.ts';
import { runStatusWords } from './status-words.ts';
import { time } from './words.ts';

/** Asked before a run is archived. */
export function resetQuestion({ run, status }: RunHeading): string {
  return `Archive run ${plain(run)} (${runStatusWords(status)}) and the files that it made?`;
}

/** Asked before damage is accepted. */
export const repairQuestion = 'Go on with what is readable, and record the damage as seen and accepted?';

export const whichRunQuestion = 'Several runs can be gone on with. Which one?';

/** A run as one of several to choose from. */
export function runChoice(run: RunChoice): { label: string; hint: string } {
  return { label: plain(run.id), hint: `${plain(run.status)}, ${time(run.updated)}` };
}
