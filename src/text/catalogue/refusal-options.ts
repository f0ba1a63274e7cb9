import { asksOf, type GuardName, type Refusal } from '../../model/reason.ts';
import { changeName } from '../../model/refusal.ts';
import { hint, quoted } from '../phrases/hints.ts';
import { answerWays } from '../phrases/questions.ts';
import { stepList } from '../phrases/steps.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { stepLabel } from '../style/words.ts';

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
    ...withoutRepeats([...guards].flatMap((guard) => ownOptions(guard, rest, style))),
    ...seedOptions(guards, rest),
  ];
}

function withoutRepeats(options: readonly RefusalOption[]): RefusalOption[] {
  return options.filter(({ text }, at) => options.findIndex((one) => one.text === text) === at);
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
  const isGone = answerable.some(isMissing);
  const wouldRun = answerable.some(isNeeded);
  const isEdit = answerable.every(({ guard }) => guard === 'output-edited' || guard === 'state-edited');
  const rerun = isEdit
    ? 'keep the edit, and re-run what depends on it'
    : 're-run the affected steps and what depends on them';
  const keep = isEdit
    ? 'keep the edit, and keep what depends on it as outdated'
    : 'keep the results, marked as outdated';
  return [
    ...(isGone
      ? [{ text: `put the missing ${answerable.some(isTemplate) ? 'template' : 'file'} back` }]
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

/** A file that a step cannot run without. */
function isMissing(refusal: Refusal): boolean {
  switch (refusal.guard) {
    case 'prompt-changed':
      return refusal.after === undefined && refusal.unused !== true;
    case 'file-changed':
      return refusal.after === undefined;
    case 'unit-changed':
      return refusal.isMissing === true;
    default:
      return false;
  }
}

/** The step has no result that could be kept without the file. */
function isNeeded(refusal: Refusal): boolean {
  return 'wouldRun' in refusal && refusal.wouldRun === true;
}

function isTemplate(refusal: Refusal): boolean {
  return refusal.guard === 'prompt-changed' && isMissing(refusal);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map(quoted).join(', ');
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}

const namesMax = 12;

/** What only this guard offers. */
function ownOptions(
  guard: GuardName,
  all: readonly Refusal[],
  { path, narrowing = [] }: Style,
): RefusalOption[] {
  const refusals = all.filter((one) => one.guard === guard);
  switch (guard) {
    case 'output-edited':
    case 'state-edited': {
      const isOther = refusals.every((one) => 'writtenBy' in one && one.writtenBy !== undefined);
      const edited = refusals.flatMap((one) => ('path' in one ? [one.path] : []))[0] ?? '';
      const reason = isOther ? 'the files of the other run are right' : 'edited by hand';
      return [
        {
          text: isOther ? 'use one of these files in this run' : 'keep one edit',
          command: hint('adopt', path, edited, '--reason', reason),
        },
        guard === 'output-edited'
          ? {
              text: `get its recorded bytes back: move ${plain(edited)} away, then`,
              command: hint('run', path, undefined, ...narrowing, '--restore'),
            }
          : {
              text: `get the recorded state back: move ${plain(edited)} away, then`,
              command: hint('run', path, undefined, ...narrowing),
            },
      ];
    }
    case 'in-doubt':
      return [
        ...stepsOf(refusals)
          .slice(0, 1)
          .map(({ unit, phase }) => ({
            text: 'see what it left behind',
            command: hint('logs', path, stepLabel(unit, phase)),
          })),
        ...rerunOptions(refusals, path),
      ];
    case 'pre-state-differs':
      return rerunOptions(refusals, path, ', and the phases after it');
    default:
      return [];
  }
}

interface StepRef {
  readonly unit: string;
  readonly phase: string;
}

function stepsOf(refusals: readonly Refusal[]): StepRef[] {
  return refusals.flatMap((one) => ('phase' in one ? [{ unit: one.unit, phase: one.phase }] : []));
}

/** For the first of these phases. With the units, because without them every unit would run again. */
function rerunOptions(refusals: readonly Refusal[], path: string | undefined, more = ''): RefusalOption[] {
  const all = stepsOf(refusals);
  const [first] = all;
  if (first === undefined) return [];
  const steps = all.filter(({ phase }) => phase === first.phase).slice(0, unitsMax);
  const units = [...new Set(steps.map(({ unit }) => unit))].join(',');
  const command = hint('run', path, undefined, '--rerun-from', first.phase, '--unit', units);
  return [{ text: `re-run ${stepList(steps)}${more}`, command }];
}

const unitsMax = 12;

/** Flags that answer only some kinds of change. */
function seedOptions(guards: ReadonlySet<GuardName>, refusals: readonly Refusal[]): RefusalOption[] {
  const flags: string[] = [];
  // A template that is missing cannot be run with.
  if (guards.has('prompt-changed') && !refusals.some(isTemplate))
    flags.push('add --resume-allow-prompt-change to re-run changed prompts');
  const isUnit = refusals.some((one) => one.guard === 'unit-changed' && !isMissing(one));
  if (guards.has('manifest-changed') || guards.has('definition-changed') || isUnit)
    flags.push('add --force to accept a changed manifest and keep finished units');
  const isKept = (['prompt-changed', 'file-changed', 'pre-state-differs'] as const).some((one) =>
    guards.has(one),
  );
  if (isKept && !refusals.some(isNeeded)) flags.push('add --force-resume to keep prompts, files and states');
  return flags.length === 0 ? [] : [{ text: `or for one kind of change: ${flags.join('; ')}` }];
}
