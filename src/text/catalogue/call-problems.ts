import { unreachable } from '../../base/result.ts';
import type { InitTrouble } from '../../engine/examples/init.ts';
import { quoted } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { didYouMean, list } from '../style/words.ts';

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
  /** Something that is a person's to do, called where no person can be asked. */
  | { readonly reason: 'needs-yes'; readonly command: string }
  /** A person was asked and said no. */
  | { readonly reason: 'declined'; readonly command: string }
  | InitTrouble
  /** A page would be written over somebody's file. */
  | { readonly reason: 'not-a-report'; readonly path: string };

export function callProblemWords(problem: CallProblem): string {
  switch (problem.reason) {
    case 'unknown-command':
      return `there is no command ${plain(problem.name)}${didYouMean(problem.near)}`;
    case 'unknown-option': {
      const command = problem.command === undefined ? 'pawl' : `pawl ${plain(problem.command)}`;
      return `${command} has no option ${plain(problem.option)}${didYouMean(problem.near)}`;
    }
    case 'unknown-reason':
      return `Pawl never says ${plain(problem.name)}${didYouMean(problem.near)}`;
    case 'missing-argument':
      return `${plain(`pawl ${problem.command}`.trimEnd())} needs ${plain(problem.argument)}`;
    case 'missing-value':
      return `${plain(problem.option)} needs a value`;
    case 'too-many-arguments':
      return `pawl ${plain(problem.command)} does not take ${list(problem.extra.map(plain))}`;
    case 'bad-value':
      return `${plain(problem.option)} ${quoted(problem.found)}: expected ${plain(problem.expected)}`;
    case 'folder-not-found':
      return `there is no folder ${plain(problem.path)}`;
    case 'needs-yes':
      return `pawl ${plain(problem.command)} is for a person at a terminal, and there is none`;
    case 'declined':
      return `pawl ${plain(problem.command)}: nothing was changed`;
    case 'unknown-example':
      return `there is no example ${plain(problem.name)}${didYouMean(problem.near)}`;
    case 'files-exist':
      return `${list(problem.files.map(plain))} in ${problem.folder === '.' ? 'this folder' : plain(problem.folder)} would be overwritten; nothing was written`;
    case 'not-a-report':
      return `${plain(problem.path)} is there already and is no report of Pawl's; nothing was written`;
    default:
      return unreachable(problem);
  }
}

export function callProblemNext(problem: CallProblem): string[] {
  switch (problem.reason) {
    case 'unknown-command':
      return ['to list the commands: pawl help'];
    case 'unknown-reason':
      return ['to list the words: pawl explain'];
    case 'unknown-option':
    case 'missing-value':
      return [problem.command === undefined ? 'to list the commands: pawl help' : helpOf(problem.command)];
    case 'missing-argument':
    case 'too-many-arguments':
      return [problem.command === '' ? 'to list the commands: pawl help' : helpOf(problem.command)];
    case 'needs-yes':
      return ['if a person has looked at it: add --yes'];
    case 'files-exist':
      return ['choose a folder of its own: pawl init [example] [folder]'];
    case 'not-a-report':
      return ['name another file with -o'];
    case 'bad-value':
    case 'folder-not-found':
    case 'declined':
      return [];
    case 'unknown-example':
      return [
        `the examples are ${list(problem.valid.map(plain))}`,
        'a folder to write it into comes after its name: pawl init [example] [folder]',
      ];
    default:
      return unreachable(problem);
  }
}

function helpOf(command: string): string {
  return `to see how it is called: pawl help ${plain(command)}`;
}
