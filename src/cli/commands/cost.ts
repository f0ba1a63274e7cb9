import { fail } from '../../base/result.ts';
import type { CostBy } from '../../engine/show/call-answers.ts';
import { targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { pathArgument, runOption, selecting } from '../options.ts';
import { selectionOf } from '../selection.ts';

export const costCommand: Command = {
  name: 'cost',
  group: 'look',
  summary: 'show what was spent on models, saved by reuse and wasted by retries',
  arguments: [pathArgument],
  options: [
    runOption,
    ...selecting,
    { flags: '--by <what>', summary: 'phase (the default), model, unit or run' },
  ],
  examples: [{ line: 'pawl cost --by model', summary: 'a line for each model that was asked' }],
  async perform(call, face) {
    const written = textOption(call, 'by') ?? 'phase';
    const by = costViews.find((view) => view === written);
    if (by === undefined)
      return fail({ reason: 'bad-value', option: '--by', found: written, expected: costViews.join(', ') });
    const selection = selectionOf(call);
    if (!selection.ok) return selection;
    const { showCost } = await import('../../engine/show/cost.ts');
    const request = { ...targetOf(call), ...selection.value, by };
    return present('cost', await showCost(await environmentOf(face), request), {
      loadText: async () => (await import('../../text/cost.ts')).costText,
    });
  },
};

const costViews: readonly CostBy[] = ['phase', 'model', 'unit', 'run'];
