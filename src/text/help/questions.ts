import type { RepairAnswer } from '../../engine/maintain/repair-answer.ts';
import type { CheckpointView } from '../../engine/observe/questions.ts';
import type { RunHeading } from '../../engine/open/find-run.ts';
import type { RunChoice } from '../../model/failure-details.ts';
import { runStatusWords } from '../phrases/statuses.ts';
import { plain } from '../style/plain.ts';
import { count, list, stepLabel, time } from '../style/words.ts';

/** Asked before runs are archived. */
export function resetQuestion(runs: readonly RunHeading[]): string {
  const names = runs.map(({ run, status }) => `${plain(run)} (${runStatusWords(status)})`);
  const [what, made] = runs.length === 1 ? ['run', 'it'] : ['runs', 'they'];
  return `Archive ${what} ${list(names)} and the files that ${made} made?`;
}

/** Asked before damage is accepted. */
export function repairQuestion(outline: Omit<RepairAnswer, 'heading'>): string {
  const { accepted, facts, restored, healed, lost } = outline;
  const known = facts.map(({ name, value, from }) => `${plain(name)} ${plain(value)} (from ${plain(from)})`);
  return [
    `Accept ${count(accepted.length, 'finding')}`,
    ...(known.length > 0 ? [`record the first event again with ${list(known)}`] : []),
    ...(restored.length > 0 ? [`record ${count(restored.length, 'result')} again`] : []),
    ...(healed.length > 0 ? [`put back ${count(healed.length, 'object')}`] : []),
    ...(lost.length > 0 ? [`record ${count(lost.length, 'object')} as lost`] : []),
    'and resume with what can be read?',
  ].join(', ');
}

/** Asked before decisions are taken back; what they are is shown before. */
export function undoQuestion(steps: number, redo: boolean): string {
  return `${redo ? 'Take this undo back' : 'Take this back'} (${count(steps, 'step')})?`;
}

/** Asked before an earlier attempt becomes the result. */
export function restoreQuestion(step: string, attempt: number): string {
  return `Make attempt ${attempt} the result of ${plain(step)}?`;
}

export const whichRunQuestion = 'Several runs can be gone on with. Which one?';

/** A run as one of several to choose from. */
export function runChoice(run: RunChoice): { label: string; hint: string } {
  return { label: plain(run.id), hint: `${plain(run.status)}, ${time(run.updated)}` };
}

/** Asked before a new run replaces files that it has no record of. */
export function existingQuestion({ paths, checked }: { paths: readonly string[]; checked: number }): string {
  const [first = ''] = paths;
  const names = paths.length === 1 ? plain(first) : `${plain(first)} and ${paths.length - 1} more`;
  return `${count(paths.length, 'file')} at output paths of this new run: ${names}. ${checked} can be checked.`;
}

export const existingChoices = [
  { value: 'cancel', label: 'Cancel: start nothing' },
  { value: 'adopt', label: 'Adopt the files whose check passes, and replace the others' },
  { value: 'replace', label: 'Replace them: every step runs, and the files move to aside/' },
] as const;

/** Asked before a run is ended for good. */
export const cancelQuestion = 'End this run for good? It can never be gone on with.';

export const noCheckpointChoice = 'none of them';

export const whichCheckpointQuestion = 'Which one do you decide on?';

/** A question as one of several to choose from. What it is about is in the label: a hint is seen only of the chosen one. */
export function checkpointChoice({ id, name, unit, phase }: CheckpointView): { label: string } {
  return { label: `${plain(id ?? '')} ${plain(name)}${unit === '' ? '' : ` (${stepLabel(unit, phase)})`}` };
}

export const feedbackQuestion = 'What has to change? It is recorded, and the next attempt is given it.';
