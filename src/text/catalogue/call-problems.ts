import type { InitTrouble } from '../../engine/examples/init.ts';
import { quoted } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { didYouMean, list } from '../style/words.ts';
import { makeEntries } from './entry.ts';

/** What can be wrong with a call before the engine is asked: the words on the command line, or who calls. */
export type CallProblem =
  | { readonly reason: 'unknown-command'; readonly name: string; readonly near: readonly string[] }
  | {
      readonly reason: 'unknown-option';
      readonly option: string;
      readonly command: string | undefined;
      readonly near: readonly string[];
    }
  | { readonly reason: 'unknown-reason'; readonly name: string; readonly near: readonly string[] }
  | { readonly reason: 'missing-argument'; readonly command: string; readonly argument: string }
  | { readonly reason: 'missing-value'; readonly command: string | undefined; readonly option: string }
  | { readonly reason: 'too-many-arguments'; readonly command: string; readonly extra: readonly string[] }
  | {
      readonly reason: 'bad-value';
      readonly option: string;
      readonly found: string;
      readonly expected: string;
    }
  /** `-C` names what is no folder. */
  | { readonly reason: 'folder-not-found'; readonly path: string }
  /** Only a person may do this, and no person can be asked here. */
  | { readonly reason: 'needs-yes'; readonly command: string }
  /** A person was asked and said no. */
  | { readonly reason: 'declined'; readonly command: string }
  | InitTrouble
  /** The page would overwrite a file of the user. */
  | { readonly reason: 'not-a-report'; readonly path: string };

interface CallWords<Problem> {
  /** What is wrong, in one line. */
  title(problem: Problem): string;
  /** What to do; absent where the title says all. */
  next?(problem: Problem): string[];
}

export function callProblemWords(problem: CallProblem): string {
  const entry: CallWords<CallProblem> = callProblems[problem.reason];
  return entry.title(problem);
}

export function callProblemNext(problem: CallProblem): string[] {
  const entry: CallWords<CallProblem> = callProblems[problem.reason];
  return entry.next?.(problem) ?? [];
}

/** What is wrong with a call before the engine is asked. The exit code is that of the command itself. */
export const callProblems = makeEntries<
  CallProblem['reason'],
  { readonly [Reason in CallProblem['reason']]: CallWords<Extract<CallProblem, { reason: Reason }>> }
>(
  {
    follows: 'Nothing is done.',
    ways: ['pawl help with the command shows how it is called'],
    page: 'docs/reference/commands.md',
  },
  {
    'unknown-command': {
      title: (problem) => `there is no command ${plain(problem.name)}${didYouMean(problem.near)}`,
      next: () => ['to list the commands: pawl help'],
      what: 'There is no command of that name.',
      ways: ['pawl help lists the commands'],
    },
    'unknown-option': {
      title: (problem) => {
        const command = problem.command === undefined ? 'pawl' : `pawl ${plain(problem.command)}`;
        return `${command} has no option ${plain(problem.option)}${didYouMean(problem.near)}`;
      },
      next: (problem) => [
        problem.command === undefined ? 'to list the commands: pawl help' : helpOf(problem.command),
      ],
      what: 'The command has no such option.',
    },
    'unknown-reason': {
      title: (problem) => `Pawl never says ${plain(problem.name)}${didYouMean(problem.near)}`,
      next: () => ['to list the words: pawl explain'],

      what: 'pawl explain was asked about a word that Pawl never says.',
      ways: ['pawl explain alone lists every reason'],
    },
    'missing-argument': {
      title: (problem) => `${plain(`pawl ${problem.command}`.trimEnd())} needs ${plain(problem.argument)}`,
      next: (problem) => [
        problem.command === '' ? 'to list the commands: pawl help' : helpOf(problem.command),
      ],
      what: 'The command needs an argument that was not given.',
    },
    'missing-value': {
      title: (problem) => `${plain(problem.option)} needs a value`,
      next: (problem) => [
        problem.command === undefined ? 'to list the commands: pawl help' : helpOf(problem.command),
      ],
      what: 'An option that takes a value came without one.',
    },
    'too-many-arguments': {
      title: (problem) => `pawl ${plain(problem.command)} does not take ${list(problem.extra.map(plain))}`,
      next: (problem) => [
        problem.command === '' ? 'to list the commands: pawl help' : helpOf(problem.command),
      ],
      what: 'More arguments were given than the command takes.',
    },
    'bad-value': {
      title: (problem) =>
        `${plain(problem.option)} ${quoted(problem.found)}: expected ${plain(problem.expected)}`,
      what: 'The value of an option is none that it can have; what is expected is said.',
    },
    'folder-not-found': {
      title: (problem) => `there is no folder ${plain(problem.path)}`,
      what: 'The folder that -C names does not exist, or cannot be entered.',
    },
    'needs-yes': {
      title: (problem) => `pawl ${plain(problem.command)} is for a person at a terminal, and there is none`,
      next: () => ['if a person has looked at it: add --yes'],

      what: 'What the command does is a person’s to decide, and there is no terminal in which one could be asked.',
      ways: ['a person looks at it, then adds --yes'],
    },
    declined: {
      title: (problem) => `pawl ${plain(problem.command)}: nothing was changed`,

      what: 'A person was asked and said no.',
      follows: 'Nothing is changed.',
      ways: ['call it again whenever you like'],
    },
    'unknown-example': {
      title: (problem) => `there is no example ${plain(problem.name)}${didYouMean(problem.near)}`,
      next: (problem) => [
        `the examples are ${list(problem.valid.map(plain))}`,
        'a folder to write it into comes after its name: pawl init [example] [folder]',
      ],

      what: 'pawl init has no example of that name.',
      follows: 'Nothing is written. Those that there are are named.',
      ways: ['pawl help init lists them'],
    },
    'files-exist': {
      title: (problem) =>
        `${list(problem.files.map(plain))} in ${problem.folder === '.' ? 'this folder' : plain(problem.folder)} would be overwritten; nothing was written`,
      next: () => ['choose a folder of its own: pawl init [example] [folder]'],

      what: 'pawl init would have to overwrite files that are there already.',
      follows: 'Nothing is written.',
      ways: ['choose a folder of its own'],
    },
    'not-a-report': {
      title: (problem) =>
        `${plain(problem.path)} is there already and is no report of Pawl's; nothing was written`,
      next: () => ['name another file with -o'],

      what: 'pawl report would have to overwrite a file that is no page of its own.',
      follows: 'Nothing is written.',
      ways: ['name another file with -o'],
    },
  },
);

function helpOf(command: string): string {
  return `to see how it is called: pawl help ${plain(command)}`;
}
