import type { JsonValue } from '../../base/json.ts';
import { unreachable } from '../../base/result.ts';
import { asksOf, type GuardName, type Question, type Refusal } from '../../model/reason.ts';
import type { ValueChange } from '../../model/value-change.ts';
import { answerWays } from '../checkpoints.ts';
import { type CellRef, cellList } from '../words/cells.ts';
import { hint } from '../words/hints.ts';
import { doubtWords } from '../words/model-calls.ts';
import { clip, plain } from '../words/plain.ts';
import type { Style } from '../words/style.ts';
import { cell, count, hashChange } from '../words/words.ts';

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

/** Guard by guard: what is refused, then the safe ways on. */
export function refusalLines(refusals: readonly Refusal[], style: Style): string[] {
  const { paint, symbols } = style;
  const groups = groupRefusals(refusals, style);
  const lines: string[] = [];
  for (const guard of new Set(groups.map((group) => group.guard))) {
    const ofGuard = groups.filter((group) => group.guard === guard);
    const asked = questionsOf(guard, refusals);
    const mark = asked.length > 0 ? paint.yellow(symbols.asks) : paint.red(symbols.bad);
    for (const { title, details } of ofGuard.slice(0, groupsMax)) {
      lines.push(`${mark} ${title}`, ...details.map((detail) => `    ${detail}`));
    }
    if (ofGuard.length > groupsMax)
      lines.push(`  ${symbols.more} and ${ofGuard.length - groupsMax} more of this kind`);
    const ways =
      asked.length > 0
        ? asked.flatMap((question) => answerWays(question, style.path))
        : waysOn(guard, style, refusals);
    for (const way of ways) lines.push(`  ${paint.cyan(symbols.becomes)} ${way}`);
  }
  return lines;
}

/** What a person is asked where that is all that a guard wants; each question once. */
function questionsOf(guard: GuardName, refusals: readonly Refusal[]): Question[] {
  const questions = new Map<string, Question>();
  for (const refusal of refusals) {
    if (refusal.guard !== guard) continue;
    const asks = asksOf(refusal);
    if (asks === undefined) return [];
    questions.set(asks.id ?? asks.name, asks);
  }
  return [...questions.values()];
}

/** How to go on after a refusal: each way opens one guard, and none is a whole command that discards anything. */
export function waysOn(guard: GuardName, style: Style, refusals: readonly Refusal[] = []): string[] {
  const look = `to see what changed: ${hint('diff', style.path)}`;
  const keep = 'to keep the results as they are: add --force-resume and a --reason';
  const again = 'to make them again: add --rerun-from with the phase to begin with';
  const takeIn =
    'to keep the edit (what depends on it runs again): pawl adopt with the path, or add --force-resume; both take a --reason';
  const takeOver =
    'to use these files in this run (what depends on them runs again): pawl adopt with the path, and a --reason';
  switch (guard) {
    case 'manifest-changed':
      return [
        look,
        'to go on with the new manifest (finished units are kept): add --force',
        'or undo the change',
      ];
    case 'prompt-changed':
      // Without its template a phase cannot run again, whoever allows it.
      return refusals.some((one) => one.guard === guard && one.after === undefined && !one.unused)
        ? [look, 'put the missing template back', keep]
        : [
            look,
            'to run these phases again, and what depends on them: add --resume-allow-prompt-change and a --reason',
            keep,
            'or undo the change',
          ];
    case 'output-edited':
      return [
        look,
        isOfOtherRun(guard, refusals) ? takeOver : takeIn,
        'to have the recorded bytes back: move the file away and add --restore',
      ];
    case 'state-edited':
      return [
        look,
        isOfOtherRun(guard, refusals) ? takeOver : takeIn,
        'to have the recorded state back: move the file away',
      ];
    case 'pre-state-differs':
      return [again, keep];
    case 'file-changed':
      return [look, again, keep, 'or undo the change'];
    case 'definition-changed':
      return [
        look,
        'to go on with the new definition (finished units are kept): add --force',
        again,
        'or undo the change',
      ];
    case 'unit-changed':
      return [
        'to go on with what it is now (finished units are kept): add --force',
        again,
        'or undo the change',
      ];
    case 'in-doubt':
      return [
        'to see what it left behind: pawl logs, with the cell',
        'to run it again: add --rerun-from with the phase, and --unit with the unit',
      ];
    default:
      return unreachable(guard);
  }
}

/** Another run wrote all that this guard refuses. */
function isOfOtherRun(guard: 'output-edited' | 'state-edited', refusals: readonly Refusal[]): boolean {
  const ofGuard = refusals.filter((refusal) => refusal.guard === guard);
  return (
    ofGuard.length > 0 &&
    ofGuard.every((refusal) => refusal.guard === guard && refusal.writtenBy !== undefined)
  );
}

/** The ways on of all guards that refuse, each guard once. */
export function allWaysOn(refusals: readonly Refusal[], style: Style): string[] {
  return [...new Set(refusals.map(({ guard }) => guard))].flatMap((guard) => waysOn(guard, style, refusals));
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
      return key(refusal.guard, refusal.unit, refusal.before, refusal.after);
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
      return `the start state is another one now ${change}`;
    case 'definition-changed':
      return `phase ${plain(refusal.phase)} is defined otherwise now ${change}`;
    case 'unit-changed':
      return refusal.file === undefined
        ? `the fields of ${plain(refusal.unit)} changed ${change}`
        : `${plain(refusal.file)}, the file of ${plain(refusal.unit)}, changed ${change}`;
    default:
      return unreachable(refusal);
  }
}

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
      return [`prompt of ${cellList(cells)}`];
    case 'file-changed':
      return [`file ${plain(refusal.file)}, taken by ${cellList(cells)}`];
    case 'output-edited':
      return [`output ${plain(refusal.output)} of ${cell(refusal.unit, refusal.phase)}`];
    case 'state-edited':
      return refusal.unit === '' ? [] : [`the state that ${plain(refusal.unit)} committed`];
    case 'pre-state-differs':
      return [`${cellList(cells)} began with the old one`];
    case 'definition-changed':
      return [`results made by the old one: ${cellList(cells)}`];
    case 'unit-changed':
      return [`results made from the old ones: ${cellList(cells)}`];
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
