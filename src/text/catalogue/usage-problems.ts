import type { UsageProblem } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { choice, didYouMean, list } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

interface UsageProblemWords<Problem> {
  words(problem: Problem): string;
}

/** What is wrong with a call, in one line. */
export function usageWords(problem: UsageProblem): string {
  const entry: UsageProblemWords<UsageProblem> = usageProblems[problem.code];
  return entry.words(problem);
}

/** Calls that make no sense, independent of the disk. */
export const usageProblems = makeEntries<
  UsageProblem['code'],
  { readonly [Code in UsageProblem['code']]: UsageProblemWords<Extract<UsageProblem, { code: Code }>> }
>(
  {
    follows: 'Nothing is done. What is possible is named.',
    ways: ['pawl help with the command shows how it is called'],
    exitCode: exitCodes.usage,
    page: 'docs/reference/commands.md',
  },
  {
    'reason-required': {
      words: (problem) => `${plain(problem.flag)} needs a --reason: it is recorded for those who come later`,

      what: 'An option that opens a guard or a limit takes a --reason, and there is none.',
      ways: ['add --reason and a sentence: it is recorded for those who come later'],
    },
    'unknown-phase': {
      words: (problem) =>
        `no phase is called ${plain(problem.name)}; the phases are ${list(problem.valid.map(plain))}`,

      what: 'No phase of the pipeline has that name.',
      ways: ['pawl status lists the phases'],
    },
    'unknown-change': {
      words: (problem) =>
        problem.valid.length === 0
          ? `No change is named ${plain(problem.name)}: nothing changed`
          : `No change is named ${plain(problem.name)}; the changes are ${list(problem.valid.map(plain))}`,

      what: 'A change was answered by a name that no change has.',
      ways: ['pawl plan prints the name of each change'],
    },
    'two-answers': {
      words: (problem) =>
        `${plain(problem.name)} has two answers: give either --rerun-change or --keep-change`,

      what: 'One change was given two answers: --rerun-change and --keep-change name it.',
      ways: ['give one of them'],
    },
    'unknown-unit': {
      words: (problem) => `no unit matches ${plain(problem.name)}${didYouMean(problem.near)}`,

      what: 'No unit has that name, or none matches the pattern.',
      ways: ['pawl status lists the units'],
    },
    'unknown-cell': {
      words: (problem) =>
        `there is no cell ${plain(problem.name)}; a cell is written UNIT/PHASE${didYouMean(problem.near)}`,

      what: 'There is no such unit and phase. A cell is written UNIT/PHASE.',
      ways: ['pawl status lists both'],
    },
    'unknown-attempt': {
      words: (problem) => {
        const valid =
          problem.valid.length === 0 ? 'there was none' : `there is ${choice(problem.valid.map(String))}`;
        return `${plain(problem.cell)} has no attempt ${problem.attempt}; ${valid}`;
      },

      what: 'The phase of that unit was never tried under this number.',
      ways: ['pawl logs UNIT/PHASE lists the attempts'],
    },
    'bad-actor': {
      words: (problem) =>
        `${plain(problem.name) || 'an empty name'} cannot be an actor: small letters, digits, dots, dashes and underscores, and none of runner, people and hooks`,

      what: 'A name that cannot be an actor’s: small letters, digits, dots, dashes and underscores, and none that Pawl uses itself.',
      ways: ['give another name with --actor, or in PAWL_ACTOR'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'unknown-output': {
      words: (problem) =>
        problem.valid.length === 0
          ? `there is no output ${plain(problem.name)}: the phase declares none`
          : `there is no output ${plain(problem.name)}; the outputs are ${list(problem.valid.map(plain))}`,
      what: 'The phase declares no output of that name.',
    },
    'unknown-role': {
      words: (problem) =>
        problem.valid.length === 0
          ? 'no phase of this pipeline is claimed from outside'
          : `no phase is for the role ${plain(problem.name)}; the roles are ${list(problem.valid.map(plain))}`,

      what: 'No phase of the pipeline is claimed by that role.',
      ways: ['the roles stand in the manifest: run: { task: ROLE }'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'flags-exclude': {
      words: (problem) => `${list(problem.flags.map(plain))} exclude each other; give one of them`,

      what: 'Two options were given that mean different things.',
      ways: ['give one of them'],
    },
    'needs-flag': {
      words: (problem) => `${plain(problem.flag)} needs ${plain(problem.with)} beside it`,
      what: 'An option or an answer makes no sense without another one beside it.',
    },
    'not-for-question': {
      words: (problem) => {
        const [word, id] = [plain(problem.word), plain(problem.id)];
        return problem.isChange
          ? `${word} is no answer to ${id}: a file has changed; approve it with --keep or --restart-from, or undo the change`
          : `${word} is no answer to ${id}: it is for a file that has changed`;
      },

      what: 'The answer does not go with what is asked: a changed file is kept or restarted from, anything else is approved or rejected.',
      ways: ['pawl show with the number says what is asked'],
      page: 'docs/guide/checkpoints.md',
    },
  },
);
