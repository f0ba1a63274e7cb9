import { unreachable } from '../../base/result.ts';
import type { CheckpointView } from '../../engine/observe/questions.ts';
import type { Question } from '../../model/reason.ts';
import { plain } from '../style/plain.ts';
import { hint, quoted } from './hints.ts';

/** How a question can be answered, each way with its command. In a terminal `reject` asks for the feedback. */
export function answerWays(
  {
    id,
    question,
    redo,
    phase,
  }: Pick<CheckpointView, 'id' | 'question' | 'redo'> & { readonly phase?: string },
  path: string | undefined,
): string[] {
  if (id === undefined) return [`it is asked by the next run: ${hint('run', path)}`];
  const name =
    path === undefined || path === '' || path === '.' ? plain(id) : `${plain(id)} -C ${quoted(path)}`;
  const look = `to see what it is about: ${hint('show', path, id)}`;
  const reject = `pawl reject ${name}`;
  const again = redo === undefined ? 'the unit then stays where it is' : `${plain(redo)} then re-runs`;
  const restarts =
    phase === undefined || phase === ''
      ? []
      : [`to re-run from ${plain(phase)} on: pawl approve ${name} --restart-from ${quoted(phase)}`];
  switch (question) {
    case 'approval':
    case 'gate':
      return [look, `to approve: pawl approve ${name}`, `to reject with your feedback; ${again}: ${reject}`];
    case 'change':
      return [look, `to keep what was made: pawl approve ${name} --keep`, ...restarts, 'or undo the change'];
    case 'attempts':
      return [
        look,
        `to grant as many attempts again: pawl approve ${name}`,
        `to leave it, and say why: ${reject}`,
      ];
    case 'interruptions':
      return [look, `to continue: pawl approve ${name}`, `to stop, and say why: ${reject}`];
    case 'budget':
      return [
        look,
        `to grant as much again: pawl approve ${name}`,
        `or ${raiseBudgetWords}`,
        `to leave it at that, and say why: ${reject}`,
      ];
    default:
      return unreachable(question);
  }
}

/** The way past a budget that needs no answer to a question. */
export const raiseBudgetWords =
  'raise the budget in the manifest: it is no part of identity, and the next run simply goes on';

/** What is asked, as it follows the step's name. */
export function askedWords({ name, id }: Question): string {
  return `waits for a person: ${plain(name)}${id === undefined ? '' : ` (${plain(id)})`}`;
}
