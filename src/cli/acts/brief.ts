import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';

/** `brief` and `brief migrate`. */
export const act: Act = async (call, face) => {
  const [action, file] = call.arguments;
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  if (action === 'migrate') {
    if (file === undefined)
      return fail({ reason: 'missing-argument', command: 'brief migrate', argument: '<file>' });
    const { migrateBrief } = await import('../../engine/brief/migrate.ts');
    const answer = await migrateBrief(env, { file, write: flagOption(call, 'write') });
    return answer.ok ? ok({ command: 'brief migrate', answer: answer.value }) : answer;
  }
  if (action !== undefined) return fail({ reason: 'too-many-arguments', command: 'brief', extra: [action] });
  const { showBrief } = await import('../../engine/brief/show.ts');
  const answer = await showBrief(env, { ...targetOf(call), check: flagOption(call, 'check') });
  const as = flagOption(call, 'digest') ? 'digest' : 'document';
  return answer.ok ? ok({ command: 'brief', answer: answer.value, as }) : answer;
};
