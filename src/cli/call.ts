import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import type { Failure } from '../model/failure.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import type { Trouble } from '../text/catalogue/failures.ts';

/** One parsed command line: a command, its arguments and options. */
export interface Call {
  readonly command: string;
  readonly arguments: readonly string[];
  /** By name in camel case: `rerunFrom`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The first argument of a command that takes `[path]`. */
  readonly path?: string | undefined;
  /** The options whose value was typed in the same word: `--resume=ID`. */
  readonly attached?: ReadonlySet<string>;
}

/** The value of an option that takes one. */
export function textOption(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be given several times. */
export function listOption(call: Call, name: string): string[] {
  const value = call.options[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function flagOption(call: Call, name: string): boolean {
  return call.options[name] === true;
}

/** The path as it was typed: the argument where the command takes one; else the manifest that `-C` named. */
export function pathOf(call: Call): string | undefined {
  return call.path ?? textOption(call, 'dir');
}

/** The workspace and run that a call names. */
export function targetOf(call: Call): { path: string | undefined; run: string | undefined } {
  return { path: pathOf(call), run: textOption(call, 'run') };
}

/**
 * Asks about the run that the argument names. A run may be named by its folder, because shells complete paths; the
 * argument may also be a workspace.
 */
export async function askNamedRun<T>(
  call: Call,
  cwd: string,
  ask: (target: ReturnType<typeof targetOf>) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const target = targetOf(call);
  const [word] = call.arguments;
  if (word === undefined) return await ask(target);
  const run = word.replace(/\/+$/, '').split('/').at(-1);
  const answer = await ask({ ...target, run });
  return answer.ok || !isPath(cwd, word, answer.failure) ? answer : await ask({ ...target, path: word });
}

/** A word that may name a run is a path only if it begins no known run id and such a file or folder exists. */
export function isPath(cwd: string, word: string, failure: Trouble): boolean {
  const isUnknown =
    failure.reason === 'run-not-found'
      ? !failure.near.some((id) => id.startsWith(word))
      : failure.reason === 'manifest-not-found' || failure.reason === 'which-workspace';
  return isUnknown && existsSync(resolve(cwd, word));
}

/** The name that a worker works under. There is no default, because two workers under one name would share claims. */
export function actorOf(call: Call, variables: NodeJS.ProcessEnv): Result<string, CallProblem> {
  const actor = textOption(call, 'actor') ?? variables.PAWL_ACTOR;
  if (actor === undefined || actor === '')
    return fail({ reason: 'missing-value', command: call.command, option: '--actor' });
  return ok(actor);
}
