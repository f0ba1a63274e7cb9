import { changeName } from '../../model/change-name.ts';
import { asksOf, type GuardName, type Refusal } from '../../model/reason.ts';
import { answerWays } from '../checkpoints.ts';
import { hint, quoted } from '../words/hints.ts';
import { plain } from '../words/plain.ts';
import type { Style } from '../words/style.ts';

/** One way to continue: what it does, and the command that does it. */
export interface RefusalOption {
  readonly text: string;
  readonly command?: string;
}

/** How to continue after a refusal. No option discards anything that could not be brought back. */
export function refusalOptions(refusals: readonly Refusal[], style: Style): RefusalOption[] {
  const asked = refusals.filter((refusal) => asksOf(refusal) !== undefined);
  const rest = refusals.filter((refusal) => asksOf(refusal) === undefined);
  const questions = new Map(asked.map((one) => [asksOf(one)?.id ?? asksOf(one)?.name, asksOf(one)]));
  const answers = [...questions.values()].flatMap((question) =>
    question === undefined ? [] : answerWays(question, style.path).map((text) => ({ text })),
  );
  if (rest.length === 0) return answers;
  const guards = new Set(rest.map(({ guard }) => guard));
  return [
    ...answers,
    ...generalOptions(rest, style),
    ...withoutRepeats([...guards].flatMap((guard) => ownOptions(guard, rest))),
    ...seedOptions(guards, rest),
  ];
}

function withoutRepeats(options: readonly RefusalOption[]): RefusalOption[] {
  return [...new Map(options.map((option) => [option.text, option])).values()];
}

/** What it does on one line, the command to paste on the next. */
export function optionLines(options: readonly RefusalOption[], { paint, symbols }: Style): string[] {
  return options.flatMap(({ text, command }) => [
    `  ${paint.cyan(symbols.becomes)} ${text}${command === undefined ? '' : ':'}`,
    ...(command === undefined ? [] : [`      ${command}`]),
  ]);
}

/** As one line each. */
export function optionWords({ text, command }: RefusalOption): string {
  return command === undefined ? text : `${text}: ${command}`;
}

/** The answers that every change has. */
function generalOptions(refusals: readonly Refusal[], style: Style): RefusalOption[] {
  const answerable = refusals.filter(({ guard }) => guard !== 'in-doubt');
  if (answerable.length === 0) return [];
  const names = [...new Set(answerable.flatMap(changeName))];
  const reason = changeReason(answerable);
  const ofRun = (flag: string) => (style.run === undefined ? [] : [flag, style.run]);
  const run = (flag: string) =>
    hint(
      'run',
      style.path,
      undefined,
      ...ofRun('--resume'),
      ...(style.narrowing ?? []),
      flag,
      '--reason',
      reason,
    );
  const isGone = answerable.some((one) => one.guard === 'prompt-changed' && isMissing(one));
  const wouldRun = answerable.some((one) => one.guard === 'prompt-changed' && one.wouldRun === true);
  const isEdit = answerable.every(({ guard }) => guard === 'output-edited' || guard === 'state-edited');
  const rerun = isEdit
    ? 'keep the edit, and re-run what depends on it'
    : 're-run the affected steps and what depends on them';
  const keep = isEdit
    ? 'keep the edit, and keep what depends on it as outdated'
    : 'keep the results, marked as outdated';
  return [
    ...(isGone
      ? [{ text: 'put the missing template back' }]
      : [{ text: rerun, command: run('--rerun-changed') }]),
    ...(wouldRun ? [] : [{ text: keep, command: run('--keep-changed') }]),
    ...(names.length > 1
      ? [{ text: `answer one by one with --rerun-change NAME or --keep-change NAME: ${listed(names)}` }]
      : []),
    { text: 'show the differences', command: hint('diff', style.path, undefined, ...ofRun('--run')) },
    ...(isEdit ? [] : [{ text: 'or undo the change: then every result is up to date again' }]),
  ];
}

/** `prompts/draft.md and 2 more changed`: a reason that is true, for a command to paste. */
export function changeReason(changes: readonly Refusal[]): string {
  const names = [...new Set(changes.flatMap(changeName))];
  const [first = 'inputs'] = names;
  const others = names.length <= 1 ? '' : ` and ${names.length - 1} more`;
  return `${plain(first)}${others} changed`;
}

function isMissing({ after, unused }: Extract<Refusal, { guard: 'prompt-changed' }>): boolean {
  return after === undefined && unused !== true;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map(quoted).join(', ');
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}

const namesMax = 12;

/** What only this guard offers. */
function ownOptions(guard: GuardName, refusals: readonly Refusal[]): RefusalOption[] {
  switch (guard) {
    case 'output-edited':
    case 'state-edited': {
      const isOther = refusals.every(
        (one) => one.guard !== guard || ('writtenBy' in one && one.writtenBy !== undefined),
      );
      const adopt = isOther
        ? 'use these files in this run: pawl adopt with the path and a --reason'
        : 'keep one edit: pawl adopt with the path and a --reason';
      return [
        { text: adopt },
        guard === 'output-edited'
          ? { text: 'get the recorded bytes back: move the file away and add --restore' }
          : { text: 'get the recorded state back: move the file away' },
      ];
    }
    case 'in-doubt':
      return [
        { text: 'see what it left behind: pawl logs UNIT/PHASE' },
        { text: 'run it again: add --rerun-from with the phase, and --unit with the unit' },
      ];
    case 'pre-state-differs':
      return [{ text: 'run from an earlier phase again: add --rerun-from with the phase' }];
    default:
      return [];
  }
}

/** Flags that answer only some kinds of change. */
function seedOptions(guards: ReadonlySet<GuardName>, refusals: readonly Refusal[]): RefusalOption[] {
  const flags: string[] = [];
  // A template that is missing cannot be run with.
  const isGone = refusals.some((one) => one.guard === 'prompt-changed' && isMissing(one));
  if (guards.has('prompt-changed') && !isGone)
    flags.push('add --resume-allow-prompt-change to re-run changed prompts');
  if (guards.has('manifest-changed') || guards.has('definition-changed') || guards.has('unit-changed'))
    flags.push('add --force to accept a changed manifest and keep finished units');
  const isKept = (['prompt-changed', 'file-changed', 'pre-state-differs'] as const).some((one) =>
    guards.has(one),
  );
  if (isKept) flags.push('add --force-resume to keep prompts, files and states');
  return flags.length === 0 ? [] : [{ text: `or for one kind of change: ${flags.join('; ')}` }];
}
