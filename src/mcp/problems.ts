import { fail, type Result } from '../base/result.ts';
import { diskFailure } from '../engine/open/answering.ts';
import type { ArtifactTrouble } from '../engine/show/artifact.ts';
import { exitCodes } from '../text/catalogue/exit-codes.ts';
import { exitCodeOfTrouble } from '../text/catalogue/exit-codes-of-troubles.ts';
import { nextSteps, type Trouble, troubleText } from '../text/catalogue/failures.ts';
import { troubleJson } from '../text/catalogue/trouble-json.ts';
import { plain } from '../text/style/plain.ts';
import { plainStyle } from '../text/style/style.ts';
import { choice, list } from '../text/style/words.ts';

/** Every failure that a client can get instead of an answer. */
export type McpTrouble = Trouble | McpProblem;

/** What can be wrong with a call only because it comes through MCP. */
export type McpProblem =
  /** A path that is not in the workspace that the server was started in. */
  | { readonly reason: 'path-outside'; readonly path: string }
  /** To open a manifest that is a program is to run it, and only a person does that. */
  | { readonly reason: 'manifest-is-code'; readonly path: string }
  | ArtifactTrouble
  /** Bytes that are neither text nor a picture. */
  | {
      readonly reason: 'artifact-not-text';
      readonly path: string;
      readonly hash: string;
      readonly size: number;
    };

/** A failure as text for readers and as data for programs. */
export function describeTrouble(trouble: McpTrouble): { text: string; document: object; exitCode: number } {
  if (isOwn(trouble)) {
    const { message, next } = ownWords(trouble);
    const exitCode = exitCodes.refused;
    return {
      text: [message, ...next.map(stepLine)].join('\n'),
      document: { ok: false, exitCode, ...trouble, message, next },
      exitCode,
    };
  }
  const here = stepsHere(trouble);
  return {
    text: [troubleText(trouble, plainStyle), ...here.map(stepLine)].join('\n'),
    document: {
      ...troubleJson(trouble, undefined, plainStyle),
      next: [...here, ...nextSteps(trouble, plainStyle)],
    },
    exitCode: exitCodeOfTrouble(trouble),
  };
}

function stepLine(step: string): string {
  return `  ${plainStyle.symbols.becomes} ${step}`;
}

/** The next step within MCP, where it differs from that of a person at a terminal. */
function stepsHere(trouble: Trouble): string[] {
  switch (trouble.reason) {
    case 'which-run':
      return ['here: ask the person which one is meant, and give the beginning of its id as `run`'];
    case 'which-workspace':
      return ['here: give the path of one as `manifest`'];
    case 'run-not-found':
      return ['here: run_list lists all runs'];
    case 'decision-not-found':
      return ['here: brief_get lists all decisions'];
    case 'no-such-question':
    case 'question-closed':
      return ['here: checkpoint_list shows what waits'];
    case 'channel-closed':
      return ['here: tell the person; they look at it and decide in a terminal of their own'];
    case 'usage':
      return trouble.problem.code === 'needs-flag'
        ? ['here: --feedback is `note`, --keep is `keep`, --restart-from is `restart_from`']
        : [];
    default:
      return [];
  }
}

const ownReasons: Readonly<Record<McpProblem['reason'], true>> = {
  'path-outside': true,
  'manifest-is-code': true,
  'artifact-not-recorded': true,
  'which-artifact': true,
  'artifact-not-text': true,
  'artifact-too-large': true,
};

function isOwn(trouble: McpTrouble): trouble is McpProblem {
  return Object.hasOwn(ownReasons, trouble.reason);
}

function ownWords(problem: McpProblem): { message: string; next: string[] } {
  switch (problem.reason) {
    case 'path-outside':
      return {
        message: `${plain(problem.path)} is not in the workspace of this server`,
        next: ['give a path relative to the workspace, without links that lead out of it'],
      };
    case 'manifest-is-code':
      return {
        message: `${plain(problem.path)} is a program, and this server never runs one`,
        next: ['a person works with it in a terminal', 'a manifest in YAML can be used from here'],
      };
    case 'artifact-not-recorded':
      return {
        message: 'no attempt of this run has recorded such an artifact',
        next:
          problem.near.length === 0
            ? ['run_status shows which phases are done']
            : [`there is ${list(problem.near.map(plain))}`],
      };
    case 'which-artifact':
      return {
        message: 'several artifacts match; which one?',
        next: [`give unit, phase and output: ${choice(problem.candidates.map(plain))}`],
      };
    case 'artifact-not-text':
      return {
        message: `${plain(problem.path)} (${problem.size} bytes) is neither text nor a picture`,
        next: ['it can be opened at its path with a program that knows its type'],
      };
    case 'artifact-too-large':
      return {
        message: `${plain(problem.path)} has ${problem.size} bytes; at most ${problem.sizeMax} are read from here`,
        next: ['it can be opened at its path'],
      };
  }
}

/** Turns errors of the disk, which may come from anywhere below, into failures. Only bugs throw. */
export async function catchDiskErrors<T>(
  answering: () => Promise<Result<T, McpTrouble>>,
): Promise<Result<T, McpTrouble>> {
  try {
    return await answering();
  } catch (error) {
    return fail(diskFailure(error));
  }
}
