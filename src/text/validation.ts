import { unreachable } from '../base/result.ts';
import type { ValidatedSubject, ValidationCheck, ValidationRow } from '../engine/observe/task-answers.ts';
import { clip, plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table, visibleLength } from './style/table.ts';
import { count, list, stepLabel, time } from './style/words.ts';

/** What was looked at before a run is gone on with, as a table: what was looked at, how it is, what exactly. */
export function validationLines(rows: readonly ValidationRow[], style: Style): string[] {
  const { paint, symbols } = style;
  const narrow = rows.map((row) => [`${markOf(row, style)} ${row.check}`, resultWords(row)]);
  const taken = Math.max(0, ...table(narrow).map(visibleLength)) + columnGap;
  const room = Math.max(roomMin, Math.min(style.width, widthMax) - 1 - taken);
  const steps = rows.flatMap((row, at) => {
    const follows = followsWords(row);
    const told = [...(narrow[at] ?? []), whatWords(row, room, symbols.more)];
    if (follows === undefined) return [told];
    const consequence = clip(`${symbols.becomes} ${follows}`, room, symbols.more);
    return [told, ['', '', paint.dim(consequence)]];
  });
  return table(steps);
}

const widthMax = 80;
const roomMin = 20;
const columnGap = 2;
const namedMax = 3;

function markOf({ result }: ValidationRow, { paint, symbols }: Style): string {
  switch (result) {
    case 'ok':
      return paint.green(symbols.good);
    case 'changed':
      return paint.yellow(symbols.differs);
    case 'missing':
    case 'damaged':
      return paint.red(symbols.bad);
    case 'complete':
    case 'partial':
      return paint.yellow(symbols.cutOff);
    case 'none':
      return paint.dim(symbols.waits);
    case 'asks':
      return paint.yellow(symbols.asks);
    default:
      return unreachable(result);
  }
}

function resultWords({ check, result }: ValidationRow): string {
  switch (result) {
    case 'ok':
      return inOrder[check];
    case 'damaged':
      return check === 'checks' ? 'failed' : 'damaged';
    case 'changed':
      return check === 'artifacts' ? 'edited' : 'changed';
    case 'asks':
      return 'waiting';
    case 'missing':
    case 'complete':
    case 'partial':
    case 'none':
      return result;
    default:
      return unreachable(result);
  }
}

const inOrder: Readonly<Record<ValidationCheck, string>> = {
  sources: 'as recorded',
  artifacts: 'as recorded',
  unfinished: 'nothing',
  checks: 'passed',
  questions: 'decided',
};

/** The first of what a row is about, as many as there is room for. */
function whatWords(row: ValidationRow, room: number, more: string): string {
  const { check, of, subjects } = row;
  if (subjects.length === 0) {
    if (of === 0) return emptyWords[check];
    return row.count === of ? count(of, 'file') : `${row.count} of ${count(of, 'file')}`;
  }
  const names = subjects.map((subject) => subjectWords(row, subject));
  for (let shown = Math.min(namedMax, names.length); shown > 1; shown--) {
    const text = named(names.slice(0, shown), row.count);
    if (text.length <= room) return text;
  }
  const [first = ''] = names;
  const rest = named([''], row.count);
  return clip(first, room - rest.length, more) + rest;
}

const emptyWords: Readonly<Record<ValidationCheck, string>> = {
  sources: '',
  artifacts: 'nothing is done yet',
  unfinished: 'nothing was under way',
  checks: 'nothing to check yet',
  questions: 'nobody was asked anything',
};

/** `a, b and 3 more`. */
function named(names: readonly string[], total: number): string {
  const rest = total - names.length;
  return rest === 0 ? list(names) : `${names.join(', ')} and ${rest} more`;
}

function subjectWords({ check }: ValidationRow, subject: ValidatedSubject): string {
  const { path = '', unit = '', phase = '', id, name = '', detail } = subject;
  const where = unit === '' ? '' : stepLabel(unit, phase);
  switch (check) {
    case 'sources':
    case 'artifacts':
      return plain(path);
    case 'checks':
      return detail === undefined ? plain(path) : `${plain(path)}: ${plain(detail)}`;
    case 'unfinished':
      return subject.files === undefined
        ? where
        : `${where}: ${list(subject.files.map(fileWords), namedMax)}`;
    case 'questions':
      return [id ?? 'new', name].map(plain).join(' ') + (detail === undefined ? '' : ` ${plain(detail)}`);
    default:
      return unreachable(check);
  }
}

/** What lies in the folder of an attempt goes by its name there: whose it is stands before it. */
function fileWords(path: string): string {
  return plain(path.replace(/^.*\/attempts\/[^/]+\/[^/]+\/\d+\//, ''));
}

/** What becomes of it. */
function followsWords(row: ValidationRow): string | undefined {
  const { follows, subjects } = row;
  if (follows === undefined) return undefined;
  const ids = subjects.flatMap(({ id }) => (id === undefined ? [] : [plain(id)]));
  const decided = ids.length === 0 ? '' : ` (${list(ids, namedMax)})`;
  switch (follows.code) {
    case 'asks-person':
      return askWords(row, decided);
    case 'refused':
      return row.check === 'unfinished'
        ? 'nothing is run before somebody has looked at it'
        : 'nothing is run before it is settled: pawl plan';
    case 'allowed':
      return 'goes on all the same: an option allows it';
    case 'keeps':
      return `what was made is kept, as decided${decided}`;
    case 'restarts':
      return `done again from ${plain(follows.from)}, as decided${decided}`;
    case 'adopts':
      return 'taken in; what was made from it runs again';
    case 'restores':
      return 'put back as recorded';
    case 'runs-again':
      return againWords(row);
    case 'continues':
      return 'the next attempt goes on with it';
    case 'moves-aside':
      return 'moved aside when it runs; pawl adopt takes it in';
    case 'waits':
      return 'somebody is at it';
    case 'paused':
      return `it is paused until ${time(follows.until)}`;
    case 'stops':
      return 'it cannot go on by itself: pawl status';
    default:
      return unreachable(follows);
  }
}

function askWords({ check, subjects }: ValidationRow, ids: string): string {
  if (check !== 'questions') return `a person has to decide${ids}`;
  const [first] = subjects.filter(({ id }) => id !== undefined);
  return first?.id === undefined
    ? 'a person is asked'
    : `a person has to decide: pawl show ${plain(first.id)}`;
}

function againWords({ check, subjects }: ValidationRow): string {
  if (check === 'sources') return 'what was made from it runs again';
  if (check === 'unfinished') return 'runs again from the start';
  const phases = [...new Set(subjects.flatMap(({ phase }) => (phase === undefined ? [] : [plain(phase)])))];
  return `incomplete: ${list(phases, namedMax)} ${phases.length === 1 ? 'runs' : 'run'} again`;
}
