import { fail, ok } from '../../base/result.ts';
import type { CostBy } from '../../engine/show/call-answers.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';
import { selectionOf } from '../selection.ts';

const ways: readonly CostBy[] = ['phase', 'model', 'unit', 'run'];

export const act: Act = async (call, face) => {
  const written = textOption(call, 'by') ?? 'phase';
  const by = ways.find((way) => way === written);
  if (by === undefined)
    return fail({ reason: 'bad-value', option: '--by', found: written, expected: ways.join(', ') });
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const { showCost } = await import('../../engine/show/cost.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await showCost(systemEnvironment(face.place), {
    ...targetOf(call),
    ...selection.value,
    by,
  });
  return answer.ok ? ok({ command: 'cost', answer: answer.value }) : answer;
};
