import { fail } from '../../base/result.ts';
import { type Call, targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { runOption } from '../options.ts';

export const decideCommand: Command = {
  name: 'decide',
  group: 'tasks',
  summary: 'put a decision on record for those who come later',
  details: ['It is no approval: those are given with pawl approve.'],
  arguments: [{ name: '[decision]', summary: 'what was decided, in a sentence' }],
  options: [
    runOption,
    { flags: '--because <text>', summary: 'why' },
    { flags: '--affects <list>', summary: 'phases by number or name, units, files: 3,4' },
    { flags: '--gate <cell>', summary: 'the gate in whose round it was made: UNIT/PHASE' },
    { flags: '--iteration <n>', summary: 'the round' },
    { flags: '--applied <id>', summary: 'instead of a new one: what RD-001 says has been done' },
    {
      flags: '--actor <name>',
      summary: 'who says so (also: the variable PAWL_ACTOR); default: a person',
    },
  ],
  examples: [
    { line: 'pawl decide "Use SQLite" --because "one file" --affects 3,4', summary: 'becomes RD-001' },
  ],
  async perform(call, face) {
    const actor = textOption(call, 'actor') ?? (face.io.process.variables.PAWL_ACTOR || undefined);
    const [decision = ''] = call.arguments;
    const id = textOption(call, 'applied');
    const round = textOption(call, 'iteration');
    if (id !== undefined && decision !== '')
      return fail({ reason: 'too-many-arguments', command: 'decide --applied', extra: [decision] });
    if (id === undefined && decision.trim() === '')
      return fail({ reason: 'missing-argument', command: 'decide', argument: '<decision>' });
    if (round !== undefined && !/^[1-9]\d{0,5}$/.test(round))
      return fail({
        reason: 'bad-value',
        option: '--iteration',
        found: round,
        expected: 'the number of a round',
      });
    const { applyDecision, recordDecision } = await import('../../engine/brief/decide.ts');
    const env = await environmentOf(face);
    const answer =
      id === undefined
        ? await recordDecision(env, {
            ...targetOf(call),
            actor,
            decision,
            because: textOption(call, 'because'),
            affects: affectsIn(call),
            gate: textOption(call, 'gate'),
            iteration: round === undefined ? undefined : Number(round),
          })
        : await applyDecision(env, { ...targetOf(call), actor, id });
    return present('decide', answer, {
      loadText: async () => (await import('../../text/brief.ts')).decisionText,
    });
  },
};

/** `3,4` or `build, docs/api.md`. */
function affectsIn(call: Call): string[] {
  const text = textOption(call, 'affects') ?? '';
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
