import { plainText } from '../../projections/status-page/text.ts';
import { filledOf } from '../../projections/status-page/values.ts';
import { excerpt } from './findings.ts';
import { readMark, withoutSign } from './lines.ts';
import type { Entry } from './outline-state.ts';
import type { ReadCompleted } from './read-page.ts';
import {
  isBlank,
  listIn,
  type Reading,
  readCountOf,
  readFilledValue,
  readHashOf,
  readTimeOf,
  saidIn,
  tellUnreadable,
} from './reading.ts';
import { piecesOf } from './stage-pieces.ts';
import type { SectionKind } from './words.ts';

type Of = Extract<SectionKind, 'completed' | 'stages'>;

/**
 * The stages that a page calls completed. Below `stages` each entry needs its own mark. Open stages are skipped;
 * ambiguous ones are reported and count as not completed.
 */
export function readStages(entries: readonly Entry[], section: Of, reading: Reading): ReadCompleted[] {
  return entries.flatMap((entry) => {
    if (isBlank(entry)) return [];
    const named = nameOf(entry, section, reading);
    if (named === undefined) return [];
    const stage = reading.stage(named.stage, entry.line, section);
    if (stage === undefined) {
      tellUnreadable(entry, section, reading);
      return [];
    }
    if (!isDone(entry, named.mark, stage, section, reading)) return [];
    const pieces = piecesIn(entry, named.rest, reading);
    if (pieces !== undefined) return rowsOf(reading, stage, entry.line, pieces);
    tellUnreadable(entry, section, reading);
    return [];
  });
}

/** Reports rows of a stage that contradict each other. Several artifacts of one stage at one time are fine. */
export function tellRepeated(rows: readonly ReadCompleted[], { report }: Reading): void {
  const byStage = new Map<string, { first: ReadCompleted; paths: Set<string> }>();
  for (const row of rows) {
    const path = row.artifact?.path ?? '';
    const known = byStage.get(row.stage);
    if (known === undefined) {
      byStage.set(row.stage, { first: row, paths: new Set([path]) });
      continue;
    }
    const isAtOnce = row.completedAt === known.first.completedAt;
    if (!isAtOnce || known.paths.has(path) || path === '')
      report(row.line, { code: 'stage-listed-twice', stage: row.stage, firstLine: known.first.line });
    known.paths.add(path);
  }
}

interface Named {
  readonly stage: string;
  /** What a box or a sign says; undefined: there is none. */
  readonly mark: boolean | undefined;
  /** What stands behind the name. */
  readonly rest: string;
}

/** Undefined: unreadable, and reported. */
function nameOf(entry: Entry, section: Of, reading: Reading): Named | undefined {
  const field = entry.fields.get('stage');
  const raw = field?.raw ?? saidIn(entry);
  const signed = withoutSign(raw);
  const split = field === undefined ? splitName(signed.text) : { name: signed.text, rest: '' };
  const end = withoutSign(split.rest);
  const box = entry.mark === undefined ? undefined : readMark(entry.mark);
  const marks = [box, signed.mark, end.mark].filter((mark) => mark !== undefined);
  const isClear = entry.mark === undefined || box !== undefined;
  if (filledOf(raw) !== 'filled' || !isClear || new Set(marks).size > 1) {
    tellUnreadable(entry, section, reading);
    return undefined;
  }
  return { stage: split.name, mark: marks[0], rest: end.text };
}

/** `spec: …`, `spec — …`, `spec -> …`, `spec (…)`. */
function splitName(said: string): { readonly name: string; readonly rest: string } {
  const match = /[:：(,|→—–]| -{1,2}>? /.exec(said);
  if (match === null) return { name: said, rest: '' };
  return { name: said.slice(0, match.index).trim(), rest: said.slice(match.index + match[0].length) };
}

function isDone(
  { fields, line }: Entry,
  mark: boolean | undefined,
  stage: string,
  section: Of,
  { report }: Reading,
): boolean {
  if (mark === false) return false;
  const raw = fields.get('status')?.raw ?? (section === 'stages' && mark === undefined ? '' : undefined);
  if (raw === undefined) return true;
  const says = filledOf(raw) === 'filled' ? readMark(raw) : undefined;
  if (says === undefined)
    report(line, { code: 'stage-status-unknown', stage, value: excerpt(plainText(raw)) });
  return says === true;
}

interface Pieces {
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  readonly completedAt: string | undefined;
  readonly iterations: number | undefined;
}

/** Undefined: ambiguous text behind the name, or two artifacts for one place. */
function piecesIn({ fields }: Entry, rest: string, reading: Reading): Pieces | undefined {
  const pieces = piecesOf(rest);
  if (pieces === undefined || fields.size === 0) return pieces && { ...pieces, iterations: undefined };
  if (pieces.paths.length > 0 || pieces.hashes.length > 0) return undefined;
  const artifact = fields.get('artifact');
  if (artifact !== undefined) readFilledValue(reading, artifact, 'artifact', (raw) => raw, undefined);
  const hash = fields.get('hash');
  if (hash !== undefined) readFilledValue(reading, hash, 'hash', (raw) => raw, undefined);
  return {
    paths: listIn(artifact, 'completed', reading),
    hashes: listIn(hash, 'completed', reading),
    completedAt: readTimeOf(reading, fields.get('completed'), 'completed') ?? pieces.completedAt,
    iterations: readCountOf(reading, fields.get('iterations'), 'iterations'),
  };
}

/** One row for each artifact. Hashes are used only if there is one for each artifact. */
function rowsOf(reading: Reading, stage: string, line: number, pieces: Pieces): ReadCompleted[] {
  const { paths, hashes, completedAt, iterations } = pieces;
  if (paths.length === 0) {
    reading.report(line, { code: 'stage-without-artifact', stage });
    return [{ stage, artifact: undefined, completedAt, iterations, line }];
  }
  return paths.map((raw, at) => {
    const path = plainText(raw);
    const said = hashes.length === paths.length ? hashes[at] : undefined;
    if (said === undefined) reading.report(line, { code: 'hash-missing', of: excerpt(path) });
    const hash = said === undefined ? undefined : readHashOf(reading, { raw: said, line }, excerpt(path));
    return { stage, artifact: { path, hash }, completedAt, iterations, line };
  });
}
