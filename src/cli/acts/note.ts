import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { type Call, textOption } from '../call.ts';

/** `decide` and `summary`: what those who come later have to know. */
export const act: Act = async (call, face) => {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const { applyDecision, recordDecision, recordSummary } = await import('../../engine/brief/decide.ts');
  if (call.command === 'summary') {
    const [agent = '', summary = ''] = call.arguments;
    if (summary.trim() === '')
      return fail({ reason: 'missing-argument', command: 'summary', argument: '<text>' });
    const answer = await recordSummary(env, { ...targetOf(call), agent, summary });
    return answer.ok ? ok({ command: 'summary', answer: answer.value }) : answer;
  }
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
  return answer.ok ? ok({ command: 'decide', answer: answer.value }) : answer;
};

/** `3,4` or `build, docs/api.md`. */
function affectsIn(call: Call): string[] {
  const text = textOption(call, 'affects') ?? '';
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
