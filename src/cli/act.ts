import type { Result } from '../base/result.ts';
import type { ResumeReport } from '../engine/tasks/resume.ts';
import type { Answered } from '../report/answers.ts';
import type { Trouble } from '../report/troubles/failures.ts';
import { type Call, flagOption, textOption } from './call.ts';
import type { Face } from './face.ts';

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

/** Like `targetOf`, where the run is the argument. Its folder may be given as a shell completes it. */
export function namedRun(call: Call): ReturnType<typeof targetOf> {
  const target = targetOf(call);
  const name = call.arguments[0]?.replace(/\/+$/, '').split('/').at(-1);
  return { ...target, run: name ?? target.run };
}

/** The path as it was typed: an argument of some commands, an option of the others. */
export function pathOf(call: Call): string | undefined {
  return takesPath.has(call.command) ? call.arguments[0] : textOption(call, 'dir');
}

const takesPath = new Set([
  'run',
  'resume',
  'plan',
  'cost',
  'status',
  'runs',
  'verify',
  'reset',
  'repair',
  'gc',
  'doctor',
]);

/** What is asked for on top of going on. */
export function overridesOf(call: Call) {
  return {
    rerunFrom: textOption(call, 'rerunFrom'),
    rerunAll: flagOption(call, 'rerunAll'),
    unit: textOption(call, 'unit'),
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
