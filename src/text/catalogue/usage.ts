import { unreachable } from '../../base/result.ts';
import type { UsageProblem } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { choice, didYouMean, list } from '../style/words.ts';

/** A call that cannot be meant, whatever is on disk. */
export function usageWords(problem: UsageProblem): string {
  switch (problem.code) {
    case 'reason-required':
      return `${plain(problem.flag)} needs a --reason: it is recorded for those who come later`;
    case 'unknown-phase':
      return `no phase is called ${plain(problem.name)}; the phases are ${list(problem.valid.map(plain))}`;
    case 'unknown-change':
      return problem.valid.length === 0
        ? `No change is named ${plain(problem.name)}: nothing changed`
        : `No change is named ${plain(problem.name)}; the changes are ${list(problem.valid.map(plain))}`;
    case 'two-answers':
      return `${plain(problem.name)} has two answers: give either --rerun-change or --keep-change`;
    case 'unknown-unit':
      return `no unit matches ${plain(problem.name)}${didYouMean(problem.near)}`;
    case 'unknown-cell':
      return `there is no cell ${plain(problem.name)}; a cell is written UNIT/PHASE${didYouMean(problem.near)}`;
    case 'unknown-attempt': {
      const valid =
        problem.valid.length === 0 ? 'there was none' : `there is ${choice(problem.valid.map(String))}`;
      return `${plain(problem.cell)} has no attempt ${problem.attempt}; ${valid}`;
    }
    case 'bad-actor':
      return `${plain(problem.name) || 'an empty name'} cannot be an actor: small letters, digits, dots, dashes and underscores, and none of runner, people and hooks`;
    case 'unknown-output':
      return problem.valid.length === 0
        ? `there is no output ${plain(problem.name)}: the phase declares none`
        : `there is no output ${plain(problem.name)}; the outputs are ${list(problem.valid.map(plain))}`;
    case 'unknown-role':
      return problem.valid.length === 0
        ? 'no phase of this pipeline is claimed from outside'
        : `no phase is for the role ${plain(problem.name)}; the roles are ${list(problem.valid.map(plain))}`;
    case 'flags-exclude':
      return `${list(problem.flags.map(plain))} exclude each other; give one of them`;
    case 'needs-flag':
      return `${plain(problem.flag)} needs ${plain(problem.with)} beside it`;
    case 'not-for-question': {
      const [word, id] = [plain(problem.word), plain(problem.id)];
      return problem.isChange
        ? `${word} is no answer to ${id}: a file has changed; approve it with --keep or --restart-from, or undo the change`
        : `${word} is no answer to ${id}: it is for a file that has changed`;
    }
    default:
      return unreachable(problem);
  }
}
