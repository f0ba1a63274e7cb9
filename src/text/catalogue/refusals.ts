import { unreachable } from '../../base/result.ts';
import { asksOf, type GuardName, type Refusal, type RefusalOf } from '../../model/reason.ts';
import { doubtWords } from '../phrases/model-calls.ts';
import { type StepRef, stepList, unitList } from '../phrases/steps.ts';
import { plain } from '../style/plain.ts';
import { plainStyle, type Style } from '../style/style.ts';
import { hashChange, list, stepLabel } from '../style/words.ts';
import { optionLines, optionWords, refusalOptions } from './refusal-options.ts';
import { changeLines, fieldWords } from './value-words.ts';

/** What one guard refuses for one cause, however many steps it affects. */
export interface RefusalGroup {
  readonly guard: GuardName;
  /** What changed, with the old and the new hash. */
  readonly title: string;
  readonly details: readonly string[];
}

/** One changed template that affects thirty steps is one entry, not thirty. */
export function groupRefusals(refusals: readonly Refusal[], style: Style): RefusalGroup[] {
  const groups = new Map<string, Group>();
  for (const refusal of refusals) {
    const key = causeOf(refusal);
    const group = groups.get(key) ?? { first: refusal, all: [], steps: [] };
    groups.set(key, group);
    group.all.push(refusal);
    if ('phase' in refusal) group.steps.push(refusal);
  }
  return [...groups.values()].map(({ first, all, steps }) => ({
    guard: first.guard,
    title: titleOf(first, all, style),
    details: detailsOf(first, all, steps, style),
  }));
}

/** Refusals with the same cause. */
interface Group {
  readonly first: Refusal;
  readonly all: Refusal[];
  readonly steps: StepRef[];
}

/** What is refused, then the options. */
export function refusalLines(refusals: readonly Refusal[], style: Style): string[] {
  const lines = changedLines(refusals, style);
  return lines.length === 0 ? [] : [...lines, ...optionLines(refusalOptions(refusals, style), style)];
}

/** What is refused, one entry for each cause. */
export function changedLines(refusals: readonly Refusal[], style: Style): string[] {
  const { paint, symbols } = style;
  const groups = groupRefusals(withoutListed(refusals), style);
  const lines: string[] = [];
  for (const guard of new Set(groups.map((group) => group.guard))) {
    const ofGuard = groups.filter((group) => group.guard === guard);
    const isAsked = refusals.every((one) => one.guard !== guard || asksOf(one) !== undefined);
    const mark = isAsked ? paint.yellow(symbols.asks) : paint.red(symbols.bad);
    for (const { title, details } of ofGuard.slice(0, groupsMax)) {
      lines.push(`${mark} ${title}`, ...details.map((detail) => `    ${detail}`));
    }
    if (ofGuard.length > groupsMax)
      lines.push(`  ${symbols.more} and ${ofGuard.length - groupsMax} more of this kind`);
  }
  return lines;
}

/** Fields of a unit that the change of the manifest shows already, with their values. */
function withoutListed(refusals: readonly Refusal[]): Refusal[] {
  const names = new Set(
    refusals.flatMap((refusal) => (refusal.guard === 'manifest-changed' ? refusal.names : [])),
  );
  return refusals.filter((one) => one.guard !== 'unit-changed' || !names.has(`units.${one.unit}`));
}

/** The options after a refusal by this guard, where none has happened yet. */
export function guardOptions(refusal: Refusal): string[] {
  return refusalOptions([refusal], plainStyle).map(optionWords);
}

/** The options of all refusals, each once. */
export function allWaysOn(refusals: readonly Refusal[], style: Style): string[] {
  return refusalOptions(refusals, style).map(optionWords);
}

const groupsMax = 20;

/** Refusals with the same cause are one. */
function causeOf(refusal: Refusal): string {
  switch (refusal.guard) {
    case 'manifest-changed':
      return refusal.guard;
    case 'prompt-changed':
    case 'file-changed':
      return key(refusal.guard, refusal.path, refusal.before, refusal.after, `${refusal.wouldRun}`);
    case 'output-edited':
    case 'state-edited':
      return key(refusal.guard, refusal.path);
    case 'pre-state-differs':
      return key(refusal.guard, refusal.before, refusal.after);
    case 'definition-changed':
      return key(refusal.guard, refusal.phase, refusal.before, refusal.after);
    case 'unit-changed':
      if (refusal.file !== undefined)
        return key(refusal.guard, 'file', `${refusal.isMissing} ${refusal.wouldRun}`);
      return key(refusal.guard, 'fields', ...(refusal.values?.map(({ path }) => path) ?? [undefined]));
    case 'code-changed':
      return key(refusal.guard, refusal.phase, ...refusal.paths);
    case 'in-doubt':
      return key(refusal.guard, refusal.unit, refusal.phase);
    default:
      return unreachable(refusal);
  }
}

function key(...parts: (string | undefined)[]): string {
  return JSON.stringify(parts.map((part) => part ?? null));
}

