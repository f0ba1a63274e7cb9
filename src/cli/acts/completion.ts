import { fail, ok } from '../../base/result.ts';
import type { Act } from '../act.ts';
import { commands, globalOptions } from '../commands.ts';
import { completionOf } from '../completion/model.ts';
import { scripts } from '../completion/scripts.ts';
import { shells } from '../completion/values.ts';

/** Prints the script that makes a shell complete `pawl`. */
export const act: Act = async (call) => {
  const name = call.arguments[0] ?? '';
  const shell = shells.find((known) => known === name);
  if (shell === undefined)
    return fail({ reason: 'bad-value', option: 'completion', found: name, expected: shells.join(', ') });
  const script = scripts[shell](completionOf(commands, globalOptions));
  return ok({ command: 'completion', answer: { shell, script } });
};
