import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Result } from '../base/result.ts';
import type { ResumeReport } from '../engine/show/resume.ts';
import type { Failure } from '../model/failure.ts';
import type { Answered } from '../text/answers.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import type { OptionSpec } from '../text/help/help.ts';
import { type Call, flagOption, listOption, textOption } from './call.ts';
import { commands } from './commands.ts';
import type { Face } from './face.ts';
import { pacing, selectingToRun } from './select-options.ts';

/** What a command does: each is in a file of its own in `acts/`. */
export type Act = (call: Call, face: Face) => Promise<Outcome>;

export type Outcome = Result<Answered, Trouble> & {
  /** Where the answer alone does not decide it, such as after a signal. */
  readonly exitCode?: number | undefined;
  /** How the run stands that could not be gone on with: what people were shown is in `--json` as well. */
  readonly resumed?: ResumeReport | undefined;
};

/** Which workspace and run a call is about, wherever the command takes them. */
export function targetOf(call: Call): { path: string | undefined; run: string | undefined } {
  return { path: pathOf(call), run: textOption(call, 'run') };
}

/**
 * Asks about the run that the argument names, where it may also be a path. Its folder may be given as a shell completes
 * it.
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

/** The path as it was typed: the argument where the command takes one; else the manifest that `-C` named. */
export function pathOf(call: Call): string | undefined {
  const spec = commands.find(({ name }) => name === call.command);
  const argument = spec?.arguments[0]?.name === '[path]' ? call.arguments[0] : undefined;
  return argument ?? textOption(call, 'dir');
}

/** The options of `run` that were typed, as they are typed again. */
export function typedOptions(call: Call): string[] {
  return typedAmong(call, commands.find(({ name }) => name === 'run')?.options ?? []);
}

/** Of these those that limit what a run starts and spends. */
export function narrowingOptions(call: Call): string[] {
  return runs.has(call.command) ? typedAmong(call, [...selectingToRun, ...pacing]) : [];
}

const runs: ReadonlySet<string> = new Set(['run', 'resume', 'plan']);

function typedAmong(call: Call, options: readonly OptionSpec[]): string[] {
  return options.flatMap(({ flags }) => {
    const [, flag = '', name = ''] = /(--(?:no-)?([a-z-]+))/.exec(flags) ?? [];
    const value = call.options[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (name === 'dry-run') return [];
    if (flag.startsWith('--no-')) return value === false ? [flag] : [];
    if (value === true) return [flag];
    return [value ?? []].flat().flatMap((one) => [flag, String(one)]);
  });
}

/** `--reuse` and `--no-reuse`; of both the last one counts. */
export function reuseOf({ options }: Call) {
  return { reuse: options.reuse === true, noReuse: options.reuse === false };
}

/** What is asked for on top of going on. */
export function overridesOf(call: Call) {
  return {
    rerunFrom: textOption(call, 'rerunFrom'),
    rerunAll: flagOption(call, 'rerunAll'),
    rerunChanged: flagOption(call, 'rerunChanged'),
    keepChanged: flagOption(call, 'keepChanged'),
    rerunChange: listOption(call, 'rerunChange'),
    keepChange: listOption(call, 'keepChange'),
    allowPromptChange: flagOption(call, 'resumeAllowPromptChange'),
    forceResume: flagOption(call, 'forceResume'),
    force: flagOption(call, 'force'),
    pastLimits: flagOption(call, 'pastLimits'),
    restore: flagOption(call, 'restore'),
    adoptExisting: flagOption(call, 'adoptExisting'),
    replaceExisting: flagOption(call, 'replaceExisting'),
    reason: textOption(call, 'reason'),
    deep: flagOption(call, 'deep'),
  };
}
