import { ok, type Result } from '../base/result.ts';
import type { Environment } from '../engine/open/environment.ts';
import type { ResumeReport } from '../engine/show/resume.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import type { CommandSpec } from '../text/help/help.ts';
import type { Style } from '../text/style/style.ts';
import type { Call } from './call.ts';
import type { Face } from './face.ts';

/**
 * One command: how it is typed, what it does and how its answer is shown. Each is a file in `commands/`. Such a file
 * imports use cases and texts only inside `perform` and its loaders, because `pawl --help` loads all of these files.
 */
export interface Command extends CommandSpec {
  perform(call: Call, face: Face): Promise<Outcome>;
}

export type Outcome = Result<Reply, Trouble> & {
  /** Where the answer alone does not decide it, such as after a signal. */
  readonly exitCode?: number | undefined;
  /** The report that `pawl resume` showed before the run failed to start: `--json` has it as well. */
  readonly resumed?: ResumeReport | undefined;
};

/** An answer with everything that is needed to print it. */
export interface Reply {
  /** The `command` of `--json`. */
  readonly command: string;
  readonly answer: object;
  /** 0 unless the answer says otherwise. */
  readonly exitCode: number;
  /** The text is copied or read by programs, so it is never wrapped. */
  readonly isAsIs: boolean;
  /** The answer is a document of its own: `--json` adds nothing to it. */
  readonly isWhole: boolean;
  /** Loads what turns the answer into text. Most calls need only one of the texts, so each is loaded by itself. */
  loadText(): Promise<(style: Style) => string>;
  /** Loads what makes the facts that follow `ok`, `command` and `exitCode` in `--json`. */
  loadFacts(): Promise<(narrowing: readonly string[] | undefined) => object>;
}

/** How the answers of a command are shown. */
export interface Presentation<Answer> {
  loadText(): Promise<(answer: Answer, style: Style) => string>;
  /** Default: the answer itself. */
  loadFacts?(): Promise<(answer: Answer, narrowing: readonly string[] | undefined) => object>;
  exitCode?(answer: Answer): number;
  readonly isAsIs?: boolean;
  readonly isWhole?: boolean;
}

/** The outcome of a use case with the way to show it. A failure stays as it is: all failures are shown alike. */
export function present<Answer extends object>(
  command: string,
  result: Result<Answer, Trouble>,
  shown: Presentation<Answer>,
): Outcome {
  if (!result.ok) return result;
  const answer = result.value;
  return ok({
    command,
    answer,
    exitCode: shown.exitCode?.(answer) ?? 0,
    isAsIs: shown.isAsIs ?? false,
    isWhole: shown.isWhole ?? false,
    loadText: async () => {
      const text = await shown.loadText();
      return (style) => text(answer, style);
    },
    loadFacts: async () => {
      const facts = await shown.loadFacts?.();
      return (narrowing) => facts?.(answer, narrowing) ?? answer;
    },
  });
}

/** The document of `--json`. */
export async function documentOf(reply: Reply, narrowing?: readonly string[]): Promise<object> {
  const facts = (await reply.loadFacts())(narrowing);
  if (reply.isWhole) return facts;
  const { command, exitCode } = reply;
  return { ok: exitCode === 0, command, exitCode, ...facts };
}

/** What use cases need of this call's process. */
export async function environmentOf(face: Face): Promise<Environment> {
  const { systemEnvironment } = await import('../engine/open/environment.ts');
  return systemEnvironment(face.place);
}
