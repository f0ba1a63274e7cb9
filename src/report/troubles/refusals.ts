import type { JsonValue } from '../../base/json.ts';
import { unreachable } from '../../base/result.ts';
import { asksOf, type GuardName, type Refusal, type RefusalOf } from '../../model/reason.ts';
import type { ValueChange } from '../../model/value-change.ts';
import { type CellRef, cellList } from '../words/cells.ts';
import { doubtWords } from '../words/model-calls.ts';
import { clip, plain } from '../words/plain.ts';
import { plainStyle, type Style } from '../words/style.ts';
import { cell, count, hashChange } from '../words/words.ts';
import { optionLines, optionWords, refusalOptions } from './refusal-options.ts';

/** What one guard refuses for one cause, however many cells it affects. */
export interface RefusalGroup {
  readonly guard: GuardName;
  /** What changed, with the old and the new hash. */
  readonly title: string;
  readonly details: readonly string[];
}

/** One changed template that affects thirty cells is one entry, not thirty. */
export function groupRefusals(refusals: readonly Refusal[], style: Style): RefusalGroup[] {
  const groups = new Map<string, { first: Refusal; cells: CellRef[] }>();
  for (const refusal of refusals) {
    const key = causeOf(refusal);
    const group = groups.get(key) ?? { first: refusal, cells: [] };
    groups.set(key, group);
    if ('phase' in refusal) group.cells.push(refusal);
  }
  return [...groups.values()].map(({ first, cells }) => ({
    guard: first.guard,
    title: titleOf(first, style),
    details: detailsOf(first, cells, style),
  }));
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
const changesMax = 20;
const valueLengthMax = 60;

/** Refusals with the same cause are one. */
function causeOf(refusal: Refusal): string {
  switch (refusal.guard) {
    case 'manifest-changed':
      return refusal.guard;
    case 'prompt-changed':
    case 'file-changed':
      return key(refusal.guard, refusal.path, refusal.before, refusal.after);
    case 'output-edited':
    case 'state-edited':
      return key(refusal.guard, refusal.path);
    case 'pre-state-differs':
      return key(refusal.guard, refusal.before, refusal.after);
    case 'definition-changed':
      return key(refusal.guard, refusal.phase, refusal.before, refusal.after);
    case 'unit-changed':
      return key(refusal.guard, refusal.unit, refusal.file, refusal.before, refusal.after);
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

function titleOf(refusal: Refusal, style: Style): string {
  if (refusal.guard === 'in-doubt') {
    const { unit, phase, attempt, call } = refusal;
    const doubt = call === undefined ? 'nobody knows what it did' : doubtWords(call);
    return `${cell(unit, phase)}: attempt ${attempt} was started and never ended; ${doubt}`;
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
      return refusal.file === undefined
        ? `the fields of ${plain(refusal.unit)} changed ${change}`
        : `${plain(refusal.file)}, the file of ${plain(refusal.unit)}, ${ownFileChange(refusal, change)}`;
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

function detailsOf(refusal: Refusal, cells: readonly CellRef[], style: Style): string[] {
  switch (refusal.guard) {
    case 'manifest-changed':
      return changeLines(refusal.changes, style);
    case 'prompt-changed':
      return refusal.wouldRun
        ? [`needed by ${cellList(cells)}, which would run`]
        : [`prompt of ${cellList(cells)}`];
    case 'file-changed':
      return [`file ${plain(refusal.file)}, taken by ${cellList(cells)}`];
    case 'output-edited':
      return [`output ${plain(refusal.output)} of ${cell(refusal.unit, refusal.phase)}`];
    case 'state-edited':
      return refusal.unit === '' ? [] : [`the state that ${plain(refusal.unit)} committed`];
    case 'pre-state-differs':
      return [`${cellList(cells)} started from the old one`];
    case 'definition-changed':
      return refusal.checksOnly
        ? [`checked again before anything re-runs: ${cellList(cells)}`]
        : [`made with the old one: ${cellList(cells)}`];
    case 'unit-changed':
      return refusal.wouldRun
        ? [`needed by ${cellList(cells)}, which would run`]
        : [`made with the old one: ${cellList(cells)}`];
    case 'code-changed':
      return [`made with the old one: ${cellList(cells)}`];
    case 'in-doubt':
      return [];
    default:
      return unreachable(refusal);
  }
}

function changeLines(changes: readonly ValueChange[], style: Style): string[] {
  if (changes.length === 0) return ['what it said before cannot be read any more'];
  const lines = changes.slice(0, changesMax).map((change) => changeLine(change, style));
  const rest = changes.length - lines.length;
  if (rest > 0) lines.push(`${style.symbols.more} and ${count(rest, 'more change')}`);
  return lines;
}

function changeLine({ path, before, after, line, column }: ValueChange, style: Style): string {
  const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const name = path === '' ? 'the whole' : plain(path);
  const [was, is] = [value(before), value(after)];
  if (before === undefined) return `${name}: added ${excerpt(is, 0)}${place}`;
  if (after === undefined) return `${name}: removed, was ${excerpt(was, 0)}`;
  const from = firstDifference(was, is);
  return `${name}: ${excerpt(was, from)} ${style.symbols.becomes} ${excerpt(is, from)}${place}`;
}

function value(json: JsonValue | undefined): string {
  return plain(JSON.stringify(json ?? null));
}

/** Of two long values the part where they differ: their beginnings may well be the same. */
function excerpt(text: string, from: number): string {
  if (text.length <= valueLengthMax) return text;
  const start = Math.max(0, from - valueLengthMax / 2);
  return start === 0
    ? clip(text, valueLengthMax, '...')
    : clip(`...${text.slice(start)}`, valueLengthMax, '...');
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
