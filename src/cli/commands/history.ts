import { targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { runOption } from '../options.ts';

export const historyCommand: Command = {
  name: 'history',
  group: 'look',
  summary: 'list the decisions of a run: who, when, why and what they affected',
  details: [
    'Overrides, adoptions, answers, cancellations, takeovers, repairs, re-runs by a policy and what pawl decide',
    'recorded, the newest last.',
  ],
  arguments: [{ name: '[unit]', summary: 'only decisions that affected this unit, or this UNIT/PHASE' }],
  options: [runOption],
  examples: [{ line: 'pawl history ch001_sc002', summary: 'what was decided about one unit' }],
  async perform(call, face) {
    const { showHistory } = await import('../../engine/show/history.ts');
    const request = { ...targetOf(call), unit: call.arguments[0] };
    return present('history', await showHistory(await environmentOf(face), request), {
      loadText: async () => (await import('../../text/history.ts')).historyText,
    });
  },
};