function titleOf(refusal: Refusal, all: readonly Refusal[], style: Style): string {
  if (refusal.guard === 'in-doubt') {
    const { unit, phase, attempt, call } = refusal;
    const doubt = call === undefined ? 'nobody knows what it did' : doubtWords(call);
    return `${stepLabel(unit, phase)}: attempt ${attempt} was started and never ended; ${doubt}`;
  }
  const change = `(${hashChange(refusal.before, refusal.after, style)})`;
  switch (refusal.guard) {
    case 'manifest-changed':
      return `the manifest changed ${change}`;
    case 'prompt-changed':
      if (refusal.unused) return unusedWords(refusal);
      return `${plain(refusal.path)} ${refusal.after === undefined ? 'is missing' : 'changed'} ${change}`;
    case 'file-changed':
      return `${plain(refusal.path)} ${refusal.after === undefined ? 'is missing' : 'changed'} ${change}`;
    case 'output-edited':
    case 'state-edited': {
      const { path, writtenBy } = refusal;
      const writer = writtenBy === undefined ? 'edited by hand' : `written by run ${plain(writtenBy)}`;
      return `${plain(path)} was ${writer} ${change}`;
    }
    case 'pre-state-differs':
      return `the start state changed ${change}`;
    case 'definition-changed':
      return refusal.checksOnly
        ? `the checks of phase ${plain(refusal.phase)} changed ${change}`
        : `the definition of phase ${plain(refusal.phase)} changed ${change}`;
    case 'unit-changed':
      return unitTitle(all.filter(isOfUnit), change, style);
    case 'code-changed':
      return `the code of phase ${plain(refusal.phase)} changed: ${pathList(refusal.paths)}`;
    default:
      return unreachable(refusal);
  }
}

function ownFileChange({ isMissing, isOneHash }: RefusalOf<'unit-changed'>, change: string): string {
  if (isMissing) return 'is missing';
  return isOneHash ? 'changed' : `changed ${change}`;
}

function isOfUnit(refusal: Refusal): refusal is RefusalOf<'unit-changed'> {
  return refusal.guard === 'unit-changed';
}

/** Fields or files of one unit or of many. */
function unitTitle(all: readonly RefusalOf<'unit-changed'>[], change: string, style: Style): string {
  const byUnit = new Map(all.map((one) => [one.unit, one]));
  const units = unitList([...byUnit.keys()]);
  const [{ file, values = [] } = {}] = all;
  if (file !== undefined) {
    const files = [...byUnit.values()].map((one) => one.file ?? '');
    return byUnit.size === 1
      ? `${plain(file)}, the file of ${units}, ${ownFileChange(all[0] as RefusalOf<'unit-changed'>, change)}`
      : `the files of ${units} changed: ${pathList(files)}`;
  }
  const [field] = values;
  if (field === undefined) return `the fields of ${units} changed${byUnit.size === 1 ? ` ${change}` : ''}`;
  if (values.length > 1) return `${list(values.map(({ path }) => plain(path)))} of ${units} changed`;
  const changed = [...byUnit.values()].flatMap(({ unit: id, values: [own] = [] }) =>
    own ? [{ ...own, id }] : [],
  );
  return fieldWords(field.path, changed, style, ' changed');
}

function pathList(paths: readonly string[]): string {
  const shown = paths.slice(0, pathsMax).map(plain).join(', ');
  return paths.length > pathsMax ? `${shown} and ${paths.length - pathsMax} more` : shown;
}

const pathsMax = 5;

/** The file may well be there: the phase does not use it any more. */
function unusedWords({ role, path }: { readonly role: string; readonly path: string }): string {
  return role === 'override'
    ? `override ${plain(path)} was removed; the phase's own template is used`
    : `${plain(path)} is no longer included in the prompt`;
}

function detailsOf(
  refusal: Refusal,
  all: readonly Refusal[],
  steps: readonly StepRef[],
  style: Style,
): string[] {
  switch (refusal.guard) {
    case 'manifest-changed':
      if (refusal.changes.length === 0) return ['what it said before cannot be read any more'];
      return changeLines(refusal.changes, style);
    case 'prompt-changed':
      return refusal.wouldRun
        ? [`needed by ${stepList(steps)}, which would run`]
        : [`prompt of ${stepList(steps)}`];
    case 'file-changed':
      return refusal.wouldRun
        ? [`needed by ${stepList(steps)}, which would run`]
        : [`file ${plain(refusal.file)}, taken by ${stepList(steps)}`];
    case 'output-edited':
      return [`output ${plain(refusal.output)} of ${stepLabel(refusal.unit, refusal.phase)}`];
    case 'state-edited':
      return refusal.unit === '' ? [] : [`the state that ${plain(refusal.unit)} committed`];
    case 'pre-state-differs':
      return [`${stepList(steps)} started from the old one`];
    case 'definition-changed':
      return [
        ...changeLines(refusal.values ?? [], style),
        refusal.checksOnly
          ? `checked again before anything re-runs: ${stepList(steps)}`
          : `made with the old one: ${stepList(steps)}`,
      ];
    case 'unit-changed':
      if (refusal.wouldRun) return [`needed by ${stepList(steps)}, which would run`];
      return [...severalFields(all, style), `made with the old one: ${stepList(steps)}`];
    case 'code-changed':
      return [`made with the old one: ${stepList(steps)}`];
    case 'in-doubt':
      return [];
    default:
      return unreachable(refusal);
  }
}

/** Where several fields changed together, one line for each of them. */
function severalFields(all: readonly Refusal[], style: Style): string[] {
  const units = new Map(all.filter(isOfUnit).map((one) => [one.unit, one.values ?? []]));
  const fields = [...(units.values().next().value ?? [])].map(({ path }) => path);
  if (fields.length < 2) return [];
  return fields.map((field) => {
    const changed = [...units].flatMap(([id, values]) =>
      values.filter(({ path }) => path === field).map((change) => ({ ...change, id })),
    );
    return fieldWords(field, changed, style);
  });
}
