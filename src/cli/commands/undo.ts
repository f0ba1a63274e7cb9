import type { Result } from '../../base/result.ts';
import type { BroughtBackAnswer } from '../../engine/people/undo/answers.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { flagOption, targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { confirm, showPreview } from '../confirm.ts';
import { pathArgument, reasonOption, runOption, undoDryRunOption, yesOption } from '../options.ts';

export const undoCommand: Command = {
  name: 'undo',
  group: 'decide',
  summary: 'take back the last re-run, keep, adoption or restore, with all that ran because of it',
  details: [
    'The decisions of one call are taken back together. Earlier results come from the content store without a call.',
    'Where an input differs they count as outdated (kept). A second undo takes back the decision before.',
  ],
  arguments: [pathArgument],
  options: [
    runOption,
    { flags: '--redo', summary: 'take back the last undo instead' },
    undoDryRunOption,
    reasonOption,
    yesOption,
  ],
  examples: [
    { line: 'pawl undo --dry-run', summary: 'what would be taken back' },
    { line: 'pawl undo --yes', summary: 'without a question, where there is no terminal' },
  ],
  async perform(call, face) {
    const { undoDecision } = await import('../../engine/people/undo/undo.ts');
    const env = await environmentOf(face);
    const redo = flagOption(call, 'redo');
    const dryRun = flagOption(call, 'dryRun');
    const request = { ...targetOf(call), redo, reason: textOption(call, 'reason') };
    if (dryRun || flagOption(call, 'yes'))
      return presentUndo(await undoDecision(env, { ...request, dryRun }));
    const preview = await undoDecision(env, { ...request, dryRun: true });
    if (!preview.ok) return preview;
    const { decisions, steps } = preview.value;
    await showPreview(face, preview.value);
    const { undoQuestion } = await import('../../text/help/questions.ts');
    const confirmed = await confirm(call, face, undoQuestion(steps.length, redo));
    if (!confirmed.ok) return confirmed;
    // Only the decisions that were shown, because another may have been made since.
    const expected = decisions.map(({ id }) => id);
    return presentUndo(await undoDecision(env, { ...request, expected }));
  },
};

function presentUndo(answer: Result<BroughtBackAnswer, Trouble>): Outcome {
  return present('undo', answer, {
    loadText: async () => (await import('../../text/undo.ts')).broughtBackText,
  });
}
